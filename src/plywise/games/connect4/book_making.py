"""Making a book: many processes, and a file of what is done, so that it can go on later."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.spec import Spec
from plywise.games.connect4.book import Book, Words, make_book, quiet_positions

CHUNK = 64  #: positions a process solves at a time: neighbours, for what one learns helps the next

Scores = np.ndarray[Any, np.dtype[np.int8]]


class Progress:
    """Which chunks are done, in a file beside the book that is to be."""

    def __init__(self, file: Path, title: str) -> None:
        self.file = file
        self.title = f"{title}\n".encode()
        self.done: dict[int, Scores] = {}
        if file.exists() and file.read_bytes().startswith(self.title):
            self._read()
        else:
            file.write_bytes(self.title)

    def _read(self) -> None:
        """Take what is there; a record that was cut off is cut off wholly."""
        data = self.file.read_bytes()
        at, size = len(self.title), 4 + CHUNK
        whole = (len(data) - at) // size
        for start in range(at, at + whole * size, size):
            number = int.from_bytes(data[start : start + 4], "little")
            self.done[number] = np.frombuffer(data[start + 4 : start + size], np.int8)
        os.truncate(self.file, at + whole * size)

    def add(self, number: int, scores: Scores) -> None:
        """A chunk is done."""
        self.done[number] = np.concatenate([scores, np.zeros(CHUNK - len(scores), np.int8)])
        with self.file.open("ab") as out:
            out.write(number.to_bytes(4, "little") + self.done[number].tobytes())


class Making:
    """A book being made."""

    def __init__(self, rows: int, cols: int, plies: int, file: Path) -> None:
        self.size = rows, cols
        self.plies = plies
        self.file = file
        self.positions = quiet_positions(rows, cols, plies)
        self.count = len(self.positions.key)
        self.total = -(-self.count // CHUNK)  #: chunks
        title = f"{rows} {cols} {plies} {self.count}"
        self.progress = Progress(file.with_name(file.name + ".part"), title)

    def solve(self, processes: int) -> Iterator[int]:
        """Solve what is not solved yet; gives the number of each chunk when it is done."""
        missing = [number for number in range(self.total) if number not in self.progress.done]
        if not missing:
            return
        own, mask = self.positions.own, self.positions.mask
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            jobs = {}
            for number in missing:
                part = slice(number * CHUNK, (number + 1) * CHUNK)
                jobs[pool.submit(solve_chunk, *self.size, own[part], mask[part])] = number
            try:
                for job in as_completed(jobs):
                    self.progress.add(jobs[job], job.result())
                    yield jobs[job]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def finish(self) -> Book:
        """Write the book; all chunks are done."""
        chunks = [self.progress.done[number] for number in range(self.total)]
        scores = np.concatenate(chunks)[: self.count].astype(np.int64)
        book = make_book(*self.size, self.plies, self.positions, scores)
        self.file.write_bytes(book.pack())
        self.progress.file.unlink()
        return book


def solve_chunk(rows: int, cols: int, own: Words, mask: Words) -> Scores:
    """The scores of some positions, in a process of a pool."""
    from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run

    solver = _solver(rows, cols)
    found = solver.run_tasks(solver.tasks(own, mask), NO_BUDGET, Run(NO_LIMITS))
    return found.tasks.low.astype(np.int8)


@cache
def _solver(rows: int, cols: int) -> Any:
    from plywise.games.connect4.definition import GAME
    from plywise.games.connect4.solver import Solver

    return Solver(GAME(Spec.parse(f"connect4:rows={rows},cols={cols}")), book=False)
