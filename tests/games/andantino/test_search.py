"""Andantino's solver, expert and agents: against plain minimax, and against counting by hand."""

from __future__ import annotations

import itertools
import random
import re

import numpy as np
import pytest

import plywise
from plywise import Limits, Position
from plywise.core.scene import scene_of
from plywise.engines import make
from plywise.games.andantino import agents, rules
from plywise.games.andantino.definition import symmetries
from plywise.games.andantino.expert import HELD_SHARE, Expert
from plywise.games.andantino.solver import Solver
from tests.levels import sampled
from tests.oracle.andantino import WAYS, Andantino, Cell
from tests.oracle.minimax import margins

GAME = plywise.game("andantino")
FOUR = "j10 i11 j11 i10 j9 i9"  #: black to move has three in a line, and white too


def middle_games(spec: str, count: int, seed: int, plies: tuple[int, int]) -> list[Position]:
    """Random games in which threats are mostly answered, so that wins lie deeper."""
    game, rng = plywise.game(spec), random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(rng.randrange(*plies)):
            if position.over:
                break
            number, cell = rules.winning(game.board, position.state, 1 - position.turn)
            answer = number and rng.random() < 0.7
            position = position.play_code(int(cell) if answer else rng.choice(position.legal_codes))
        if not position.over:
            found.append(position)
    return found


def agree_with_minimax(spec: str, count: int, depth: int) -> None:
    game = plywise.game(spec)
    solver, expert = Solver(game, memory=8.0), make("expert", game)
    minimax = make(f"textbook:heuristic=seed,depth={depth}", game)
    decided = 0
    for position in middle_games(spec, count, seed=depth, plies=(6, 26)):
        known = minimax.search(position)
        found = solver.solve(position, Limits(depth=depth))
        assert (found.outcome, found.plies_to_end) == (known.outcome, known.plies_to_end), position
        looked = expert.search(position, Limits(depth=depth + 6))
        if known.outcome is not None:
            decided += 1
            assert looked.outcome == known.outcome
            end = position
            for move in found.pv:
                end = end.play(move)
            assert len(found.pv) == found.plies_to_end
            assert (
                end.winner == (position.turn if found.outcome == "win" else 1 - position.turn) + 1
            )
        if looked.outcome is not None:
            decided_deeper = solver.solve(position, Limits(nodes=300_000)).outcome
            assert decided_deeper in (None, looked.outcome)
    assert decided >= count // 20  # or the sample says little


@pytest.mark.parametrize(
    "spec", ["andantino:side=4", pytest.param("andantino", marks=pytest.mark.slow)]
)
def test_the_solver_and_the_expert_find_what_minimax_finds(spec: str) -> None:
    agree_with_minimax(spec, 30, 4)


@pytest.mark.slow
@pytest.mark.parametrize("spec", sampled(["andantino:side=4", "andantino:side=6", "andantino"], 3))
def test_they_do_so_deeper(spec: str) -> None:
    agree_with_minimax(spec, 40, 6)


@pytest.mark.parametrize(
    ("moves", "plies"),
    [
        ("j10 i11 j11 k10 k9 k11 j9 l9 i10 h11 h12 i9 g12 l10", 5),
        ("j10 k9 j9 i10 i9 k10 k8 i11 j8 l9 h10 l8", 7),
        ("j10 k10 j11 k9 j9 i11 i10 i9", 9),
        ("j10 i11 j11 k10 k11 i12 l10 h12", 9),
        ("j10 j11 i11 i10 i12 h11 j12 h12 i13 j13", 11),
    ],
)
def test_forced_wins_and_their_sequences(moves: str, plies: int) -> None:
    position = GAME.position(moves)
    found = plywise.solve(position, Limits(nodes=400_000))
    assert (found.outcome, found.plies_to_end, len(found.pv)) == ("win", plies, plies)
    for move in found.pv:
        position = position.play(move)
    assert position.winner == 1


def test_images_share_what_is_known_but_not_their_moves() -> None:
    """The table knows a position in all its images; the move must be that of the one asked."""
    solver = Solver(GAME, memory=8.0)
    moves = GAME.split_moves("j10 k10 j11 k9 j9 i11 i10 i9")
    codes = [GAME.position(moves[:ply]).code_of(move) for ply, move in enumerate(moves)]
    for image in symmetries(GAME.board):
        position = GAME.start()
        for code in codes:
            position = position.play_code(image[code])
        found = solver.solve(position, Limits(nodes=400_000))
        assert (found.outcome, found.plies_to_end, len(found.pv)) == ("win", 9, 9)
        for move in found.pv:
            position = position.play(move)
        assert position.winner == 1


#: On a board of side 4: black's last stone would have to go into white's ring.
LAST_STONE = (
    "j10 j11 k10 k11 k9 j9 l9 i10 k8 j8 l10 m9 j12 k7 m10 l7 l8 m8 m7 j7 k12 i12 i8 i9 h9 h10 g10 "
    "h11 g11 i11 l11 g12 i13 h13"
)


def test_the_last_stone_may_have_to_go_into_the_other_ring() -> None:
    game = plywise.game("andantino:side=4")
    before = game.position(LAST_STONE)
    assert margins(before) == {"h12": -1, "g13": 0, "j13": -1}
    found = plywise.solve(before)
    assert (found.outcome, found.best) == ("draw", "g13")
    lost = plywise.solve(before.play("j13"))
    assert (lost.outcome, lost.plies_to_end, lost.pv) == ("win", 2, ("g13", "h12"))


def test_a_draw_is_proved_where_the_board_fills() -> None:
    game = plywise.game("andantino:side=4")
    moves = (
        "j10 j11 i11 i12 i10 h12 k10 h13 j9 k9 i9 k11 g13 h10 g12 i13 k8 h11 h9 l9 i8 j12 l8 k12 "
        "l10 m8 l11 m10 m7 l7 j8"
    )
    assert plywise.solve(game.position(moves)).outcome == "draw"


def test_no_answer_in_time_is_no_outcome() -> None:
    found = plywise.solve(GAME.position("j10 k10 j11"), Limits(nodes=2000), book=False)
    assert (found.outcome, found.best in GAME.position("j10 k10 j11").legal) == (None, True)


def test_black_has_no_quick_win_from_the_triangle() -> None:
    found = plywise.solve(GAME.position("j10 k10 j11"), Limits(depth=16))
    assert found.outcome is None


def test_the_expert_takes_a_win() -> None:
    """Without any time, too: what is near takes few nodes."""
    won = GAME.position("j10 i11 j11 i10 j9 i9 j8 i12")
    assert make("auto", GAME).search(won, Limits(time=0.0)).best == "j12"


def test_a_win_is_looked_for_as_long_as_there_is_hope() -> None:
    expert = Expert(GAME, time=0.0, memory=8.0)  # only the nodes that no clock cuts short
    expert.search(GAME.position("j10 j9 k9 k8 l8 k10 l9 l10 l7"))  # black is well ahead
    assert expert.share == 0.0
    expert.search(GAME.position(FOUR))  # black wins
    assert expert.share == HELD_SHARE


def test_the_same_limit_gives_the_same_result() -> None:
    position = GAME.position("j10 k10 j11 k9 i11 k11")
    one, two = (make("expert", GAME).search(position, Limits(nodes=20_000)) for _ in range(2))
    assert (one.best, one.score, one.pv, one.nodes) == (two.best, two.score, two.pv, two.nodes)


def test_every_move_has_a_line() -> None:
    position = GAME.position(FOUR)
    analysis = make("expert", GAME).search(position, Limits(depth=3), lines=True)
    assert [line.move for line in analysis.lines] == list(position.legal)


# ---- the paper's agents ---------------------------------------------------------------------


def count_chains(stones: dict[Cell, str], board: Andantino, player: str, length: int) -> int:
    """Rows of just so many stones with room for five, found by walking."""
    number = 0
    for (q, r), owner in stones.items():
        for dq, dr in WAYS[:3]:

            def at(i: int, q: int = q, r: int = r, dq: int = dq, dr: int = dr) -> str | None:
                cell = (q + i * dq, r + i * dr)
                return stones.get(cell, ".") if board.on_board(cell) else None

            if owner != player or at(-1) == player:
                continue
            row = 0
            while at(row) == player:
                row += 1
            ahead, behind = row, -1
            while at(ahead) in (player, "."):
                ahead += 1
            while at(behind) in (player, "."):
                behind -= 1
            number += row == length and ahead - behind - 1 >= 5
    return number


@pytest.mark.slow
def test_leaves_are_those_of_the_report() -> None:
    for position in middle_games("andantino", 12, seed=3, plies=(4, 24)):
        stones = Andantino()
        for move in position.moves:
            stones = stones.play((ord(move[0]) - ord("j"), int(move[1:]) - 10))
        for player, letter in enumerate("xo"):
            counts = [count_chains(stones.stones, stones, letter, n) for n in (2, 3, 4)]
            for length, count in enumerate(counts):
                only = tuple(float(place in (3 * length, 3 * length + 1)) for place in range(10))
                assert agents.patterns(GAME.board, position.state, player, only) == count
            value = agents.own_chains(GAME.board, position.state, player)
            assert value == counts[0] + 10 * counts[1] + 100 * counts[2]
            stones.mover = letter
            rings = [cell for cell in stones.legal() if stones.play(cell).caught(letter)]
            assert agents.ring_cells(GAME.board, position.state, player) == len(rings)


def test_seed_plays_the_moves_of_minimax() -> None:
    plain = make("minimax:heuristic=seed,depth=2", GAME)
    for position in middle_games("andantino", 6, seed=4, plies=(4, 24)):
        assert make("seed", GAME).search(position).best == plain.search(position).best


def count_patterns(board: Andantino, player: str) -> list[int]:
    """Open, half-open and broken rows of two, three and four, from the lines written as text."""
    counts = [0] * 9
    for dq, dr in WAYS[:3]:
        for q, r in board.cells():
            if board.on_board((q - dq, r - dr)):
                continue  # not the first cell of a line
            line, cell = "#", (q, r)
            while board.on_board(cell):
                line += board.stones.get(cell, ".")
                cell = (cell[0] + dq, cell[1] + dr)
            for stretch in re.findall(f"[{player}.]{{5,}}", line):
                rows = [
                    (found.start(), found.end()) for found in re.finditer(player + "+", stretch)
                ]
                for start, end in rows:
                    if end - start > 1:
                        half = start == 0 or end == len(stretch)
                        counts[3 * (end - start - 2) + half] += 1
                for (start, end), (second, last) in itertools.pairwise(rows):
                    if second - end == 1:
                        stones = min(4, end - start + last - second)
                        counts[3 * (stones - 2) + 2] += 1
    return counts


def test_open_half_open_and_broken_rows() -> None:
    game, rng = plywise.game("andantino:side=6"), random.Random(5)
    cells = Andantino(6).cells()
    seen = [0] * 9
    for _ in range(20):  # boards full of stones, as no game leaves them
        board = Andantino(6, {cell: rng.choice("xo") for cell in cells if rng.random() < 0.6})
        states = np.zeros(1, game.type.state)
        rules.setup(game.board, states[0])
        for cell, owner in board.stones.items():
            rules.place(game.board, states[0], "xo".index(owner), cells.index(cell))
        for player, letter in enumerate("xo"):
            if board.line(letter):
                continue
            counts = count_patterns(board, letter)
            seen = [one + two for one, two in zip(seen, counts, strict=True)]
            for place, count in enumerate(counts):
                only = tuple(float(place == other) for other in range(10))
                assert agents.patterns(game.board, states[0], player, only) == count
    assert all(seen), seen  # or the sample says little


# ---- words and pictures ----------------------------------------------------------------------


def said(position: Position, move: str) -> list[str]:
    reasons = position.game.type.words.reasons
    assert reasons is not None
    return list(reasons(position.game.board, position.state, position.code_of(move)))


def test_reasons() -> None:
    won = GAME.position("j10 i11 j11 i10 j9 i9 j8 i12")
    assert said(won, "j12") == ["wins at once, with five in a line"]
    ring = GAME.position("j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11")
    assert said(ring, "g11") == ["wins at once, with a ring round i10 and h11"]
    four = GAME.position("j10 i11 j11 i10 j9 i9 j8 h11 i12")
    assert "stops five in a line at j12" in said(four, "j12")


def test_the_end_is_shown() -> None:
    ring = scene_of(GAME.position("j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11"))
    names = {shape.id for shape in ring.shapes}
    assert {"enclosed i10", "enclosed h11", "banner"} <= names
    walls = {
        shape.id for shape in ring.shapes if "winning" in shape.roles and "stone" in shape.roles
    }
    assert walls == {f"piece {c}" for c in ("j10", "j9", "i9", "h10", "i11", "h12", "g12", "g11")}
    line = scene_of(GAME.position("j10 i11 j11 i10 j9 i9 j8 i12 j12"))
    assert sum("winning" in shape.roles and "stone" in shape.roles for shape in line.shapes) == 5
