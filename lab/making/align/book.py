"""Solve the whole board, and keep part of it: the start, a book's values, a sample."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lab.making.align.layers import Layers
from plywise.core.files import UNREADABLE
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import SpecError, Unsupported
from plywise.games.align.book import STEP, Book
from plywise.games.align.book.answers import answers
from plywise.games.align.book.sets import Sets, Shape, Values, canonical_sets
from plywise.games.align.definition import GAME
from plywise.games.align.solver import LARGEST
from plywise.games.align.solver.table import Table, filled_in

SAMPLE = 2000  #: positions of each number of cells that are kept for checks


class Solved(Protocol):
    """All values of a board, on the CPU or on a GPU."""

    @property
    def arrays(self) -> Any:
        """NumPy or CuPy, whichever holds the values."""
        ...

    def values(self, sets: Any) -> Values:
        """What the mover still gains in these positions, less what the opponent gains."""
        ...


@dataclass(frozen=True)
class Solution:
    """What is kept of a solved board."""

    spec: str  #: of the game
    value: int  #: the margin of the first player
    first_moves: dict[str, int]  #: each with the first player's margin
    line: tuple[str, ...]  #: a game in which both play perfectly
    layers: tuple[Values, ...]  #: the values of `canonical_sets`, from the empty board on
    sample_sets: Sets
    sample_values: Values

    def save(self, file: Path) -> None:
        """Write it to a NumPy file."""
        layers: Any = {f"layer{count}": values for count, values in enumerate(self.layers)}
        np.savez_compressed(
            file,
            spec=self.spec,
            value=self.value,
            moves=np.array(list(self.first_moves)),
            move_values=np.array(list(self.first_moves.values())),
            line=np.array(self.line),
            sample_sets=self.sample_sets,
            sample_values=self.sample_values,
            **layers,
        )

    @staticmethod
    def load(file: Path) -> Solution:
        """Read a solution from a file."""
        try:
            return Solution._read(file)
        except UNREADABLE as error:
            raise SpecError(
                f"{file} is not a solution: `plywise align solve-all` writes one"
            ) from error

    @staticmethod
    def _read(file: Path) -> Solution:
        with np.load(file) as data:
            names = [name for name in data.files if name.startswith("layer")]
            first_moves = zip(data["moves"].tolist(), data["move_values"].tolist(), strict=True)
            return Solution(
                str(data["spec"]),
                int(data["value"]),
                dict(first_moves),
                tuple(data["line"].tolist()),
                tuple(data[f"layer{count}"] for count in range(len(names))),
                data["sample_sets"],
                data["sample_values"],
            )


class OnProcessor:
    """All values in a table of the solver: for boards up to 5x5."""

    arrays = np

    def __init__(self, game: Game) -> None:
        self.table = Table(game, 0, 0)
        if self.table.bytes > LARGEST:
            raise Unsupported(f"{game.spec} is too large for the CPU: it needs a GPU (--gpu)")
        run = Run(NO_LIMITS)
        self.table.fill(run)
        self.seconds, self.bytes = run.seconds, self.table.bytes

    def values(self, sets: Any) -> Values:
        """What the mover still gains in these positions, less what the opponent gains."""
        return self.table.values[sets].astype(np.int8)


def solve_all(spec: str, plies: int, file: Path, gpu: bool) -> Iterator[str]:
    """Solve every position of a board, and write a solution to the file."""
    wanted = Spec.parse(spec)
    if wanted.name != GAME.name:
        raise SpecError(f"{spec} is not align: write 'align:size=5', or 'align' for 6x6")
    game = GAME(wanted)
    solved: Layers | OnProcessor
    if gpu:
        solved = Layers(int(game.board.side), bool(game.board.checkerboard))
    else:
        solved = OnProcessor(game)
    sets = f"{1 << int(game.board.cells):,} sets of cells"
    yield f"{game.spec}: {sets}, {solved.bytes:,} bytes, {solved.seconds:.2f} s"
    begun = time.perf_counter()
    found = solution(game, solved, min(plies, game.max_plies - 1))
    found.save(file)
    margins = found.first_moves
    best = [move for move, margin in margins.items() if margin == max(margins.values())]
    yield f"the first player scores {found.value:+d} with best play, starting at {' '.join(best)}"
    yield " ".join(f"{move}{margin:+d}" for move, margin in margins.items())
    yield f"perfect play: {' '.join(found.line)}"
    kept, most = sum(map(len, found.layers)), len(found.layers) - 1
    yield (
        f"{file}: {kept:,} values of positions with up to {most} cells and "
        f"{len(found.sample_sets):,} others, in {time.perf_counter() - begun:.1f} s"
    )


def book_of(solved: Solution, plies: int) -> Book:
    """Make a book of the solution's positions with up to `plies` filled cells."""
    if plies + 1 >= len(solved.layers):
        raise Unsupported(
            f"a book of {plies} plies needs the values of {plies + 1}: "
            f"this solution has those of up to {len(solved.layers) - 1}"
        )
    game = GAME(Spec.parse(solved.spec))
    shape, layers = Shape(game), solved.layers[: plies + 1]
    sets = [canonical_sets(shape, count) for count in range(plies + 2)]
    best = answers(
        game.board, shape, sets[plies], layers[plies], sets[-1], solved.layers[plies + 1]
    )
    marks = tuple(each[::STEP] for each in sets[:-1])
    return Book(game.spec, layers, best, marks, game.board, shape)


def solution(game: Game, solved: Solved, plies: int) -> Solution:
    """Keep the values of up to `plies` filled cells, and a sample of the later ones."""
    shape = Shape(game)
    layers = (canonical_sets(shape, count, solved.arrays) for count in range(plies + 1))
    sample = sample_sets(shape, plies)
    start = game.start()
    first_moves = {
        start.text_of(code): margin for code, margin in move_margins(solved, start).items()
    }
    return Solution(
        game.spec,
        int(solved.values(np.zeros(1, np.int64))[0]),
        first_moves,
        perfect_line(solved, start),
        tuple(solved.values(sets) for sets in layers),
        sample,
        solved.values(sample),
    )


def move_margins(solved: Solved, position: Position) -> dict[int, int]:
    """The final margin of the mover after each move, if both play perfectly from there."""
    codes = position.legal_codes
    children = [position.play_code(code) for code in codes]
    values = solved.values(np.array([filled_in(child) for child in children]))
    player = position.turn
    margins = {}
    for code, child, value in zip(codes, children, values.tolist(), strict=True):
        scores = child.state.score
        margins[code] = int(scores[player]) - int(scores[1 - player]) - value
    return margins


def perfect_line(solved: Solved, position: Position) -> tuple[str, ...]:
    """A perfect game from here to the end: always the first of the best moves."""
    while not position.over:
        margins = move_margins(solved, position)
        position = position.play_code(max(margins, key=lambda code: margins[code]))
    return tuple(position.moves)


def sample_sets(shape: Shape, fewest: int) -> Sets:
    """Random reachable positions, the same number for each number of filled cells."""
    generator = np.random.default_rng(36)
    cells = np.arange(shape.size**2)
    dark = (shape.dark >> cells & 1).astype(bool)
    found = []
    for count in range(fewest, shape.size**2):
        for _ in range(SAMPLE):
            order = generator.permutation(cells)
            if shape.checkerboard:
                first, second = order[dark[order]], order[~dark[order]]
                order = np.concatenate([first[: (count + 1) // 2], second[: count // 2]])
            found.append(sum(1 << int(cell) for cell in order[:count]))
    return np.array(found, np.int64)
