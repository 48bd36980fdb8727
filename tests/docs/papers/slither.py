"""What the rows on the paper about Slither must show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.docs.papers.output import Output, section, shows
from tests.puzzles.slither.test_commands import assert_a_loop, ends_of

ASKS, REPORT = "plywise slither", "plywise report slither"
SOLVE, PLAY = "plywise slither solve", "plywise slither play 33"
SMALL = 'plywise slither solve "33../...1/22../.12." --method'
#: The sample puzzle of the paper's first page.
SAMPLE = "((NIL NIL 2 NIL 0) (2 3 2 NIL 2) (2 1 NIL NIL 3) (NIL 1 2 NIL 3) (NIL 2 NIL NIL NIL))"
BOARD = re.compile(r"^    1   2\n(?:  [+ -].*\n1 .*\n)  [+ -].*$", re.MULTILINE)  #: of one row


@shows("boards from 5 x 5 to 25 x 30", "plywise slither generate 25x30 --seed 1 --workers 1")
def a_puzzle_of_25_by_30(output: Output) -> None:
    found = output.json
    assert [len(row) for row in found["puzzle"].split("\n")] == [30] * 25
    assert_a_loop(found["moves"])
    empty = "\n".join(["." * 127] * 127)
    Path("large.txt").write_text(empty, encoding="utf-8")
    assert output.run("slither", "convert", "large.txt", "--json").json["lines"] == [empty]
    Path("large.txt").write_text(f"{empty}\n{'.' * 127}", encoding="utf-8")
    assert "expected 1 x 1 to 127 x 127" in output.refusal("slither", "convert", "large.txt")


@shows("dots as plus signs, clues from 0 to 3", SOLVE)
def dots_and_clues(output: Output) -> None:
    board = output.text.partition("\n\n")[0]
    assert board.count("+") == 6 * 6
    drawn = "".join(line[1:] for line in board.splitlines()[2::2])  # without the row's number
    assert set(re.findall(r"\d", drawn)) == set("0123")


@shows("dots as plus signs, clues from 0 to 3", "plywise slither solve 4")
def a_clue_of_four(output: Output) -> None:
    assert output.json["status"] == "unique"
    assert len(output.json["moves"]) == 4


@shows("the program begins with instructions", ASKS)
def the_rules_come_first(output: Output) -> None:
    rules, asked, _ = output.typed("1", "1", "quit").partition("Which puzzle?")
    assert asked
    assert "make one closed loop, without crossings or branches" in rules
    assert "2 1 t is the top of the cell in row 2, column 1" in rules


@shows("the default puzzle or one from a file", ASKS)
def the_default_or_a_file(output: Output) -> None:
    Path("mine.txt").write_text("33\n..\n", encoding="utf-8")
    assert "2   2   3   2       2" in output.typed("1", "1", "quit")
    assert "1   3   3" in output.typed("2", "mine.txt", "1", "quit")


@shows("a file name is asked for until it can be read", ASKS)
def asked_until_it_can_be_read(output: Output) -> None:
    Path("mine.txt").write_text("33\n..\n", encoding="utf-8")
    screen = output.typed("2", "no.txt", "mine.txt", "1", "quit")
    wrong, right = screen.index("no.txt"), screen.index("1   3   3")
    assert wrong < right


@shows("solved by hand or by the computer", ASKS)
def by_hand_or_by_the_computer(output: Output) -> None:
    assert "moves: 1 1 t, 1 2 t" in output.typed("1", "2")
    assert "moves: 1 1 t\n" in output.typed("1", "1", "1 1 t", "moves", "quit")


@shows("the sample puzzle of the first page", "plywise slither convert")
def the_puzzle_of_the_first_page(output: Output) -> None:
    assert output.text.split() == ["..2.0", "232.2", "21..3", ".12.3", ".2..."]


@shows("a line is a row, a column and one of t, b, l, r", 'plywise slither hint --lines "2 1 t"')
def a_line_by_its_cell_and_side(output: Output) -> None:
    assert "The line above the 2 in row 2, column 1" in output.json["move"]
    assert output.json == output.but(lines="1 1 b")  # the same line
    other = output.but(lines="1 1 r")
    assert other == output.but(lines="1 2 l")
    assert other["kind"] == "mistake"
    assert other["move"] != output.json["move"]


@shows("the same move again takes the line away", PLAY)
def the_line_comes_and_goes(output: Output) -> None:
    boards = BOARD.findall(output.typed("1 1 t", "1 1 t", "quit"))
    assert ["---" in board for board in boards] == [False, True, False]


@shows("the board is shown again after every move", PLAY)
def a_board_after_every_move(output: Output) -> None:
    moves = ["1 1 t", "1 2 t", "1 1 l", "1 2 r", "1 1 b", "1 2 b"]
    screen = output.typed(*moves)
    assert len(set(BOARD.findall(screen))) == len(moves) + 1
    assert "The loop is right" in screen


@shows("rows and columns are numbered on the board", SOLVE)
def rows_and_columns_are_numbered(output: Output) -> None:
    lines = output.text.splitlines()
    assert lines[0].split() == list("12345")
    assert [line[0] for line in lines[2:11:2]] == list("12345")


@shows("the computer prints the solution, its moves and the time", SOLVE)
def the_solution_its_moves_and_the_time(output: Output) -> None:
    text = output.text
    assert re.search(r"^one solution, and no other, in [\d.,]+ m?s$", text, re.MULTILINE)
    found = output.json
    assert_a_loop(found["moves"])
    assert f"moves: {', '.join(found['moves'])}" in text
    assert text.count("---") + text.count("|") == len(found["moves"])


@shows(
    "the board as nested lists, with NIL where there is no clue",
    "plywise slither convert --to lisp",
)
def nested_lists_there_and_back(output: Output) -> None:
    assert output.text.strip() == SAMPLE
    back = output.run("slither", "convert", SAMPLE).out
    assert back == output.run("slither", "convert").out


@shows("three conditions for a finished loop", "puzzles/slither.md#the-paper")
def two_loops_meet_all_three(output: Output) -> None:
    session = section("puzzles/slither.md#the-paper")  # run by test_pages.py
    assert ">>> three_conditions(drawn)\nTrue\n" in session
    assert ">>> slither.Drawing.of_lines(puzzle, drawn).solved\nFalse\n" in session


@shows(
    "the search: depth first along a path, with backtracking",
    'plywise slither solve "2.../..../..../...2" --method dfs',
)
def a_path_from_the_last_2_and_back(output: Output) -> None:
    found = output.json
    assert_a_loop(found["moves"])
    first, *_, last = (ends_of(*move.split()) for move in found["moves"])
    assert first & last == {(4, 4)}  # the dot above and to the left of the clue
    assert found["steps"] > 10 * len(found["moves"])  # most were taken back


@shows(
    "neighbours in the order up, down, left, right",
    'plywise slither solve "../.." --method dfs',
)
def up_down_left_right(output: Output) -> None:
    #  +---+ x +   From the corner at the top left: down (not right), down, right, up (not
    #  |   |   x   right), up, and left, which closes the loop, not right.
    #  + x + x +
    #  |   |   x
    #  +---+ x +
    assert output.json["moves"] == ["1 1 l", "2 1 l", "2 1 b", "2 2 l", "1 2 l", "1 1 t"]


def total(found: Any, way: str, what: str, *sizes: str) -> float:
    """Return the steps or seconds that a way took for all puzzles of some sizes."""
    return float(sum(each[what] for size in sizes for each in found["ways"][way][size]))


LISTS = ("2x2", "3x3", "4x4")  #: what was searched on every kind of board


def slower(output: Output, one: str, other: str) -> float:
    """Return how many times as long one way takes for a step as another."""
    found = output.result
    paces = [total(found, way, "seconds", *LISTS) / total(found, way, "steps", *LISTS)
             for way in (one, other)]  # fmt: skip
    return paces[0] / paces[1]


@shows("one list of the path, more efficient than colours for visited dots", REPORT)
def marks_make_hardly_a_difference(output: Output) -> None:
    assert 0.75 < slower(output, "marked dots", "nested lists") < 1.25


@shows(
    "the clues are checked only when the loop closes, which increases the efficiency",
    REPORT,
)
def a_test_at_every_line_takes_longer(output: Output) -> None:
    assert slower(output, "a test at every line", "nested lists") > 1.25


@shows("wish: draw certain lines first, at a 3 or a 2 in a corner", f"{SMALL} dfs-certain")
def certain_lines_save_steps(output: Output) -> None:
    found, plain = output.json, output.but(method="dfs")
    assert found["steps"] * 5 < plain["steps"]
    assert set(found["moves"]) == set(plain["moves"])
    assert output.but(method="dfs-plus")["steps"] <= found["steps"]


@shows("wish: try neighbours along certain lines first", f"{SMALL} dfs-order")
def the_order_saves_steps(output: Output) -> None:
    found, plain = output.json, output.but(method="dfs")
    assert found["steps"] * 5 < plain["steps"]
    assert set(found["moves"]) == set(plain["moves"])


@shows("expectation: both would make it much faster", REPORT)
def both_ideas_save_steps(output: Output) -> None:
    found = output.result
    sizes = (*LISTS, "5x5")  # all of which plain search solved
    plain = total(found, "dfs", "steps", *sizes)
    assert all(each["finished"] for size in sizes for each in found["ways"]["dfs"][size])
    times = {
        way: plain / total(found, way, "steps", *sizes)
        for way in ("dfs-order", "dfs-certain", "dfs-plus")
    }
    assert 1.3 < times["dfs-order"] < times["dfs-certain"] < times["dfs-plus"] < 15
    assert times["dfs-certain"] > 3


@shows("question: would another representation be faster", REPORT)
def flat_lists_are_faster_and_arrays_only_compiled(output: Output) -> None:
    assert slower(output, "nested lists", "flat lists") > 2
    assert slower(output, "flat arrays", "nested lists") > 5
    assert slower(output, "nested lists", "flat arrays, compiled") > 5


@shows("flow charts and call hierarchies", "puzzles/slither.md#how-the-solver-works")
def the_steps_of_the_solver(output: Output) -> None:
    text = section("puzzles/slither.md#how-the-solver-works")
    steps = re.findall(r"^- \*\*(\w+)\.\*\*", text, re.MULTILINE)
    assert {"Rules", "Search", "Loops", "Uniqueness"} <= set(steps)


@shows("flow charts and call hierarchies", "architecture.md")
def who_calls_whom(output: Output) -> None:
    chart = section("architecture.md#the-layers")
    layers = ("puzzles", "games", "engines", "core", "jit")
    assert set(layers) <= set(chart.split())
