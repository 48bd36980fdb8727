"""The table of techniques, the easiest first: number, name, title, grade, finder and wording.

A new technique is a row here, a finder in `techniques.py` or `windows.py`, and a writer in
`wording.py`. The kernel below tries the finders in the order of this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel
from plywise.puzzles.slither.logic import connection, windows
from plywise.puzzles.slither.logic import techniques as see
from plywise.puzzles.slither.logic import wording as say

#: The grades, the easiest first. A puzzle has the grade of the hardest technique it needs.
GRADES = ("easy", "normal", "tricky", "hard", "expert", "chains", "extreme")
EASY, NORMAL, TRICKY, HARD, EXPERT, CHAINS, EXTREME = range(len(GRADES))

#: Finds the places where a technique helps: (layout, clues, study, whether one place is enough).
Finder = Callable[[Record, Record, Record, bool], int]
Writer = Callable[..., Any]  #: (step, place, record, sides known before) -> the step with words


@dataclass(frozen=True)
class Technique:
    """A named way to find the next lines and crosses."""

    name: str
    title: str
    grade: int  #: the grade of a puzzle that needs it, an index of GRADES


@dataclass(frozen=True)
class Deduction(Technique):
    """A technique that the kernel finds by itself."""

    find: Finder = field(repr=False, compare=False)
    write: Writer = field(repr=False, compare=False)


_cell, _four, _nine = (partial(say.write_cases, side) for side in (1, 2, 3))
_connected = "Inside and outside stay connected"
_either = "Inside and outside stay connected, whichever is where"

_ROWS: tuple[tuple[str, str, int, Finder, Writer], ...] = (
    ("clue", "Counting lines around a clue", EASY, see.find_clues, say.write_clue),
    ("dot", "Two lines or none at a dot", EASY, see.find_dots, say.write_dot),
    ("corner", "A clue with a dead corner", EASY, see.find_corners, say.write_corner),
    ("adjacent", "Two 3s side by side", EASY, see.find_adjacent_threes, say.write_adjacent),
    ("diagonal", "Two 3s corner to corner", EASY, see.find_diagonal_threes, say.write_diagonal),
    ("loop", "A loop that would close too early", NORMAL, see.find_early_loops, say.write_loop),
    ("entry", "A line to the corner of a clue", NORMAL, see.find_entries, say.write_entry),
    ("pair", "Two lines at a corner", TRICKY, see.find_pairs, say.write_pair),
    ("side", "Inside and outside", TRICKY, see.find_sides, say.write_side),
    ("connection", _connected, HARD, connection.find_connections, say.write_connection),
    ("cell", "Every way around a cell", HARD, windows.find_around_one, _cell),
    ("four", "Every way around four cells", HARD, windows.find_around_four, _four),
    ("either", _either, EXPERT, connection.find_either_way, say.write_either),
    ("nine", "Every way around nine cells", EXPERT, windows.find_around_nine, _nine),
)

#: The techniques by their numbers in the kernel; 0 is none.
TECHNIQUES = {number: Deduction(*row) for number, row in enumerate(_ROWS, 1)}
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
def deducing(
    find_1: Finder,
    find_2: Finder,
    find_3: Finder,
    find_4: Finder,
    find_5: Finder,
    find_6: Finder,
    find_7: Finder,
    find_8: Finder,
    find_9: Finder,
    find_10: Finder,
    find_11: Finder,
    find_12: Finder,
    find_13: Finder,
    find_14: Finder,
) -> Any:
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
                    find_1(t, clues, s, one)
                elif technique == 2:
                    find_2(t, clues, s, one)
                elif technique == 3:
                    find_3(t, clues, s, one)
                elif technique == 4:
                    find_4(t, clues, s, one)
                elif technique == 5:
                    find_5(t, clues, s, one)
                elif technique == 6:
                    find_6(t, clues, s, one)
                elif technique == 7:
                    find_7(t, clues, s, one)
                elif technique == 8:
                    find_8(t, clues, s, one)
                elif technique == 9:
                    find_9(t, clues, s, one)
                elif technique == 10:
                    find_10(t, clues, s, one)
                elif technique == 11:
                    find_11(t, clues, s, one)
                elif technique == 12:
                    find_12(t, clues, s, one)
                elif technique == 13:
                    find_13(t, clues, s, one)
                else:
                    find_14(t, clues, s, one)
            if s.failed != 0:
                return technique
            if s.found == 0:
                return 0
            s.uses[technique] += 1
            if one:
                return technique

    return deduce


@cache
def deducer() -> Any:
    """The compiled kernel that finds steps by the techniques of this table."""
    finders = {f"find_{number}": row.find for number, row in TECHNIQUES.items()}
    return deducing.build(None, **finders)
