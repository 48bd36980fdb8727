"""The process of an agent file: speaks the line protocol on its behalf.

    python -P -m plywise.play.agents.runner AGENT.py [fork FOLDER...]

Standard input and output are reserved for the protocol: the agent's own prints go to standard
error, and it reads empty input.

With `fork`, for a tournament, every game has a child of its own. Starting Python and importing
plywise takes longer than many games. So this process does it once, and never runs the agent: for
each game it forks a child that does, passes lines on between plywise and the child, and kills the
child and all it has started when the game ends. So no game depends on the games before it, not
even if the agent keeps something in global variables. The protocol has one word more: `end` ends a
game. The answer is `ended`, or `again` if the agent has left something in one of the FOLDERs, which
are in memory: then only a new process is as good as new. Linux only.
"""

from __future__ import annotations

import atexit
import os
import random
import select
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import numpy as np

from plywise import games
from plywise.core.position import Position
from plywise.errors import PlywiseError, describe
from plywise.play.agents.agent_file import Agent, load
from plywise.play.agents.process import LONGEST, channel
from plywise.play.agents.supervisor import adopt_orphans, end, protect, reap

POLL_SECONDS = 0.05  #: between checks whether the child is still there
ASKING = ("begin", "go")  #: the words that are answered
_ANSWER = 1000  #: characters of an answer; the protocol allows a few more


def main(name: str) -> None:
    """Answer questions until standard input ends."""
    protect()
    answer_questions(Path(name), *take_the_streams())


def answer_questions(file: Path, questions: TextIO, answers: TextIO) -> None:
    """Let an agent file answer until there are no more questions."""
    runner = Runner(file)
    for line in questions:
        word, _, rest = line.rstrip("\n").partition(" ")
        answer = runner.hear(word, rest)
        if answer is not None:
            sys.stdout.flush()
            print(" ".join(answer.split())[:_ANSWER], file=answers, flush=True)


def take_the_streams() -> tuple[TextIO, TextIO]:
    """Return standard input and output; what the agent prints goes to standard error instead."""
    questions, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return os.fdopen(questions, encoding="utf-8"), os.fdopen(answers, "w", encoding="utf-8")


class Runner:
    """The lines received so far, and the agent once it is needed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.facts: dict[str, str] = {}
        self.agent: Agent | None = None
        self.position: Position | None = None

    def hear(self, word: str, rest: str) -> str | None:
        """Handle one line of the protocol; return the answer, if it needs one."""
        self.facts[word] = rest
        answer = {"begin": self._begin, "go": self._go}.get(word)
        if answer is None:
            return None
        try:
            return answer()
        except MemoryError:
            pass  # answer below, once the agent's memory is freed
        except PlywiseError as error:
            about = f"the agent file {self.file} "  # the other side adds this itself
            problem = str(error)
            known = problem.startswith(about)
            return f"error {problem.removeprefix(about) if known else f'failed: {problem}'}"
        except BaseException as error:  # also SystemExit and KeyboardInterrupt
            return f"error raised {describe(error, self.file)}"
        return "error ran out of memory"

    def _begin(self) -> str:
        if self.agent is None:
            self._seed("the file")
            self.agent = load(self.file)
        self.position = games.make(self.facts["game"]).start()
        self.agent.begin(int(self.facts["player"]))
        return "ready"

    def _go(self) -> str:
        assert self.agent is not None
        self.position = self._follow()
        self._seed(len(self.position.moves))  # so that a resumed game continues as it would have
        return f"move {self.agent.move(self.position, float(self.facts['go']))}"

    def _seed(self, what: object) -> None:
        """Make random choices depend on the seed of the game and on what is asked."""
        seed = f"{self.facts['seed']} {what}"
        random.seed(seed)
        np.random.seed(zlib.crc32(seed.encode()))

    def _follow(self) -> Position:
        """Return the position asked about: the last one, with the moves played since."""
        assert self.position is not None
        moves, origin = self.facts["moves"].split(), self.facts.pop("start", None)
        position = self.position
        if position.origin != origin or list(position.moves) != moves[: len(position.moves)]:
            game = position.game
            position = game.start() if origin is None else game.from_text(origin)
        for move in moves[len(position.moves) :]:
            position = position.play(move)
        return position


# ---- a child for each game -------------------------------------------------------------------


def fork_games(name: str, folders: list[str]) -> None:
    """Answer questions until standard input ends, each game in a child."""
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
        talked = self._readable(0.0) and self.pid not in self._ended
        if talked and os.read(self._answers, LONGEST):  # nothing: it is about to end
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
    _, name, *more = sys.argv
    if more:
        fork_games(name, more[1:])
    else:
        main(name)
