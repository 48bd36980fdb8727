"""`plywise tree`: text on stdout, pictures in files, one line for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import Run

ENDING = ("tree", "tictactoe", "--moves", "b2 a1 c3 b3 a2")


def test_text(run: Run) -> None:
    lines = run(*ENDING).out.splitlines()
    assert lines[0] == "Tic-Tac-Toe, textbook to depth 4: 39 nodes, 4 pruned"
    assert lines[1] == "max 0 [-inf, +inf] *"
    assert lines[-1] == "   `- x pruned: c1 c2"
    assert "\n".join(lines).isascii()  # nobody looks: plain


def test_the_books_minimax(run: Run) -> None:
    out = run(*ENDING, "--agent", "minimax:depth=2,heuristic=seed").out
    assert out.splitlines()[0] == "Tic-Tac-Toe, minimax to depth 2: 17 nodes"
    assert "end -18" in out
    assert "leaf 0" in out


def test_a_position_text_and_an_order(run: Run) -> None:
    out = run(
        "tree", "connect4", "--text", "7/7/7/7/7/3x3 o", "--agent", "textbook:depth=1,order=promise"
    ).out
    assert [line.split()[1] for line in out.splitlines()[2:]] == list("4352617")


def test_pictures(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "tree.svg", tmp_path / "tree.png"
    assert run(*ENDING, "--svg", str(svg), "--png", str(png), "--theme", "dark").code == 0
    assert svg.read_text(encoding="utf-8").startswith("<svg ")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_json(run: Run) -> None:
    data = run(*ENDING, "--json").json
    assert (data["engine"], data["depth"], data["nodes"], data["pruned"]) == ("textbook", 4, 39, 4)
    root = data["root"]
    assert (root["kind"], root["figure"], root["window"]) == ("max", "0", ["-∞", "+∞"])
    assert [child["move"] for child in root["children"]] == ["b1", "c1", "c2", "a3"]
    assert root["children"][-1]["pruned"] == ["c1", "c2"]


def test_limit(run: Run) -> None:
    assert run(*ENDING, "--agent", "minimax", "--limit", "51").code == 0
    complaint = run(*ENDING, "--agent", "minimax:depth=4", "--limit", "50").complaint
    assert complaint == (
        "the tree to depth 4 has more than 50 nodes: try depth=3, textbook, or a higher --limit"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--agent", "alphabeta"), "does not record a tree"),
        (("--agent", "textbook:heuristic=nope"), "no heuristic 'nope'"),
        (("--agent", "textbook:order=nope"), "order must be one of rules, promise"),
        (("--agent", "textbook:depth=0"), "depth must be a whole number"),
        (("--theme", "blue"), "no theme 'blue'"),
        (("--svg", "/no/such/folder/x.svg"), "No such file"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], words: str) -> None:
    assert words in run(*ENDING, *arguments).complaint
