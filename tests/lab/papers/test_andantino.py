"""What Andantino's report measures: games between weights, and forced wins that are found."""

from __future__ import annotations

import pytest

import plywise
from lab.papers.andantino import weights, wins
from lab.papers.andantino.duels import SEED, TUNED, Duels
from plywise import Analysis, Line
from plywise.engines import make
from plywise.jit.bits import below, generator
from plywise.play.statistics import Share
from tests.docs.pages import DOCS

GAME = plywise.game("andantino")


@pytest.mark.long
def test_duels_are_games_of_the_agents() -> None:
    """The compiled games against the same ones move by move, with the agents themselves."""
    openings = generator(3)
    won = 0
    for number in range(6):
        if number % 2 == 0:
            position = GAME.start()
            for _ in range(8):
                codes = position.legal_codes
                position = position.play_code(codes[int(below(openings, len(codes)))])
            opening = position
        position = opening
        while not position.over:
            name = ("seed-tuned", "seed")[(position.turn + number) % 2]
            best = make(name, GAME).search(position).best
            assert best is not None
            position = position.play(best)
        won += position.winner == 1 + number % 2
    assert Duels(GAME).share(TUNED, SEED, 6, seed=3).points == won


# ---- the wins of the report ------------------------------------------------------------------

#: White wins with four in column i, if both fifth cells are legal.
MISSED = "j10 i10 j9 i11 k9 k8 j11 k10 k11 j8 l8 i9 j12 l10 l11"


def test_the_missed_win() -> None:
    """The one in docs/pictures: two ways to make four, and `seed` cannot tell them apart."""
    position = GAME.position(MISSED)
    assert wins.chosen(position, "seed") == "i8"
    assert (wins.keeps(position, "i8"), wins.keeps(position, "i12")) == (False, True)
    win, lost = plywise.solve(position), plywise.solve(position.play("i8"))
    assert (win.best, win.plies_to_end, lost.plies_to_end) == ("i12", 3, 11)
    lines = (
        Line("i12", 1.0, 1, "win", 3, win.pv),
        Line("i8", -1.0, -1, "loss", 12, ("i8", *lost.pv)),
    )
    drawn = position.svg(analysis=Analysis("i12", 1.0, 1, lines=lines), legal=True)
    assert drawn == (DOCS / "pictures" / "andantino-missed.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_wins_are_those_of_minimax() -> None:
    found = wins.won_positions(plywise.game("andantino:side=5"), 3)
    for plies in (1, 3, 5):
        assert len(found[plies]) == 3
        minimax = make(f"textbook:depth={plies},order=promise", found[plies][0].game)
        for position in found[plies]:
            known = minimax.search(position, lines=True)
            assert (known.outcome, known.plies_to_end) == ("win", plies)
            for line in known.lines:
                if line.outcome is not None:
                    assert wins.keeps(position, line.move) == (line.outcome == "win")


def test_verdicts_of_the_report() -> None:
    half, most, few = Share(50, 100), Share(90, 100), Share(10, 100)
    found = wins.verdict(
        [("1", 100, most, most, most, most, 0), ("3", 100, most, half, few, few, 9)]
    )
    assert found.startswith("that most are missed is refuted; found of all wins: seed 90 %")
    assert wins.verdict([("1", 100, few, few, few, most, 0)]).startswith(
        "that most are missed is confirmed"
    )
    rows = [("two = 2", half), ("four = 0", few)]
    assert (
        weights.best_of(rows) == "refuted: none of 2 other weights wins more than half of its games"
    )
    assert weights.best_of([*rows, ("four = 50", most)]).endswith("weights with four = 50")
    assert weights.helpful([("rings", half, half), ("both", most, half)]).startswith("confirmed")


def test_changed_weights() -> None:
    three = weights.changed("three = 20")
    assert three[0].tolist() == [1, 1, 0, 20, 20, 0, 100, 100, 0, 0]
    assert three[1].tolist() == [0] * 10
    assert weights.WEIGHTS.cases[:4] == ("two = 0", "two = 0.5", "two = 2", "two = 4")
    assert weights.extended(weights.ROWS)[:, 9].tolist() == [0, 0]
    assert weights.extended(weights.RINGS)[1].tolist() == [0] * 9 + [100]
