"""The schemas of requests and answers about saved games, and the frames of the socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from plywise.play.records.game_record import OfferKind
from plywise.play.session import MAX_NOTE
from plywise.web.api.schemas import (
    Answer,
    AskPosition,
    Move,
    Point,
    Position,
    Question,
    Scene,
    Side,
    Spec,
)

LARGEST = 2**31 - 1  #: largest seed, version or move number

Count = Annotated[StrictInt, Field(ge=0, le=LARGEST)]
Moves = Annotated[list[Move], Field(max_length=5000)]
Note = Annotated[str, Field(max_length=MAX_NOTE)]
#: What is shown is shorter; this only keeps nonsense out.
Name = Annotated[StrictStr, Field(max_length=200, examples=["Ann"])]


# Requests


class NewGame(AskPosition):
    """A new game. With `seats` set to `invite` the other seat stays open for an opponent."""

    first: Spec = "human"
    second: Spec = "human"
    clock: Annotated[str, Field(max_length=40, examples=["300 + 2", "7 a move"])] | None = None
    seed: Count | None = None
    seats: Literal["mine", "invite"] = "mine"
    side: Side = 1
    toss: StrictBool = False
    name: Name = ""


class AskNothing(Question):
    """An empty request."""


class Import(Question):
    """A saved game, as text or as JSON."""

    text: str | None = None
    json_: dict[str, Any] | None = Field(default=None, alias="json")


# Frames


class Frame(Question):
    """What every frame has: a command and a number."""

    do: StrictStr
    n: Annotated[StrictInt, Field(ge=-LARGEST, le=LARGEST)] | None = None


class PlainFrame(Frame):
    """A command without further fields."""


class MoveFrame(Frame):
    """A move for the player to move; with a version, only if the game is still at that version."""

    move: Move
    version: Count | None = None


class UndoFrame(Frame):
    """How far to undo or redo: until your turn, or until there are `to` moves."""

    to: Count | None = None


class SeatFrame(Frame):
    """The name of whoever sits down, if they want one."""

    name: Name = ""


class OfferFrame(Frame):
    """What to offer the opponent."""

    kind: Literal["draw", "takeback"]


class AnswerFrame(Frame):
    """Whether to accept an offer."""

    accept: StrictBool


class NoteFrame(Frame):
    """A note on move number `at`, or on the last move of a branch."""

    text: Note
    at: Count | None = None
    branch: Moves = Field(default_factory=list)


class BranchFrame(Frame):
    """A variation that leaves the game after `at` moves."""

    at: Count
    moves: Annotated[Moves, Field(min_length=1)]


class PositionFrame(Frame, AskPosition):
    """The position or the game to give a hint for, or to review."""


class AnalyseFrame(Frame, AskPosition):
    """The position to analyse, by whom, and whether to score every legal move."""

    agent: Spec = "auto"
    lines: StrictBool = True


# Answers


class Player(Answer):
    """A player."""

    spec: str
    name: str
    named: bool
    person: bool
    taken: bool
    present: bool
    you: bool


class Played(Answer):
    """A move of the game, or of a branch."""

    text: str
    seconds: float
    note: str


class Branch(Answer):
    """A variation that leaves the game after `at` moves."""

    at: int
    moves: list[Played]


class Result(Answer):
    """How the game ended."""

    winner: Literal[0, 1, 2]
    how: Literal["rules", "resigned", "time", "forfeit", "agreed"]
    reason: str


class Offer(Answer):
    """What a player has offered the other one."""

    kind: OfferKind
    by: Side
    declined: bool


class Can(Answer):
    """What this client may do now."""

    move: bool
    undo: bool
    redo: bool
    resign: bool
    hint: bool
    draw: bool
    takeback: bool
    rematch: bool
    answer: bool


class Game(Answer):
    """A game as one client sees it."""

    id: str
    version: int
    game: str
    title: str
    start: str | None
    clock: str | None
    seed: int
    players: Annotated[list[Player], Field(min_length=2, max_length=2)]
    you: list[Side]
    seat_free: Side | None
    moves: list[Played]
    undone: list[Played]
    branches: list[Branch]
    notes: list[str]
    result: Result | None
    clocks: Point | None
    clock_runs: bool
    offer: Offer | None
    next: str | None
    thinking: bool
    can: Can
    position: Position


class Listed(Answer):
    """A game in a list."""

    id: str
    game: str
    title: str
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    moves: int
    to_move: Side | None
    result: Result | None
    updated: float
    you: list[Side]
    picture: Scene | None


class Games(Answer):
    """The games of a client."""

    games: list[Listed]


class PlayedGame(Answer):
    """A game that the client played or started."""

    id: str
    game: str  #: the name
    title: str
    moves: int
    you: list[Side]
    opponent: str  #: whom the client played, such as `Computer, level 3`
    winner: int | None  #: 0 for a draw; None if it goes on, or nobody won
    over: bool
    created: float
    updated: float


class History(Answer):
    """The games of a client."""

    games: list[PlayedGame]
