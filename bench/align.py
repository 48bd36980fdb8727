"""Align: exact results without the book, how fast `auto` answers, and that nobody beats it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.engine import Engine
from plywise.core.position import Position
from plywise.games.align.solver import Solver
from plywise.play.players import SEEDS, Player
from plywise.play.series import random_opening

#: Boards, with the first player's margin.
BOARDS = {"align": -24, "align:checkerboard=yes": -27}
#: Filled cells, and the seconds within which such a position must be solved.
WITHIN = {9: 10.0, 14: 1.0}
MEGABYTES = 1024.0  #: the most memory that a process may use for it
POSITIONS, QUICK_POSITIONS = 10, 2
MOVE_TIME = 1.0  #: seconds per move, the default of a game

#: The opponents of `auto`: every kind of agent, at small limits.
OTHERS = ("random", "mirror", "seed", "alphabeta:depth=3", "mcts:playouts=200")
OTHER_TIME = 0.05  #: their seconds per move
#: Games with `auto` as first and as second player; more as second, which is harder.
GAMES, QUICK_GAMES = (20, 200), 2
LONGEST_OPENING = 4  #: random plies before a game; the perfect result depends on them
SEED = 36


def solve(quick: bool) -> Iterator[Row]:
    """Solve positions without the book, then let `auto` play itself."""
    for spec in BOARDS:
        for filled, within in WITHIN.items():
            yield from _solve_without_book(spec, filled, within, quick)
    for spec, value in BOARDS.items():
        yield _perfect_game(spec, value)


def _solve_without_book(spec: str, filled: int, within: float, quick: bool) -> Iterator[Row]:
    game, rng = plywise.game(spec), random.Random(SEED)
    count = QUICK_POSITIONS if quick else POSITIONS
    positions = [random_opening(game, filled, rng).moves for _ in range(count)]
    solved, megabytes = _in_a_process(spec, [game.join_moves(moves) for moves in positions])
    seconds = [each["seconds"] for each in solved]
    yield Row(
        f"{spec}, {filled} filled cells, {count} positions",
        f"mean {Quantity(sum(seconds) / count, 's')}",
        "the longest",
        Quantity(max(seconds), "s"),
        at_most=within,
        right=all(each["outcome"] for each in solved),
    )
    yield Row("... memory of the process", "", "", Quantity(megabytes, "MB"), at_most=MEGABYTES)


def _in_a_process(spec: str, games: list[str]) -> tuple[list[dict[str, float]], float]:
    """Run `plywise solve --no-book`; return its answers and the most megabytes it used."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "positions"), Path(folder, "out")
        file.write_text("\n".join(games))
        command = [sys.executable, "-m", "plywise", "solve", spec, "--no-book", "--json"]
        with out.open("w") as into:
            process = subprocess.Popen([*command, "--positions", str(file)], stdout=into)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        lines = out.read_text().splitlines()
    return [json.loads(line) for line in lines], used.ru_maxrss / 1024


def _perfect_game(spec: str, value: int) -> Row:
    game = plywise.game(spec)
    engine = plywise.engine("auto", game)
    engine.search(game.start(), plywise.Limits(time=MOVE_TIME))  # compiles
    position, longest = game.start(), 0.0
    while not position.over:
        found = engine.search(position, plywise.Limits(time=MOVE_TIME))
        longest = max(longest, found.seconds)
        assert found.best is not None
        position = position.play(found.best)
    return Row(
        f"{spec}, `auto` against itself, {MOVE_TIME:g} s a move",
        f"{position.margin:+d} for the first",
        f"{value:+d}",
        Quantity(longest, "s"),
        at_most=MOVE_TIME,
        right=position.margin == value,
    )


def never_worse(quick: bool) -> Iterator[Row]:
    """Play each opponent, with `auto` as second and as first."""
    game = plywise.game("align")
    auto, solver = plywise.engine("auto", game), Solver(game)
    for other in OTHERS:
        for seat in (1, 0):
            rng, margins = random.Random(f"{SEED} {other} {seat}"), []
            for _ in range(QUICK_GAMES if quick else GAMES[seat]):
                opening = random_opening(game, rng.randrange(LONGEST_OPENING + 1), rng)
                final = _game(opening, auto, other, seat, rng)
                exact = solver.solve(opening).score * (1 if opening.turn == seat else -1)
                margins.append(final - exact)
            yield Row(
                f"{other}, `auto` as {'second' if seat else 'first'}, {len(margins)} games",
                f"{sum(margins) / len(margins):+.1f} on average",
                "the worst",
                Quantity(min(margins), "points"),
                at_least=0,
            )


def _game(position: Position, auto: Engine, other: str, seat: int, rng: random.Random) -> int:
    """Play a game with `auto` in this seat, without a time limit; return its final margin."""
    player = Player(other, position.game, usual=OTHER_TIME)
    player.sit_down(2 - seat, rng.randrange(SEEDS))
    while position.margin is None:
        if position.turn == seat:
            best = auto.search(position).best
            assert best is not None
            position = position.play(best)
        else:
            position = position.play_code(
                player.choose(position, plywise.Limits(time=OTHER_TIME))[0]
            )
    return position.margin if seat == 0 else -position.margin


ALIGN = Bench(
    "align",
    "Align: exact results of 6x6",
    "`plywise solve --no-book` in its own process, on random positions, all cores. Then "
    "`auto` against itself from the empty board, with the book.",
    "",
    solve,
)
NEVER_WORSE = Bench(
    "align-perfect",
    "Align: `auto` against every kind of agent",
    "Games after a random opening of up to four plies. The result is the final margin of `auto` "
    "minus the exact one of the opening: what the opponent gave away.",
    "",
    never_worse,
)
