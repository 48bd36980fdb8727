"""Grades: exact values of random positions, and how often an agent keeps them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import plywise
from plywise.play import grade as grading
from tests.awkward import LIST
from tests.oracle import engine as oracle
from tests.oracle.minimax import Known, TooLarge, margins, minimax, sign


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(grading, "cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "plies"),
    [("tictactoe", (2, 6)), ("connect4:rows=3,cols=3,inarow=3", (4, 7)), ("align:size=3", (4, 7))],
)
def test_values_are_those_of_plain_minimax(spec: str, plies: tuple[int, int]) -> None:
    game = plywise.game(spec)
    found = grading.labelled(game, 30, 3, plies)
    assert len(found) >= 20
    assert {len(one.moves) for one in found} <= set(range(plies[0], plies[1] + 1))
    known: Known = {}
    for one in found:
        position = game.position(list(one.moves))
        exact = [float(margin) for margin in margins(position, known).values()]
        assert list(one.values) == exact
        assert min(exact) < max(exact)


class Oracle:
    """A solver that knows the truth about whatever is small enough."""

    def __init__(self) -> None:
        self.known: Known = {}

    def solve(self, position: plywise.Position, *_: object) -> plywise.Analysis:
        with suppress(TooLarge):
            minimax(position, self.known, len(self.known) + 300)
        return oracle.Oracle(self.known).solve(position)


#: So late that the truth can be known, and yet there is often a choice; others have no such plies.
LATE = {
    "coins": (2, 7),
    "nim": (0, 4),
    "tangle-usual-points": (0, 8),
    "tangle-usual-bare": (0, 8),
    "tangle-lopsided-results": (0, 5),
    "tangle-loops-results": (0, 6),
    "domineering": (3, 6),
    "dots": (6, 9),
    "hex": (4, 7),
    "othello": (7, 10),
    "kalah": (8, 16),
}


@pytest.mark.parametrize("name", LATE)
def test_values_are_true_in_awkward_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves twice has the same sign twice, and points count where a game has them."""
    game = next(each.make() for each in LIST if each.name == name)
    truth = Oracle()
    monkeypatch.setattr(grading, "solver", lambda game: truth)
    monkeypatch.setattr(grading, "TRIES", 20)
    found = grading.labelled(game, 12, 3, LATE[name])
    for one in found:
        exact = margins(game.position(list(one.moves)), truth.known)
        assert one.values == tuple(
            float(margin if game.points else sign(margin)) for margin in exact.values()
        )


def test_the_same_seed_gives_the_same_positions_and_keeps_them(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = plywise.game("tictactoe")
    first = grading.labelled(game, 12, 3, (2, 6))
    (file,) = own_cache.rglob("*.jsonl")
    assert grading.labelled(game, 12, 4, (2, 6)) != first
    lines = file.read_text().split("\n")
    file.write_text("\n".join([*lines[:7], lines[7][:-9]]))  # as a killed process leaves it
    made: list[int] = []
    make = grading._Labeller.made

    def counting(self: object, seed: int, number: int, ply: int) -> grading.Labelled | None:
        made.append(number)
        return make(self, seed, number, ply)  # type: ignore[arg-type]

    monkeypatch.setattr(grading._Labeller, "made", counting)
    assert grading.labelled(game, 12, 3, (2, 6)) == first
    assert len(made) == 6
    assert grading.labelled(game, 12, 3, (2, 6)) == first
    assert len(made) == 6


def test_a_perfect_agent_keeps_everything_and_a_random_one_does_not() -> None:
    game = plywise.game("tictactoe")
    asked = grading.labelled(game, 60, 3, (1, 6))
    perfect = grading.grade(game, "alphabeta:depth=9", asked, (1, 6))
    assert (perfect.total.kept, perfect.total.loss) == (1.0, 0.0)
    careless = grading.grade(game, "random:seed=5", asked, (1, 6))
    assert abs(careless.total.kept - careless.total.random) < 0.2
    assert careless.total.loss > 0.3
    rows = {row.positions: row.count for row in careless.rows}
    assert rows["all"] == sum(rows.get(name, 0) for name in grading.PHASES)
    assert rows["all"] == sum(rows.get(name, 0) for name in grading.DIFFICULTIES)


@pytest.mark.slow
def test_nothing_to_grade() -> None:
    with pytest.raises(
        plywise.Unsupported, match="was solved in which the choice of a move matters"
    ):
        grading.labelled(plywise.game("connect4:rows=1,cols=3"), 5, 1, (0, 2))


def test_on_the_command_line(run, own_cache: Path) -> None:  # type: ignore[no-untyped-def]
    table = run("grade", "tictactoe", "alphabeta:depth=9", "random", "--positions", "20")
    assert table.out.splitlines()[3].split()[:2] == ["alphabeta:depth=9", "100.0%"]
    found = run("grade", "tictactoe", "random", "--positions", "20", "--json").json["grades"]
    assert found[0]["rows"][0]["count"] == 20
    wrong = {
        ("--positions", "0"): "positions must be at least 1, not 0",
        ("--plies", "4"): "plies '4' are not FROM-TO, such as 4-30",
        ("--plies", "4-9"): "plies 4 to 9 are not possible: a game has 0 to 8",
        ("--plies", "6-3"): "plies 6 to 3 are not possible",
    }
    for given, complaint in wrong.items():
        assert complaint in run("grade", "tictactoe", "random", *given).complaint
    assert "there is no agent 'deep'" in run("grade", "tictactoe", "deep").complaint
