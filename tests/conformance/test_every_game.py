"""Every registered game keeps every law, on boards of many sizes."""

from __future__ import annotations

import pytest

from plywise import games
from plywise.testing import LAWS, check_forced, check_game, random_games

#: More parameter sets of a game than its default; (spec, random games), the slow ones marked.
MORE = {
    "align": [
        ("align:size=3", 10),
        ("align:size=4,checkerboard=yes", 5),
        pytest.param("align:size=5", 5, marks=pytest.mark.slow),
        pytest.param("align:size=5,checkerboard=yes", 5, marks=pytest.mark.slow),
        pytest.param("align:checkerboard=yes", 5, marks=pytest.mark.slow),
        pytest.param("align:size=7", 3, marks=pytest.mark.slow),
        # all 64 bits of a word
        pytest.param("align:size=8", 3, marks=pytest.mark.slow),
        pytest.param("align:size=8,checkerboard=yes", 3, marks=pytest.mark.slow),
    ],
    "tictactoe": [
        ("tictactoe:rows=1", 2),
        ("tictactoe:rows=4,k=3", 10),
        ("tictactoe:rows=3,cols=5,k=4", 10),
        pytest.param("tictactoe:rows=5,cols=2,k=2", 10, marks=pytest.mark.slow),
        ("tictactoe:rows=3,cols=4,k=1", 3),
        pytest.param("tictactoe:rows=1,cols=19,k=4", 4, marks=pytest.mark.slow),
        pytest.param("tictactoe:rows=7,k=4", 4, marks=pytest.mark.slow),
        pytest.param("tictactoe:rows=19,k=5", 1, marks=pytest.mark.slow),
        pytest.param("tictactoe:rows=19,cols=4,k=19", 1, marks=pytest.mark.slow),
    ],
    "connect4": [
        ("connect4:rows=4,cols=4", 20),
        pytest.param("connect4:rows=5,cols=5", 10, marks=pytest.mark.slow),
        ("connect4:rows=1,cols=1", 2),
        pytest.param("connect4:rows=1,cols=7", 5, marks=pytest.mark.slow),
        ("connect4:rows=6,cols=3", 10),
        pytest.param("connect4:rows=6,cols=9", 5, marks=pytest.mark.slow),
        # cols x (rows + 1) == 64: not a bit to spare
        ("connect4:rows=7,cols=8", 5),
        pytest.param("connect4:rows=3,cols=16", 5, marks=pytest.mark.slow),
        pytest.param("connect4:rows=15,cols=4", 5, marks=pytest.mark.slow),
        pytest.param("connect4:rows=1,cols=32", 3, marks=pytest.mark.slow),
        pytest.param("connect4:rows=31,cols=2", 3, marks=pytest.mark.slow),
        ("connect4:rows=63,cols=1", 2),
    ],
    "andantino": [
        pytest.param("andantino:side=4", 1, marks=pytest.mark.slow),
        pytest.param("andantino:side=5", 3, marks=pytest.mark.slow),
    ],
    "snails": [
        pytest.param("snails:rows=4,cols=4", 2, marks=pytest.mark.slow),
        pytest.param("snails:rows=4,cols=5,territory=yes", 1, marks=pytest.mark.slow),
    ],
    "makeway": [
        ("makeway:dots=3,lines=6", 4),
        ("makeway:dots=6,lines=11", 5),
        ("makeway:board=0/0_1/0:0-1", 1),
        pytest.param("makeway:lines=40,seed=9", 1, marks=pytest.mark.slow),
    ],
}
#: The usual board, where it is not ten random games that are quick; those of others are long.
USUAL = {
    "align": pytest.param("align", 10, marks=pytest.mark.slow),
    "makeway": pytest.param("makeway", 1, marks=pytest.mark.slow),
    "andantino": pytest.param("andantino", 1, marks=pytest.mark.slow),
    "snails": pytest.param("snails", 1, marks=pytest.mark.slow),
}
SPECS = [
    case for name in games.names() for case in [USUAL.get(name, (name, 10)), *MORE.get(name, [])]
]


#: Positions that each law is held against where one game takes long: all told, and in `make test`.
LONG, FEW = 25, 8


@pytest.mark.parametrize(("spec", "count"), SPECS)
def test_keeps_every_law(spec: str, count: int) -> None:
    check_game(spec, games=count, seed=1, most=FEW if count == 1 else 3 * FEW)


@pytest.mark.long
@pytest.mark.parametrize(("spec", "count"), SPECS)
def test_keeps_every_law_everywhere(spec: str, count: int) -> None:
    check_game(spec, games=count, seed=1, most=LONG if count == 1 else None)


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_no_law_is_passed_over(name: str) -> None:
    assert check_game(name, games=5, seed=2) == {}


@pytest.mark.slow
@pytest.mark.parametrize("most", [FEW, pytest.param(LONG, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("spec", "left_out"),
    [
        ("snails:rows=9,cols=8,territory=yes", ()),
        ("snails:rows=12,cols=11", ()),
        ("makeway:dots=62", ("copies", "position texts")),
    ],
)
def test_large_boards_keep_the_laws_of_rules(
    spec: str, left_out: tuple[str, ...], most: int
) -> None:
    """Cells in two words and in three; lines in two to the last bit.

    Asking interpreted agents would take a minute, and so would what is left out.
    """
    sample = random_games(spec, games=1, seed=1, most=most)
    for name, check in LAWS.items():
        if name not in ("looking", "heuristics", *left_out):
            check(sample)


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "tictactoe:rows=4,k=3", "tictactoe:rows=3,cols=4", "tictactoe:rows=4"]
    + [f"connect4:rows={rows},cols={cols}" for rows, cols in [(4, 4), (5, 4), (4, 5), (6, 7)]],
)
def test_forced_moves_in_many_games(spec: str, count: int) -> None:
    """Rare patterns need many games: a line that would run off the board, two threats at once."""
    assert check_forced(random_games(spec, games=count, seed=3)) is None


def test_laws_have_names() -> None:
    assert all(check.__doc__ for check in LAWS.values())
