"""Batches: the same games as positions play, one array for all, mistakes refused."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import Game, IllegalMove, InvalidMove, RulesError, SpecError, Stop, Unsupported, games
from plywise.jit import rule
from plywise.kit import Look, Piece, features, square_board, write_features
from tests.awkward.coins import coin_row

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SIZES = ["connect4:rows=3,cols=12", "snails:rows=5,cols=12,territory=yes", "andantino:side=4",
         "align:size=5,checkerboard=yes", "tictactoe:rows=9,cols=9,k=5"]  # fmt: skip
QUICK = {"checkers", "kalah"}  #: of the examples: numbers beside the board, numbers on it


def case(spec: str) -> object:
    """A game; most are compiled for this test alone, which takes too long for every day."""
    name = Path(spec).stem
    marks = () if spec in games.names() or name in QUICK else pytest.mark.long
    return pytest.param(spec, marks=marks, id=name)


CASES = [case(spec) for spec in (*games.names(), *SIZES, *map(str, EXAMPLES))]


def follow(game: Game, count: int, steps: int, *, restart: bool, games: int = 10**9) -> None:
    """Play random moves in a batch and in positions, and compare everything after each.

    It ends after so many steps, or after so many games.
    """
    batch = plywise.batch(game, count, restart=restart, threads=2)
    positions = [game.start()] * count
    rng, ended = random.Random(7), 0
    for _ in range(steps):
        moves = [0 if at.over else rng.choice(at.legal_codes) for at in positions]
        going = [not at.over for at in positions]
        batch.step(moves)
        positions = [
            at if at.over else at.play_code(move) for at, move in zip(positions, moves, strict=True)
        ]
        assert batch.over.tolist() == [at.over for at in positions]
        for number, at in enumerate(positions):
            if at.over and going[number]:
                ended += 1
                assert batch.margins[number] == at.margin
                sign = float(np.sign(at.margin or 0))
                assert batch.rewards[number].tolist() == [sign, -sign]
            else:
                assert not batch.rewards[number].any()
        if restart:
            positions = [game.start() if at.over else at for at in positions]
        assert batch.turns.tolist() == [at.turn for at in positions]
        for number, at in enumerate(positions):
            assert np.flatnonzero(batch.legal[number]).tolist() == sorted(at.legal_codes)
            assert batch.sample[number] in (at.legal_codes or [-1])
        assert b"".join(at.states.tobytes() for at in positions) == batch.states.tobytes()
        planes = np.empty_like(batch.planes)
        write_features(game, batch.states, planes)
        assert (planes == batch.planes).all()
        if ended >= games:
            break


@pytest.mark.slow
@pytest.mark.parametrize("spec", CASES)
def test_a_batch_plays_as_positions_do(spec: str) -> None:
    game = plywise.game(spec)
    follow(game, 6, min(game.max_plies + 1, 50), restart=False)
    follow(game, 6, 25, restart=True)


@pytest.mark.long
@pytest.mark.parametrize("spec", [*games.names(), *SIZES, *map(str, EXAMPLES)], ids=str)
def test_a_thousand_games_of_those_shipped_and_many_of_others(spec: str) -> None:
    many = 1000 if spec in games.names() else 200
    follow(plywise.game(spec), 100, 10**6, restart=True, games=many)


def test_random_moves_do_not_depend_on_the_threads() -> None:
    game = plywise.game("connect4")
    one, two = (plywise.batch(game, 600, seed=4, restart=True, threads=t) for t in (1, 3))
    assert one.random(100) == two.random(100) == 60_000
    for name in ("states", "legal", "turns", "over", "margins", "rewards", "sample", "planes"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), name
    other = plywise.batch(game, 600, seed=5, restart=True)
    other.random(100)
    assert other.states.tobytes() != one.states.tobytes()


def test_random_moves_are_those_of_single_steps() -> None:
    game = plywise.game("tictactoe")
    one, two = (plywise.batch(game, 50, seed=1) for _ in range(2))
    for _ in range(6):
        two.step(two.sample)
    assert one.random(6) <= 300
    assert one.states.tobytes() == two.states.tobytes()
    assert (one.planes == two.planes).all()
    assert one.random(100) < 200
    assert one.over.all()
    assert (one.sample == -1).all()
    assert not one.legal.any()
    assert one.random() == 0


def test_arrays_are_written_in_place() -> None:
    batch = plywise.batch(plywise.game("connect4"), 5)
    names = ("legal", "turns", "over", "margins", "rewards", "sample", "planes", "states")
    before = {name: getattr(batch, name) for name in names}
    batch.step(np.full(5, 3, np.int8))
    batch.reset()
    batch.random(2)
    for name, array in before.items():
        assert getattr(batch, name) is array
        assert array.flags.c_contiguous
        assert array.flags.writeable == (name != "states")
        if name != "states":  # other packages share the memory
            assert np.shares_memory(np.from_dlpack(array), array)


def test_games_from_another_position() -> None:
    game = plywise.game("connect4")
    batch = plywise.batch(game, 3)
    batch.reset([1], start=game.position("4453"))
    assert [batch.position(number).text for number in range(2)] == [
        game.start().text,
        game.position("4453").text,
    ]
    with pytest.raises(Unsupported, match="connect4 cannot start from a position of connect4:r"):
        batch.reset(start=plywise.game("connect4:rows=7").start())


def test_an_illegal_move_is_named_and_nothing_is_played() -> None:
    batch = plywise.batch(plywise.game("connect4:rows=2"), 4)
    batch.step([0, 1, 2, 3])
    batch.step([0, 1, 2, 3])
    before = batch.states.tobytes()
    for move in (2, -1, 7, 2**40):
        moves = [1, 2, move, 0]
        with pytest.raises(
            IllegalMove, match=rf"game 2: {move} is not a legal move: the legal"
        ) as e:
            batch.step(moves)
        assert str(e.value).endswith("the legal moves are 0 1 3 4 5 6")
        assert e.value.position == batch.position(2)
        assert batch.states.tobytes() == before


def test_what_others_write_into_the_arrays_does_no_harm() -> None:
    batch = plywise.batch(plywise.game("connect4:rows=1"), 2)
    batch.step([3, 3])
    batch.legal[:] = True
    with pytest.raises(IllegalMove, match="game 0: 3 is not a legal move"):
        batch.step([3, 0])
    batch.sample[1] = 3
    with pytest.raises(IllegalMove, match="game 1: 3 is not a legal move"):
        batch.random()
    batch.reset()
    batch.random(7)
    batch.over[:] = False
    with pytest.raises(IllegalMove, match="game 0: 0 is not a legal move: the game is over"):
        batch.step([0, 0])
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0] = batch.states[1]


def test_moves_in_any_kind_of_array() -> None:
    batch = plywise.batch(plywise.game("connect4"), 3)
    fixed = np.arange(3)
    fixed.flags.writeable = False
    for moves in (fixed, np.arange(6, dtype=np.uint64)[::2], (0, 1, 2), fixed.astype(np.int8)):
        batch.step(moves)
    assert batch.position(0).text == "7/7/o6/x6/o6/x6 x"
    assert batch.position(2).text == "7/7/7/2o4/2x4/2x1o2 x"
    assert len(getattr(batch._step, "signatures", "1")) == 1  # compiled once


@pytest.mark.parametrize("moves", [[0, 1], [0.0, 1.0, 2.0], "012", [[0, 1, 2]], [True] * 3, None])
def test_moves_that_are_no_moves(moves: object) -> None:
    batch = plywise.batch(plywise.game("connect4"), 3)
    with pytest.raises(InvalidMove, match="step needs 3 whole numbers, a move for each game"):
        batch.step(moves)


def test_some_games_begin_again() -> None:
    batch = plywise.batch(plywise.game("tictactoe"), 4)
    batch.random(9)
    batch.reset([1, 3])
    assert [batch.position(number).text for number in (1, 3)] == ["3/3/3 x"] * 2
    assert batch.over.tolist() == [True, False, True, False]
    batch.reset(batch.over)
    assert not batch.over.any()
    assert batch.legal.all()
    with pytest.raises(IndexError, match="no game 4: the games are 0 to 3"):
        batch.position(4)


def test_stops_when_told() -> None:
    stop = Stop()
    stop.set()
    batch = plywise.batch(plywise.game("connect4"), 3, restart=True)
    assert batch.random(10**12, stop=stop) == 0


def test_a_game_without_a_look_shows_its_bytes() -> None:
    game = coin_row(16, 2)
    assert game.type.look is None
    batch = plywise.batch(game, 3)
    batch.random(4)
    assert batch.planes.tobytes() == batch.states.tobytes()
    assert plywise.batch(game, 3, planes=False).planes.shape == (3, 0)


def test_an_unknown_piece_and_an_impossible_move() -> None:
    kind = coin_row(16, 2).type

    @rule
    def three(b, s, out):  # type: ignore[no-untyped-def]
        out[0] = 3

    look = Look(square_board(1, 2), three, (Piece("x", 0),))
    odd = replace(kind, name="odd", look=look)()
    vars(odd)["tried"] = True  # as if its trial had not come so far
    with pytest.raises(RulesError, match="3 stands on place 0, but the look of odd has pieces 1"):
        plywise.batch(odd, 2)
    odd = replace(kind, name="odd", look=Look(square_board(1, 1), "left", (Piece("x", 0),)))()
    vars(odd)["tried"] = True  # as if its trial had not come so far
    with pytest.raises(RulesError, match=r"[2-9] stands on place 0, but the look of odd has"):
        plywise.batch(odd, 9).random(9)

    @rule
    def moves(b, s, out):  # type: ignore[no-untyped-def]
        out[0] = 2 if s.left > 3 else 0
        return 1

    game = replace(kind, rules=replace(kind.rules, moves=moves))()
    vars(game)["tried"] = True  # as if its trial had not come so far
    batch = plywise.batch(game, 2)
    with pytest.raises(RulesError, match="`moves` of coins wrote a move that is not one of 0 to 1"):
        batch.random(16)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, "n=0 is not valid: n must be a whole number from 1 up"),
        ({"n": 2.5}, "n=2.5 is not valid"),
        ({"n": 2, "threads": 0}, "threads=0 is not valid"),
        ({"n": 10**10}, "not enough memory for a batch of 10000000000 games"),
        ({"n": 10**15}, "not enough memory for a batch of 1000000000000000 games"),
    ],
)
def test_bad_numbers(given: dict[str, int], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        plywise.batch(plywise.game("tictactoe"), **given)
    with pytest.raises(TypeError, match=r"batch needs a game, such as plywise.game\('NAME'\)"):
        plywise.batch("tictactoe", 3)  # type: ignore[arg-type]


def test_a_game_that_is_over_at_once() -> None:
    spec = next(str(file) for file in EXAMPLES if file.stem == "domineering")
    with pytest.raises(Unsupported, match="is over before the first move"):
        plywise.batch(plywise.game(spec, rows=1, cols=5), 3)


def test_planes_of_a_single_position_are_the_features() -> None:
    game = plywise.game("align")
    batch = plywise.batch(game, 1)
    for move in ("a1", "f6", "b1", "e6", "c1"):
        batch.step([batch.position(0).code_of(move)])
    assert (batch.planes[0] == features(game.position("a1 f6 b1 e6 c1"))).all()
