"""The paper's path search: where the path starts."""

from __future__ import annotations

import pytest

from plywise.puzzles import slither
from plywise.puzzles.slither.path_search import search, starts

#  0 -- 1 -- 2 -- 3     dots and cells are numbered row by row
#  |    |    |    |
#  4 -- 5 -- 6 -- 7
#  |    |    |    |
#  8 -- 9 - 10 - 11


@pytest.mark.parametrize(
    ("puzzle", "dots"),
    [
        ("3../.3.", [5]),  # one corner of the last 3: all four are on the loop
        ("..2/.2.", [5, 10]),  # of a 2, three of the four are
        (".../1..", [4, 9, 5]),  # of a 1, two of the four are
        (".0./...", list(range(12))),  # nothing to go by: every dot
    ],
)
def test_where_the_path_starts(puzzle: str, dots: list[int]) -> None:
    read = slither.read(puzzle)
    assert starts(read) == dots
    layout = read.layout
    solutions = slither.solve(read).solutions
    assert solutions
    for solution in solutions:
        on_loop = {int(dot) for line in solution.lines for dot in layout.line_dots[line]}
        assert on_loop & set(dots)


def test_it_goes_on_from_the_next_corner() -> None:
    #  +---+---+---+   The last 2 is at the bottom right. No line comes to the
    #  | 2   1   2 |   dot between it and the 0, so the path starts at the
    #  +   +   +   +   other corner, 15.
    #  | 1   0   1 |
    #  +   +   +   +
    #  | 2   1   2 |
    #  +---+---+---+
    puzzle = slither.read("212/101/212")
    assert starts(puzzle) == [10, 15]
    found = search(puzzle, "dfs")
    ends = [set(map(int, puzzle.layout.line_dots[line])) for line in found.path]
    assert ends[0] & ends[-1] == {15}
    assert not any(10 in each for each in ends)


def test_a_search_that_is_cut_off_says_what_it_took() -> None:
    puzzle = slither.read("212/101/212")
    cut = search(puzzle, "dfs", most=3)
    assert (cut.solution, cut.finished, cut.steps) == (None, False, 3)
    for found in cut, search(puzzle, "dfs"), search(slither.read("3../.3."), "dfs"):
        assert 0 <= found.seconds < 60
