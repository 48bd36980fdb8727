"""The schemas of requests and answers, from which the OpenAPI document is made.

Requests are checked by theirs. Answers are built as plain data and written by theirs: a field that
is not in the schema is not sent.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from plywise import games
from plywise.core import position as core
from plywise.core.scene import scene_of, standing
from plywise.views import shows_legal

SPEC_LETTERS = 2000  #: the longest spec: one may hold a whole board
TEXT_LETTERS = 4000  #: the longest text of a position, and of moves written in one text
MOVE_LETTERS = 40  #: the longest move

EXAMPLES: list[Any] = [games.EXAMPLE, games.EXAMPLE_WITH_PARAMETERS]
Spec = Annotated[str, Field(min_length=1, max_length=SPEC_LETTERS, examples=EXAMPLES)]
Text = Annotated[str, Field(max_length=TEXT_LETTERS)]
Move = Annotated[str, Field(min_length=1, max_length=MOVE_LETTERS)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Side = Literal[1, 2]
# Lists of fixed length rather than tuples, which not every OpenAPI tool understands.
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Circle = Annotated[list[float], Field(min_length=3, max_length=3)]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]
Scores = Annotated[list[int], Field(min_length=2, max_length=2)]


class Answer(TypedDict):
    """An answer of the server."""


class Question(BaseModel):
    """A request of a client. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Error(Answer):
    """Why a request failed, in one line."""

    error: str


@cache
def adapter(schema: Any) -> TypeAdapter[Any]:
    """Return what writes answers of a schema, which is compiled for it."""
    return TypeAdapter(schema)


def written(schema: Any, data: Any) -> bytes:
    """Return an answer in JSON, as its schema has it."""
    return adapter(schema).dump_json(data)


def plain_json(data: object) -> str:
    """Return plain data in JSON, without a schema."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# Pictures


class Shape(Answer):
    """A shape of a Scene, in board units; default values are left out."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    kind: Literal["polygon", "circle", "line", "path", "label"]
    id: str
    roles: list[str]
    layer: NotRequired[int]
    owner: NotRequired[int | None]


class Target(Answer):
    """Where to click for a move."""

    move: str
    shapes: list[str]
    at: Point
    room: float
    outline: list[Point]  #: drawn, if there is one, instead of a circle of radius `room`
    words: str  #: the move as people say it, if its text is short for something


class Motion(Answer):
    """How the last move is animated."""

    kind: Literal["drop", "slide", "place"]
    shapes: list[str]
    start: Point
    end: Point


class Window(Answer):
    """The part of a large board that is in use, which a picture shows instead of all of it."""

    box: Box
    frame: Box
    labels: list[Shape]


class Scene(Answer):
    """The picture of a position."""

    title: str
    description: str
    text: str
    size: Point
    shapes: list[Shape]
    coordinates: list[Shape]
    targets: list[Target]
    motion: Motion | None
    palette: str
    hub: Point | None
    window: Window | None


# Positions


class AskLink(BaseModel):
    """A game, its start position, and the moves from there, as in a link."""

    game: Spec
    start: Text | None = None
    moves: Text = ""


class AskPosition(Question):
    """A game, its start position, and the moves from there as a list or one text."""

    game: Spec
    start: Text | None = None
    moves: list[Move] | Text = Field(default_factory=list, examples=[["4", "4"], "4453"])


class Position(Answer):
    """A position with everything needed to show it and to play on."""

    game: str
    start: str | None
    moves: list[str]
    text: str
    to_move: Side | None
    legal: list[str]
    over: bool
    winner: Literal[0, 1, 2] | None
    scores: Scores | None
    reason: str | None
    standing: str
    notation: str
    show_legal: bool  #: mark the legal moves by default?
    scene: Scene


def position_json(position: core.Position) -> dict[str, Any]:
    """A position as plain data, with its picture."""
    return {
        **position.to_json(),
        "start": position.origin,
        "standing": standing(position),
        "notation": position.game.join_moves(position.moves),
        "show_legal": shows_legal(position.game),
        "scene": scene_of(position).to_json(),
    }


def picture_json(position: core.Position) -> dict[str, Any]:
    """Its picture without the words for every place: for pictures that are only looked at."""
    scene = scene_of(position).to_json()
    for shape in scene["shapes"]:
        shape.pop("words", None)
    return scene


# Games


class Parameter(Answer):
    """A parameter of a game, an agent or a puzzle."""

    name: str
    help: str
    kind: Literal["int", "float", "bool", "str"]
    default: bool | int | float | str | None
    low: float | None
    high: float | None
    choices: list[str]
    drawn: bool  #: a new game chooses it at random


class Agent(Answer):
    """An agent to play against."""

    name: str
    help: str
    parameters: list[Parameter]


class Kind(Answer):
    """A game of the catalogue."""

    name: str
    title: str
    summary: str
    parameters: list[Parameter]
    agents: list[Agent]
    levels: int
    points: bool
    toss: bool
    exercises: bool  #: does it have any?
    palette: str
    colours: list[str] | None  #: the players' colours by name, if they may be chosen
    start: Scene
    picture: Scene  #: the end of a good game
    looks: dict[str, Scene]  #: the same in other looks, such as `marks=digits`


class Kinds(Answer):
    """All games of the catalogue."""

    kinds: list[Kind]


class Frame(Scene):
    """A picture of a sample game. Its shapes are indices into the shared list."""

    shapes: list[int]  # type: ignore[misc]


class Sample(Answer):
    """A good game in pictures, move by move."""

    shapes: list[Shape]
    frames: list[Frame]


class Heading(Answer):
    """A heading of a guide."""

    type: Literal["heading"]
    text: str


class Paragraph(Answer):
    """A paragraph of a guide."""

    type: Literal["paragraph"]
    text: str


class List(Answer):
    """A list in a guide."""

    type: Literal["list"]
    items: list[str]


class Picture(Answer):
    """A picture in a guide."""

    type: Literal["picture"]
    caption: str
    moves: list[str]
    scene: Scene


class Guide(Answer):
    """The rules of a game for people."""

    name: str
    title: str
    summary: str
    blocks: list[Heading | Paragraph | List | Picture]
    parameters: list[Parameter]


# Searches


class AskAnalysis(AskPosition):
    """The position to search, the agent, the time, and whether to score every legal move."""

    agent: Spec = "auto"
    time: Annotated[Number, Field(gt=0)] = 1.0
    lines: bool = True


class AskHint(AskPosition):
    """The position, and the time to search."""

    time: Annotated[Number, Field(gt=0)] | None = None


class Found(Answer):
    """The evaluation of a move or a position, from the side to move's point of view."""

    value: float
    score: float
    score_kind: Annotated[str, Field(examples=["estimate", "points"])]
    outcome: Literal["win", "draw", "loss"] | None
    plies_to_end: int | None
    moves_to_win: int | None  #: the winner's own moves, along the line
    pv: list[str]
    text: str


class Line(Found):
    """A legal move with its evaluation."""

    move: str
    size: float  #: of its text on the board


class Analysis(Found):
    """The result of a search."""

    best: str | None
    depth: int
    nodes: int
    seconds: float
    to_move: Side | None
    value_1: float
    moves: list[str]
    lines: list[Line]


class Hint(Answer):
    """A hint in three steps."""

    where: str
    move: str
    why: list[str]
    value: float
    outcome: Literal["win", "draw", "loss"] | None
    plies_to_end: int | None
    pv: list[str]
    steps: Annotated[list[str], Field(min_length=3, max_length=3)]
    area: Circle | None
    marks: list[Shape]  #: shapes that show the reason on the board


class Judged(Answer):
    """A move of a reviewed game; the values are those of the player who made it."""

    ply: int
    player: Side
    move: str
    best: str
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    loss: float
    stake: float
    value_before: float
    value_after: float
    outcome_before: Literal["win", "draw", "loss"] | None
    outcome_after: Literal["win", "draw", "loss"] | None
    comment: str


class Summary(Answer):
    """The review of one player."""

    player: Side
    moves: int
    accuracy: float | None
    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int


class Review(Answer):
    """The review of a game; `values` are player 1's, one per position."""

    game: str
    start: str | None
    over: bool
    winner: Literal[0, 1, 2] | None
    players: Annotated[list[Summary], Field(min_length=2, max_length=2)]
    moves: list[Judged]
    values: list[float]
