"""Search trees: what is recorded is true, nothing overlaps, the text and the picture say it."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

import plywise
from plywise import Position, SpecError
from plywise.core.scene import Label, Scene
from plywise.play.trees import Grown, grow
from plywise.views import draw_png, draw_svg
from plywise.views.graph import Note, graph_scene, graph_text
from plywise.views.tree import arrange, tree_scene, tree_text
from tests.awkward.coins import coin_row
from tests.golden.trees import FOLDER, pictures

ENDING = plywise.game("tictactoe").position("b2 a1 c3 b3 a2")
GOLDEN = pictures()


def endings(count: int, empty: int) -> list[Position]:
    """Positions of Tic-Tac-Toe with so many cells left, not over."""
    rng, found = random.Random(5), []
    while len(found) < count:
        position = plywise.game("tictactoe").start()
        while not position.over and len(position.legal) > empty:
            position = position.play(rng.choice(position.legal))
        if not position.over:
            found.append(position)
    return found


@pytest.mark.parametrize("position", endings(20, 5), ids=lambda position: position.text)
def test_figures_are_those_of_minimax(position: Position) -> None:
    """A figure is the true value, or a bound that holds."""
    true = {
        branch.position.moves: branch.value
        for branch in grow(position, "minimax", limit=2000).root.walk()
    }
    grown = grow(position, "textbook", limit=2000)
    assert grown.root.value == true[position.moves]
    for branch in grown.root.walk():
        value = true[branch.position.moves]
        if branch.figure.startswith("≤"):
            assert value <= branch.value
        elif branch.figure.startswith("≥"):
            assert value >= branch.value
        else:
            assert value == branch.value
        moves = {child.move for child in branch.children} | set(branch.pruned)
        assert moves == (set() if branch.kind in ("over", "horizon") else {*branch.position.legal})
    pruned = sum(len(branch.pruned) for branch in grown.root.walk())
    assert (grown.nodes, grown.pruned) == (len(list(grown.root.walk())), pruned)


def test_the_best_path_is_the_principal_variation() -> None:
    grown = grow(ENDING)
    path = [branch.move for branch in grown.root.walk() if branch.best][1:]
    found = plywise.engine("textbook:depth=4", ENDING.game).search(ENDING)
    assert tuple(path) == found.pv


def test_minimax_prunes_nothing_and_shows_no_windows() -> None:
    grown = grow(ENDING, "minimax")
    assert grown.pruned == 0
    assert all(branch.window is None for branch in grown.root.walk())
    assert all(branch.figure[0] not in "≤≥" for branch in grown.root.walk())


def test_a_heuristic_has_figures_of_its_own() -> None:
    grown = grow(ENDING, "textbook:heuristic=seed")
    assert {branch.figure for branch in grown.root.walk()} >= {"0", "-16", "-18"}


def test_a_player_who_moves_twice() -> None:
    kinds = [branch.kind for branch in grow(coin_row(5, 3).start(), "minimax").root.walk()]
    assert {"max", "min", "over"} == set(kinds)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"agent": "textbook:depth=6"}, r"more than 250 nodes: try depth=3, or a higher --limit"),
        ({"agent": "minimax:depth=3"}, "try depth=2, textbook, or"),
        ({"agent": "mcts"}, "'mcts' does not record a tree: choose from minimax, textbook"),
        ({"agent": "textbook:order=best"}, "order must be one of rules, promise"),
        ({"agent": "textbook:heuristic=x"}, "has no heuristic 'x'"),
        ({"agent": "textbook:depth=0"}, "depth must be a whole number from 1"),
        ({"limit": 1}, "limit must be from 2 to 20000 nodes"),
    ],
)
def test_refusals(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(plywise.PlywiseError, match=words):
        grow(plywise.game("connect4").start(), **arguments)  # type: ignore[arg-type]


def test_no_tree_below_a_finished_game() -> None:
    with pytest.raises(SpecError, match="the game is over"):
        grow(plywise.game("tictactoe").position("a1 b1 a2 b2 a3"))


def test_without_a_depth_the_tree_fills_its_limit() -> None:
    start = plywise.game("connect4").start()
    grown = grow(start, limit=100)
    assert grown.nodes + grown.pruned <= 100
    with pytest.raises(SpecError, match=f"try depth={grown.depth},"):
        grow(start, f"textbook:depth={grown.depth + 1}", limit=100)


# ---- drawing -------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["minimax", "textbook"])
@pytest.mark.parametrize("position", endings(6, 5), ids=lambda position: position.text)
def test_nothing_overlaps(position: Position, engine: str) -> None:
    places = list(arrange(grow(position, engine, limit=2000).root, 1.0, 0.5, 0.25).walk())
    for depth in {place.depth for place in places}:
        level = sorted((place for place in places if place.depth == depth), key=lambda p: p.x)
        assert level[0].x >= level[0].width / 2 - 1e-9
        for one, two in pairwise(level):
            assert two.x - one.x >= (one.width + two.width) / 2 + 0.25 - 1e-9
    for place in places:
        if place.children:
            assert place.x == pytest.approx((place.children[0].x + place.children[-1].x) / 2)
            assert [child.x for child in place.children] == sorted(c.x for c in place.children)


TEXT = """\
△ 0 [-∞, +∞] *
├─ c1 ▽ 0 [-∞, +∞] *
│  └─ a3 □ 0 *
└─ a3 ▽ 0 [0, +∞]
   └─ c1 □ 0"""


def test_text() -> None:
    root = grow(plywise.game("tictactoe").position("b2 a1 c3 b3 a2 c2 b1")).root
    assert "\n".join(tree_text(root)) == TEXT
    plain = "\n".join(tree_text(root, unicode=False))
    assert plain.isascii()
    assert "|- c1 min 0 [-inf, +inf] *" in plain


def test_pruned_moves_stand_on_one_line() -> None:
    lines = list(tree_text(grow(ENDING).root))
    assert "   └─ ✗ pruned: c1 c2" in lines
    assert len(lines) == 39 + 3  # the nodes, and a line for each node that was left early


def test_only_the_last_line_below_a_node_has_a_corner() -> None:
    lines = list(tree_text(grow(ENDING).root))
    forks = [max(line.rfind("├─ "), line.rfind("└─ ")) for line in lines]
    for number, column in enumerate(forks[1:], 1):
        after = next((each for each in forks[number + 1 :] if each <= column), -1)
        assert lines[number][column] == ("├" if after == column else "└"), lines[number]


def grown_for_pictures() -> list[tuple[str, Grown]]:
    connect4 = plywise.game("connect4").position("444444553")
    return [
        ("tictactoe-textbook", grow(ENDING)),
        ("tictactoe-minimax", grow(ENDING, "minimax")),
        ("connect4-textbook", grow(connect4, "textbook:depth=1")),
    ]


@pytest.mark.parametrize(("name", "grown"), grown_for_pictures(), ids=lambda value: str(value)[:20])
def test_pictures(name: str, grown: Grown) -> None:
    scene = tree_scene(grown.root, grown.title)
    check_frame(scene)
    svg = draw_svg(scene)
    assert svg == draw_svg(tree_scene(grown.root, grown.title))
    for branch in grown.root.walk():
        assert f">{branch.figure}<" in svg
    assert draw_png(scene, zoom=0.5).startswith(b"\x89PNG")


def check_frame(scene: Scene) -> None:
    """Everything is inside; how wide letters are is only an estimate, so their middle counts."""
    for shape in scene.painted:
        left, top, right, bottom = (*shape.at, *shape.at) if isinstance(shape, Label) else shape.box
        assert left >= 0
        assert top >= 0
        assert right <= scene.size[0]
        assert bottom <= scene.size[1]
    assert len({shape.id for shape in scene.shapes}) == len(scene.shapes)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_as_recorded(file: Path) -> None:
    assert GOLDEN[file] == file.read_text(encoding="utf-8"), "python -m tests.golden.trees"


def test_no_picture_is_left_over() -> None:
    assert set(FOLDER.glob("*.svg")) == set(GOLDEN)


def test_a_tree_without_boards() -> None:
    game = coin_row(4, 1)
    grown = grow(game.start(), "minimax")
    svg = draw_svg(tree_scene(grown.root, grown.title, boards=False))
    assert ">left<" in svg


# ---- the graph of a review -----------------------------------------------------------------

GRAPH = """\
player 1 wins │ ▄█
         even │────
player 2 wins │   ▀
                  M"""


def test_graph_text() -> None:
    note = Note(3, "M", "b2?")
    assert "\n".join(graph_text([0, 0.5, 1, -0.5], [note], height=1)) == GRAPH
    plain = "\n".join(graph_text([0, 0.5, 1, -0.5], [note], unicode=False))
    assert plain.isascii()


def test_a_long_game_is_drawn_in_a_narrow_place() -> None:
    lines = list(graph_text([0.1] * 300, width=40))
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize("count", [1, 2, 7, 42, 361])
def test_graph_picture(count: int) -> None:
    rng = random.Random(count)
    values = [rng.choice([0.0, rng.uniform(-1, 1), 1.0, -1.0]) for _ in range(count)]
    notes = [Note(index, "B", "a1??", True) for index in range(1, count, 5)]
    scene = graph_scene(values, notes, title="a game")
    check_frame(scene)
    assert draw_svg(scene).count("??") == len(notes)
    above = [shape for shape in scene.shapes if shape.owner == 0]
    assert bool(above) == (count > 1 and any(value > 0 for value in values))
