"""What the rows on searches and Tic-Tac-Toe must show."""

from __future__ import annotations

from tests.docs.papers.output import Output, nodes, row_of, series, shows, walk

TREE = 'plywise tree tictactoe --moves "a3 b2 c2 a2 a1 b3"'
TABLES = "plywise report tictactoe --part tables"
WHOLE = "seed:depth=9"  #: to the end
PRUNED, PLAIN = "textbook:heuristic=seed,depth={}", "minimax:heuristic=seed,depth={}"


@shows(
    "**Searches.** minimax in four steps, with a maximizer and a minimizer",
    f"{TREE} --agent minimax",
)
def scores_are_backed_up_from_the_leaves(output: Output) -> None:
    root = output.json["root"]
    drawn = list(walk(root))
    assert {node["kind"] for node in drawn} == {"max", "min", "over"}
    for node in drawn:
        values = [child["value"] for child in node["children"]]
        assert (node["kind"] == "over") == (not values)
        if values:
            assert node["value"] == (max if node["kind"] == "max" else min)(values)
            assert {child["kind"] for child in node["children"]} <= {"max", "min", "over"} - {
                node["kind"]
            }
    assert len({child["value"] for child in root["children"]}) > 1  # there was a choice
    chosen = [child for child in root["children"] if child["best"]]
    assert [child["value"] for child in chosen] == [root["value"]]


@shows("alpha-beta pruning", TREE)
def branches_are_pruned(output: Output) -> None:
    tree, plain = output.json, output.run(*output.words, "--agent", "minimax", "--json").json
    pruned = [move for node in walk(tree["root"]) for move in node["pruned"]]
    assert len(pruned) == tree["pruned"] > 0
    assert plain["pruned"] == 0
    assert tree["nodes"] < plain["nodes"]
    assert tree["root"]["value"] == plain["root"]["value"]
    assert "x pruned: " in output.text


@shows("claim: pruning never changes the move", "plywise report tictactoe --part comparisons")
def the_same_move_with_fewer_nodes(output: Output) -> None:
    (compared,) = output.result["comparisons"]
    steps = [*series(compared, PRUNED), *series(compared, PLAIN)]
    assert {step["same_move"] for step in steps} == {compared["positions"]}
    assert 15 < nodes(compared, PLAIN) / nodes(compared, PRUNED) < 20


@shows("claim: minimax finds the optimal move", TABLES)
def every_move_keeps_the_result(output: Output) -> None:
    (positions,) = output.result["tables"]
    kept = row_of(positions, WHOLE)["keeps the result"]
    assert kept["points"] == kept["count"] == 627
    assert row_of(positions, "seed:depth=2")["keeps the result"]["share"] < 1


@shows("a quicker win is preferred", TABLES)
def every_win_is_the_quickest(output: Output) -> None:
    (positions,) = output.result["tables"]
    won = row_of(positions, WHOLE)["wins as fast as possible"]
    assert won["points"] == won["count"] == 390
    assert row_of(positions, "seed:depth=2")["wins as fast as possible"]["share"] < 1


@shows("**Tic-Tac-Toe.** boards of n x n, n in a line", "plywise show tictactoe:rows=5")
def boards_of_n_by_n(output: Output) -> None:
    assert len(output.json["legal"]) == 25
    four = "a1 b1 a2 b2 a3 b3 a4 b4"
    assert not output.run(*output.words, "--moves", four, "--json").json["over"]
    assert output.run(*output.words, "--moves", f"{four} a5", "--json").json["winner"] == 1
    assert len(output.run("show", "tictactoe:rows=19", "--json").json["legal"]) == 19 * 19
    assert "from 1 to 19" in output.refusal("show", "tictactoe:rows=20")


@shows("a full board is a draw", 'plywise show tictactoe --moves "b2 a1 c3 a3 a2 c2 b1 b3 c1"')
def nobody_wins_on_a_full_board(output: Output) -> None:
    position = output.json
    assert (position["over"], position["winner"], position["legal"]) == (True, 0, [])
    assert position["reason"] == "the board is full"


@shows("larger boards cannot be searched to the end", "plywise solve tictactoe:rows=4")
def larger_boards_are_draws(output: Output) -> None:
    assert output.json["outcome"] == "draw"
    assert output.run("solve", "tictactoe:rows=5", "--json").json["outcome"] == "draw"


@shows(
    "marks are 1 and 0 instead of X and O",
    'plywise show tictactoe:marks=digits --moves "b2 a1 c3"',
)
def digits_are_drawn(output: Output) -> None:
    assert output.text.startswith("3  . . 1\n2  . 1 .\n1  0 . .\n")
