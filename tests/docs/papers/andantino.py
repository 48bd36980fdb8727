"""What the rows on the paper about Andantino must show."""

from __future__ import annotations

import re

from tests.docs.papers.output import Output, nodes, row_of, series, shows

PLAY = "plywise play andantino --second human"
TABLES = "plywise report andantino --part tables"
TRIANGLE = '--moves "j10 k10 j11"'
PRUNED, PLAIN = "seed:depth={}", "minimax:heuristic=seed,depth={}"


@shows(
    "two players take turns to place stones of their colour",
    f"plywise show andantino {TRIANGLE}",
)
def stones_of_both_colours(output: Output) -> None:
    position = output.json
    stones = [letter for letter in position["text"].split()[0] if letter in "xo"]
    assert (stones.count("x"), stones.count("o"), position["to_move"]) == (2, 1, 2)


@shows(
    "a hexagon with ten cells along an edge, as a part of the endless plane",
    "plywise show andantino:side=4",
)
def a_hexagon_of_any_side(output: Output) -> None:
    assert output.json["text"].split()[0] == "4/5/6/7/6/5/4"
    usual = output.run("show", "andantino", "--json").json["text"].split()[0]
    assert usual.split("/")[0] == usual.split("/")[-1] == "10"
    assert "from 4 to 10" in output.refusal("show", "andantino:side=11")


@shows(
    "figure 1: the board with one stone of each colour",
    'plywise show andantino --moves "j10 k10"',
)
def black_in_the_middle_and_white_beside_it(output: Output) -> None:
    rows = output.json["text"].split()[0].split("/")
    assert len(rows) == 19
    assert rows[9] == "9xo8"


@shows(
    "wish: repair this, by iteration instead of recursion",
    'plywise show andantino --moves "j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11"',
)
def two_stones_are_enclosed(output: Output) -> None:
    position = output.json
    assert (position["winner"], position["reason"]) == (1, "black encloses two stones")


@shows("minimax and alpha-beta", f"plywise analyze andantino {TRIANGLE} --agent seed:depth=3")
def both_searches_find_the_same(output: Output) -> None:
    pruned, plain = output.json, output.but(agent="minimax:heuristic=seed,depth=3")
    assert (pruned["best"], pruned["score"]) == (plain["best"], plain["score"])
    assert pruned["depth"] == plain["depth"] == 3
    assert pruned["nodes"] < plain["nodes"]


@shows("the searches compared", "plywise report andantino --part comparisons")
def the_same_moves_with_fewer_nodes(output: Output) -> None:
    (compared,) = output.result["comparisons"]
    steps = [*series(compared, PRUNED), *series(compared, PLAIN)]
    assert {step["depth"] for step in steps} == set(range(1, 7))
    assert {step["same_move"] for step in steps} == {compared["positions"]}
    assert 20 < nodes(compared, PLAIN) / nodes(compared, PRUNED) < 30


@shows(
    "best moves are searched for black only",
    f"plywise analyze andantino {TRIANGLE} --agent seed",
)
def best_moves_for_white_and_for_black(output: Output) -> None:
    assert output.json["best"] in ("i11", "k9", "k11")
    assert output.but(moves="j10 k10")["best"] in ("j11", "k9")


@shows("result: it finds a best move sometimes, and misses simple ones (figure 6)", TABLES)
def three_in_four_wins_in_three_plies(output: Output) -> None:
    wins, *_ = output.result["tables"]
    assert row_of(wins, "1")["seed"]["share"] == 1
    assert 0.65 < row_of(wins, "3")["seed"]["share"] < 0.85


@shows("suspicion: the weights are to blame, they need to be calibrated", TABLES)
def no_other_weights_are_better(output: Output) -> None:
    _, weights, _ = output.result["tables"]
    shares = [row["share against seed"]["share"] for row in weights["rows"]]
    assert len(shares) == 12
    assert min(shares) < 0.1  # a change does matter
    assert max(shares) <= 0.5


@shows("wish: more threats and rings in the evaluation", TABLES)
def the_tuned_agent_wins_four_games_in_five(output: Output) -> None:
    *_, terms = output.result["tables"]
    assert 0.75 < row_of(terms, "both, and kinds of rows")["against seed"]["share"] < 0.85


@shows("a window to play in", PLAY)
def two_people_at_a_terminal(output: Output) -> None:
    screen = output.typed("j10", "k10", "quit")
    assert re.search(r"X   O .*\n.*\n(.*\n)*Player 1 to move", screen)


@shows("a click places a stone", PLAY)
def the_name_of_a_cell_places_a_stone(output: Output) -> None:
    before, after = output.typed("j10", "quit").split("Player 1 to move")
    assert ("X" in before, "X" in after) == (False, True)


@shows(
    "legal moves outlined in red from the second stone on",
    'plywise show andantino --moves "j10 k10" --legal',
)
def legal_cells_are_marked(output: Output) -> None:
    marked = [line.split()[-1] for line in output.text.splitlines() if "+" in line]
    assert marked == ["11", "9"]
    assert "+" not in output.run(*output.words[:-1]).out


@shows(
    "the best move in green, at the same time",
    f"plywise show andantino {TRIANGLE} --legal --best",
)
def the_best_move_and_all_legal_ones(output: Output) -> None:
    text = output.text
    (best,) = re.findall(r"\[([-+]?\d+)\]", text)
    others = re.findall(r"\(([-+]?\d+)\)", text)
    assert len(others) == 2
    assert int(best) >= max(map(int, others))


@shows(
    "a text says who has won",
    'plywise show andantino --moves "j10 i11 j11 i10 j9 i9 j8 i12 j12"',
)
def it_says_who_has_won_and_why(output: Output) -> None:
    assert output.text.rstrip().endswith("player 1 wins: black has five in a line")
