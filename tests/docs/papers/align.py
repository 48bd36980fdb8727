"""What the rows on the paper about Align must show."""

from __future__ import annotations

import plywise
from plywise.games.align.agents import nearby
from tests.docs.papers.output import Output, match_of, nodes, row_of, series, shows

SEED = 'plywise analyze align --moves "a1 b1 c1" --agent seed'
COMPARISONS = "plywise report align --part comparisons"
PRUNED, PLAIN, TABLE = "seed:depth={}", "seed:search=plain,depth={}", "seed:search=table,depth={}"


@shows(
    "a game like Tic-Tac-Toe on 6 x 6, in which moves score points",
    'plywise show align --moves "a1 f6 b1 e5 c1"',
)
def the_third_in_a_row_scores(output: Output) -> None:
    position = output.json
    assert position["scores"] == [3, 0]
    assert len(position["legal"]) == 6 * 6 - 5
    assert len(output.run("show", "align:size=3", "--json").json["legal"]) == 9
    assert len(output.run("show", "align:size=8", "--json").json["legal"]) == 64
    assert "from 3 to 8" in output.refusal("show", "align:size=9")


@shows("its player: minimax over few cells", SEED)
def it_looks_at_few_cells(output: Output) -> None:
    position = plywise.game("align").position("a1 b1 c1")
    few = [position.text_of(cell) for cell in nearby(position)]
    assert len(few) < len(position.legal) / 3
    assert output.json["best"] in few


@shows("it searches all its candidates to the end, without a depth limit", SEED)
def it_fills_every_cell_of_its_list(output: Output) -> None:
    found = output.json
    assert found["depth"] == len(nearby(plywise.game("align").position("a1 b1 c1"))) == 10


@shows("claim: minimax suits this game", "plywise report align --part games")
def it_is_far_ahead_of_random_moves(output: Output) -> None:
    assert 20 < match_of(output.result, "seed", "random")["lead"] < 60
    assert output.result["claims"][0]["verdict"] == "confirmed"


@shows(
    "claim: a table of positions cannot be used, because the order of moves changes the points",
    COMPARISONS,
)
def a_table_saves_nodes_and_changes_no_move(output: Output) -> None:
    pruning, table, _ = output.result["comparisons"]
    assert 50 < nodes(pruning, PRUNED) / nodes(table, TABLE) < 100
    both = zip(series(table, TABLE), series(table, PLAIN), strict=True)
    assert all(one["same_move"] == other["same_move"] == table["positions"] for one, other in both)


@shows("claim: pruning saves time", COMPARISONS)
def pruning_saves_nodes_and_changes_moves(output: Output) -> None:
    pruning, *_ = output.result["comparisons"]
    assert 20 < nodes(pruning, PLAIN) / nodes(pruning, PRUNED) < 30
    assert series(pruning, PLAIN)[-1]["same_move"] < pruning["positions"]


@shows("claim: a few cells are enough, and play is like a person's", "plywise report align")
def the_few_cells_leave_best_moves_out(output: Output) -> None:
    listed = [row["a best move is listed"] for row in output.result["tables"][0]["rows"]]
    missed = 1 - sum(each["points"] for each in listed) / sum(each["count"] for each in listed)
    assert 0.15 < missed < 0.25
    assert match_of(output.result, "textbook:depth=2", "seed")["lead"] > 3


@shows("neighbours come first in the list: what this order saves", COMPARISONS)
def neighbours_first_saves_a_fifth(output: Output) -> None:
    *_, order = output.result["comparisons"]
    assert series(order, PRUNED)[-1]["depth"] == 10
    assert 0.7 < nodes(order, PRUNED) / nodes(order, "seed:order=rows,depth={}") < 0.85


@shows("how much the depth of the search matters", "plywise report align --part tables")
def one_ply_gives_away_less(output: Output) -> None:
    _, choices = output.result["tables"]
    assert row_of(choices, "seed:depth=1")["less than seed"]["low"] > 0
    assert row_of(choices, "seed:search=table")["less than seed"]["low"] > 0
