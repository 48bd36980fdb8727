"""Agents in their own process: a Python file with `get_move`, or any program.

Both speak a protocol, our own or UGI; for a Python file, `runner.py` does. Any failure ends the
process and becomes an AgentError of one line; the next question starts a new process.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NoReturn

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, Spec, bind
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, MoveError, SpecError, Unsupported
from plywise.play.agents.process import Ended, OnOutput, Process, Stopped
from plywise.play.agents.sandbox import Sandbox
from plywise.play.agents.zip_file import SUFFIX, own_folder, unpacked

# ---- protocols: what is said, and which lines answer it --------------------------------------
# The last message of `begin` and of `ask` has the answer that counts.

VERSION = 1  #: of our own protocol


class Message(NamedTuple):
    """Lines to send, and the first word of the line that answers them; "" for any line."""

    lines: str
    answer: str = ""


class Lines:
    """The protocol of docs/agents.md."""

    ready, move = "ready", "move"  #: the answer to `begin`, and the word before a move

    def begin(self, game: Game, player: int, seed: int) -> Iterator[Message]:
        """Say which game it is, and as whom it is played."""
        about = f"game {spec_of(game)}\nplayer {player}\nseed {seed}"
        yield Message(f"plywise {VERSION}\n{about}\nbegin\n")

    def ask(self, position: Position, seconds: float) -> Iterator[Message]:
        """Describe the position in every way, and say how long it may take."""
        origin = "" if position.origin is None else f"start {position.origin}\n"
        yield Message(
            f"{origin}moves {' '.join(position.moves)}\n"
            f"text {position.text}\n"
            f"legal {' '.join(position.legal)}\n"
            f"go {seconds:g}\n"
        )


class Ugi:
    """The Universal Game Interface, which other engines of board games speak.

    The program knows its game, so it must read and write moves and positions as plywise does.
    """

    ready, move = "readyok", "bestmove"

    def begin(self, game: Game, player: int, seed: int) -> Iterator[Message]:
        """Greet it and start a game; it is the same for both players."""
        yield Message("ugi\n", "ugiok")
        yield Message("isready\n", self.ready)
        yield Message("uginewgame\nisready\n", self.ready)

    def ask(self, position: Position, seconds: float) -> Iterator[Message]:
        """Send the position, wait until it is read, and give it so many milliseconds."""
        start = "startpos" if position.origin is None else f"fen {position.origin}"
        moves = f" moves {' '.join(position.moves)}" if position.moves else ""
        yield Message(f"position {start}{moves}\nisready\n", self.ready)
        yield Message(f"go movetime {max(1, round(1000 * seconds))}\n", self.move)


DIALOGUES: dict[str, Lines | Ugi] = {"plywise": Lines(), "ugi": Ugi()}


def spec_of(game: Game) -> str:
    """Return the spec by which another process finds a game, from any folder."""
    spec = Spec.parse(game.spec)
    return str(replace(spec, name=str(Path(spec.name).resolve()))) if spec.is_file else game.spec


# ---- programs --------------------------------------------------------------------------------

#: The one parameter of a program.
PROTOCOL = Parameter("protocol", "plywise", "what it speaks", choices=tuple(DIALOGUES))
MEMORY = 2048  #: megabytes of address space; plywise's own searches need 800 of them
PATIENCE = 10.0  #: default seconds for a move
START = 20.0  #: seconds to get ready for a game
GRACE = 0.25  #: seconds allowed over the limit, for communication


class Overtime(AgentError):
    """An agent did not move in time."""


class InvalidAnswer(AgentError):
    """An agent answered with something that is not a legal move."""


class Program:
    """An engine to the rest of plywise. Use it from one thread at a time, except `close`.

    A `fresh` one is for games that must not depend on each other: call `end_game` after each.
    """

    def __init__(
        self,
        spec: Spec,
        game: Game,
        *,
        memory: int = MEMORY,
        on_output: OnOutput | None = None,
        sandbox: Sandbox | None = None,
        fresh: bool = False,
    ) -> None:
        zipped = spec.name.endswith(SUFFIX)
        python = spec.name.endswith(".py") or zipped
        self.name = spec.name
        self.game = game
        self.memory = memory + (0 if sandbox is None else sandbox.overhead)
        self.on_output = on_output
        self.kind = "agent file" if python else "program"
        self.title = f"the {self.kind} {spec.name}"
        self.gives_up = "" if python else "gave up: "  # the runner's errors are whole sentences
        if spec.given and python:
            raise SpecError(f"{self.title} takes no parameters: write {spec.name}, not {spec}")
        self.dialogue = DIALOGUES[str(bind(spec, (PROTOCOL,), self.title)["protocol"])]
        self._check_file(python)
        file = os.path.abspath(unpacked(Path(spec.name)) if zipped else spec.name)
        self._forks = fresh and python and sys.platform == "linux"
        self.command = [file]
        if python:
            loaded = file if sandbox or zipped else spec.name
            # -P keeps files in the working folder from shadowing libraries.
            self.command = [sys.executable, "-P", "-m", "plywise.play.agents.runner", loaded]
            if self._forks:
                self.command += ["fork", *(() if sandbox is None else sandbox.rooms)]
        if sandbox is not None:
            own = Spec.parse(game.spec)
            rules = [os.path.abspath(own.name)] if own.is_file else []
            shown = str(own_folder(Path(file))) if zipped else file
            self.command = sandbox.around(self.command, [shown, *rules], memory)
        self.player, self.seed = 1, 0
        self._process: Process | None = None
        self._begun = False
        self._spent = 0.0  # seconds that the last answer took

    def _check_file(self, python: bool) -> None:
        """Refuse at once what can be refused without running anything."""
        try:
            with open(self.name, "rb"):
                pass
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise SpecError(f"the {self.kind} {self.name!r} cannot be read: {reason}") from error
        if not python and not os.access(self.name, os.X_OK):
            raise SpecError(
                f"{self.title} cannot be run: make it executable, or use a Python file (.py)"
                " that defines get_move(state, player)"
            )

    @property
    def pid(self) -> int | None:
        """The process id of its supervisor, while there is one."""
        return None if self._process is None else self._process.pid

    def new_game(self, player: int, seed: int = 0) -> None:
        """Start a new game as this player, with this random seed."""
        self.player, self.seed, self._begun = player, seed, False

    def end_game(self) -> None:
        """Make it forget the game: whatever it has in memory, or has started, ends here.

        The process of an agent file that was made `fresh` stays, without anything of the agent in
        it; any other process ends.
        """
        if self._process is None:
            return
        stays = self._forks and self._begun and not self._process.harmed
        if stays:
            with suppress(AgentError):
                stays = self._exchange(Message("end\n"), START, "to end the game", None) == "ended"
        if not stays:
            self.close()
        self._begun = False

    def get_ready(self, stop: Stop | None = None) -> None:
        """Start it and wait until it says it is ready, unless it has already.

        If somebody has killed it while it waited for its turn, that is not its fault: it could
        not run then. So it is started again.
        """
        if self._process is not None and self._process.harmed:
            self.close()
            if self.on_output is not None:
                self.on_output(f"{self.title} was killed while it waited; it was started again")
        if self._begun:
            return
        if self._process is None:
            self._process = Process(self.command, self.memory, self.on_output)
        for message in self.dialogue.begin(self.game, self.player, self.seed):
            answer = self._exchange(message, START, "to get ready", stop)
        if answer != self.dialogue.ready:
            self._fail(f"gave an invalid answer: {answer[:80]!r} instead of 'ready'")
        self._begun = True

    def ask(
        self,
        position: Position,
        seconds: float,
        allowed: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Return its move, checked. It is told `seconds`, and loses after `allowed` seconds."""
        self.get_ready(stop)
        allowed = seconds if allowed is None else allowed
        for message in self.dialogue.ask(position, seconds):
            answer = self._exchange(message, allowed, "for a move", stop)
        word, _, text = answer.partition(" ")
        wrong, usual = InvalidAnswer, self.dialogue.move
        if word != usual:
            found = f"gave an invalid answer: {answer[:80]!r} instead of '{usual} ...'"
            self._fail(found, kind=wrong)
        try:
            best = position.text_of(position.code_of(text))
        except MoveError as error:
            self._fail(f"gave an invalid answer: {error}", error, kind=wrong)
        return Analysis(best, 0.0, 0.0, pv=(best,), seconds=self._spent)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Return its move. It is told how long it has, but abandoned only if it hangs."""
        if lines:
            raise Unsupported(f"{self.title} gives one move, not a score for each")
        assert position.to_move is not None
        if position.to_move != self.player:
            self.new_game(position.to_move, self.seed)
        seconds = PATIENCE if limits.time is None else limits.time
        return self.ask(position, seconds, max(seconds, PATIENCE), stop)

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process, self._begun = self._process, None, False
        if process is not None:
            process.close()

    def _exchange(self, message: Message, allowed: float, what: str, stop: Stop | None) -> str:
        """Send some lines and wait for the one that answers them; others before it are skipped."""
        process = self._process
        assert process is not None
        if process.unread:
            self._fail("answered when it was not its turn")
        process.wake()
        asked = time.monotonic()
        until = asked + allowed + GRACE
        try:
            process.send(message.lines, until)
            answer = process.receive(until, stop)
            while message.answer and answer.split(maxsplit=1)[:1] != [message.answer]:
                answer = process.receive(until, stop)
            self._spent = time.monotonic() - asked
            process.sleep()
        except TimeoutError as error:
            self.close()
            raise Overtime(f"{self.title} took more than {allowed:g} s {what}") from error
        except Stopped as error:
            self._fail("was stopped", error)
        except Ended as error:
            self._fail(f"gave no answer and {error}", error)
        if answer.startswith("error "):
            self._fail(self.gives_up + answer.removeprefix("error "))
        return answer

    def _fail(
        self,
        problem: str,
        cause: Exception | None = None,
        kind: type[AgentError] = AgentError,
    ) -> NoReturn:
        self.close()
        raise kind(f"{self.title} {problem}") from cause
