"""The report on the paper's stages: the faults that it counts, and its verdicts."""

from __future__ import annotations

import plywise
from lab.papers.makeway import FaultCounts, cured, density, gained, reach, three_quarters
from lab.papers.report.plans import Effort
from plywise.play.statistics import Share

#     1 --- 3 --- 5 --- 7        a long ladder, numbered from left to right
#    / |    |     |     | \
#   0  |    |     |     |  9
#    \ |    |     |     | /
#     2 --- 4 --- 6 --- 8
LADDER = plywise.game(
    "makeway:board=0/2_2/0_2/4_4/0_4/4_6/0_6/4_8/0_8/4_10/2:"
    "0-1_0-2_1-2_1-3_2-4_3-4_3-5_4-6_5-6_5-7_6-8_7-8_7-9_8-9"
)
FOUND = plywise.Analysis(None, 0.0, 0.0)  #: of no importance here


def faults_of(mine: str, theirs: str) -> FaultCounts:
    """Watch the first player's moves of a game."""
    faults, position = FaultCounts(), LADDER.start()
    for one, other in zip(mine.split(), [*theirs.split(), ""], strict=True):
        after = position.play(one)
        faults.watch("a", after, FOUND)
        position = after.play(other) if other else after
        if other:
            faults.watch("b", position, FOUND)
    return faults


def test_moves_in_continuation() -> None:
    faults = faults_of("3-5 0-1 5-7 2-4", "4-6 6-8 8-9")
    assert (faults.early, faults.continuing) == (3, 1)  # only 5-7 touches an own line
    assert (faults.later, faults.backward) == (1, 0)


def test_moves_backward() -> None:
    """With 0-1 and 1-3, start_pos is 3: 1-2 goes back; with 7-9, end_pos is 7: so does 7-8."""
    faults = faults_of("0-1 1-3 1-2 7-9 7-8", "4-6 3-4 2-4 5-6")
    assert (faults.early, faults.continuing) == (4, 3)
    assert (faults.later, faults.backward) == (3, 2)
    assert (faults.games, faults.secured) == (1, 1)
    assert faults_of("0-1 1-3 5-7 5-6 6-8", "2-4 4-6 3-4 7-8").secured == 0


def share(percent: int) -> Share:
    return Share(percent, 100)


def test_verdicts() -> None:
    faults = [(30, 10, 0), (35, 40, 5), (60, 45, 5), (60, 20, 5), (60, 10, 5), (60, 9, 8)]
    rows = [("", "", *map(share, each)) for each in [*faults, (60, 10, 99)]]
    assert cured(rows) == (
        "continuing: 35 % at stage 1, 60 % at 2; moving backward: 45 % at stage 2, 10 % at 4; "
        "big dots: 5 % at stage 4, 99 % at 6"
    )
    rows[2] = ("", "", share(36), share(45), share(5))
    assert "36 % at 2, no clear change;" in cured(rows)
    points = [
        ("2", "", share(80)),
        ("3", "", share(20)),
        ("4", "", share(50)),
        ("5", "", share(81)),
    ]
    assert gained(points) == "stronger: stages 2 and 5; weaker: stage 3; undecided: stage 4"
    against = [("random", "", share(100)), ("a", "", share(74)), ("b", "", share(20))]
    assert three_quarters(against) == "more than 75 %: random; about 75 %: a; fewer: b"
    efforts = {
        2: (Effort(100, 1.0, 1), Effort(50, 1.0, 1)),
        3: (Effort(2000, 1.0, 1), Effort(500, 1.0, 1)),
    }
    assert reach(efforts) == (
        "each further ply takes more nodes by a factor of 20 at depth 3; one alpha-beta search of "
        "depth 3 takes 25 % of those"
    )


def test_the_report_counts_boards_by_density() -> None:
    """On four small dots two trees take ten lines; a thin board is Cut's and so a draw."""
    game = plywise.game("makeway:dots=4,lines=8")
    lines, short, either, cut, wins, draws, undecided = density(game, "-2", True)
    assert lines == "8"
    assert short + either + cut == wins + draws + undecided == 4
    assert (undecided, draws >= cut) == (0, True)
    assert density(game, "-8", True) == ()
