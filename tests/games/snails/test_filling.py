"""Filling: the longest sequence of claims against brute force, and plans carried out."""

from __future__ import annotations

import random
from functools import cache

import pytest

import plywise
from plywise import Game, Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.snails.expert.evaluate import GAP, SMALL, gaps
from plywise.games.snails.expert.filling import Filling
from tests.oracle.snails import STEPS, Cell, Snails

Cells = frozenset[Cell]


def stops(own: Cells, empty: Cells, cell: Cell) -> list[tuple[str, Cell]]:
    """Where the four moves lead from a cell."""
    found = []
    for name, (right, up) in STEPS.items():
        beside = (cell[0] + right, cell[1] + up)
        if beside in own:
            while (beside[0] + right, beside[1] + up) in own:
                beside = (beside[0] + right, beside[1] + up)
        elif beside not in empty:
            continue
        found.append((name, beside))
    return found


def next_claims(own: Cells, empty: Cells, cell: Cell, limit: int) -> set[Cell]:
    """Every cell that can be claimed after at most so many slides."""
    claims: set[Cell] = set()
    seen, layer = {cell}, [cell]
    for _ in range(limit + 1):
        following = [stop for here in layer for _, stop in stops(own, empty, here)]
        claims |= {stop for stop in following if stop in empty}
        layer = [stop for stop in dict.fromkeys(following) if stop in own and stop not in seen]
        seen |= set(layer)
    return claims


def brute_force(own: Cells, empty: Cells, cell: Cell, limit: int) -> int:
    """The most claims, by trying every sequence of them."""

    @cache
    def most(own: Cells, empty: Cells, cell: Cell, limit: int) -> int:
        return max(
            (
                1 + most(own | {claim}, empty - {claim}, claim, GAP)
                for claim in next_claims(own, empty, cell, limit)
            ),
            default=0,
        )

    return most(own, empty, cell, limit)


def some_land(rng: random.Random, rows: int, cols: int, cells: int) -> str:
    """A board with so many empty cells at the most; X has a trail, the rest is O's."""
    every = [(row, col) for row in range(rows) for col in range(cols)]
    rng.shuffle(every)
    (snail, other), rest = every[:2], every[2:]
    letters = dict.fromkeys(every, "o")
    letters[snail], letters[other] = "X", "O"
    for cell in rest[:cells]:
        letters[cell] = "."
    for cell in rest[cells : cells + rng.randrange(3, 3 + len(every) // 2)]:
        letters[cell] = "x"
    lines = ["".join(letters[row, col] for col in range(cols)) for row in range(rows)]
    return "/".join(lines)


def compare(count: int, seed: int, rows: int, cols: int, cells: int) -> int:
    """Plans for random lands against brute force; how many had to leave cells out."""
    game = plywise.game(f"snails:rows={rows},cols={cols}")
    filling, rng, short = Filling(game), random.Random(seed), 0
    for _ in range(count):
        text = some_land(rng, rows, cols, cells)
        mover, quiet = rng.choice("xo"), rng.choice([0, 0, 0, 3, 14, 17, 18, 19])
        position = game.from_text(f"{text} {quiet} {mover}")
        plan = filling.plan(position, 0, Run(NO_LIMITS))
        lines = [line.split()[1:] for line in str(position).splitlines()[:-1]]
        letters = {
            (col, len(lines) - 1 - row): letter
            for row, line in enumerate(lines)
            for col, letter in enumerate(line)
        }
        own = frozenset(cell for cell, letter in letters.items() if letter in "xX")
        empty = frozenset(cell for cell, letter in letters.items() if letter == ".")
        (snail,) = (cell for cell, letter in letters.items() if letter == "X")
        s = position.state
        first = 19 - quiet if s.stuck[1] else gaps(quiet, int(s.turn != 0))
        claims = brute_force(own, empty, snail, first)
        assert plan.claims == claims, f"{position}\n{quiet} {mover}"
        assert plan.most >= brute_force(own, empty, snail, 19)
        if s.turn == 0 and not s.stuck[0]:
            bound = filled_by_rule(position)
            assert bound <= claims
        carry_out(plan.moves, own, empty, snail, claims)
        short += claims < len(empty)
        filling.ways = [{}, {}]
    return short


def filled_by_rule(position: Position) -> int:
    """What the search's quick rule claims."""
    s = position.state
    b = position.game.board
    first = gaps(int(s.quiet), 0)
    return int(SMALL.filled(b, s.own[0, 0], s.free[0], int(s.at[0]), first))


def carry_out(moves: tuple[int, ...], own: Cells, empty: Cells, cell: Cell, claims: int) -> None:
    """The moves are legal and claim what they promise."""
    for move in moves:
        cell = dict(stops(own, empty, cell))["urdl"[move]]
        if cell in empty:
            claims -= 1
            own, empty = own | {cell}, empty - {cell}
    assert claims == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "rows", "cols", "cells"),
    [(40, 4, 5, 8), (20, 6, 11, 7), pytest.param(150, 4, 5, 8, marks=pytest.mark.long)],
)
def test_filling_is_as_good_as_brute_force(count: int, rows: int, cols: int, cells: int) -> None:
    assert compare(count, 1, rows, cols, cells) > 2 * count // 15


@pytest.mark.long
@pytest.mark.parametrize(
    ("count", "rows", "cols", "cells"),
    [(1000, 4, 4, 6), (200, 4, 6, 9), (40, 5, 5, 11), (30, 6, 11, 10)],
)
def test_filling_is_as_good_as_brute_force_thousands_of_times(
    count: int, rows: int, cols: int, cells: int
) -> None:
    assert compare(count, 2, rows, cols, cells) > count // 20


def parted_positions(game: Game, count: int, seed: int) -> list[Position]:
    """From games in which nobody slides unless he must."""
    rng, filling = random.Random(seed), Filling(game)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        while not position.over:
            here = int(position.state.at[position.turn])
            grid = [line.split()[1:] for line in str(position).splitlines()[-2::-1]]
            cols = int(game.board.cols)
            steps = [int(game.board.step[move, here]) for move in position.legal_codes]
            claims = [
                move
                for move, cell in zip(position.legal_codes, steps, strict=True)
                if grid[cell // cols][cell % cols] == "."
            ]
            position = position.play_code(rng.choice(claims or position.legal_codes))
            if not position.over and filling.parted(position):
                found.append(position)
                break
    return found


@pytest.mark.parametrize("spec", ["snails:rows=5,cols=6", "snails:rows=9,cols=9"])
def test_a_plan_is_carried_out_whatever_the_other_does(spec: str) -> None:
    """The other slides whenever it can, to bring the end without a claim about."""
    game = plywise.game(spec)
    for position in parted_positions(game, 4, seed=1):
        for me in range(2):
            filling, run = Filling(game), Run(NO_LIMITS)
            promised = filling.plan(position, me, run).claims
            before = int(position.state.score[me])
            reference = as_reference(position)
            at_end = position
            while not at_end.over:
                if at_end.turn == me:
                    moves = filling.plan(at_end, me, run).moves
                    if not moves:
                        break
                    move = moves[0]
                else:
                    move = slide_if_possible(at_end)
                reference = reference.play("urdl"[move])
                at_end = at_end.play_code(move)
                assert at_end.text == reference.text()
            score = [int(points) for points in at_end.state.score]
            decided = at_end.over and score[me] > score[1 - me]
            assert score[me] == before + promised or decided


def as_reference(position: Position) -> Snails:
    rows, cols = int(position.game.board.rows), int(position.game.board.cols)
    lines = [line.split()[1:] for line in str(position).splitlines()[-2::-1]]
    letters = {(col, row): lines[row][col] for row in range(rows) for col in range(cols)}
    owner = {cell: letter.lower() for cell, letter in letters.items() if letter != "."}
    snail = {letter.lower(): cell for cell, letter in letters.items() if letter in "XO"}
    s = position.state
    return Snails(rows, cols, False, owner, snail, "xo"[int(s.turn)], int(s.quiet))


def slide_if_possible(position: Position) -> int:
    claims = [
        position.play_code(move).state.left < position.state.left for move in position.legal_codes
    ]
    return position.legal_codes[claims.index(False) if False in claims else 0]


def test_gaps() -> None:
    """Slides that fit before the 20th ply without a claim, with the other sliding, too."""
    for quiet in range(20):
        for waits in range(2):
            plies = quiet + waits
            slides = 0
            while plies + 2 <= 19:  # a slide, and the other's
                plies += 2
                slides += 1
            assert gaps(quiet, waits) == (slides if plies <= 19 else -1)
    assert gaps(0, 1) == GAP
