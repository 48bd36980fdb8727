"""The record of a game: the game, its players and clock, the moves, the result.

Plain immutable data: a session holds one and replaces it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plywise.core.position import Position
from plywise.errors import SpecError

HUMAN = "human"  #: the spec of a person
#: How a game ended: on the board, by resigning, on the clock, by breaking the rules, or by
#: agreement, which is always a draw.
How = Literal["rules", "resigned", "time", "forfeit", "agreed"]
#: What one player can offer the other: a draw, to take back their own last move, another game.
OfferKind = Literal["draw", "takeback", "rematch"]
OFFERS: tuple[OfferKind, ...] = ("draw", "takeback", "rematch")
MAX_NAME = 24  #: characters of a player's name
_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # half a character: no encoding has it
# Characters without a look of their own, and those that turn the direction of what follows.
_INVISIBLE = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_MOVES_TO_GO = 20  #: an agent plans its remaining time for this many moves


@dataclass(frozen=True)
class TimeControl:
    """Seconds for each move, or for the whole game with some added after each move.

    >>> TimeControl.parse("300 + 2")
    TimeControl(move=None, total=300.0, increment=2.0)
    >>> str(TimeControl(move=7.5))
    '7.5 a move'
    """

    move: float | None = None
    total: float | None = None
    increment: float = 0.0

    def __post_init__(self) -> None:
        if (self.move is None) == (self.total is None):
            raise SpecError("a clock needs either seconds per move or seconds for the whole game")
        for seconds in (self.move, self.total, self.increment):
            if seconds is not None and not (0 <= seconds < 1e9 and math.isfinite(seconds)):
                raise SpecError(f"a clock cannot have {seconds:g} seconds")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `7 a move`, `300` or `300 + 2`."""
        if found := re.fullmatch(rf"{_NUMBER} a move", text):
            return cls(move=float(found[1]))
        if found := re.fullmatch(rf"{_NUMBER}(?: *\+ *{_NUMBER})?", text):
            return cls(total=float(found[1]), increment=float(found[2] or 0))
        raise SpecError(
            f"{text!r} is not a clock: write '7 a move', or '300' or '300 + 2' for the whole game"
        )

    def __str__(self) -> str:
        if self.move is not None:
            return f"{self.move:.12g} a move"
        assert self.total is not None
        added = f" + {self.increment:.12g}" if self.increment else ""
        return f"{self.total:.12g}{added}"

    def left(self, spent: Sequence[float]) -> float:
        """Return what a player has for their next move, after spending these times."""
        if self.move is not None:
            return self.move
        assert self.total is not None
        return round(self.total + self.increment * len(spent) - sum(spent), 3)

    def share(self, left: float) -> float:
        """Return how much of its remaining time an agent should use for a move."""
        if self.move is not None:
            return left
        return max(0.0, min(left / 2, left / _MOVES_TO_GO + self.increment))


@dataclass(frozen=True)
class Move:
    """A move that was played, how long it took, and a note about it."""

    text: str
    seconds: float = 0.0  #: to the millisecond
    note: str = ""  #: one line


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winner: int  #: 1, 2, or 0 for a draw
    how: How
    reason: str  #: one line in words

    def __str__(self) -> str:
        won = f"player {self.winner} wins" if self.winner else "draw"
        return f"{won}, {self.how}: {self.reason}"

    @classmethod
    def parse(cls, text: str) -> Result:
        """Read what `str` writes; ValueError for anything else.

        >>> Result.parse("player 2 wins, resigned: player 1 resigned").winner
        2
        """
        kinds = "rules|resigned|time|forfeit|agreed"
        found = re.fullmatch(rf"(?:player ([12]) wins|draw), ({kinds}): (\S.*)", text)
        if found is None:
            right = "'player 1 wins, resigned: ...' or 'draw, rules: ...'"
            raise ValueError(f"{text[:40]!r} is not a result: write {right}")
        if found[2] == "agreed" and found[1]:
            raise ValueError(f"{text[:40]!r} is not a result: players can only agree on a draw")
        return cls(int(found[1] or 0), found[2], found[3])  # type: ignore[arg-type]

    @classmethod
    def on_board(cls, position: Position) -> Result | None:
        """Return the result by the rules; None while the game goes on."""
        if position.winner is None or position.reason is None:
            return None
        return cls(position.winner, "rules", position.reason)


AGREED = Result(0, "agreed", "the players agreed on a draw")


@dataclass(frozen=True)
class Offer:
    """What a player has offered the other one; a move withdraws it.

    >>> Offer.parse("takeback, player 2, declined")
    Offer(kind='takeback', by=2, declined=True)
    """

    kind: OfferKind
    by: int  #: player 1 or 2
    declined: bool = False  #: kept until the next move, so that nobody is asked again and again

    def __str__(self) -> str:
        return f"{self.kind}, player {self.by}{', declined' if self.declined else ''}"

    @classmethod
    def parse(cls, text: str) -> Offer:
        """Read what `str` writes; ValueError for anything else."""
        found = re.fullmatch(rf"({'|'.join(OFFERS)}), player ([12])(, declined)?", text)
        if found is None:
            raise ValueError(f"{text[:40]!r} is not an offer: write 'draw, player 1'")
        return cls(found[1], int(found[2]), found[3] is not None)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Branch:
    """A line that leaves the main line after `at` moves. Lines may share a beginning."""

    at: int
    moves: tuple[Move, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its moves."""
        return tuple(move.text for move in self.moves)

    def begins_with(self, at: int, texts: tuple[str, ...]) -> bool:
        """Return True if it leaves the main line there, with these moves."""
        return self.at == at and self.texts[: len(texts)] == texts


Branches = tuple[Branch, ...]


@dataclass(frozen=True)
class GameRecord:
    """A game, finished or not.

    Attributes:
        game: its spec.
        players: the specs of both; `human` is a person.
        start: the position it began with, if not the usual one.
        time: the clock, if there is one.
        seed: the random seed of the agents.
        notes: lines about the game as a whole.
        moves: the moves so far.
        undone: what redo would play, in this order.
        result: how it ended; None while it goes on.
        branches: variations: other moves that were tried.
        names: what the players are called; empty for one without a name.
        offer: what a player has offered the other one.
    """

    game: str
    players: tuple[str, str]
    start: str | None = None
    time: TimeControl | None = None
    seed: int = 0
    notes: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    result: Result | None = None
    branches: Branches = ()
    names: tuple[str, str] = ("", "")
    offer: Offer | None = None

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line: what was played, and what redo would play."""
        return self.moves + self.undone

    @property
    def clock_runs(self) -> bool:
        """True if a clock runs while the players are there: from the first move to the end."""
        return self.time is not None and self.result is None and bool(self.moves)


# ---- offers ----------------------------------------------------------------------------------


def why_no_offer(
    record: GameRecord, position: Position, number: int, kind: OfferKind
) -> str | None:
    """Say why player 1 or 2 cannot offer this now; None if they can."""
    offer, over = record.offer, record.result is not None
    if not all(player == HUMAN for player in record.players):
        return "there is nobody to make an offer to"
    if over != (kind == "rematch"):
        return f"the game is over: {record.result}" if over else "the game is not over yet"
    if kind == "takeback" and before_last(position, number) is None:
        return "there is nothing to take back"
    if offer is not None and offer.by == number and offer.kind == kind:
        return "it was declined" if offer.declined else "it is offered already"
    return None


def before_last(position: Position, number: int) -> int | None:
    """Return how many moves came before the last one of player 1 or 2; None if they made none.

    >>> import plywise
    >>> position = plywise.game("tictactoe").position("b2 a1 c3")
    >>> before_last(position, 1), before_last(position, 2)
    (2, 1)
    """
    earlier = position.before
    while earlier is not None and earlier.mover != number:
        earlier = earlier.before
    return None if earlier is None else len(earlier.moves)


# ---- branches --------------------------------------------------------------------------------

# They are kept in normal form: each really leaves the main line where it says, none is the
# beginning of another, and lines that share a beginning share its notes. To draw them as a tree,
# merge the shared beginnings.

MAX_BRANCHES = 200  #: per game
MAX_BRANCH_MOVES = 5000  #: in all branches of a game together


def follows(line: Sequence[Move], at: int, texts: Sequence[str]) -> int:
    """Count how many of these moves, played after `at` moves, still follow the main line."""
    count = 0
    for move, text in zip(line[at:], texts, strict=False):
        if move.text != text:
            break
        count += 1
    return count


def with_branch(branches: Branches, new: Branch) -> Branches:
    """Add a line that has left the main line already.

    If one line is the beginning of another, only the longer one is kept, with the notes of both.
    """
    if not new.moves:
        return branches
    noted = list(new.moves)
    for branch in branches:
        for index in range(_shared(branch, new)):
            noted[index] = replace(noted[index], note=branch.moves[index].note or noted[index].note)
    new = replace(new, moves=tuple(noted))
    kept = [_with_notes_of(branch, new) for branch in branches]
    for index, branch in enumerate(kept):
        shared = _shared(branch, new)
        if shared == len(new.moves):
            return tuple(kept)
        if shared == len(branch.moves):
            kept[index] = new
            return tuple(kept)
    return (*kept, new)


def without_branch(branches: Branches, at: int, texts: tuple[str, ...]) -> Branches:
    """Remove the last of these moves and everything after it; what comes before it stays."""
    kept: Branches = ()
    for branch in branches:
        if branch.begins_with(at, texts):
            branch = replace(branch, moves=branch.moves[: len(texts) - 1])
        kept = with_branch(kept, branch)
    return kept


def with_note(branches: Branches, at: int, texts: tuple[str, ...], text: str) -> Branches:
    """Set the note of the last of these moves, in every line that has it."""
    kept = []
    for branch in branches:
        if branch.begins_with(at, texts):
            moves = list(branch.moves)
            moves[len(texts) - 1] = replace(moves[len(texts) - 1], note=text)
            branch = replace(branch, moves=tuple(moves))
        kept.append(branch)
    return tuple(kept)


def branches_after(branches: Branches, old: Sequence[Move], new: Sequence[Move]) -> Branches:
    """Return the branches after a new main line has replaced the old one.

    A branch from a position on both lines stays, without the moves that the new line plays too.
    """
    common = follows(old, 0, [move.text for move in new])
    kept: Branches = ()
    for branch in branches:
        if branch.at <= common:
            along = follows(new, branch.at, branch.texts)
            kept = with_branch(kept, Branch(branch.at + along, branch.moves[along:]))
    return kept


def too_many_branches(branches: Branches) -> str | None:
    """Return an error message if there are more than a game can have."""
    if len(branches) > MAX_BRANCHES:
        return f"a game can have at most {MAX_BRANCHES} branches: remove one first"
    if sum(len(branch.moves) for branch in branches) > MAX_BRANCH_MOVES:
        return f"branches can have at most {MAX_BRANCH_MOVES} moves in all: remove one first"
    return None


def _shared(one: Branch, two: Branch) -> int:
    """Count the moves that two lines have in common from their beginning."""
    return follows(one.moves, 0, two.texts) if one.at == two.at else 0


def _with_notes_of(branch: Branch, new: Branch) -> Branch:
    shared = _shared(branch, new)
    return (
        branch if shared == 0 else replace(branch, moves=new.moves[:shared] + branch.moves[shared:])
    )


# ---- texts -----------------------------------------------------------------------------------


def one_line(text: str) -> str:
    r"""Return a text as one line, for a line of a file.

    >>> one_line("so  far,\n so\0good")
    'so far, so good'
    """
    return " ".join(printable(text).split())


def name_of(text: str) -> str:
    r"""Return a name as it is kept: one short line of characters that can be seen.

    >>> name_of("  Ann\u202e\n Lee ")
    'Ann Lee'
    """
    name = one_line(_INVISIBLE.sub("", unicodedata.normalize("NFC", printable(text))))
    if len(name) > MAX_NAME:
        raise SpecError(f"a name can have at most {MAX_NAME} characters: shorten {name[:40]!r}")
    return name


def printable(text: str) -> str:
    """Return a text without control characters and lone surrogates."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub(" ", text))
