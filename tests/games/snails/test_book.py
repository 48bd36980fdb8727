"""The opening book of Snails: what it holds is proved, and the expert plays by it."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import Limits, SpecError
from plywise.core.engine import unguarded
from plywise.core.position import Position
from plywise.engines.book import WON, Book, shipped
from plywise.games.snails.expert import Expert
from plywise.games.snails.solver import SnailsSolver


def outcome(solver: SnailsSolver, position: Position) -> str | None:
    """Seen by the one who has just moved."""
    found = solver.solve(position).outcome
    return {"win": "loss", "loss": "win"}.get(str(found), found)


def walks(book: Book, games: int) -> list[tuple[Position, int]]:
    """Positions that book moves lead to, with their chances, against random replies."""
    game, rng = book.game, random.Random(1)
    found = []
    for number in range(games):
        position = game.start()
        while not position.over:
            if position.turn == number % 2:
                known = book.moves(position)
                if not known:
                    break
                position = position.play_code(rng.choice(list(known)))
                found.append((position, book.chance(position)))
            else:
                position = position.play_code(rng.choice(position.legal_codes))
    return found


def test_a_file_that_is_no_book_of_this_board() -> None:
    game = plywise.game("snails")
    other = Book.of(plywise.game("snails:rows=4,cols=5"), {1: 2}).pack()
    with pytest.raises(SpecError, match="this is not a book for snails: its first line must be"):
        Book.unpack(other, game)


def test_the_shipped_book_knows_the_opening() -> None:
    game = plywise.game("snails")
    book = shipped(game)
    assert book is not None
    seen = walks(book, 60)
    assert {len(position.moves) for position, _ in seen} >= {1, 3, 5}
    wrong = game.position("ul")  # the second move of the game, and a mistake
    assert list(book.moves(wrong).values()) == [WON]
    assert book.moves(game.position("u")).keys() == {game.position("u").code_of("d")}


def late_moves(book: Book) -> list[tuple[Position, int]]:
    """Where book moves lead late in the opening, with their chances."""
    late = {p.key: (p, chance) for p, chance in walks(book, 400) if len(p.moves) >= 11}
    return sorted(late.values(), key=lambda entry: entry[0].key)


@pytest.mark.slow
def test_late_moves_of_the_shipped_book_win_and_one_holds() -> None:
    """By a solver that starts from nothing: wins take it a moment, most draws a minute."""
    game = plywise.game("snails")
    book = shipped(game)
    assert book is not None
    solver = SnailsSolver(game, memory=64.0)
    won = [position for position, chance in late_moves(book) if chance == WON]
    assert len(won) > 10
    assert all(outcome(solver, position) == "win" for position in won)
    before = game.position("u d u d r l r")
    assert before.code_of("l") in book.moves(before)
    assert outcome(solver, before.play("l")) == "draw"


@pytest.mark.long
def test_moves_of_the_shipped_book_hold_and_win() -> None:
    """The later ones, by a solver that starts from nothing."""
    book = shipped(plywise.game("snails"))
    assert book is not None
    solver = SnailsSolver(plywise.game("snails"), memory=256.0)
    for position, chance in random.Random(2).sample(late_moves(book), 12):
        assert outcome(solver, position) == ("win" if chance == WON else "draw")


def test_the_expert_plays_by_the_book() -> None:
    game = plywise.game("snails")
    expert = unguarded(plywise.engine("expert", game))
    assert isinstance(expert, Expert)
    found = expert.search(game.position("ul"), Limits(time=0.01))
    assert found.outcome == "win"
    assert found.nodes == 0
    assert expert.search(game.position("ul"), Limits(nodes=1000)).nodes > 0
    experts = [plywise.engine(f"expert:seed={seed}", game) for seed in range(1, 9)]
    assert {each.search(game.start(), Limits(time=0.01)).best for each in experts} == {"u", "r"}
