"""The parts of a benchmark: quantities, rows with targets, and jobs timed in turn."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

#: Openings of Connect-4 in plywise's notation: the empty board and two from the middle game.
OPENINGS = ("", "4444", "35333571")

SHORTEST_TURN = 0.2  #: seconds

Job = Callable[[], object]


class Quantity(NamedTuple):
    """A number with its unit.

    >>> print(Quantity(0.0123, "s"), Quantity(7_310_000, "nodes/s"), Quantity(41.4, "x"))
    12.3 ms 7.31 M nodes/s 41.4 x
    """

    amount: float
    unit: str

    def __str__(self) -> str:
        amount, unit = self
        if unit == "s" and amount < 1e-3:
            return f"{amount * 1e6:.3g} us"
        if unit == "s" and amount < 1:
            return f"{amount * 1e3:.3g} ms"
        for size, prefix in ((1e6, "M "), (1e3, "k ")):
            if unit.endswith("/s") and amount >= size:
                return f"{amount / size:.3g} {prefix}{unit}"
        return f"{amount:,.0f} {unit}" if amount >= 100 else f"{amount:.3g} {unit}"


@dataclass(frozen=True)
class Row:
    """One claim: plywise's figure, the one it is compared with, and the result to judge."""

    what: str
    ours: Quantity | str
    against: Quantity | str
    result: Quantity
    at_least: float | None = None
    at_most: float | None = None
    right: bool | None = True  #: is the answer itself right? None if unknown in this run

    @property
    def target(self) -> str:
        """The target of the result, in words."""
        if self.at_least is not None:
            return f"at least {Quantity(self.at_least, self.result.unit)}"
        if self.at_most is not None:
            return f"at most {Quantity(self.at_most, self.result.unit)}"
        return ""

    @property
    def met(self) -> bool | None:
        """True if the target was met; None if there is none, or the run was too short to tell."""
        if self.right is False:
            return False
        if self.right is None or not self.target:
            return None
        if self.at_least is not None:
            return self.result.amount >= self.at_least
        return self.at_most is not None and self.result.amount <= self.at_most

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "what": self.what,
            "plywise": _plain(self.ours),
            "against": _plain(self.against),
            "result": _plain(self.result),
            "at_least": self.at_least,
            "at_most": self.at_most,
            "met": self.met,
        }


@dataclass(frozen=True)
class Bench:
    """A group of rows measured together."""

    name: str
    title: str
    method: str  #: how it is measured, in a sentence or two
    against: str  #: the heading of the column that plywise is compared with
    rows: Callable[[bool], Iterator[Row]]  #: the argument: is it a quick run?
    needs: str | None = None  #: the module of the peer, which may not be installed
    only_named: bool = False  #: too long for a run of everything


def alternate(
    *jobs: Job, rounds: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Return the median seconds of each job; they take turns, so a busy machine is fair to all.

    A short job is repeated until its turn has lasted a while. Seconds are of the processor: on a
    busy machine a job of milliseconds slips through, and one of seconds is interrupted. For jobs
    on several threads give another clock.
    """
    seconds: list[list[float]] = [[] for _ in jobs]
    for _ in range(rounds):
        for job, times in zip(jobs, seconds, strict=True):
            turn = 0.0
            while turn < SHORTEST_TURN:
                started = clock()
                job()
                times.append(clock() - started)
                turn += times[-1]
    return [statistics.median(times) for times in seconds]


def compare(what: str, ours: Quantity, theirs: Quantity, at_least: float | None = None) -> Row:
    """Return a row that says how many times better we are: a higher rate or a shorter time."""
    ratio = theirs.amount / ours.amount if ours.unit == "s" else ours.amount / theirs.amount
    return Row(what, ours, theirs, Quantity(ratio, "x"), at_least)


def _plain(figure: Quantity | str) -> Any:
    return figure if isinstance(figure, str) else figure._asdict()
