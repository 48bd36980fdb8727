"""The process of an agent file in a tournament: every game has a child of its own.

    python -P -m plywise.play.agents.forking AGENT.py [FOLDER...]

Starting Python and importing plywise takes longer than many games. This process does it once, and
never runs the agent: for each game it forks a child that does, passes lines on between plywise and
the child, and kills the child and all it has started when the game ends. So no game depends on
the games before it, not even if the agent keeps something in global variables.

It speaks the protocol of `runner.py` and knows one word more: `end` ends a game. The answer is
`ended`, or `again` if the agent has left something in one of the FOLDERs, which are in memory:
then only a new process is as good as new. Linux only.
"""

from __future__ import annotations

import atexit
import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from plywise import games
from plywise.errors import PlywiseError
from plywise.play.agents.process import LONGEST, channel
from plywise.play.agents.runner import answer_questions, take_the_streams
from plywise.play.agents.supervisor import adopt_orphans, end, protect, reap

POLL_SECONDS = 0.05  #: between checks whether the child is still there
ASKING = ("begin", "go")  #: the words that are answered


def main(name: str, folders: list[str]) -> None:
    """Answer questions until standard input ends."""
    protect()
    adopt_orphans()
    questions, answers = take_the_streams()
    before = _paths(folders)
    child: Child | None = None
    known: list[str] = []  # the lines about a game before it begins
    for line in questions:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "game":
            with suppress(PlywiseError):  # the child will say what is wrong
                games.make(rest)  # imports its rules
        if word == "end":
            if child is not None:
                child.end()
            child, known = None, []
            said = "ended" if _paths(folders) == before else "again"
            os.write(answers.fileno(), f"{said}\n".encode())
            continue
        known.append(line)
        if word not in ASKING:
            continue
        if child is None:
            child = Child(name, (questions, answers))
        child.ask("".join(known), answers.fileno())
        known = []


class Child:
    """The process that plays a game."""

    def __init__(self, name: str, ours: tuple[TextIO, TextIO]) -> None:
        heard, self._questions = channel()
        self._answers, said = channel()
        self._ended: dict[int, int] = {}  # how it and what it started ended
        self.pid = os.fork()
        if self.pid == 0:
            for stream in ours:
                stream.close()
            os.close(self._questions)
            os.close(self._answers)
            questions = os.fdopen(heard, encoding="utf-8")
            with os.fdopen(said, "w", encoding="utf-8") as answers:
                answer_questions(Path(name), questions, answers)
            atexit._run_exitfuncs()  # such as those of logging
            os._exit(0)  # a tidy exit of Python takes longer than a short game
        os.close(heard)
        os.close(said)

    def ask(self, lines: str, to: int) -> None:
        """Pass on a question, and then the answer; if it ends instead, end in the same way."""
        reap(self._ended)
        if self._readable(0.0) and self.pid not in self._ended:
            os.write(to, b"error answered when it was not its turn\n")
            return
        with suppress(OSError):  # it has ended, which is noticed below
            data = lines.encode()
            while data:
                data = data[os.write(self._questions, data) :]
        while True:
            reap(self._ended)
            has_ended = self.pid in self._ended  # what it wrote before is still to be read
            if not self._readable(POLL_SECONDS) and not has_ended:
                continue
            data = os.read(self._answers, LONGEST) if self._readable(0.0) else b""
            if not data:
                os._exit(end(self.pid, self._ended))
            os.write(to, data)
            if b"\n" in data:
                return

    def end(self) -> None:
        """End it and all it has started."""
        os.close(self._questions)
        end(self.pid, self._ended)
        os.close(self._answers)

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self._answers], [], [], seconds)[0])


def _paths(folders: list[str]) -> set[str]:
    """All that is in some folders, but not in what is mounted there."""
    found: set[str] = set()
    for folder in folders:
        with suppress(OSError):
            device = os.lstat(folder).st_dev
            for place, names, files in os.walk(folder):
                found.update(os.path.join(place, name) for name in (*names, *files))
                names[:] = [name for name in names if _device(place, name) == device]
    return found


def _device(place: str, name: str) -> int | None:
    with suppress(OSError):
        return os.lstat(os.path.join(place, name)).st_dev
    return None


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
