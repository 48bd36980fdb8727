"""What requests and answers about kept games look like, and the frames of the socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from plywise.play.session import MAX_NOTE
from plywise.web.api.schemas import (
    Answer,
    AskPosition,
    Move,
    Position,
    Question,
    Scene,
    Side,
    Spec,
)

LARGEST = 2**31 - 1  #: of seeds, versions and numbers of moves

Count = Annotated[StrictInt, Field(ge=0, le=LARGEST)]
Moves = Annotated[list[Move], Field(max_length=5000)]
Note = Annotated[str, Field(max_length=MAX_NOTE)]


# Questions


class NewGame(AskPosition):
    """A new game. Two people on two devices `invite`: the other seat stays free."""

    first: Spec = "human"
    second: Spec = "human"
    clock: Annotated[str, Field(max_length=40, examples=["300 + 2", "7 a move"])] | None = None
    seed: Count | None = None
    seats: Literal["mine", "invite"] = "mine"
    side: Side = 1
    toss: StrictBool = False


class AskMove(Question):
    """A move for the seat on turn; with a version, only if the game is still there."""

    move: Move
    version: Count | None = None


class AskUndo(Question):
    """Back to one's own turn, or until so many moves are left."""

    to: Count | None = None


class AskNothing(Question):
    """There is nothing to say."""


class AskNote(Question):
    """A note about move number `at`, or about the last move of a branch."""

    text: Note
    at: Count | None = None
    branch: Moves = Field(default_factory=list)


class AskBranch(Question):
    """Moves that were tried after `at` moves of the game."""

    at: Count
    moves: Annotated[Moves, Field(min_length=1)]


class Import(Question):
    """A saved game, as text or as JSON."""

    text: str | None = None
    json_: dict[str, Any] | None = Field(default=None, alias="json")


# Frames


class Frame(Question):
    """What a frame has besides what it asks."""

    do: StrictStr
    n: Annotated[StrictInt, Field(ge=-LARGEST, le=LARGEST)] | None = None


class PlainFrame(Frame):
    """Nothing but what to do."""


class MoveFrame(Frame, AskMove):
    """`move`."""


class UndoFrame(Frame, AskUndo):
    """`undo` and `redo`."""


class NoteFrame(Frame, AskNote):
    """`note`."""


class BranchFrame(Frame, AskBranch):
    """`branch` and `prune`."""


class PositionFrame(Frame, AskPosition):
    """`hint` and `review`."""


class AnalyseFrame(Frame, AskPosition):
    """`analyse`."""

    agent: Spec = "auto"
    lines: StrictBool = True


# Answers


class Player(Answer):
    """Who plays."""

    spec: str
    name: str
    person: bool
    taken: bool
    you: bool


class Played(Answer):
    """A move of the game, or of a branch."""

    text: str
    seconds: float
    note: str


class Branch(Answer):
    """A line that leaves the game after `at` moves."""

    at: int
    moves: list[Played]


class Result(Answer):
    """How it ended."""

    winner: Literal[0, 1, 2]
    how: Literal["rules", "resigned", "time", "forfeit"]
    reason: str


class Can(Answer):
    """What this client may do now."""

    move: bool
    undo: bool
    redo: bool
    resign: bool
    hint: bool


class Game(Answer):
    """A game as one client sees it."""

    id: str
    version: int
    game: str
    title: str
    start: str | None
    clock: str | None
    seed: int
    players: tuple[Player, Player]
    you: list[Side]
    seat_free: Side | None
    moves: list[Played]
    undone: list[Played]
    branches: list[Branch]
    notes: list[str]
    result: Result | None
    clocks: tuple[float, float] | None
    thinking: bool
    can: Can
    position: Position


class Listed(Answer):
    """A game in a list."""

    id: str
    game: str
    title: str
    players: tuple[str, str]
    moves: int
    to_move: Side | None
    result: Result | None
    updated: float
    you: list[Side]
    picture: Scene | None


class Games(Answer):
    """The games of a client."""

    games: list[Listed]
