"""Make a book with many processes; a file keeps the progress, so that it can continue later."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.spec import Spec
from plywise.core.workers import start_workers
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.games.connect4.book import Book, Positions, Words, quiet_positions
from plywise.games.connect4.definition import GAME
from plywise.games.connect4.solver import Solver

CHUNK = 64  #: positions solved at a time: similar ones, so that each helps the next
GPU_CHUNKS = 8192  #: chunks that a GPU gets at a time: half a million positions

Scores = np.ndarray[Any, np.dtype[np.int8]]


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
        book = Book.of(*self.size, self.plies, self.positions.key, scores)
        book.write(self.file)
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
    return Solver(GAME(Spec.parse(f"connect4:rows={rows},cols={cols}")))


def _scores(solver: Solver, own: Words, mask: Words) -> Scores:
    found = solver.run_tasks(solver.tasks(own, mask), NO_BUDGET, Run(NO_LIMITS))
    return found.tasks.low.astype(np.int8)
