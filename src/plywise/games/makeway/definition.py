"""Make Way as the rest of plywise sees it: random boards, boards from a word or a file, texts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random

from plywise.core.game import GameType, Notation, Record, Rules, Strength, Words
from plywise.core.spec import Parameter, Spec, Value
from plywise.errors import SpecError
from plywise.games.makeway import look, rules
from plywise.games.makeway.agents import AGENTS, HEURISTICS
from plywise.games.makeway.board import Board, State, fill, graph_of
from plywise.games.makeway.expert import EXPERT
from plywise.games.makeway.generate import Wanted, generate
from plywise.games.makeway.graph import DOTS, LINES, Graph, GraphError, from_word, read, to_word
from plywise.games.makeway.reasons import reasons
from plywise.games.makeway.solver import Solver

PRESETS = ("usual", "fair")
PARAMETERS = (
    Parameter("dots", 25, "small dots; the size of a random board", low=3, high=DOTS - 2),
    Parameter("lines", int, "lines; by default 70 to 80 on 25 dots", low=5, high=LINES),
    Parameter(
        "preset", "usual", "how dense a board is; fair boards have fewer lines", choices=PRESETS
    ),
    Parameter("seed", 1, "number of the board; each number gives another one", low=0, high=10**9),
    Parameter("board", None, "a board of your own; in one word, such as 0/0_2/1_4/0:0-1_1-2"),
    Parameter("file", None, "a board file; JSON with dots and lines"),
)
USUAL: Mapping[str, Value] = {parameter.name: parameter.default for parameter in PARAMETERS}
KEPT = 256  #: random boards that are cached
MOST = 9999  #: a new game draws its board from this many


def prepare(
    b: Record,
    dots: int,
    lines: int | None,
    preset: str,
    seed: int,
    board: str | None,
    file: None,
) -> None:
    """Write the board; by now `board` has what was in a file, and `lines` what a preset sets."""
    fill(b, random_board(dots, lines, seed) if board is None else from_word(board))


@lru_cache(KEPT)
def random_board(dots: int, lines: int | None, seed: int) -> Graph:
    """The random board of a seed."""
    return generate(Wanted.usual(dots) if lines is None else Wanted(dots, lines, lines), seed)


class MakeWay(GameType):
    """A game on boards that are drawn, or read from a file."""

    def bind(self, spec: Spec, rng: Random | None = None) -> Mapping[str, Value]:
        """Return the parameters, without a file; a new game draws its board if none is given."""
        params = super().bind(spec)
        if rng is not None and not {"seed", "board", "file"} & spec.given.keys():
            params = {**params, "seed": rng.randint(1, MOST)}
        return settled(params)

    def whole(self, b: Record) -> Mapping[str, Value]:
        """Return the parameters that describe the whole board."""
        return {"board": to_word(graph_of(b))}


def settled(params: Mapping[str, Value]) -> Mapping[str, Value]:
    """Replace a file by its board, or by the seed if that gives the same board."""
    board = _given_board(params)
    if board is None:
        return _without_preset(params)
    short = {**params, "board": None, "file": None}
    return short if board == _random_word(short) else {**USUAL, "board": board}


def two_trees(dots: int) -> int:
    """The number of lines in two trees over all dots, including the big ones."""
    return 2 * (dots + 1)


def _without_preset(params: Mapping[str, Value]) -> Mapping[str, Value]:
    """Replace a preset by its number of lines."""
    if params["preset"] == USUAL["preset"]:
        return params
    if params["lines"] is not None:
        raise SpecError("preset and lines cannot be combined: a preset sets the number of lines")
    # One line less than two trees: about where Short begins to win the switching game.
    lines = two_trees(int(str(params["dots"]))) - 1
    return {**params, "preset": USUAL["preset"], "lines": lines}


def _given_board(params: Mapping[str, Value]) -> str | None:
    """The board in one word, if it is not a random one."""
    board, file = params["board"], params["file"]
    if file is None:
        if board is None:
            return None
        try:
            return to_word(from_word(str(board)))
        except GraphError as error:
            raise SpecError(f"board={_short(str(board))} is not a board: {error}") from error
    for name, usual in USUAL.items():
        if name != "file" and params[name] != usual:
            raise SpecError(f"file and {name} cannot be combined: a file holds the whole board")
    try:
        return to_word(read(Path(str(file))))
    except GraphError as error:
        raise SpecError(str(error)) from error


def _random_word(params: Mapping[str, Value]) -> str | None:
    try:
        dots, lines, seed = (params[name] for name in ("dots", "lines", "seed"))
        return to_word(random_board(dots, lines, seed))
    except SpecError:
        return None


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


SAMPLE = (
    "12-21 21-26 0-6 0-3 16-21 3-10 10-12 6-10 6-8 23-26 "
    "8-10 25-26 24-26 6-9 16-18 18-24 20-24 16-20 18-20"
)

GAME = MakeWay(
    name="makeway",
    title="Make Way",
    state=State,
    board=Board,
    parameters=PARAMETERS,
    prepare=prepare,
    sizes=lambda b: (b.lines, b.lines),
    rules=Rules.of(rules),
    look=look.LOOK,
    scene=look.scene,
    palette=look.PALETTE,
    notation=Notation(read_move=look.read_move, draw=look.draw),
    words=Words(
        summary="Claim lines between dots; the first to join the two big dots wins.",
        reason=look.reason,
        sample=SAMPLE,
        reasons=reasons,
    ),
    strength=Strength(
        heuristics=HEURISTICS,
        agents={**AGENTS, "expert": EXPERT},
        solver=lambda game, book: Solver(game),
        scale=60.0,
    ),
)
