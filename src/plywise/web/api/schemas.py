"""What requests and answers look like; the OpenAPI document is made of this.

Answers are built as plain data and sent as they are: these models say what they hold, and
tests/web holds them to it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from plywise import games
from plywise.web.api.positions import MOVE_LETTERS, SPEC_LETTERS, TEXT_LETTERS

EXAMPLES: list[Any] = [games.EXAMPLE, games.EXAMPLE_WITH_PARAMETERS]
Spec = Annotated[str, Field(min_length=1, max_length=SPEC_LETTERS, examples=EXAMPLES)]
Text = Annotated[str, Field(max_length=TEXT_LETTERS)]
Move = Annotated[str, Field(min_length=1, max_length=MOVE_LETTERS)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Side = Literal[1, 2]
# Lists of a certain length, and not tuples, which not every reader of OpenAPI understands.
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Circle = Annotated[list[float], Field(min_length=3, max_length=3)]
Scores = Annotated[list[int], Field(min_length=2, max_length=2)]


class Answer(BaseModel):
    """What the server sends."""


class Question(BaseModel):
    """What a client sends: nothing that the server does not know."""

    model_config = ConfigDict(extra="forbid")


class Error(Answer):
    """Why a request was refused, in one line."""

    error: str


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The 4xx answers of a route, for the OpenAPI document; some can come from any route."""
    words = {
        400: "The body is no JSON, or the request is broken.",
        403: "Not from there, or not yours.",
        404: "There is no such thing.",
        409: "Not now.",
        413: "Too large.",
        415: "The body is not application/json.",
        421: "This server has another name.",
        422: "It does not make sense; the line says why.",
        429: "Too many at once.",
    }
    # Written out, since a model would be said to come as the route's own kind of content.
    content = {"application/json": {"schema": Error.model_json_schema()}}
    return {
        status: {"description": words[status], "content": content}
        for status in sorted({400, 403, 413, 415, 421, 422, *statuses})
    }


# Pictures


class Shape(Answer):
    """A shape of a Scene, in board units; what is as usual is left out."""

    model_config = ConfigDict(extra="allow")

    kind: Literal["polygon", "circle", "line", "path", "label"]
    id: str
    roles: list[str]
    layer: int = 0
    owner: int | None = None


class Target(Answer):
    """Where to point for a move."""

    move: str
    shapes: list[str]
    at: Point
    room: float


class Motion(Answer):
    """What moved in the last move."""

    kind: Literal["drop", "slide", "place"]
    shapes: list[str]
    start: Point
    end: Point


class Scene(Answer):
    """What a position looks like."""

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


# Kinds of games


class Parameter(Answer):
    """What can be set about a game or an agent."""

    name: str
    help: str
    kind: Literal["int", "float", "bool", "str"]
    default: bool | int | float | str | None
    low: float | None
    high: float | None
    choices: list[str]


class Agent(Answer):
    """Somebody to play against."""

    name: str
    help: str
    parameters: list[Parameter]


class Kind(Answer):
    """A game that can be played here."""

    name: str
    title: str
    summary: str
    parameters: list[Parameter]
    agents: list[Agent]
    levels: int
    points: bool
    toss: bool
    palette: str
    start: Scene
    picture: Scene  #: of the end of a good game


class Kinds(Answer):
    """All of them."""

    kinds: list[Kind]


class Frame(Scene):
    """A picture of a sample game. Its shapes are numbers in the list of all of them."""

    shapes: list[int]  # type: ignore[assignment]


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
    """The rules of a game, told to people."""

    name: str
    title: str
    summary: str
    blocks: list[Heading | Paragraph | List | Picture]
    parameters: list[Parameter]


# Positions and what searches say about them


class AskPosition(Question):
    """A game, where it starts, and the moves from there: a list, or one text."""

    game: Spec
    start: Text | None = None
    moves: list[Move] | Text = Field(default_factory=list, examples=[["4", "4"], "4453"])


class Position(Answer):
    """A position with everything a page needs to show it and to play from it."""

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
    scene: Scene


class AskAnalysis(AskPosition):
    """What to search, who shall, for how long, and whether every legal move gets a score."""

    agent: Spec = "auto"
    time: Annotated[Number, Field(gt=0)] = 1.0
    lines: bool = True


class AskHint(AskPosition):
    """What to look at, and for how long."""

    time: Annotated[Number, Field(gt=0)] | None = None


class AskReview(AskPosition):
    """The game to look back at."""


class Found(Answer):
    """What is known of a move or a position, seen by the side to move."""

    value: float
    score: float
    outcome: Literal["win", "draw", "loss"] | None
    plies_to_end: int | None
    pv: list[str]
    text: str


class Line(Found):
    """A legal move."""

    move: str


class Analysis(Found):
    """What a search found."""

    best: str | None
    score_kind: str = Field(examples=["estimate", "points"])
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
    marks: list[Shape]  #: what shows the why on the board


class Judged(Answer):
    """A move of a reviewed game; the values are those of the player who made it."""

    ply: int
    player: Side
    move: str
    best: str
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    loss: float
    value_before: float
    value_after: float
    outcome_before: Literal["win", "draw", "loss"] | None
    outcome_after: Literal["win", "draw", "loss"] | None
    comment: str


class Summary(Answer):
    """How one player did."""

    player: Side
    moves: int
    accuracy: float | None
    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int


class Review(Answer):
    """A game looked back at; `values` are player 1's, one for each position."""

    game: str
    start: str | None
    over: bool
    winner: Literal[0, 1, 2] | None
    players: Annotated[list[Summary], Field(min_length=2, max_length=2)]
    moves: list[Judged]
    values: list[float]
