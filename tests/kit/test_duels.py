"""Games between agents for the tables of a report."""

from __future__ import annotations

import plywise
from plywise import Position
from plywise.kit.duels import duel, openings
from plywise.kit.intervals import Share
from plywise.play.match import play_match


def test_openings_are_repeatable_and_not_over() -> None:
    game = plywise.game("tictactoe")
    texts = [position.text for position in openings(game, 12, 4)]
    assert texts == [position.text for position in openings(game, 12, 4)]
    assert texts != [position.text for position in openings(game, 12, 4, seed=2)]
    assert len(set(texts)) > 6
    assert all(len(position.moves) == 4 and not position.over for position in openings(game, 12, 4))


def test_each_start_is_played_from_both_sides() -> None:
    seen: list[tuple[Position, Position, bool]] = []
    starts = openings(plywise.game("tictactoe"), 3, 2)
    share = duel("seed:depth=1", "seed:depth=9", starts, on_move=lambda *move: seen.append(move))
    assert share.count == 6
    first = [mine for before, _, mine in seen if len(before.moves) == 2]
    assert first == [True, False] * 3
    for before, after, _ in seen:
        assert after.before is before
    ends = [after for _, after, _ in seen if after.over]
    assert len(ends) == 6
    sides = [True, False] * 3  # is the first agent player 1?
    points = [
        0.5 if end.winner == 0 else float((end.winner == 1) == side)
        for end, side in zip(ends, sides, strict=True)
    ]
    assert share == Share(sum(points), 6)


def test_a_duel_is_a_match() -> None:
    """From the empty board, both count the same games."""
    game = plywise.game("tictactoe:rows=4,k=3")
    match = play_match(game, "seed:depth=1", "seed:depth=3", games=2, seed=1)
    share = duel("seed:depth=1", "seed:depth=3", [game.start()])
    assert share == Share(match.wins + match.draws / 2, match.games)
