"""What a look gives to a game: move texts, position texts, drawings and pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise import Game, GameType, InvalidPosition, Notation, Rules, SpecError, check_game
from plywise.core.game import Record
from plywise.core.scene import scene_of, standing
from plywise.jit import rule
from plywise.kit import Layout, Look, Piece, graph_board, hexagon_board, square_board
from plywise.kit.bits import ZERO, bit_of, list_bits
from plywise.testing import LAWS, LawBroken, random_games
from tests.core.refusals import one_line

CELLS = 12


@rule
def setup(b: Any, s: Any) -> None:
    for cell in range(CELLS):
        s.cells[cell] = 0
    s.turn = 0
    s.count = 0


@rule
def moves(b: Any, s: Any, out: Any) -> int:
    n = 0
    for cell in range(CELLS):
        if s.cells[cell] == 0:
            out[n] = cell
            n += 1
    out[n] = CELLS  # a pass
    return n + 1


@rule
def play(b: Any, s: Any, move: int) -> None:
    if move < CELLS:
        s.cells[move] = s.turn + 1
    s.turn = 1 - s.turn
    s.count += 1


@rule
def key(b: Any, s: Any) -> Any:
    word = np.uint64(s.turn + 2 * s.count)
    for cell in range(CELLS):
        word = word * np.uint64(3) + np.uint64(s.cells[cell])
    return word


RULES = Rules(
    setup,
    moves,
    play,
    turn=rule(lambda b, s: s.turn),
    over=rule(lambda b, s: s.count == 9),
    margin=rule(lambda b, s: 0),
    key=key,
)
FIELDS = [("cells", "i1", CELLS), ("turn", "i8"), ("count", "i8")]


def game_with(look: Look, **more: Any) -> Game:
    given: dict[str, Any] = {
        "name": "filling",
        "state": FIELDS,
        "rules": RULES,
        "sizes": lambda b: (CELLS + 1, 9),
        "look": look,
        **more,
    }
    return GameType(**given)()


SQUARES = Look(square_board(3, 4), "cells", also=("count",))


def test_a_game_with_a_look_keeps_every_law() -> None:
    check_game(game_with(SQUARES))


def test_moves_are_read_in_any_case_and_a_pass_by_its_name() -> None:
    start = game_with(SQUARES).start()
    assert start.legal[:5] == ("a1", "b1", "c1", "d1", "a2")
    assert start.legal[-1] == "pass"
    assert start.play("B2").play("pass").moves == ("b2", "pass")
    with pytest.raises(ValueError, match="write the name of a place, such as a1 or d3"):
        start.play("e1")


def test_a_pass_follows_the_places() -> None:
    b = game_with(SQUARES).board
    look = Look(square_board(3, 4), "cells")
    read = look._reader()
    assert read is not None
    assert look.move_text(b, 12) == "pass"
    assert read(b, "Pass") == 12


def test_position_texts_hold_the_board_the_turn_and_what_is_named() -> None:
    game = game_with(SQUARES)
    position = game.position("b2 d3 pass")
    assert position.text == "3o/1x2/4 o 3"
    assert game.from_text(position.text) == position
    for text, words in (
        ("3o/1x2 o 3", "this board has 3 rows, not 2"),
        ("3o/1x3/4 o 3", "row 2 has 5 places, the board has 4 there"),
        ("3o/1z2/4 o 3", "row 2 is '1z2', but can hold only x, o and numbers"),
        ("3o/1x2/4 q 3", "write the side to move, x or o, then count"),
        ("3o/1x2/4 o", "write the side to move, x or o, then count"),
        ("3o/1x2/4 o many", "count is 'many', but must be a number"),
        ("", "this board has 3 rows, not 1"),
        ("3o/1x2/5 o 3", "row 1 has 5 places"),
        ("//x3 o 3", "row 3 has 0 places"),
        ("04/4/4 o 3", "row 3 is '04'"),
        ("3o/1x2/4 o o 3", "write the side to move"),
    ):
        with pytest.raises(InvalidPosition, match=words):
            game.from_text(text)


@given(st.text() | st.text("xo.123456789/ ", max_size=30))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    game = game_with(SQUARES)
    try:
        position = game.from_text(text)
    except InvalidPosition as error:
        one_line(error)
        return
    assert game.from_text(position.text) == position


def test_a_drawing_of_a_high_board() -> None:
    look = Look(square_board(12, 1), "cells")
    lines = str(game_with(look).start().play_code(1)).splitlines()
    assert lines[0] == "12  ."
    assert lines[-3:] == [" 2  X", " 1  .", "    a"]


def test_without_a_way_to_hold_all_of_the_state_the_text_is_the_moves() -> None:
    game = game_with(Look(square_board(3, 4), "cells"))
    assert game.position("b2 pass").text == "b2 pass"
    written = game_with(Look(square_board(3, 4), "cells", put=_put))
    position = written.from_text("3O/1x2/4 o")
    assert position.state.count == 2
    assert position.text == "3o/1x2/4 o"
    with pytest.raises(InvalidPosition, match="three at most"):
        written.from_text("4/4/xoxo x")


def _put(b: Any, s: Any, numbers: Sequence[int]) -> None:
    s.cells[:] = numbers
    s.count = int(np.count_nonzero(s.cells))
    if s.count > 3:
        raise ValueError("three at most")


def test_what_the_author_writes_goes_first() -> None:
    game = game_with(
        SQUARES,
        notation=Notation(move_text=lambda b, move: f"m{move}", read_move=lambda b, t: int(t[1:])),
    )
    assert game.start().legal[0] == "m0"
    assert game.start().play("m5").text == "4/1x2/4 o 1"


@pytest.mark.parametrize(
    ("layout", "drawing"),
    [
        (square_board(3, 4), "3  . . . O\n2  . X . .\n1  . . . .\n   a b c d"),
        (
            graph_board({name: (2 * (n % 3), n) for n, name in enumerate("abcdefghijkl")}),
            None,
        ),
    ],
)
def test_boards_are_drawn_in_plain_text(layout: Layout, drawing: str | None) -> None:
    position = game_with(Look(layout, "cells")).start()
    for move in (5, 11):
        position = position.play_code(move)
    assert drawing is None or str(position) == drawing
    assert str(position).count("X") == 1
    assert str(position).count("O") == 1


def test_only_a_pass_is_legal_is_said() -> None:
    passing = rule(lambda b, s, out: list_bits(bit_of(CELLS), 0, out, 0))
    position = game_with(SQUARES, rules=replace(RULES, moves=passing)).start()
    assert standing(position) == "player 1 to move; only a pass is legal"
    assert standing(game_with(SQUARES).start()) == "player 1 to move"


def test_a_look_says_whose_turn_it_is_even_where_texts_are_moves() -> None:
    look = Look(square_board(3, 4), "cells")
    for estimate, right in (
        (lambda b, s: s.cells[0] * (1 - 2 * s.turn), True),
        (lambda b, s: s.cells[0], False),
    ):
        game = game_with(look, rules=replace(RULES, evaluate=rule(estimate)))
        assert game.type.notation.to_text is None
        sample = random_games(game, games=5)
        if right:
            assert LAWS["evaluation"](sample) is None
        else:
            with pytest.raises(LawBroken, match="with the other player to move"):
                LAWS["evaluation"](sample)


def test_a_hexagon_is_drawn_with_letters_below_its_leaning_columns() -> None:
    game = game_with(Look(hexagon_board(2), "cells"))
    assert str(game.start()).splitlines() == [
        "    . .  3",
        "   . . .  2",
        " a  . .  1",
        "   b c",
    ]


PATHS: dict[str, Callable[[Any, int], tuple[int, ...]]] = {
    "one place": lambda b, move: (move,) if move < CELLS else (),
    "from and to": lambda b, move: (move, (move + 1) % CELLS) if move < CELLS else (),
}


@pytest.mark.parametrize("path", PATHS)
def test_every_move_but_a_pass_has_a_target_inside_the_frame(path: str) -> None:
    look = Look(square_board(3, 4), "cells", path=PATHS[path])
    scene = scene_of(game_with(look).start())
    assert len(scene.targets) == CELLS
    names = {shape.id for shape in scene.shapes}
    for target in scene.targets:
        assert len(target.shapes) == (1 if path == "one place" else 2)
        assert names.issuperset(target.shapes)
        assert 0 <= target.at[0] <= scene.size[0]
        assert 0 <= target.at[1] <= scene.size[1]


def _back(b: Any, move: int) -> tuple[int, ...]:
    return ((move + 1) % CELLS, move) if move < CELLS else ()


def test_the_last_move_slides_from_its_first_place_to_its_last() -> None:
    look = Look(square_board(3, 4), "cells", path=_back)
    position = game_with(look).start().play_code(5)
    motion = scene_of(position).motion
    assert motion is not None
    assert motion.kind == "slide"
    assert motion.start[0] - motion.end[0] == pytest.approx(1.0)
    assert "piece b2" in motion.shapes


def test_pieces_have_letters_owners_and_labels() -> None:
    look = Look(square_board(3, 4), "cells", ".xoXO#")
    assert look.piece(3) == Piece("X", 0, "X")
    assert look.piece(4) == Piece("O", 1, "O")
    wall = Look(square_board(3, 4), "cells", (Piece("x", 0), Piece("o", 1), Piece("#")))
    assert wall.piece(3) == Piece("#", None)
    with pytest.raises(SpecError, match="9 is not a piece: the look has pieces 1 to 3"):
        wall.piece(9)


def test_numbers_are_shown_as_they_are() -> None:
    look = Look(square_board(3, 4), "cells", None, also=("count",))
    game = game_with(look)
    position = game.position("b2 d3")
    assert position.text == "0,0,0,2/0,1,0,0/0,0,0,0 1 2"
    assert game.from_text(position.text) == position
    labels = [shape.glyph for shape in scene_of(position).shapes if shape.id.startswith("piece")]
    assert sorted(labels) == ["0"] * 10 + ["1", "2"]


def test_a_layout_may_depend_on_the_parameters() -> None:
    made: list[int] = []

    def layout(b: Any) -> Layout:
        made.append(1)
        return square_board(3, 4)

    position = game_with(Look(layout, "cells")).start()
    for _ in range(5):
        position = position.play(random.Random(1).choice(position.legal))
        assert scene_of(position).shapes
    assert len(made) == 1


def test_a_game_needs_a_look_or_move_texts() -> None:
    with pytest.raises(SpecError, match="give it a look, such as"):
        GameType(name="bare", state=FIELDS, rules=RULES, sizes=lambda b: (1, 1))  # type: ignore[arg-type]


def test_a_path_that_leaves_the_board_is_named() -> None:
    look = Look(square_board(3, 4), "cells", path=lambda b, move: (move,))
    with pytest.raises(SpecError, match="move 12 points to place 12, but the places are 0 to 11"):
        _ = game_with(look).start().legal


@rule
def setup_sets(b: Any, s: Any) -> None:
    s.sets[0], s.sets[1], s.counts[0], s.counts[1], s.turn = ZERO, ZERO, 0, 0, 0


@rule
def play_set(b: Any, s: Any, move: int) -> None:
    s.sets[s.turn] |= bit_of(move)
    s.counts[s.turn] += 1
    s.turn = 1 - s.turn


@rule
def free_moves(b: Any, s: Any, out: Any) -> int:
    return list_bits(~(s.sets[0] | s.sets[1]) & np.uint64(2**CELLS - 1), 0, out, 0)


def test_sets_of_places_and_arrays_are_written_into_position_texts() -> None:
    game = GameType(
        name="sets",
        state=[("sets", "u8", 2), ("counts", "i8", 2), ("turn", "i8")],  # type: ignore[arg-type]
        rules=Rules(
            setup_sets,
            free_moves,
            play_set,
            turn=rule(lambda b, s: s.turn),
            over=rule(lambda b, s: s.counts[1] == 3),
            margin=rule(lambda b, s: 0),
            key=("sets", "turn"),
        ),
        sizes=lambda b: (CELLS, 6),
        look=Look(square_board(3, 4), "sets", also=("counts",)),
    )()
    check_game(game, games=3)
    position = game.position("b2 d3 a1")
    assert position.text == "3o/1x2/x3 o 2,1"
    assert game.from_text(position.text) == position
    assert str(position) == "3  . . . O\n2  . X . .\n1  X . . .\n   a b c d"
    for text in ("3o/1x2/x3 o 2", "3o/1x2/x3 o 2,1,", "3o/1x2/x3 o 2,,1", "3o/1x2/x3 o 21"):
        with pytest.raises(InvalidPosition, match=r"counts is .* must be 2 numbers with commas"):
            game.from_text(text)


def test_round_cells_have_owners_and_sizes_and_points_their_names() -> None:
    points = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (2.5, 0.0)}
    pits = graph_board(points, cells=True, owners={"a": 0, "c": 1}, radius={"c": 0.8})
    assert [place.owner for place in pits.places] == [0, None, 1]
    wide = [max(x for x, _ in place.outline) - place.at[0] for place in pits.places]
    assert wide == pytest.approx([0.45, 0.45, 0.8])
    assert pits.labels == ()
    assert [text for text, _ in graph_board(points).labels] == ["a", "b", "c"]
    assert graph_board(points, labels=[("here", (1, 1))]).labels == (("here", (1.0, 1.0)),)


def test_the_pieces_of_the_players_differ_in_plain_text() -> None:
    kings = (Piece("x", 0), Piece("o", 1), Piece("X", 0, "K"), Piece("O", 1, "K"))

    @rule
    def four(b: Record, s: Record, out: Any) -> None:
        for place in range(4):
            out[place] = place + 1

    look = Look(square_board(3, 4), four, kings)
    scene = scene_of(game_with(look).start())
    glyphs = [shape.glyph for shape in scene.shapes if shape.id.startswith("piece")]
    assert glyphs == ["●", "○", "K", "k"]
