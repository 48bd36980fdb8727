"""Align: the examples of the rules, totals, colours, texts, pictures, agents, words."""

from __future__ import annotations

import random
import re

import pytest

import plywise
from plywise import IllegalMove, InvalidMove, InvalidPosition, Position
from plywise.core.scene import gain, scene_of, standing
from plywise.engines import make
from plywise.kit.words import number_word
from plywise.play.hints import hint

GAME = plywise.game("align")
LETTERS = "abcdefgh"


def before(rows: list[str], cell: tuple[int, int], game: plywise.Game = GAME) -> Position:
    """The position with these rows, from the top, less one cell (row from the top, column)."""
    row, col = cell
    assert rows[row][col] == "X"
    rows = [*rows, *["." * len(rows[0])] * (len(rows[0]) - len(rows))]
    rows[row] = f"{rows[row][:col]}.{rows[row][col + 1 :]}"
    return game.from_text(f"{'/'.join(rows).lower()} x")


def paid(rows: list[str], cell: tuple[int, int]) -> int:
    """What filling this cell pays."""
    row, col = cell
    return before(rows, cell).play(f"{LETTERS[col]}{6 - row}").gained


# ---- points ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "columns", "points"),
    [
        ("XXX...", (0, 1, 2), 3),
        (".XXX..", (1, 2, 3), 3),
        ("XXXX..", (0, 1, 2, 3), 0),
        ("XXXXX.", (0, 1, 2, 3, 4), 0),
        ("XXXXXX", (0, 1, 2, 3, 4, 5), 6),
        ("XXX..X", (5,), 0),
        ("XXX.XX", (5,), 0),
        ("XX.XXX", (3,), 3),
        ("XX.XXX", (0,), 0),
        ("XX.X..", (3,), 0),
    ],
)
def test_a_row(row: str, columns: tuple[int, ...], points: int) -> None:
    for column in columns:
        assert paid([row], (0, column)) == points
        upright = [*(f"X{'.' * 5}" if mark == "X" else "." * 6 for mark in row)]
        assert paid(upright, (column, 0)) == points


def test_a_row_and_a_column_at_once() -> None:
    assert paid(["XXX...", "..X...", "..X..."], (0, 2)) == 6
    assert paid(["XXXXXX", "..X...", "..X..."], (0, 2)) == 9
    assert paid(["XXXXXX"] * 6, (3, 4)) == 12


def test_diagonals_pay_nothing() -> None:
    assert paid(["X.....", ".X....", "..X..."], (1, 1)) == 0


def test_who_filled_the_cells_does_not_matter() -> None:
    assert GAME.position("a1 b1 c1").scores == (3, 0)
    assert GAME.position("a1 b1 f6 c1").scores == (0, 3)


def test_on_three_by_three_a_whole_line_is_paid_once() -> None:
    game = plywise.game("align:size=3")
    assert game.position("a1 b2 b1 c3 c1").scores == (3, 0)


def test_a_line_of_eight_can_pay_three_times() -> None:
    game = plywise.game("align:size=8")
    #  1 x o x . x o x .   three twice, then the whole row
    assert game.position("a1 b1 c1 e1 f1 g1 h8 a8 d1 h1").scores == (3, 3 + 8)


FEW_AND_MANY = [40, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", FEW_AND_MANY)
@pytest.mark.parametrize("game", ["align", "align:checkerboard=yes"])
def test_totals(game: str, games: int) -> None:
    """Twelve lines pay six each, and three at most once."""
    rng = random.Random(1)
    seen = set()
    for _ in range(games):
        position = plywise.game(game).start()
        while not position.over:
            position = position.play_code(rng.choice(position.legal_codes))
        assert position.scores is not None
        more = sum(position.scores) - 72
        assert more in range(0, 37, 3)
        assert position.margin == position.scores[0] - position.scores[1]
        assert position.reason == "{} to {} points".format(*position.scores)
        seen.add(more)
    assert len(seen) > 3


# ---- moves and texts ---------------------------------------------------------------------------


def test_moves() -> None:
    start = GAME.start()
    assert start.legal[:7] == ("a1", "b1", "c1", "d1", "e1", "f1", "a2")
    assert len(start.legal) == 36
    with pytest.raises(IllegalMove, match="'a1' is not legal here"):
        start.play("a1").play("a1")
    with pytest.raises(InvalidMove, match="such as a1 or f6"):
        start.play("g1")


def test_checkerboard() -> None:
    game = plywise.game("align:checkerboard=yes")
    start = game.start()
    assert start.legal[:4] == ("a1", "c1", "e1", "b2")
    assert start.play("a1").legal[:4] == ("b1", "d1", "f1", "a2")
    assert len(start.legal) == 18
    with pytest.raises(IllegalMove):
        start.play("b1")


@pytest.mark.parametrize(("size", "first"), [(3, 5), (4, 8), (5, 13), (8, 32)])
def test_colours_share_the_board(size: int, first: int) -> None:
    game = plywise.game(f"align:size={size},checkerboard=yes")
    assert len(game.start().legal) == first
    assert len(game.start().play_code(0).legal) == size * size - first


@pytest.mark.parametrize("size", [2, 9])
def test_sizes(size: int) -> None:
    with pytest.raises(plywise.SpecError, match="size must be a whole number from 3 to 8"):
        plywise.game(f"align:size={size}")


def test_texts() -> None:
    position = GAME.position("a1 b1 c1")
    assert position.text == "6/6/6/6/6/xox3 3-0 o"
    assert GAME.from_text("6/6/6/6/6/xox3 o").scores == (0, 0)
    assert str(position).splitlines()[-3:] == [
        "1  X O X . . .",
        "   a b c d e f",
        "points: X 3, O 0",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("6/6/6/6/6/xox3", "side to move, x or o"),
        ("6/6/6/6/6/xox3 3 o", "the points of X and O, such as 3-0"),
        ("6/6/6/6/6/xox3 3-0 x y o", "the points of X and O, such as 3-0"),
        ("6/6/6/6/6/xox3 3-0 z", "side to move, x or o"),
        ("6/6/6/6/xox3 3-0 o", "this board has 6 rows, not 5"),
        ("6/6/6/6/6/xox3 30-0 o", "30 points are too many: these cells score at most"),
        ("", "side to move, x or o"),
    ],
)
def test_texts_that_mean_nothing(text: str, complaint: str) -> None:
    with pytest.raises(InvalidPosition, match=complaint):
        GAME.from_text(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("6/6/6/6/6/o5 0-0 x", "o is on a cell of the other colour"),
        ("6/6/6/6/6/x1x3 0-0 o", "x has 16 cells left and o has 18"),
        ("6/6/6/6/6/x5 0-0 x", "x has 17 cells left and o has 18"),
    ],
)
def test_colours_in_texts(text: str, complaint: str) -> None:
    with pytest.raises(InvalidPosition, match=complaint):
        plywise.game("align:checkerboard=yes").from_text(text)


# ---- keys --------------------------------------------------------------------------------------


def test_keys() -> None:
    """Who filled a cell and mirror images are one; another lead or turn is another position."""
    position = GAME.position("a1 f6 b3")
    assert GAME.position("b3 f6 a1").key == position.key
    assert GAME.position("a1 b3 f6").key == position.key
    assert GAME.position("f1 a6 e3").key == position.key
    assert GAME.position("a1 f6 c2").key == position.key, "along the diagonal"
    assert GAME.position("a1 f6 b2").key != position.key
    ahead, behind = GAME.position("a1 b1 c1 f6"), GAME.position("a1 b1 f6 c1")
    assert ahead.key != behind.key


def test_keys_with_colours() -> None:
    """A mirror that changes the colours is another position: here the other player moves it."""
    game = plywise.game("align:checkerboard=yes")
    assert game.position("a1 b1").key != game.position("f2 f1").key
    assert game.position("a1 b1").key == game.position("f6 e6").key
    assert game.position("a1 b1").key == game.position("a1 a2").key


# ---- pictures and words ------------------------------------------------------------------------


def test_the_scene_marks_the_lines_that_paid() -> None:
    position = GAME.position("a1 f6 b1 e6 c3 d3 c2 a4 c1")
    assert position.gained == 6
    scene = scene_of(position)
    shapes = {shape.id: shape for shape in scene.shapes}
    assert {"band row 1", "band column c", "points row 1", "points column c"} <= shapes.keys()
    winning = {name for name, shape in shapes.items() if "winning" in shape.roles[1:]}
    assert winning == {f"piece {cell}" for cell in ("a1", "b1", "c1", "c2", "c3")}
    assert scene.description.endswith("Row 1 scored 3. Column c scored 3")
    assert shapes["points 1"].text == "6"
    later = {shape.id for shape in scene_of(position.play("f1")).shapes}
    assert not [name for name in later if name.startswith("band")]


def test_the_points_are_announced() -> None:
    position = GAME.position("a1 f6 b1 e6 c1")
    assert standing(position) == "player 1 scores 3 points; player 2 to move"
    assert gain(position, "you") == "you score 3 points; "
    assert standing(position.play("d3")) == "player 1 to move"
    end = plywise.game("align:size=3").position("a1 b2 c3 a3 a2 c2 b3 b1 c1")
    assert standing(end) == "player 1 scores 6 points; player 1 wins: 12 to 6 points"


def test_the_picture_of_the_option_tells_the_colours_apart() -> None:
    shapes = scene_of(plywise.game("align:size=3,checkerboard=yes").start()).shapes
    owners = {shape.id: shape.owner for shape in shapes if shape.id.startswith("side")}
    assert [owners[f"side {cell}"] for cell in ("a1", "b1", "b2", "c2")] == [0, 1, 0, 1]


# ---- reasons -----------------------------------------------------------------------------------


def check_reason(position: Position, move: str, reason: str) -> str:
    """Hold a reason against the board, which is known by `play` alone; returns its kind."""
    after = position.play(move)
    answers = {text: after.play(text).gained for text in after.legal}
    if match := re.fullmatch(r"scores (\d+) for (.*)", reason):
        assert after.gained == int(match[1])
        size = int(position.game.board.side)
        points = 0
        for line in match[2].split(" and "):
            assert re.fullmatch(rf"all of .*|{number_word(3)} in .*", line)
            assert move[0] in line.split()[-1] or move[1:] in line.split()[-1]
            points += size if line.startswith("all of") else 3
        assert points == after.gained
        return "pays"
    if reason == "leaves the opponent nothing to score next move":
        assert max(answers.values()) == 0
        return "nothing"
    if match := re.fullmatch(r"leaves the opponent at most (\d+) points(?:, at (.*))?", reason):
        most = max(answers.values())
        assert most == int(match[1])
        cells = [text for text, points in answers.items() if points == most]
        assert match[2] is None or sorted(re.split(r", | and ", match[2])) == sorted(cells)
        return "most"
    if reason.startswith("gains more than any other move"):
        worth = {text: net(position, text) for text in position.legal}
        assert all(worth[move] > worth[other] for other in worth if other != move)
        return "more"
    if match := re.fullmatch(r"makes (left and right|bottom and top) symmetric, .*", reason):
        rows = after_rows(after)
        mirrored = [row[::-1] for row in rows] if match[1].startswith("left") else rows[::-1]
        assert rows == mirrored
        return "mirror"
    assert after.over
    assert after.scores is not None
    mine, theirs = after.scores[position.turn], after.scores[1 - position.turn]
    if mine == theirs:
        assert reason == f"ends the game in a draw, {mine} points each"
    else:
        assert (
            reason == f"{'wins' if mine > theirs else 'ends the game'}, {mine} points to {theirs}"
        )
    return "end"


def net(position: Position, move: str) -> int:
    after = position.play(move)
    return after.gained - max((after.play(text).gained for text in after.legal), default=0)


def after_rows(position: Position) -> list[str]:
    board = position.text.split()[0]
    for digit in "12345678":
        board = board.replace(digit, "." * int(digit))
    return re.sub("[xo]", "x", board).split("/")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "games"),
    [("align:size=3", 8), ("align:size=4", 2), ("align:size=4,checkerboard=yes", 2)],
)
def test_reasons_are_true(spec: str, games: int) -> None:
    game, rng = plywise.game(spec), random.Random(5)
    reasons = game.type.words.reasons
    assert reasons is not None
    kinds = set()
    for _ in range(games):
        position = game.start()
        while not position.over:
            for move in position.legal:
                for reason in reasons(game.board, position.state, position.code_of(move)):
                    kinds.add(check_reason(position, move, reason))
            position = position.play(rng.choice(position.legal))
    assert kinds >= {"pays", "nothing", "most", "more", "end"}
    assert ("mirror" in kinds) == (int(game.board.side) % 2 == 0)


def test_a_hint_says_by_how_much() -> None:
    game = plywise.game("align:size=4")  # small enough to be solved whatever the clock says
    engine = make("expert", game)
    lost = hint(game.start(), engine=engine)
    assert "every move loses, this one by only 8 points" in lost.why
    won = hint(game.position("a1 d1 b1"), engine=engine)
    assert "wins by 13 points against best play" in won.why


# ---- agents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", FEW_AND_MANY)
@pytest.mark.parametrize("spec", ["align", "align:checkerboard=yes"])
def test_the_mirror_wins_as_second(spec: str, games: int) -> None:
    """Every game against anything, by 18 to 36 points."""
    game, rng = plywise.game(spec), random.Random(1)
    mirror = make("mirror", game)
    margins = set()
    for _ in range(games):
        position = game.start()
        while not position.over:
            code = rng.choice(position.legal_codes)
            position = position.play_code(code)
            best = mirror.search(position).best
            assert best is not None
            position = position.play(best)
        assert position.margin is not None
        margins.add(-position.margin)
    assert margins <= set(range(18, 37))
    assert len(margins) > 3


@pytest.mark.parametrize("agent", ["seed", "mirror", "textbook:depth=2", "mcts:playouts=200"])
def test_the_mirror_wins_against_agents(agent: str) -> None:
    first, mirror = make(agent, GAME), make("mirror", GAME)
    position = GAME.start()
    while not position.over:
        mover = mirror if position.turn else first
        best = mover.search(position, plywise.Limits(time=0.02)).best
        assert best is not None
        position = position.play(best)
    assert position.margin is not None
    assert -36 <= position.margin <= -18


@pytest.mark.parametrize("agent", ["seed", "mirror"])
@pytest.mark.parametrize("spec", ["align:size=3", "align:size=5,checkerboard=yes"])
def test_agents_play_legal_moves_to_the_end(agent: str, spec: str) -> None:
    game, rng = plywise.game(spec), random.Random(2)
    engine = make(agent, game)
    for number in range(6):
        position = game.start()
        while not position.over:
            best = engine.search(position).best if position.turn == number % 2 else None
            position = position.play(best or rng.choice(position.legal))
    set_up = game.from_text(game.start().play(game.start().legal[0]).text)
    assert engine.search(set_up).best in set_up.legal


def test_the_mirror_without_an_image_takes_what_pays_most() -> None:
    game = plywise.game("align:size=5")
    #  1 x o . . .    c1 pays; the last move was in the middle column
    position = game.position("a1 b1 c5")
    assert make("mirror", game).search(position).best == "c1"


def test_the_reports_agent_can_be_stopped() -> None:
    engine = make("seed", GAME)
    found = engine.search(GAME.start(), plywise.Limits(time=0.0))
    assert found.best in GAME.start().legal
