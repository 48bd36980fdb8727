"""`run("show", "connect4")`: a command in this process, or several in another; files to read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plywise.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object on stdout; fails if anything else is there."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on stderr of a command that was refused."""
        assert self.code == 2
        lines = [line for line in self.err.splitlines() if not line.startswith("compiling ")]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("plywise: ")
        return lines[0].removeprefix("plywise: ")


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    def run(*arguments: str) -> Result:
        code = main(arguments)
        return Result(code, *capsys.readouterr())

    yield run
    # A process runs one command: the next must not be blamed on this one's files.
    for name in [name for name in sys.modules if name.startswith("plywise_game_")]:
        del sys.modules[name]


#: Runs commands one after the other; every start of a process would cost as much as ten of them.
SEVERAL = """
import io, json, sys
from plywise.cli import main
for typed, *arguments in json.load(sys.stdin):
    sys.stdin = io.StringIO(typed)
    code = main(arguments)
    assert code == 0, arguments
    print("that was one", flush=True)
"""


def several(
    *commands: tuple[str, ...], python: str | Path = sys.executable, **options: Any
) -> list[str]:
    """What commands print, in one process; each begins with what is typed."""
    done = subprocess.run(
        [python, "-c", SEVERAL],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    *printed, rest = done.stdout.split("that was one\n")
    assert rest == ""
    return printed


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], str]:
    """Write a file and return its path."""

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write
