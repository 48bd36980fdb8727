"""Features for learning: what they tell apart, whose view they are, how they are written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import Game, Position, games
from plywise.core.game import GameType, Notation, Rules
from plywise.kit import Look, features, features_shape, square_board, write_features
from plywise.kit.planes import writer_of

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SPECS = [*(str(file) for file in EXAMPLES), *games.names(), "align:size=5,checkerboard=yes"]
SAMPLE = 400  #: positions of each game


def sample(game: Game, count: int) -> Iterator[Position]:
    """Positions of random games."""
    rng = random.Random(5)
    position = game.start()
    for _ in range(count):
        yield position
        position = game.start() if position.over else position.play_code(
            rng.choice(position.legal_codes)
        )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: Path(spec).stem)
def test_positions_that_differ_have_different_planes(spec: str) -> None:
    game = plywise.game(spec)
    keys: dict[bytes, int] = {}
    for position in sample(game, SAMPLE):
        planes = features(position)
        assert planes.dtype == np.float32
        assert planes.shape == features_shape(game)
        assert keys.setdefault(planes.tobytes(), position.key) == position.key, position.text
    assert len(keys) > SAMPLE // 4


@pytest.mark.parametrize("spec", ["tictactoe:rows=5,k=4", "connect4", "align"])
def test_swapping_the_players_changes_only_the_side_to_move(spec: str) -> None:
    game, swap = plywise.game(spec), str.maketrans("xo", "ox")
    for position in list(sample(game, 40))[5::7]:
        board, *points, mover = position.text.split()
        points = ["-".join(reversed(point.split("-"))) for point in points]
        swapped = " ".join([board.translate(swap), *points, mover.translate(swap)])
        one, two = features(position), features(game.from_text(swapped))
        assert (one[:-1] == two[:-1]).all()
        assert one[-1, 0, 0] == position.turn
        assert (one[-1] + two[-1] == 1).all()


def test_the_mover_comes_first() -> None:
    position = plywise.game("connect4").position("4")
    mine, theirs, side = features(position)
    assert not mine.any()
    assert np.argwhere(theirs).tolist() == [[0, 3]]
    assert side.all()


def test_points_are_planes_too_and_turn_with_the_player() -> None:
    game = plywise.game("align")
    assert features_shape(game) == (5, 6, 6)
    before, after = game.position("a1 f6 b1 e6 c1"), game.position("a1 f6 b1 e6 c1 f1")
    assert [features(before)[plane, 2, 2] for plane in (2, 3)] == [0, 3]
    assert [features(after)[plane, 2, 2] for plane in (2, 3)] == [3, 0]


def test_numbers_are_split_by_the_owner_of_their_place() -> None:
    kalah = plywise.game(str(next(file for file in EXAMPLES if file.stem == "kalah")))
    position = kalah.start()
    mine, theirs, side = features(position)
    assert (mine + theirs).tolist() == position.state.pits.tolist()
    assert np.count_nonzero(mine) == np.count_nonzero(theirs) == 6
    assert not side.any()


def test_a_single_set_of_places_is_one_plane() -> None:
    kind = GameType(
        name="one-set",
        state=[("taken", "u8"), ("turn", "i8")],
        rules=Rules(*[lambda *_: 0] * 5),
        sizes=lambda b: (4, 4),
        look=Look(square_board(2), "taken", ".x"),
    )
    states = np.zeros(2, kind.state)
    states["taken"][1] = 0b1001
    out = np.empty((2, *features_shape(kind())), np.float32)
    write_features(kind(), states, out, np.zeros(2, np.uint8))
    assert out[:, 0].tolist() == [[[0, 0], [0, 0]], [[1, 0], [0, 1]]]


def test_a_batch_is_written_into_an_array_of_any_kind() -> None:
    for spec in ("connect4", "tictactoe", str(EXAMPLES[0])):
        game = plywise.game(spec)
        positions = list(sample(game, 30))
        states = np.concatenate([position.states for position in positions])
        shape = features_shape(game)
        batch = np.full((*shape[:1], 30, *shape[1:]), 7, np.float16).swapaxes(0, 1)
        write_features(game, states, batch)
        for row, position in zip(batch, positions, strict=True):
            assert (row == features(position)).all()
        out = np.empty(shape, np.float32)
        assert features(positions[9], out) is out
        with pytest.raises(ValueError, match="but must have"):
            write_features(game, states, batch[1:])


def test_a_game_without_a_look_has_none_and_pays_nothing() -> None:
    bare = GameType(
        name="bare",
        state=[("turn", "i8")],
        rules=Rules(*[lambda *_: 0] * 5),
        sizes=lambda b: (1, 1),
        notation=Notation(move_text=lambda b, move: "a"),
    )()
    with pytest.raises(plywise.Unsupported, match="bare has no Look"):
        features_shape(bare)
    before = writer_of.cache_info().currsize
    plywise.game("tictactoe:rows=7").start().play("a1")
    assert writer_of.cache_info().currsize == before
