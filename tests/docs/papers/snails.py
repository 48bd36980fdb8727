"""What the rows on the paper about Snails must show."""

from __future__ import annotations

from math import sqrt

import pytest

import plywise
from tests.docs.papers.output import Output, match_of, nodes, row_of, section, series, shows, walk

TABLES, GAMES = "plywise report snails --part tables", "plywise report snails --part games"
COMPARISONS = "plywise report snails --part comparisons"
EUCLID, ASTAR = (
    "minimax:heuristic=euclid,depth={}",
    "minimax:heuristic=minimax-astar-paper,depth={}",
)
THIRD = "astar:search=paper"


def first(depth: int) -> str:
    return f"euclid:depth={depth}"


def second(depth: int) -> str:
    return f"minimax-astar:depth={depth},search=paper"


def seconds(output: Output, agent: str) -> float:
    """Return the median time of an agent's moves."""
    (found,) = (each for each in output.result["agents"] if each["agent"] == agent)
    return float(found["seconds_median"])


# ---- the game ------------------------------------------------------------------------------------


@shows("two people against each other", "plywise play snails --second human")
def two_people_take_turns(output: Output) -> None:
    screen = output.typed("u", "d", "quit")
    turns = ["Player 1 to move", "Player 2 to move", "Player 1 to move"]
    assert [line for line in screen.splitlines() if "to move" in line] == turns
    assert "player 1 (2)  O player 2 (2)" in screen


@shows("one person against the computer", "plywise play snails --second auto:level=3")
def the_computer_answers(output: Output) -> None:
    screen = output.typed("u", "quit")
    assert "auto:level=3 plays " in screen
    assert screen.count("Your move") == 2
    assert "1 to 10" in output.refusal("play", "snails", "--second", "auto:level=11")


@shows("8 x 8, snails in two corners, one cell each, player 1 first", "plywise show snails")
def two_corners_of_64_cells(output: Output) -> None:
    position = output.json
    assert position["text"] == "7O/8/8/8/8/8/8/X7 0 x"
    assert (position["scores"], position["to_move"]) == ([1, 1], 1)
    assert "from 4 to 12" in output.refusal("show", "snails:rows=13")


@shows(
    "up, right, down and left, never diagonally",
    'plywise show snails --text "7O/8/8/8/3X4/8/8/8 0 x"',
)
def four_moves_from_an_open_cell(output: Output) -> None:
    assert output.json["legal"] == ["u", "r", "d", "l"]


@shows(
    "the end: the program prints who has won",
    'plywise show snails:rows=4,cols=4 --text "Oo#1/o##1/##xx/xxxX 0 o"',
)
def it_prints_who_has_won(output: Output) -> None:
    assert "player 1 wins: 6 cells to 3, and 2 left" in output.text


@shows("both scores beside the board, up to date", "plywise show snails --moves rlrlrd")
def the_scores_are_counted(output: Output) -> None:
    position = output.json
    claimed = [letter for letter in position["text"].split()[0].lower() if letter in "xo"]
    assert position["scores"] == [claimed.count("x"), claimed.count("o")] == [4, 4]
    assert "points: 4 to 4" in output.text
    assert output.but(moves="rlrlr")["scores"] == [4, 3]


@shows(
    "pictures of snails, trails in two colours (figure 4)",
    "plywise show snails --moves rlrlrd --svg snails.svg",
)
def two_trails_are_drawn(output: Output) -> None:
    picture = output.file("--svg")
    assert picture.startswith("<svg")
    for player in ("player-1", "player-2"):
        assert f'class="trail {player}"' in picture
        assert f'class="stone {player}"' in picture


@shows(
    "cells that only one snail can reach become its own, cells that neither can reach are marked",
    'plywise show snails:rows=4,cols=5,territory=yes --text "2Ooo/xXo2/ooo2/5 0 x" --moves u',
)
def empty_cells_change_hands(output: Output) -> None:
    position = output.json
    assert (position["scores"], position["winner"]) == ([4, 16], 2)
    assert not any(letter in "12345" for letter in position["text"].split()[0])


# ---- the searches --------------------------------------------------------------------------------


@shows(
    "minimax over all moves, with 1, 0 and -1 at the ends",
    'plywise tree snails:rows=4,cols=4 --text "2Oo/Xooo/xxxo/xxxo 1 x" --agent minimax:depth=4',
)
def wins_draws_and_losses_are_backed_up(output: Output) -> None:
    drawn = list(walk(output.json["root"]))
    ends = {node["figure"][0] for node in drawn if node["kind"] == "over"}
    assert ends == {"W", "0", "L"}
    for node in drawn:
        if node["children"]:
            best = max if node["kind"] == "max" else min
            assert node["value"] == best(child["value"] for child in node["children"])


@shows("the example tree (figure 1)", "games/snails.md#the-paper")
def the_first_branch_is_worth_5(output: Output) -> None:
    session = section("games/snails.md#the-paper")  # run by test_pages.py
    assert ">>> leaves = [[10, 5], [10, 2]]\n" in session
    assert "\n([5, 2], 5)\n" in session


@shows("A\\* with its open and closed lists (figure 2)", "games/snails.md#distances")
def the_lists_step_by_step(output: Output) -> None:
    session = section("games/snails.md#distances")  # run by test_pages.py
    assert "\ng6 f = 1 + 4\n   closed g7\n   open   " in session


@shows(
    "first approach: minimax that follows the opponent",
    "plywise analyze snails --agent euclid:depth=5",
)
def the_first_is_minimax_with_that_distance(output: Output) -> None:
    found, plain = output.json, output.but(agent="minimax:heuristic=euclid,depth=5")
    assert (found["best"], found["score"]) == (plain["best"], plain["score"])
    leaf = plywise.game("snails").position(" ".join(found["pv"]))
    mine, other = (divmod(int(cell), 8) for cell in leaf.state.at)
    away = sqrt(abs(mine[0] - other[0]) + abs(mine[1] - other[1]))  # the paper's equation 1
    assert leaf.scores is not None
    assert found["score"] == pytest.approx(leaf.scores[0] - away, abs=1e-3)


@shows(
    "second approach: minimax that counts the cells it reaches no later",
    "plywise analyze snails --agent minimax-astar:depth=5",
)
def the_second_is_minimax_with_that_count(output: Output) -> None:
    found, plain = output.json, output.but(agent="minimax:heuristic=minimax-astar,depth=5")
    assert (found["best"], found["score"]) == (plain["best"], plain["score"])
    assert found["depth"] == 5
    assert found["score"] == int(found["score"])


@shows(
    "third approach: the same count without a tree", "plywise analyze snails --agent astar --all"
)
def the_third_looks_one_ply_ahead(output: Output) -> None:
    found = output.json
    assert (found["depth"], found["nodes"]) == (1, 3)
    assert {line["move"] for line in found["lines"]} == {"u", "r"}
    assert len({line["score"] for line in found["lines"]}) == 1  # a mirror image


@shows(
    "games against people, to see how the agent decides (figure 8)",
    "plywise analyze snails --moves udud --agent astar --all",
)
def a_count_for_every_move(output: Output) -> None:
    found = output.json
    counts = {line["move"]: line["score"] for line in found["lines"]}
    assert set(counts) == {"u", "r", "d"}
    assert len(set(counts.values())) == 3
    assert found["best"] == max(counts, key=lambda move: counts[move])


@shows(
    "the final program plays the third approach",
    "plywise play snails --second astar:search=paper",
)
def the_third_is_an_opponent(output: Output) -> None:
    assert "astar:search=paper plays " in output.typed("u", "quit")
    assert (
        "astar plays " in output.run("play", "snails", "--second", "astar", typed="u\nquit\n").out
    )


@shows("players should not wait long", "plywise play snails --second auto:time=0.3")
def an_agent_with_a_time(output: Output) -> None:
    assert "auto:time=0.3 plays " in output.typed("u", "quit")


@shows("minimax to the end would take hours", "plywise solve snails:rows=7,cols=7")
def seven_by_seven_is_a_win(output: Output) -> None:
    assert output.json["outcome"] == "win"


@shows(
    "depth 15 gave no answer in half an hour",
    "plywise analyze snails --agent minimax:heuristic=euclid,depth=15",
)
def all_of_depth_15(output: Output) -> None:
    found = output.json
    assert found["depth"] == len(found["pv"]) == 15
    assert found["nodes"] > 20_000_000


# ---- the claims ----------------------------------------------------------------------------------


@shows("its weakness: it follows but does not try to win", TABLES)
def it_follows_and_seldom_traps(output: Output) -> None:
    following, _ = output.result["tables"]
    third = row_of(following, THIRD)
    depths = [row_of(following, first(depth)) for depth in (1, 2, 3, 5, 8)]
    nearest = [row["nearest move"]["share"] for row in depths]
    assert nearest[0] == max(nearest) > third["nearest move"]["share"]
    traps = [row["traps"] for row in depths]
    assert sum(each["points"] for each in traps) < 0.1 * sum(each["count"] for each in traps)


@shows("claim: A\\* finds the shortest distance", TABLES)
def the_papers_distances_are_wrong(output: Output) -> None:
    _, misses = output.result["tables"]
    kinds = ("not found", "too many steps", "too few steps", "found out of reach")
    wrong = [sum(row[kind]["share"] for kind in kinds) for row in misses["rows"]]
    assert min(wrong) > 0.02
    assert 0.15 < max(wrong) < 0.5


@shows("times of depths 1, 3, 5 and 8", COMPARISONS)
def depth_8_is_a_search_and_depth_3_is_not(output: Output) -> None:
    depths, _ = output.result["comparisons"]
    assert set(depths["published"]) == {"1", "3", "5", "8", "15"}
    found = {step["depth"]: step["nodes"] for step in series(depths, EUCLID)}
    assert found[3] < 20 < 1_000 < found[8]


@shows("depth 2 as a compromise for the second approach", GAMES)
def depth_8_is_much_stronger(output: Output) -> None:
    assert match_of(output.result, second(8), second(2))["low"] > 0.5


@shows("claim: A\\* takes three to four times as long as minimax itself", COMPARISONS)
def far_more_than_four_times(output: Output) -> None:
    _, leaves = output.result["comparisons"]
    assert nodes(leaves, EUCLID) == nodes(leaves, ASTAR)
    with_it, without = (series(leaves, agent)[-1] for agent in (ASTAR, EUCLID))
    assert with_it["depth"] == 8
    assert with_it["seconds"] / without["seconds"] > 30


@shows("claim: the second approach is better than the first and slower", GAMES)
def the_second_is_better_when_deep_and_slower(output: Output) -> None:
    for depth in (5, 8):
        assert match_of(output.result, second(depth), first(depth))["low"] > 0.5
        assert seconds(output, second(depth)) > 3 * seconds(output, first(depth))


@shows("claim: the third is better and faster than both", GAMES)
def the_third_is_between_them(output: Output) -> None:
    assert match_of(output.result, THIRD, first(1))["low"] > 0.5
    assert match_of(output.result, THIRD, second(8))["high"] < 0.5
    assert 3 * seconds(output, THIRD) < seconds(output, second(8))
