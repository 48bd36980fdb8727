"""What is said to a program, and which lines answer it: our own protocol, or UGI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec

VERSION = 1  #: of our own protocol


class Message(NamedTuple):
    """Lines to send, and the first word of the line that answers them; "" for any line."""

    lines: str
    answer: str = ""


class Dialogue(Protocol):
    """One protocol. The last message of `begin` and of `ask` has the answer that counts."""

    ready: str  #: the answer to `begin`
    move: str  #: the word before the move that answers `ask`

    def begin(self, game: Game, player: int, seed: int) -> Iterator[Message]:
        """Start a game."""
        ...

    def ask(self, position: Position, seconds: float) -> Iterator[Message]:
        """Ask for a move."""
        ...


class Lines:
    """The protocol of docs/agents.md."""

    ready, move = "ready", "move"

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


DIALOGUES: dict[str, Dialogue] = {"plywise": Lines(), "ugi": Ugi()}


def spec_of(game: Game) -> str:
    """Return the spec by which another process finds a game, from any folder."""
    spec = Spec.parse(game.spec)
    return str(replace(spec, name=str(Path(spec.name).resolve()))) if spec.is_file else game.spec
