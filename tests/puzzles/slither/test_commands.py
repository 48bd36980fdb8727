"""`plywise slither` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import Run

PUZZLE = "..2.0/232.2/21..3/.12.3/.2..."


def test_solve(run: Run) -> None:
    out = run("slither", "solve", PUZZLE).out
    assert "one solution, and no other" in out
    assert "moves: 1 1 t" in out


def test_solve_json(run: Run) -> None:
    found = run("slither", "solve", "--json").json
    assert found["status"] == "unique"
    assert len(found["moves"]) == 32


@pytest.mark.parametrize("method", ["full", "dfs-certain", "dfs-plus"])
def test_moves_are_listed_along_the_loop(run: Run, method: str) -> None:
    found = run("slither", "solve", PUZZLE, "--method", method, "--json").json
    assert_a_loop(found["moves"])
    if method != "full":  # the path starts at the first corner of the last 3: row 4, column 5
        first, *_, last = (ends_of(*move.split()) for move in found["moves"])
        assert first & last == {(4, 5)}


def assert_a_loop(moves: list[str]) -> None:
    """Each line begins where the one before it ends, and the last ends where the first begins."""
    ends = [ends_of(*move.split()) for move in moves]
    assert len(set(ends)) == len(moves)
    joints = [one & two for one, two in zip(ends, [*ends[1:], ends[0]], strict=True)]
    assert all(len(joint) == 1 for joint in joints), moves
    assert len(set(joints)) == len(moves)


def ends_of(row: str, col: str, side: str) -> frozenset[tuple[int, int]]:
    """The two dots of a line."""
    down, right = int(row), int(col)
    first = {"b": (down + 1, right), "r": (down, right + 1)}.get(side, (down, right))
    second = (first[0], first[1] + 1) if side in "tb" else (first[0] + 1, first[1])
    return frozenset((first, second))


def test_several_and_none(run: Run) -> None:
    assert "several solutions" in run("slither", "solve", "3../.../...").out
    found = run("slither", "solve", "3../.../...", "--json").json
    assert found["status"] == "several"
    assert found["other_moves"] != found["moves"]
    assert found["missing_clues"]
    assert "no solution" in run("slither", "solve", "00/00").out
    none = run("slither", "solve", "44/..", "--json").json
    assert none["contradiction"].count("4") == 2


def test_explain(run: Run) -> None:
    out = run("slither", "solve", PUZZLE, "--explain").out
    assert "1. Counting lines around a clue." in out
    assert "-> cross out" in out


@pytest.mark.parametrize("method", ["dfs", "dfs-plus"])
def test_the_report_s_search(run: Run, method: str) -> None:
    found = run("slither", "solve", "33/..", "--method", method, "--json").json
    assert found["finished"]


def test_convert_makes_the_round_trip(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    for name in ("lisp", "puzzlink", "loopy", "task", "pzprv3", "text"):
        file.write_text(run("slither", "convert", PUZZLE, "--to", name).out, encoding="utf-8")
        assert run("slither", "convert", str(file)).out.strip() == PUZZLE.replace("/", "\n")


def test_pictures(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    run("slither", "solve", PUZZLE, "--svg", str(svg), "--png", str(png))
    assert svg.read_text(encoding="utf-8").count("<line") == 32
    assert png.read_bytes().startswith(b"\x89PNG")


def test_hint(run: Run) -> None:
    assert run("slither", "hint", "--level", "1").out == "Look at row 1, column 5.\n"
    assert "\nMoves: x 1 5 t, x 2 5 t, x 1 5 l, x 1 5 r\n" in run("slither", "hint").out
    out = run("slither", "hint", "--lines", "2 1 t").out
    assert "The line above the 2 in row 2, column 1 is not part of the loop." in out


def test_grade(run: Run) -> None:
    assert run("slither", "grade", "--json").json["grade"] == "tricky"
    assert run("slither", "grade", "4").out.startswith("easy: ")


def test_generate(run: Run, tmp_path: Path) -> None:
    made = run("slither", "generate", "5x5", "--seed", "3", "--json").json
    solved = run("slither", "solve", made["puzzle"], "--json").json
    assert solved["moves"] == made["moves"]
    mask = tmp_path / "mask.txt"
    mask.write_text("XX.X\nX.XX\nXXXX\n.XXX\n", encoding="utf-8")
    text = run("slither", "generate", "4x4", "--mask", str(mask)).out.splitlines()[:4]
    assert [[c == "." for c in row] for row in text] == [
        [c == "." for c in row] for row in mask.read_text(encoding="utf-8").split()
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "..5"), "line 1, column 3: found '5'"),
        (("solve", "missing.txt"), "missing.txt: No such file"),
        (("solve", "--method", "bfs"), "there is no method 'bfs'"),
        (("convert", PUZZLE, "--to", "png"), "there is no format 'png'"),
        (("hint", "--lines", "9 9 t"), "there is no cell 9 9"),
        (("hint", "--lines", "1 1"), "'1 1' is not a move"),
        (("generate", "5"), "'5' is not a size"),
        (("generate", "5x5", "--clues", "many"), "'many' is not a number of clues"),
        (("generate", "5x5", "--grade", "eazy"), "did you mean 'easy'"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in run("slither", *arguments).complaint


def test_the_puzzles_of_a_day(run: Run) -> None:
    day = ("--date", "2026-05-17")
    one = run("slither", "daily", "5x5", *day).out
    assert one.startswith("slither/5/5/")
    assert run("slither", "daily", "5 x 5", *day).out == one
    assert run("slither", "daily", "5x5", "--date", "2026-05-18").out != one
    assert "choose from 10x10, 15x15" in run("slither", "daily", "6x6", *day).complaint
    assert "is not a date: write YEAR-MONTH-DAY" in run("slither", "daily", "--date", "x").complaint
