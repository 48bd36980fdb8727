"""Fair openings: what is said of them holds, by another engine."""

from __future__ import annotations

from collections import Counter

import pytest

import plywise
from plywise.arena.openings import Opening, openings
from plywise.arena.plan import read_openings
from plywise.errors import SpecError, Unsupported
from tests.examples.peers import FOLDER as EXAMPLES


def outcome(game: plywise.Game, opening: Opening) -> int:
    """Whom an opening favours, by plain minimax."""
    position = game.position(opening.moves)
    found = plywise.engine("minimax", game).search(position)
    assert found.outcome is not None
    mover = position.turn + 1
    return {"draw": 0, "win": mover, "loss": 3 - mover}[found.outcome]


def test_openings_are_draws_where_there_are_draws() -> None:
    game = plywise.game("tictactoe")
    found = openings(game, 5, 3)
    assert len({each.moves for each in found}) == 5
    assert all(each.proved and outcome(game, each) == each.favours == 0 for each in found)
    assert found == openings(game, 5, 3)
    assert found != openings(game, 5, 3, seed=2)


def test_unbalanced_ones_favour_both_sides_by_turns() -> None:
    game = plywise.game("tictactoe")
    found = openings(game, 4, 3, unbalanced=True)
    assert (
        [each.favours for each in found] == [outcome(game, each) for each in found] == [1, 2, 1, 2]
    )


@pytest.mark.slow
def test_a_game_without_draws_has_as_many_for_each_side() -> None:
    game = plywise.game(str(EXAMPLES / "domineering.py"), rows=4, cols=4)
    found = openings(game, 6, 2)
    assert Counter(each.favours for each in found) == {1: 3, 2: 3}
    assert all(outcome(game, each) == each.favours for each in found)


@pytest.mark.slow
def test_what_cannot_be_had() -> None:
    game = plywise.game("tictactoe")
    with pytest.raises(SpecError, match="at least 1"):
        openings(game, 0, 2)
    with pytest.raises(Unsupported, match=r"only \d+ that are fair: try another"):
        openings(game, 50, 1)


def test_they_are_read_as_they_are_written(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = openings(plywise.game("tictactoe"), 3, 2)
    file = tmp_path / "openings.txt"
    file.write_text("# three\n" + "\n".join(map(str, found)))
    assert read_openings(file) == [each.moves for each in found]
