"""The Snails expert: nodes per second with its full evaluation, time limits, and memory."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.engine import unguarded
from plywise.core.position import Position
from plywise.games.snails.expert import Expert
from plywise.games.snails.expert.search import Searcher

#: Boards, and their target in nodes per second in the middle game.
BOARDS = {"snails": 1e6, "snails:rows=12,cols=12": None}
POSITIONS = 12
NODES = 1_000_000  #: searched from each
OPEN = plywise.Limits(nodes=NODES)  #: a limit that must not decide a measured position
MOVE = 0.3  #: seconds per move of a game on the clock
LATE = 0.05  #: ... and how late a move may be
GROWN = 8.0  #: megabytes that a game may use besides the table of proofs


def middle_games(game: plywise.Game, count: int) -> list[Position]:
    """Return positions a third of the way into the expert's games against itself.

    The first plies are partly random. Positions that a million nodes decide are left out: there
    the search would end at once.
    """
    searcher = Searcher(game, 8.0)
    rng = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        while not position.over and 3 * int(position.state.left) > 2 * int(game.board.cells):
            if len(position.moves) < 6 and rng.random() < 0.5:
                position = position.play_code(rng.choice(position.legal_codes))
            else:
                best = searcher.search(position, plywise.Limits(depth=5)).best
                assert best is not None
                position = position.play(best)
        if not position.over and searcher.search(position, OPEN).outcome is None:
            found.append(position)
    return found


def speed(spec: str, target: float | None, quick: bool) -> Row:
    """Measure nodes per second of one thread, in processor time."""
    game = plywise.game(spec)
    searcher = Searcher(game, 32.0)
    nodes, seconds = 0, 0.0
    for position in middle_games(game, POSITIONS // 3 if quick else POSITIONS):
        started = time.process_time()
        found = searcher.search(position, OPEN)
        seconds += time.process_time() - started
        nodes += found.nodes
    return Row(
        f"nodes per second, {game.board.rows} x {game.board.cols}",
        f"{nodes / 1e6:.1f} M nodes",
        "",
        Quantity(nodes / seconds, "nodes/s"),
        at_least=target,
    )


def on_the_clock(spec: str, quick: bool) -> Iterator[Row]:
    """Let the expert play itself: its slowest move, and memory from move 10 to the end."""
    game = plywise.game(spec)
    expert = unguarded(plywise.engine("expert", game))
    assert isinstance(expert, Expert)
    position, limits = game.start(), plywise.Limits(time=0.05 if quick else MOVE)
    expert.search(position, limits)
    slowest, grown, moves = 0.0, 0, 0
    while not position.over:
        started = time.perf_counter()
        best = expert.search(position, limits).best
        slowest = max(slowest, time.perf_counter() - started)
        assert best is not None
        position = position.play(best)
        moves += 1
        if moves == 10:
            grown = _memory()
    proofs = 0.0 if expert.solver is None else expert.solver.table.nbytes / 1e6
    size = f"{game.board.rows} x {game.board.cols}"
    yield Row(
        f"slowest of {moves} moves at {Quantity(limits.time or 0.0, 's')}, {size}",
        "",
        "",
        Quantity(slowest, "s"),
        at_most=(limits.time or 0.0) + LATE,
    )
    yield Row(
        f"memory used from move 10 to the end of a game of {moves} moves, {size}",
        "",
        "",
        Quantity((_memory() - grown) / 1024, "MB"),
        at_most=GROWN + proofs,
    )


def _memory() -> int:
    """Return the peak memory of this process, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def rows(quick: bool) -> Iterator[Row]:
    """Measure the speed, then games on the clock."""
    for spec, target in BOARDS.items():
        yield speed(spec, target, quick)
    for spec in BOARDS:
        yield from on_the_clock(spec, quick)


SNAILS = Bench(
    "snails",
    "The Snails expert",
    "One thread, processor time; positions of the middle game, a third of the cells claimed; "
    "every node is evaluated in full. Then games against itself on the clock.",
    "",
    rows,
)
