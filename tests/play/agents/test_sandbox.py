"""Hostile agents in a sandbox: each fails with one line, and nothing of it is left."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

import plywise
from plywise.core.spec import Spec
from plywise.errors import AgentError
from plywise.play.agents.program import Program
from plywise.play.agents.sandbox import Podman, Sandbox, unavailable
from tests.core.refusals import one_line

pytestmark = pytest.mark.slow
GAME = plywise.game("tictactoe")
HEAD = "import os, pathlib, socket, subprocess, sys, time\n"


@pytest.fixture(autouse=True)
def sandbox() -> None:
    """Skip the test where there is no sandbox."""
    if (reason := unavailable()) is not None:
        pytest.skip(reason)


def asked(tmp_path: Path, body: str, *, seconds: float = 5.0, memory: int = 2048) -> str:
    """Let an agent with this body move; return its move, or the line about its failure."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    file = tmp_path / "agent.py"
    file.write_text(f"{HEAD}\ndef get_move(state, player):\n{lines}\n    return state.legal[0]\n")
    program = Program(Spec.parse(str(file)), GAME, memory=memory, sandbox=Sandbox((str(tmp_path),)))
    try:
        return program.ask(GAME.start(), seconds).best or ""
    except AgentError as error:
        one_line(error)
        return str(error)
    finally:
        program.close()


def test_an_agent_that_plays(tmp_path: Path) -> None:
    """It can import, and write to a temporary folder."""
    body = "pathlib.Path(os.environ['TMPDIR'], 'notes').write_text('x')\nimport numpy"
    assert asked(tmp_path, body) == "a1"


def test_a_socket(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        assert "Error" in asked(tmp_path, f"socket.create_connection(('127.0.0.1', {port}), 2)")


def test_a_reader_of_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "secret.txt").write_text("secret")
    monkeypatch.setenv("HOME", str(home))
    said = asked(tmp_path, f"return open({str(home / 'secret.txt')!r}).read()")
    assert "FileNotFoundError" in said


def test_a_reader_of_other_agents(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("secret = 1")
    said = asked(tmp_path, f"return open({str(tmp_path / 'other.py')!r}).read()")
    assert "FileNotFoundError" in said


def test_a_reader_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_TOKEN", "secret")
    assert "KeyError" in asked(tmp_path, "return os.environ['PLYWISE_TOKEN']")


def test_a_writer_of_files(tmp_path: Path) -> None:
    target = Path(sys.prefix) / "written by an agent"
    said = asked(tmp_path, f"open({str(target)!r}, 'w').write('x')")
    assert "Read-only file system" in said
    assert not target.exists()


def test_a_writer_of_five_gigabytes(tmp_path: Path) -> None:
    body = "with open(os.environ['TMPDIR'] + '/big', 'wb') as file:\n"
    body += "    for _ in range(5000):\n        file.write(bytes(1 << 20))"
    assert "No space left" in asked(tmp_path, body)


@pytest.mark.parametrize("name", ["/dev/shm/big", "/dev/big"])
def test_a_writer_to_shared_memory(tmp_path: Path, name: str) -> None:
    body = f"with open({name!r}, 'wb') as file:\n"
    body += "    for _ in range(100):\n        file.write(bytes(1 << 20))"
    said = asked(tmp_path, body)
    assert "No space left" in said or "Read-only file system" in said


def test_a_forker(tmp_path: Path) -> None:
    body = "while True:\n    if os.fork() == 0:\n        time.sleep(60)"
    said = asked(tmp_path, body, seconds=10.0)
    assert "more than 64 processes" in said or "Resource temporarily unavailable" in said


def test_a_daemon_that_survives(tmp_path: Path) -> None:
    """It is gone with its agent, although it has left its group and its parents."""
    name = f"plywise-daemon-{os.getpid()}-{threading.get_native_id()}"
    body = "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    body += f"        os.execvp('sleep', [{name!r}, '600'])\n    os._exit(0)\ntime.sleep(0.3)"
    assert asked(tmp_path, body) == "a1"
    time.sleep(0.1)
    running = [_command(pid) for pid in os.listdir("/proc") if pid.isdigit()]
    assert not any(name in command for command in running)


FAKE = """#!/bin/sh
# Stands in for podman: runs what comes after the name of the image.
[ "$1" = run ] || exit 0
echo "$@" >> "$0.log"
while [ "$1" != plywise ]; do shift; done
shift
exec "$@"
"""


def test_podman_is_asked_for_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in: what is asked of podman, and that the agent plays through it."""
    sandbox = Podman((str(tmp_path),))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sandbox.unavailable == "podman is not installed (apt install podman)"
    program = tmp_path / "podman"
    program.write_text("#!/bin/sh\n[ $1 = version ]\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(sys.executable).parent}:/usr/bin:/bin")
    assert "has no image 'plywise'" in str(sandbox.unavailable)
    program.write_text(FAKE)
    assert sandbox.unavailable is None
    file = tmp_path / "agent.py"
    file.write_text("def get_move(state, player):\n    return state.legal[0]\n")
    made = Program(Spec.parse(str(file)), GAME, memory=1500, sandbox=sandbox)
    assert made.ask(GAME.start(), 5.0).best == "a1"
    made.close()
    asked = (tmp_path / "podman.log").read_text().split()
    for option in ("--network=none", "--read-only", "--cap-drop=ALL", "--memory=1500m"):
        assert option in asked
    assert [each for each in asked if each.startswith("--volume")] == [f"--volume={file}:{file}:ro"]


def _command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""
