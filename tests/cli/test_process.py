"""The command as a process of its own: start-up, signals, pipes."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

PLYWISE = (sys.executable, "-m", "plywise")
PATIENCE = 120.0  #: seconds for a process to end, on a busy machine
HELP = 1.5  #: processor seconds that help may take; it takes a tenth of that


def plywise(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLYWISE, *arguments], capture_output=True, text=True, timeout=PATIENCE, **more
    )


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
    before = _seconds_of_children()
    assert plywise("--help").returncode == 0
    assert _seconds_of_children() - before < HELP


def _seconds_of_children() -> float:
    """Of the processor: how busy the machine is does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_version_and_no_arguments():
    assert plywise("--version").stdout.startswith("plywise 0.")
    assert plywise().stdout == plywise("--help").stdout


def test_json_is_all_there_is_on_stdout():
    result = plywise("analyze", "tictactoe", "--agent", "minimax:depth=9", "--json")
    assert json.loads(result.stdout)["outcome"] == "draw"
    assert result.returncode == 0


def test_bad_input_leaves_no_trace():
    result = plywise("show", "connect4", "--moves", "9")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "plywise: '9' is not a move: write the number of a column, 1 to 7\n"


def test_ctrl_c_stops_cleanly():
    """In mid-search: on a terminal it tells of every depth that it has reached."""
    search = ("analyze", "connect4", "--agent", "minimax", "--time", "600", "--json")
    master, terminal = os.openpty()
    process = subprocess.Popen(
        [*PLYWISE, *search], stdout=subprocess.PIPE, stderr=terminal, text=True
    )
    os.close(terminal)
    with open(master, encoding="utf-8", errors="replace") as told:
        assert any("depth " in line for line in told)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        err: list[str] = []
        with suppress(OSError):  # that is how a terminal ends
            err.extend(told)
    assert (process.returncode, out) == (130, "")
    assert err[-1].endswith("plywise: stopped\n")  # after what clears the line above
    assert "Traceback" not in "".join(err)


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
    process.wait(timeout=PATIENCE)
    process.stderr.close()
