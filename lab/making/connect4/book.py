"""Make a book with many processes; a file keeps the progress, so that it can continue later."""

from __future__ import annotations

import lzma
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.core.workers import start_workers
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.games.connect4.book import BIAS, MAGIC, Book, Pages, Words, page_of, pages_of
from plywise.games.connect4.bounds import image_of
from plywise.games.connect4.definition import GAME
from plywise.games.connect4.rules import completing_four, four_lines
from plywise.games.connect4.solver import Solver

CHUNK = 64  #: positions solved at a time: similar ones, so that each helps the next
GPU_CHUNKS = 8192  #: chunks that a GPU gets at a time: half a million positions

#: The best compression, with a window that needs little memory to unpack.
FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": 1 << 22,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    }
]

Scores = np.ndarray[Any, np.dtype[np.int8]]


class Positions(NamedTuple):
    """Positions, each with the smaller of its key and its mirror image's."""

    own: Words
    mask: Words
    key: Words


class Progress:
    """The finished chunks, in a file beside the future book."""

    def __init__(self, file: Path, title: str) -> None:
        self.file = file
        self.title = f"{title}\n".encode()
        self.done: dict[int, Scores] = {}
        self.begun = file.exists() and file.read_bytes().startswith(self.title)
        if self.begun:
            self._read()

    def _read(self) -> None:
        """Read the file, and drop an incomplete last record."""
        data = self.file.read_bytes()
        at, size = len(self.title), 4 + CHUNK
        whole = (len(data) - at) // size
        for start in range(at, at + whole * size, size):
            number = int.from_bytes(data[start : start + 4], "little")
            self.done[number] = np.frombuffer(data[start + 4 : start + size], np.int8)
        os.truncate(self.file, at + whole * size)

    def add(self, number: int, scores: Scores) -> None:
        """Record a finished chunk."""
        self.done[number] = np.concatenate([scores, np.zeros(CHUNK - len(scores), np.int8)])
        with self.file.open("ab" if self.begun else "wb") as out:
            if not self.begun:  # no file before there is something to keep
                out.write(self.title)
            self.begun = True
            out.write(number.to_bytes(4, "little") + self.done[number].tobytes())


class Making:
    """A book being made."""

    def __init__(self, rows: int, cols: int, plies: int, file: Path) -> None:
        self.size = rows, cols
        self.plies = plies
        self.file = file
        # The most discs first: the results make the others easy.
        layers = quiet_positions(rows, cols, plies)[::-1]
        self.positions = Positions(*map(np.concatenate, zip(*layers, strict=True)))
        self.count = len(self.positions.key)
        self.total = -(-self.count // CHUNK)  #: chunks
        title = f"{rows} {cols} {plies} {self.count}"
        self.progress = Progress(file.with_name(file.name + ".part"), title)

    def solve(self, workers: int, ray: str | None = None) -> Iterator[int]:
        """Solve the remaining chunks; yield the number of each when it is done."""
        missing = [number for number in range(self.total) if number not in self.progress.done]
        if not missing:
            return
        jobs = [(number, *self.size, *self._chunk(number)) for number in missing]
        with start_workers(solve_numbered, workers, ray) as working:
            for (number, *_), scores in working.run(jobs):
                self.progress.add(number, scores)
                yield number

    def solve_on_gpu(self) -> Iterator[int]:
        """Do the same on a GPU, with enough chunks at a time to keep it busy."""
        from lab.making.connect4.gpu import Gpu

        missing = [number for number in range(self.total) if number not in self.progress.done]
        if not missing:
            return
        gpu = Gpu(*self.size)
        for first in range(0, len(missing), GPU_CHUNKS):
            numbers = missing[first : first + GPU_CHUNKS]
            own, mask = zip(*map(self._chunk, numbers), strict=True)
            scores = gpu.solve(np.concatenate(own), np.concatenate(mask))
            ends = np.cumsum([len(part) for part in own])[:-1]
            for number, part in zip(numbers, np.split(scores, ends), strict=True):
                self.progress.add(number, part)
                yield number

    def _chunk(self, number: int) -> tuple[Words, Words]:
        """The discs of the side to move, and all discs, for a chunk's positions."""
        part = slice(number * CHUNK, (number + 1) * CHUNK)
        return self.positions.own[part], self.positions.mask[part]

    def finish(self) -> Book:
        """Write the book when all chunks are done."""
        chunks = [self.progress.done[number] for number in range(self.total)]
        scores = np.concatenate(chunks)[: self.count]
        book = book_of(*self.size, self.plies, self.positions.key, scores)
        write(book, self.file)
        self.progress.file.unlink(missing_ok=True)
        return book


def solve_numbered(job: tuple[int, int, int, Words, Words]) -> Scores:
    """Solve a chunk, in any process."""
    _, rows, cols, own, mask = job
    return solve_chunk(rows, cols, own, mask)


def solve_chunk(rows: int, cols: int, own: Words, mask: Words) -> Scores:
    """Return the scores of some positions; the solver keeps its table for the next ones."""
    return _scores(_solver(rows, cols), own, mask)


@cache
def _solver(rows: int, cols: int) -> Solver:
    return Solver(_game(rows, cols))


def _game(rows: int, cols: int) -> Game:
    return GAME(Spec.parse(f"connect4:rows={rows},cols={cols}"))


def _scores(solver: Solver, own: Words, mask: Words) -> Scores:
    tasks = solver.tasks(own, mask)
    solver.run_tasks(tasks, NO_BUDGET, Run(NO_LIMITS))
    return tasks.low.astype(np.int8)


# ---- positions and files --------------------------------------------------------------------


def quiet_positions(rows: int, cols: int, plies: int) -> list[Positions]:
    """List every quiet position, one of each mirrored pair, by the number of discs.

    Each list is sorted by key.
    """
    b = _game(rows, cols).board
    own, mask = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    found = [Positions(own, mask, mask)]
    for _ in range(plies):
        parts = []
        for column in range(cols):
            bit = (mask + b.floor) & b.cells & b.column[column]
            fits = (bit != 0) & (four_lines(b, own | bit) == 0)
            parts.append(((own ^ mask)[fits], (mask | bit)[fits]))
        own, mask = (np.concatenate(part) for part in zip(*parts, strict=True))
        straight, mirrored = own + mask, image_of(b, own + mask)
        key, first = np.unique(np.minimum(straight, mirrored), return_index=True)
        turned = (mirrored < straight)[first]
        own = np.where(turned, image_of(b, own[first]), own[first])
        mask = np.where(turned, image_of(b, mask[first]), mask[first])
        playable = (mask + b.floor) & b.cells
        quiet = (completing_four(b, own) | completing_four(b, own ^ mask)) & playable == 0
        found.append(Positions(own[quiet], mask[quiet], key[quiet]))
    return found


def book_of(rows: int, cols: int, plies: int, keys: Words, scores: Any) -> Book:
    """A book with the scores of these positions."""
    pages = pages_of(rows, cols, plies)
    write_down(pages, keys, image_of(_game(rows, cols).board, keys), np.asarray(scores, np.int64))
    return Book(rows, cols, plies, pages)


def write(book: Book, path: Path) -> None:
    """Write a book's file."""
    title = f"{MAGIC} {book.rows} {book.cols} {book.plies}\n"
    packed = lzma.compress(book.pages.scores.tobytes(), filters=FILTERS)
    path.write_bytes(title.encode() + packed)


def write_down(pages: Pages, key: Any, mirrored: Any, scores: Any) -> None:
    """Write scores into a book, for arrays of keys and their images."""
    for here, there in ((key, mirrored), (mirrored, key)):
        page, colours = page_of(pages, here)
        mine = page <= page_of(pages, there)[0]  # both images if the heights are symmetric
        places = pages.begins[page[mine]] + pages.line[colours[mine]]
        pages.scores[places] = scores[mine] + BIAS
