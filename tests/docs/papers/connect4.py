"""What the rows on Connect-4 must show."""

from __future__ import annotations

from itertools import pairwise

from tests.docs.papers.output import Output, match_of, nodes, row_of, series, shows

TABLES = "plywise report connect4 --part tables"
LEVELS = tuple(f"seed:level={level}" for level in range(1, 5))
ACROSS = "points with it against without"


@shows(
    "**Connect-4.** seven columns, six rows, discs fall, four in a line win",
    "plywise show connect4 --moves 44535",
)
def discs_fall_and_four_win(output: Output) -> None:
    assert output.json["text"] == "7/7/7/7/3ox2/2oxx2 o"
    won = output.but(moves="1122334")
    assert (won["winner"], won["legal"]) == (1, [])
    assert not output.but(moves="112233")["over"]


@shows(
    "every column is tried and scored",
    "plywise analyze connect4 --moves 4453 --agent seed:level=2 --all",
)
def seven_columns_with_scores(output: Output) -> None:
    found = output.json
    scores = {line["move"]: line["score"] for line in found["lines"]}
    assert sorted(scores) == list("1234567")
    assert scores[found["best"]] == max(scores.values()) > min(scores.values())


@shows(
    "four levels: 2, 4, 6 and 8 plies", "plywise analyze connect4 --moves 4453 --agent seed:level=4"
)
def two_plies_for_each_level(output: Output) -> None:
    assert output.json["depth"] == 8
    assert [output.but(agent=level)["depth"] for level in LEVELS] == [2, 4, 6, 8]


@shows(
    "a win in two moves before one in three",
    "plywise analyze connect4 --moves 425254 --agent seed:level=3",
)
def the_nearer_of_two_wins(output: Output) -> None:
    found = output.json
    assert (found["best"], found["outcome"], found["plies_to_end"]) == ("6", "win", 3)
    later = output.but(moves="4252545")
    assert (later["outcome"], later["plies_to_end"]) == ("loss", 4)


@shows("with and without the factor 2", TABLES)
def the_factor_is_no_help(output: Output) -> None:
    factor, *_ = output.result["tables"]
    assert [row["level"] for row in factor["rows"]] == list(LEVELS)
    assert all(row[ACROSS]["low"] < 0.5 for row in factor["rows"])
    assert min(row[ACROSS]["high"] for row in factor["rows"]) < 0.5


@shows(
    "with and without the half point, and with and without the middle for ties",
    TABLES,
)
def the_middle_helps_and_the_half_point_harms(output: Output) -> None:
    _, first_column, any_column, half_point, _ = output.result["tables"]
    for table in (first_column, any_column):
        assert all(row[ACROSS]["low"] > 0.5 for row in table["rows"])
    assert all(row[ACROSS]["share"] < 0.5 for row in half_point["rows"])
    assert sum(row[ACROSS]["high"] < 0.5 for row in half_point["rows"]) >= 2


@shows("claim: this order nearly doubles the speed", "plywise report connect4 --part comparisons")
def nearly_twice_the_nodes_at_level_4(output: Output) -> None:
    (compared,) = output.result["comparisons"]
    middle, left = "seed:level={}", "seed:level={},order=left"
    assert series(compared, middle)[-1]["level"] == 4
    assert 1.7 < nodes(compared, left) / nodes(compared, middle) < 2
    assert nodes(compared, left, 0) == nodes(compared, middle, 0)


@shows("the levels get stronger", "plywise report connect4 --part games")
def level_4_beats_level_1(output: Output) -> None:
    lowest, *_, highest = LEVELS
    assert match_of(output.result, highest, lowest)["low"] > 0.5
    for lower, higher in pairwise(LEVELS):
        assert 0.3 < match_of(output.result, higher, lower)["share"] < 0.7


@shows("claim: almost perfect, wins most games", "plywise report connect4")
def one_mistake_in_ten(output: Output) -> None:
    found = output.result
    best = row_of(found["tables"][-1], LEVELS[-1])["keeps the result"]
    assert 0.85 < best["share"] < 0.95
    for level in (2, 5):
        assert match_of(found, LEVELS[-1], f"auto:level={level}")["low"] > 0.5
    assert match_of(found, LEVELS[-1], "auto:level=10")["share"] == 0


@shows("wish: perfect play", "plywise solve connect4 --moves 4453")
def an_exact_score(output: Output) -> None:
    found = output.json
    assert (found["outcome"], found["score"]) == ("loss", -2)
    assert found["plies_to_end"] == 36  # with the second disc from the last
    assert output.but(moves=f"4453{found['best']}")["score"] == 2
