"""The table of techniques, the easiest first: name, title, grade and wording; and their kernel.

A new technique is a row here, a function in `techniques.py` or `windows.py` that the kernel calls,
and a writer in `wording.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel
from plywise.puzzles.slither.logic import wording as say
from plywise.puzzles.slither.logic.connection import find_connections, find_either_way
from plywise.puzzles.slither.logic.techniques import (
    find_adjacent_threes,
    find_clues,
    find_corners,
    find_diagonal_threes,
    find_dots,
    find_early_loops,
    find_entries,
    find_pairs,
    find_sides,
)
from plywise.puzzles.slither.logic.windows import find_in_windows

#: The grades, the easiest first. A puzzle has the grade of the hardest technique it needs.
GRADES = ("easy", "normal", "tricky", "hard", "expert", "chains", "extreme")
EASY, NORMAL, TRICKY, HARD, EXPERT, CHAINS, EXTREME = range(len(GRADES))

Writer = Callable[..., Any]  #: (step, place, record, sides known before) -> the step with words


@dataclass(frozen=True)
class Technique:
    """A named way to find the next lines and crosses."""

    name: str
    title: str
    grade: int  #: the grade of a puzzle that needs it, an index of GRADES
    write: Writer | None = field(default=None, repr=False, compare=False)  #: if the kernel finds it


_cell, _four, _nine = (partial(say.write_cases, side) for side in (1, 2, 3))
_connected = "Inside and outside stay connected"

#: The techniques by their numbers in the kernel; 0 is none.
TECHNIQUES = {
    1: Technique("clue", "Counting lines around a clue", EASY, say.write_clue),
    2: Technique("dot", "Two lines or none at a dot", EASY, say.write_dot),
    3: Technique("corner", "A clue with a dead corner", EASY, say.write_corner),
    4: Technique("adjacent", "Two 3s side by side", EASY, say.write_adjacent),
    5: Technique("diagonal", "Two 3s corner to corner", EASY, say.write_diagonal),
    6: Technique("loop", "A loop that would close too early", NORMAL, say.write_loop),
    7: Technique("entry", "A line to the corner of a clue", NORMAL, say.write_entry),
    8: Technique("pair", "Two lines at a corner", TRICKY, say.write_pair),
    9: Technique("side", "Inside and outside", TRICKY, say.write_side),
    10: Technique("connection", _connected, HARD, say.write_connection),
    11: Technique("cell", "Every way around a cell", HARD, _cell),
    12: Technique("four", "Every way around four cells", HARD, _four),
    13: Technique("either", f"{_connected}, whichever is where", EXPERT, say.write_either),
    14: Technique("nine", "Every way around nine cells", EXPERT, _nine),
}
STRONGEST = max(TECHNIQUES)

#: What follows when no technique helps; `chains.py`, `cases.py` and the solver find these.
CHAIN = Technique("chain", "An assumption that leads to a contradiction", CHAINS)
DEEP = Technique("deep", "An assumption that leads to a contradiction by hard techniques", EXTREME)
CASES = Technique("cases", "Following up every way at one place", EXTREME)
SEARCH = Technique("search", "Found by search", EXTREME)


def last_of(grade: int) -> int:
    """The number of the hardest technique of a grade."""
    return max(number for number, technique in TECHNIQUES.items() if technique.grade <= grade)


@kernel
def deducing() -> Any:
    """Build the kernel that finds steps, one at a time or all of them."""

    def deduce(t: Record, clues: Record, s: Record, last: int, one: bool) -> int:
        """Find a step by the easiest technique up to `last`; returns its number, 0 for none.

        Without `one`, continue until nothing is left to find. `uses` counts the techniques.
        """
        while True:
            s.found = 0
            s.failed = 0
            technique = 0
            while technique < last and s.found == 0 and s.failed == 0:
                technique += 1
                if technique == 1:
                    find_clues(t, clues, s, one)
                elif technique == 2:
                    find_dots(t, clues, s, one)
                elif technique == 3:
                    find_corners(t, clues, s, one)
                elif technique == 4:
                    find_adjacent_threes(t, clues, s, one)
                elif technique == 5:
                    find_diagonal_threes(t, clues, s, one)
                elif technique == 6:
                    find_early_loops(t, clues, s, one)
                elif technique == 7:
                    find_entries(t, clues, s, one)
                elif technique == 8:
                    find_pairs(t, clues, s, one)
                elif technique == 9:
                    find_sides(t, clues, s, one)
                elif technique == 10:
                    find_connections(t, clues, s, one)
                elif technique == 11:
                    find_in_windows(t, clues, s, 1)
                elif technique == 12:
                    find_in_windows(t, clues, s, 2)
                elif technique == 13:
                    find_either_way(t, clues, s, one)
                else:
                    find_in_windows(t, clues, s, 3)
            if s.failed != 0:
                return technique
            if s.found == 0:
                return 0
            s.uses[technique] += 1
            if one:
                return technique

    return deduce
