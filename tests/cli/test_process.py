"""The command as a process of its own: start-up, signals, pipes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

PLYWISE = (sys.executable, "-m", "plywise")


def plywise(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PLYWISE, *arguments], capture_output=True, text=True, **more)


def test_help_is_quick_and_loads_nothing_heavy():
    code = (
        "import sys; from plywise.cli import main; code = main(['--help'])\n"
        "print(sorted({'numba', 'numpy', 'rich'} & set(sys.modules)), file=sys.stderr)\n"
        "raise SystemExit(code)"
    )
    helped = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert helped.returncode == 0
    assert helped.stderr == "[]\n"
    for command in ("play", "games", "show", "perft", "analyze", "solve", "match", "warmup"):
        assert f"  {command} " in helped.stdout
    best = min(_seconds("--help") for _ in range(3))
    assert best < 0.3


def _seconds(*arguments: str) -> float:
    started = time.perf_counter()
    plywise(*arguments)
    return time.perf_counter() - started


def test_version_and_no_arguments():
    assert plywise("--version").stdout.startswith("plywise 0.")
    assert plywise().stdout == plywise("--help").stdout


def test_json_is_all_there_is_on_stdout():
    result = plywise("analyze", "tictactoe", "--agent", "minimax", "--json")
    assert json.loads(result.stdout)["outcome"] == "draw"
    assert result.returncode == 0


def test_bad_input_leaves_no_trace():
    result = plywise("show", "connect4", "--moves", "9")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "plywise: '9' is no move: write the number of a column, 1 to 7\n"


def test_ctrl_c_stops_cleanly():
    search = ("analyze", "connect4", "--agent", "minimax:depth=30", "--json")
    process = subprocess.Popen(
        [*PLYWISE, *search], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(2.0)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "plywise: stopped"
    assert "Traceback" not in err


def test_a_reader_that_leaves_is_no_error():
    process = subprocess.Popen(
        [*PLYWISE, "show", "tictactoe:rows=19"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(timeout=20)
    process.stderr.close()
