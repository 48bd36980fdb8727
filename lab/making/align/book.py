"""Solve the whole board, and keep part of it: the start, a book's values, a sample."""

from __future__ import annotations

import lzma
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lab.making.align.layers import Layers
from plywise.core.files import UNREADABLE
from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import SpecError, Unsupported
from plywise.games.align.book import (
    MAGIC,
    STEP,
    BoardSymmetry,
    Book,
    Sets,
    Values,
    in_order,
    pays_and_offers,
)
from plywise.games.align.definition import GAME
from plywise.games.align.solver import LARGEST
from plywise.games.align.table import EndgameTable, filled_in
from plywise.jit import kernel

#: The best compression, with a window that needs little memory to unpack.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 22}]
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
        self.table = EndgameTable(game, 0, 0)
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
    symmetry, layers = BoardSymmetry(game), solved.layers[: plies + 1]
    sets = [canonical_sets(symmetry, count) for count in range(plies + 2)]
    best = answers(
        game.board, symmetry, sets[plies], layers[plies], sets[-1], solved.layers[plies + 1]
    )
    marks = tuple(each[::STEP] for each in sets[:-1])
    return Book(game.spec, layers, best, marks, game.board, symmetry)


def pack(book: Book) -> bytes:
    """Return the bytes of a book's file."""
    counts = " ".join(str(len(values)) for values in book.layers)
    title = f"{MAGIC} {book.spec} {counts}\n"
    marks = np.concatenate(book.marks).tobytes()
    values = np.concatenate([*book.layers, book.answers]).tobytes()
    return title.encode() + lzma.compress(marks + values, filters=FILTERS)


def solution(game: Game, solved: Solved, plies: int) -> Solution:
    """Keep the values of up to `plies` filled cells, and a sample of the later ones."""
    symmetry = BoardSymmetry(game)
    layers = (canonical_sets(symmetry, count, solved.arrays) for count in range(plies + 1))
    sample = sample_sets(symmetry, plies)
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


def sample_sets(symmetry: BoardSymmetry, fewest: int) -> Sets:
    """Random reachable positions, the same number for each number of filled cells."""
    generator = np.random.default_rng(36)
    cells = np.arange(symmetry.size**2)
    dark = (symmetry.dark >> cells & 1).astype(bool)
    found = []
    for count in range(fewest, symmetry.size**2):
        for _ in range(SAMPLE):
            order = generator.permutation(cells)
            if symmetry.checkerboard:
                first, second = order[dark[order]], order[~dark[order]]
                order = np.concatenate([first[: (count + 1) // 2], second[: count // 2]])
            found.append(sum(1 << int(cell) for cell in order[:count]))
    return np.array(found, np.int64)


# ---- the positions of a book ---------------------------------------------------------------------


def canonical_sets(symmetry: BoardSymmetry, count: int, arrays: Any = np) -> Any:
    """Every reachable set of so many cells that is the least of its images."""
    cells = symmetry.size**2
    if count == 0:
        return arrays.zeros(1, np.int64)
    smaller = all_sets(cells, count - 1, arrays)
    images = arrays.asarray(symmetry.images)
    found = []
    for top in range(count - 1, cells):  # by highest cell, to save memory
        sets = smaller[: comb(top, count - 1)] | (1 << top)
        if symmetry.checkerboard:
            sets = sets[bit_count(sets & symmetry.dark) == (count + 1) // 2]
        for image in images:
            sets = sets[sets <= image_of(sets, image)]
        found.append(sets)
    return arrays.concatenate(found)


def all_sets(cells: int, count: int, arrays: Any = np) -> Any:
    """Every set of so many of the cells, in ascending order."""
    sets = arrays.zeros(1, np.int64)
    for size in range(1, count + 1):
        # Below a highest cell are the first of the sets with one cell less.
        tops = range(size - 1, cells - count + size)
        sets = arrays.concatenate([sets[: comb(top, size - 1)] | (1 << top) for top in tops])
    return sets


def image_of(sets: Any, image: Any) -> Any:
    """Apply a symmetry to sets."""
    size, patterns = image.shape
    bits = patterns.bit_length() - 1
    seen = image[0][sets & (patterns - 1)]
    for row in range(1, size):
        seen |= image[row][(sets >> row * bits) & (patterns - 1)]
    return seen


def bit_count(sets: Any) -> Any:
    """Count the cells of each set."""
    count = sets & 0
    while (sets != 0).any():
        count += sets != 0
        sets = sets & (sets - 1)
    return count


# ---- best moves for the last layer --------------------------------------------------------------


def answers(
    b: Record,
    symmetry: BoardSymmetry,
    sets: Sets,
    values: Values,
    later: Sets,
    later_values: Values,
) -> Values:
    """The place of a best move for each position; `later` has the positions with one more cell."""
    places = np.zeros(len(sets), np.int8)
    answer = answering.build(symmetry.rules)
    answer(b, symmetry.images, sets, values, later, later_values, places)
    return places


@kernel
def answering() -> Any:
    """answer(b, images, sets, values, later, later_values, places)"""

    def answer(
        b: Record, images: Any, sets: Any, values: Any, later: Any, later_values: Any, places: Any
    ) -> None:
        symmetries, side, patterns = images.shape
        order = np.zeros((2, side * side), np.int64)
        for number in range(len(sets)):
            filled = sets[number]
            for place in range(in_order(b, filled, order)):
                cell = order[0, place]
                paid, _ = pays_and_offers(b, filled, cell)
                least = np.int64(1) << 62
                for symmetry in range(symmetries):
                    image = np.int64(0)
                    rest = filled | np.int64(1) << cell
                    for row in range(side):
                        image |= images[symmetry, row, rest & (patterns - 1)]
                        rest >>= side
                    least = min(least, image)
                after = later_values[np.searchsorted(later, least)]
                if paid - after == values[number]:
                    places[number] = place
                    break

    return answer
