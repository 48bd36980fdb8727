"""The examples: every law, known counts and results, and OpenSpiel's rules."""

from __future__ import annotations

import pytest

import plywise
from plywise.cli.terminal.game_controller import glyphs
from plywise.core.position import Position
from plywise.core.scene import scene_of
from plywise.engines.perft import perft
from plywise.testing import LAWS, check_game, random_games
from plywise.views import draw_text, marked
from tests.docs.pages import DOCS
from tests.examples.peers import FOLDER, PEERS, compare

NAMES = sorted(file.stem for file in FOLDER.glob("*.py"))


def example(name: str, parameters: str = "") -> plywise.Game:
    return plywise.game(f"{FOLDER / name}.py{parameters}")


def test_there_are_at_least_twelve_examples() -> None:
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_every_example_has_a_title_and_tells_its_rules(name: str) -> None:
    game = example(name)
    text = (FOLDER / f"{name}.py").read_text()
    assert game.name == name
    assert text.startswith(f'"""{game.type.title}: ')
    assert len(text.splitlines()) < 190
    listed = (DOCS / "examples.md").read_text()
    assert f"## {game.type.title}\n\n![{game.type.title}](pictures/examples/{name}.svg)" in listed


@pytest.mark.parametrize("name", NAMES)
def test_every_example_keeps_the_laws_in_a_short_look(name: str) -> None:
    smaller = {"gomoku": ":size=6", "hex": ":size=4"}  # interpreted rules are slow
    sample = random_games(example(name, smaller.get(name, "")), games=1, seed=1, most=8)
    for law, check in LAWS.items():
        if law != "compiled":  # compiling takes seconds
            check(sample)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_example_keeps_the_laws(name: str) -> None:
    check_game(example(name), games=5)


@pytest.mark.parametrize("name", PEERS)
def test_an_example_has_the_same_rules_as_openspiel(name: str) -> None:
    pytest.importorskip("pyspiel")
    assert compare(name, plies=30) >= 30


@pytest.mark.long
@pytest.mark.parametrize("name", PEERS)
def test_an_example_has_the_same_rules_as_openspiel_in_long_games(name: str) -> None:
    pytest.importorskip("pyspiel")
    assert compare(name, plies=5000, seed=2) >= 5000


# ---- known counts --------------------------------------------------------------------------------


def turns(position: Position, depth: int) -> int:
    """Count the ways to play this many whole turns; the jumps of one piece are one turn."""
    if depth == 0 or position.over:
        return depth == 0
    return sum(
        turns(after, depth - (after.turn != position.turn))
        for after in map(position.play, position.legal)
    )


@pytest.mark.parametrize(("depth", "count"), list(enumerate([7, 49, 302], 1)))
def test_turns_of_checkers(depth: int, count: int) -> None:
    assert turns(example("checkers").start(), depth) == count


@pytest.mark.long
@pytest.mark.parametrize(("depth", "count"), list(enumerate([1469, 7361, 36768], 4)))
def test_more_turns_of_checkers(depth: int, count: int) -> None:
    assert turns(example("checkers").start(), depth) == count


@pytest.mark.parametrize(("depth", "count"), list(enumerate([4, 12, 56, 244], 1)))
def test_positions_of_othello(depth: int, count: int) -> None:
    assert turns(example("othello").start(), depth) == count


@pytest.mark.long
@pytest.mark.parametrize(("depth", "count"), list(enumerate([1396, 8200, 55092, 390216], 5)))
def test_more_positions_of_othello(depth: int, count: int) -> None:
    assert perft(example("othello").start(), depth) == count


# ---- known results -------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "parameters", "margin"),
    [
        ("othello", ":side=4", -8),  # 11 to 3 stones; empty cells count for nobody here
        ("domineering", ":rows=4,cols=4", 1),
        ("domineering", ":rows=5,cols=5", -1),
        ("domineering", ":rows=6,cols=6", 1),
        ("hex", ":size=4", 1),
    ],
)
def test_small_boards_have_their_known_results(name: str, parameters: str, margin: int) -> None:
    game = example(name, parameters)
    found = plywise.solve(game.start())
    assert found.outcome == ("win" if margin > 0 else "loss")
    if game.points:
        assert found.score == margin


# ---- what only one of them has -------------------------------------------------------------------


def test_an_othello_player_without_a_place_passes() -> None:
    position = example("othello", ":side=4").from_text("4/4/4/xo2 o")
    assert position.legal == ("pass",)
    assert position.play("pass").legal == ("c1",)


def test_a_man_that_becomes_a_king_stops_jumping() -> None:
    game = example("checkers")
    position = game.from_text("8/2o1o3/1x6/8/8/8/8/8 x -1 0").play("b6d8")
    assert position.to_move == 2
    assert "X" in position.text
    jumper = game.from_text("8/8/3o4/8/1o6/x7/8/7o x -1 0").play("a3c5")
    assert jumper.legal == ("c5e7",)
    assert jumper.to_move == 1


def test_a_mill_removes_a_man_that_is_in_no_mill() -> None:
    game = example("morris")
    position = game.position("a7 b6 d7 d6 a1 f6")
    assert position.to_move == 2  # b6, d6 and f6 are a mill
    assert set(position.legal) == {"a7", "d7", "a1"}
    assert position.play("d7").to_move == 1


def test_stones_that_are_joined_by_the_last_move_before_the_limit_win() -> None:
    game = example("loa")
    joining = game.from_text("o6o/8/8/8/8/8/3x4/1x6 x 199")
    assert joining.play("b1c1").winner == 1
    assert joining.play("b1b2").winner == 0


def test_a_kalah_player_whose_last_seed_is_stored_moves_again() -> None:
    position = example("kalah").position("c1")
    assert position.to_move == 1
    assert position.scores == (1, 0)


def test_dots_and_boxes_in_plain_text_tells_dots_lines_and_legal_moves_apart() -> None:
    game = example("dots", ":dots=3")
    position = game.position("a1- a1| b1| a2-")
    assert position.scores == (0, 1)
    assert draw_text(marked(position, legal=True)).splitlines() == [
        "   o + o + o",
        "2  +   +   +",
        "   o - o + o",
        "1  | O |   +",
        "   o - o + o",
        "     a   b",
    ]
    assert glyphs(game) == ("●", "○")
    with pytest.raises(plywise.InvalidMove, match=r"the name of a line, such as a1- or c2\|"):
        position.play("z9")


def test_the_labels_of_the_rows_of_hex_follow_the_slant() -> None:
    position = example("hex", ":size=3").position("a1 b2")
    assert draw_text(scene_of(position)).splitlines() == [
        "    a   b   c",
        "1   X   .   .",
        "  2   .   O   .",
        "    3   .   .   .",
    ]
