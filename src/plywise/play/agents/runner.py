"""The process of an agent file: speaks the line protocol on its behalf.

    python -P -m plywise.play.agents.runner AGENT.py

Standard input and output are reserved for the protocol: the agent's own prints go to standard
error, and it reads empty input.
"""

from __future__ import annotations

import os
import random
import sys
import zlib
from pathlib import Path
from typing import TextIO

import numpy as np

from plywise import games
from plywise.core.position import Position
from plywise.errors import PlywiseError, describe
from plywise.play.agents.agent_file import Agent, load
from plywise.play.agents.supervisor import protect

_LONGEST = 1000  #: characters of an answer; the protocol allows a few more


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
            print(" ".join(answer.split())[:_LONGEST], file=answers, flush=True)


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


if __name__ == "__main__":
    main(sys.argv[1])
