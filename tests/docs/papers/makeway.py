"""What the rows on Make Way must show."""

from __future__ import annotations

import re
from pathlib import Path

import plywise
from tests.docs.papers.output import Output, match_of, row_of, series, shows

TABLES = "plywise report makeway --part tables"
BEFORE = "points against the stage before"


@shows(
    "**Make Way.** lines between dots; whoever joins the two big dots first wins",
    'plywise show makeway:dots=6,lines=12 --moves "0-3 4-6 3-5 5-6 5-7"',
)
def joining_the_big_dots_wins(output: Output) -> None:
    position = output.json
    assert (position["winner"], position["reason"]) == (1, "the big dots are joined")
    assert not output.but(moves="0-3 4-6 3-5 5-6")["over"]


@shows("for one player or two", "plywise play makeway --second human")
def two_people_or_one(output: Output) -> None:
    assert "Player 1 to move" in output.typed("quit")
    alone = ("play", "makeway", "--first", "human", "--second", "seed")
    assert "Your move" in output.run(*alone, typed="quit\n").out


@shows("its player: alpha-beta, two plies deep", "plywise analyze makeway:seed=1 --agent seed")
def two_plies_deep(output: Output) -> None:
    found = output.json
    assert found["depth"] == len(found["pv"]) == 2
    plain = output.but(agent="minimax:heuristic=seed,depth=2")
    assert (found["best"], found["score"]) == (plain["best"], plain["score"])
    deeper = [f"{search}depth=3" for search in ("seed:", "minimax:heuristic=seed,")]
    pruned, plain = (output.but(agent=agent) for agent in deeper)
    assert pruned["nodes"] < plain["nodes"]


@shows(
    "its player: alpha-beta, two plies deep",
    "plywise match makeway seed random --games 2 --seed 1",
)
def it_beats_random_moves(output: Output) -> None:
    found = output.json
    assert (found["wins"], found["losses"], found["forfeits"]) == (2, 0, [])


@shows(
    "the heuristic grew in stages, each repairing the last: lengths, series, direction, margin of "
    "two, big dots",
    TABLES,
)
def later_stages_cure_and_doubling_loses(output: Output) -> None:
    faults, gain, *_ = output.result["tables"]
    backward = [row_of(faults, stage)["of these backward"]["share"] for stage in "24"]
    assert backward[1] < 0.1 < backward[0]
    secured = [row_of(faults, stage)["big dots by turn 5"]["share"] for stage in "46"]
    assert secured == [0, 1]
    assert row_of(gain, "3")[BEFORE]["high"] < 0.5


@shows("reason for ten to one: blocking rarely wins on a large board", TABLES)
def density_matters_and_ten_to_one_does_not(output: Output) -> None:
    _, gain, *_, density = output.result["tables"]
    ten_to_one = row_of(gain, "7")[BEFORE]
    assert ten_to_one["low"] < 0.5 < ten_to_one["high"]
    thin, usual = row_of(density, "-8"), row_of(density, "usual")
    assert thin["Cut wins"] > 0 == usual["Cut wins"]
    assert usual["Short wins"] > 0 == thin["Short wins"]


@shows("more than two plies would take too long", "plywise report makeway")
def three_plies_take_a_fraction_of_a_second(output: Output) -> None:
    (compared,) = output.result["comparisons"]
    (three,) = (step for step in series(compared, "seed:depth={}") if step["depth"] == 3)
    assert three["seconds"] < 1
    deeper = output.result["tables"][3]
    assert row_of(deeper, "seed:depth=3")["points against depth 2"]["share"] > 0.6


@shows("claim: the computer wins 75 % of its games", TABLES)
def as_many_against_random_moves(output: Output) -> None:
    wins = output.result["tables"][2]
    against = {level: row_of(wins, level)["points of seed"] for level in ("random", "auto:level=2")}
    assert against["random"]["low"] < 0.75 < against["random"]["high"]
    assert against["auto:level=2"]["high"] < 0.75


@shows("wish: a stronger computer", "plywise report makeway --part games")
def auto_beats_the_papers_player(output: Output) -> None:
    assert match_of(output.result, "auto", "seed")["low"] > 0.5


@shows("wish: save a game and go on later", "plywise play makeway --save my.game")
def the_whole_board_is_saved(output: Output) -> None:
    (spec,) = re.findall(r"^Board: (makeway:\S+)$", output.typed("quit"), re.MULTILINE)
    saved = Path("my.game").read_text(encoding="utf-8")
    assert plywise.game(spec).whole_spec in saved
    again = output.run("play", "--load", "my.game", typed="save other.game\nquit\n").out
    assert "Your move" in again
    assert Path("other.game").read_text(encoding="utf-8") == saved
