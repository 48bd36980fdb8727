"""A run of pytest fails if it leaves something behind, or skips what it must not; it resumes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.leftovers import MARK

ROOT = Path(__file__).parents[1]
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
pytestmark = [pytest.mark.slow, linux]

CONFTEST = """
import os
from pathlib import Path
from tests.leftovers import Leftovers
from tests.resuming import Resuming
from tests.skipping import Skipping

def pytest_configure(config):
    if folder := os.environ.get("RESUME"):
        config.pluginmanager.register(Resuming(config, Path(folder)))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Leftovers(patience=1.0, pause=0.0))
        config.pluginmanager.register(Skipping())
"""
HEAD = """
import socket, subprocess, sys, time
import pytest
"""
ORPHAN = """
def test_it():
    subprocess.run(["sh", "-c", "sleep 300 >/dev/null 2>&1 &"], check=True)
"""
CHILD = """
def test_it():
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    subprocess.Popen(command, env={}, start_new_session=True)
"""
LISTENER = """
@pytest.fixture(scope="module")
def listener():
    with socket.create_server(("%s", 0)) as listener:
        yield listener

def test_it(listener): pass
def test_more(listener): time.sleep(0.2)
"""
SKIPPED = """
@pytest.mark.skip(reason="%s")
def test_it(): pass
"""
MISSING = SKIPPED % "nginx is not installed: on Debian, apt-get install nginx"
NO_GPU = SKIPPED % "CuPy is not installed: this needs a GPU"
UNKNOWN = SKIPPED % "it fails on Thursdays"
#: The first time, the second test ends the run as a power cut would.
CUT_OFF = """
import os, signal
from pathlib import Path

def note(name):
    with Path("log").open("a") as log: log.write(name)

def test_first(): note("1")

def test_second():
    note("2")
    if Path("log").read_text() == "12":
        time.sleep(1.0)  # the first is noted
        is_worker = "PYTEST_XDIST_WORKER" in os.environ
        os.kill(os.getppid() if is_worker else os.getpid(), signal.SIGKILL)
        time.sleep(60)

def test_third(): note("3")
"""
NO_PACKAGE = "pytest.importorskip('a_package_that_nobody_has')\n"
ONE_WORKER = ("-p", "xdist.plugin", "-n", "1")


def run(folder: Path, source: str, *options: str, **environment: str) -> tuple[int, str]:
    """Run the tests in a source, as a file of their own; the exit code and what was printed."""
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "test_file.py").write_text(HEAD + source, encoding="utf-8")
    (folder / "test_other.py").write_text("def test_it(): pass\n", encoding="utf-8")
    others = ("CI", MARK, "PYTEST_")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    plain["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # to start in half the time
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)],
        cwd=folder,
        env={**plain, "PYTHONPATH": f"{ROOT}{os.pathsep}{plain.get('PYTHONPATH', '')}"}
        | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("source", "options"),
    [
        pytest.param(ORPHAN, (), id="an orphan"),
        pytest.param(ORPHAN, ONE_WORKER, id="an orphan of a worker"),
        pytest.param(CHILD, (), id="a child without the mark"),
    ],
)
def test_a_process_that_is_left(tmp_path: Path, source: str, options: tuple[str, ...]) -> None:
    code, said = run(tmp_path, source, *options)
    (left,) = re.findall(r"still there: process (\d+), '.*'", said)
    os.kill(int(left), signal.SIGKILL)
    assert code == 1
    assert ("started by test_file.py::test_it (call)" in said) == (source is ORPHAN)


@pytest.mark.parametrize(
    ("address", "options", "code"),
    [("0.0.0.0", (), 1), ("0.0.0.0", ONE_WORKER, 1), ("127.0.0.1", ONE_WORKER, 0)],
)
def test_a_server_for_other_machines(
    tmp_path: Path, address: str, options: tuple[str, ...], code: int
) -> None:
    found, said = run(tmp_path, LISTENER % address, *options)
    assert (found, "listens on 00000000:" in said) == (code, bool(code))


@pytest.mark.parametrize(
    ("source", "code", "in_ci"),
    [(NO_GPU, 0, 0), (MISSING, 0, 1), (NO_PACKAGE, 0, 1), (UNKNOWN, 1, 1)],
    ids=["no GPU", "no program", "no package", "unknown"],
)
def test_what_is_skipped(tmp_path: Path, source: str, code: int, in_ci: int) -> None:
    for environment, expected in (({}, code), ({"CI": "true"}, in_ci)):
        found, said = run(tmp_path, source, **environment)
        assert found == expected, said
        assert "skipped: 1" in said
        assert ("NOT ALLOWED" in said) == bool(expected)
        assert "    test_file.py" in said


def test_a_file_that_every_worker_skips_counts_once(tmp_path: Path) -> None:
    code, said = run(tmp_path, NO_PACKAGE, "-p", "xdist.plugin", "-n", "2")
    assert (code, "skipped: 1" in said) == (0, True)


@pytest.mark.parametrize("options", [(), ONE_WORKER], ids=["alone", "with a worker"])
def test_a_run_that_was_killed_goes_on(tmp_path: Path, options: tuple[str, ...]) -> None:
    noted = {"RESUME": str(tmp_path / "passed")}
    assert run(tmp_path, CUT_OFF, *options, **noted)[0] == -signal.SIGKILL
    assert run(tmp_path, CUT_OFF, *options, **noted)[0] == 0
    assert (tmp_path / "log").read_text() == "1223"
    assert run(tmp_path, CUT_OFF, *options, **noted)[0] == 0
    assert (tmp_path / "log").read_text() == "1223"  # all have passed


def test_a_run_that_left_something_is_not_held_to_have_passed(tmp_path: Path) -> None:
    source = LISTENER % "0.0.0.0"
    for _ in range(2):
        assert run(tmp_path, source, RESUME=str(tmp_path / "passed"))[0] == 1
