"""Learned evaluations: from the rules alone, against exact values and against other engines.

Each takes minutes, so each runs only if it is named. `PLYWISE_NETS=FOLDER` keeps the nets that are
learned here, and the next run measures them without learning them again.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.examples.peers import FOLDER as FOLDER_OF_GAMES
from tests.examples.peers import PEERS, Peer, cell

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.analysis import Analysis, Limits, Stop
from plywise.core.engine import Engine
from plywise.core.game import Game, Record, Rules, Verb
from plywise.core.position import Position
from plywise.engines import make
from plywise.engines.alphabeta import AlphaBeta, search_of
from plywise.engines.net import Net
from plywise.engines.net.weights import NONE, shipped_file
from plywise.jit import kernel
from plywise.learn.learner import Learner, Round, Settings
from plywise.learn.strength import player_of
from plywise.play.grade import Labelled, labelled
from plywise.play.series import openings, play_series, random_opening
from plywise.play.statistics import Pairs, Share, Sprt

FOLDER = "PLYWISE_NETS"
OnNet = Callable[[float, Net], None]
SEED = 2026  #: of the openings and positions below, which nothing was tuned on
MINUTES, CLASSIC_MINUTES, QUICK_MINUTES = 10.0, 5.0, 0.5


def bare(rules: Rules) -> Rules:
    """Return the seven functions that every game has, and nothing that knows more."""
    needed = (rules.setup, rules.moves, rules.play, rules.turn, rules.over, rules.margin, rules.key)
    return Rules(*needed)


def learned(
    game: Game, minutes: float, unseen: Iterable[int] = (), on_net: OnNet | None = None
) -> Net:
    """Learn a net from the rules alone, or take it from the folder; `unseen` are keys.

    `on_net` is called with the minutes and the net, each time it has learned twice as long.
    """
    kept = os.environ.get(FOLDER)
    file = None if kept is None else Path(kept) / f"{game.name}-{minutes:g}.npz"
    if file is not None and file.exists():
        return Net.load(file, game)
    learner = Learner(game, Settings(), rules=bare(game.rules), unseen=unseen)
    marks = [minutes * 0.5**k for k in range(5, 0, -1)]

    def on_round(last: Round) -> None:
        if on_net is not None and marks and last.seconds >= 60 * marks[0]:
            on_net(marks.pop(0), learner.net())

    learner.run(seconds=60 * minutes, on_round=on_round)
    net = learner.net()
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(net.to_bytes())
    return net


# ---- Connect-4, against exact values -------------------------------------------------------------


@kernel
def one_ply_kernel(
    moves: Verb, play: Verb, turn: Verb, over: Verb, margin: Verb, evaluate: Verb
) -> Verb:
    """Choose the move after which the evaluation is best, looking no further than that."""

    def one_ply(board: Record, positions: Record, s: Record, out: Record, best: Record) -> None:
        b = board[0]
        for i in range(positions.size):
            s[0] = positions[i]
            me = turn(b, s[0])
            top = -(1 << 60)
            for k in range(moves(b, s[0], out)):
                s[1] = s[0]
                play(b, s[1], out[k])
                if over(b, s[1]):
                    value = (margin(b, s[1]) if me == 0 else -margin(b, s[1])) << 40
                else:
                    value = evaluate(b, s[1]) if turn(b, s[1]) == me else -evaluate(b, s[1])
                if value > top:
                    top = value
                    best[i] = k

    return one_ply


def keys_of(game: Game, asked: Sequence[Labelled]) -> Iterator[int]:
    """Yield the keys of positions and of their images: the net takes these for the same."""
    images = game.type.strength.symmetries
    assert images is not None
    for turned in images(game.board):
        for one in asked:
            here = there = game.start()
            for text in one.moves:
                move = here.legal_codes[here.legal.index(text)]
                here, there = here.play_code(move), there.play_code(int(turned[move]))
            yield int(there.key)


def kept_at_one_ply(net: Net, asked: Sequence[Labelled]) -> float:
    """Return the share of value-preserving moves."""
    game = net.game
    stage = net.stage(bare(game.rules))
    states = [game.position(list(one.moves)).states for one in asked]
    best = np.zeros(len(asked), np.int64)
    scratch = np.zeros(2, stage.state), np.zeros(game.max_moves, np.int32)
    positions = stage.lift(np.concatenate(states))
    one_ply_kernel.build(stage.rules)(stage.boards, positions, *scratch, best)
    right = [one.values[move] == one.best for one, move in zip(asked, best, strict=True)]
    return sum(right) / len(right)


def connect4_rows(quick: bool) -> Iterator[Row]:
    """Learn Connect-4, and grade the evaluation with one ply of search."""
    minutes, count = (QUICK_MINUTES, 1000) if quick else (MINUTES, 10_000)
    game = plywise.game("connect4")
    asked = labelled(game, count, SEED, (4, 30))
    curve: list[str] = []

    def on_net(after: float, net: Net) -> None:
        curve.append(f"{kept_at_one_ply(net, asked):.1%} after {after:.1f}")

    net = learned(game, minutes, keys_of(game, asked), on_net)
    share = 100 * kept_at_one_ply(net, asked)
    if curve:
        print("value kept:", ", ".join(curve), "minutes", file=sys.stderr)
    yield Row(
        f"{minutes:g} minutes, {net.about['games']:,} games, {count:,} positions",
        f"{share:.1f} % value kept at one ply",
        "86 % wanted",
        Quantity(share, "%"),
        at_least=86.0,
        right=None if quick else True,
    )


# ---- classic games, against a blind search and OpenSpiel -----------------------------------------

HEX = Peer("hex(board_size=7)", lambda state, action: cell(action, 7))
CLASSICS = {"othello": PEERS["othello"], "hex": HEX, "breakthrough": PEERS["breakthrough"]}
SIMULATIONS = 10_000


def classics_rows(quick: bool) -> Iterator[Row]:
    """Learn three games from their rules, and play."""
    minutes, pairs = (QUICK_MINUTES, 4) if quick else (CLASSIC_MINUTES, 25)
    for name, peer in CLASSICS.items():
        game = plywise.game(f"{FOLDER_OF_GAMES / name}.py")
        net = learned(game, minutes)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "net.npz"
            file.write_bytes(net.to_bytes())
            starts = openings(game, pairs, 4, SEED)
            agents = f"auto:net={file}", "alphabeta:heuristic=none"
            blind = play_series(game, *agents, starts, limits=Limits(time=0.1)).share
        yield row(f"{game.type.title}, alphabeta without evaluation, 0.1 s", blind, 95.0, quick)
        spiel = against_openspiel(net, peer, max(2, pairs // 5))
        yield row(f"{game.type.title}, OpenSpiel's MCTS, equal time", spiel, 60.0, quick)


def row(what: str, share: Share, wanted: float, quick: bool) -> Row:
    """Return a row with the points of the net."""
    points = Quantity(100 * share.value, "%")
    return Row(
        what,
        f"{share.points:g} of {share.count}",
        "",
        points,
        at_least=wanted,
        right=None if quick else True,
    )


def against_openspiel(net: Net, peer: Peer, pairs: int) -> Share:
    """Play OpenSpiel's own bot on its own game; each move has the time that its last one took."""
    import pyspiel

    from bench.openspiel import mcts_bot

    theirs, game = pyspiel.load_game(peer.load), net.game
    engine = AlphaBeta(game, net=net)
    points, games = 0.0, 0
    for number, start in enumerate(openings(game, pairs, 4, SEED + 1)):
        for side in range(2):
            bot = mcts_bot(theirs, SIMULATIONS, seed=number)
            state = theirs.new_initial_state()
            for text in start.moves:
                state.apply_action(_action(peer, state, text))
            position, spent = start, 0.5
            while not position.over:
                if position.turn == side:
                    best = engine.search(position, Limits(time=spent)).best or ""
                    action = _action(peer, state, best)
                else:
                    begun = time.perf_counter()
                    action = bot.step(state)
                    spent = time.perf_counter() - begun
                    best = peer.text(state, action)
                position = position.play(best)
                state.apply_action(action)
            assert state.is_terminal()
            assert state.returns()[0] == np.sign(position.margin or 0)
            points += 0.5 if position.winner == 0 else float(position.winner == side + 1)
            games += 1
    return Share(points, games)


def _action(peer: Peer, state: Any, text: str) -> int:
    """Return their number of a move."""
    return next(action for action in state.legal_actions() if peer.text(state, action) == text)


# ---- shipped nets, against the evaluations written by hand ---------------------------------------

TIME = 0.05  #: seconds for a move
WORTH = {"win": 1.0, "draw": 0.5, "loss": 0.0}
#: An opening is even if a search of JUDGE seconds proves no result and estimates at most EVEN for
#: either side, on a scale from -1 to 1. A short search drops those beyond UNEVEN first.
EVEN, JUDGE = 0.15, 0.3
UNEVEN, GLANCE = 0.4, 5000  #: GLANCE is in nodes


class Shipped(NamedTuple):
    """A board with a net, and how it is measured."""

    spec: str
    plies: tuple[int, ...]  #: of an opening
    pairs: int  #: of games in the same search, and half as many with proofs
    wanted: float = 55.0  #: per cent in the same search


SHIPPED = (
    Shipped("andantino", (7, 8, 9, 10), 100, 64.0),
    Shipped("snails:rows=12,cols=12", (8, 9, 10, 11, 12), 50, 64.0),
    Shipped("connect4:rows=7,cols=8", (6, 7), 50),
    Shipped("connect4:cols=9", (6, 7), 50),
    Shipped("connect4:rows=8", (6, 7), 50),
    Shipped("tictactoe:rows=15,k=5", (6, 7), 50),
)
Search = Callable[..., Analysis]


def even_openings(
    game: Game, judges: Sequence[Engine], plies: Sequence[int], seed: int
) -> Iterator[Position]:
    """Yield openings that are even to the experts with either evaluation, proofs included."""

    def even(judge: Engine, position: Position, limits: Limits, most: float) -> bool:
        found = judge.search(position, limits)
        return found.outcome is None and abs(found.value) <= most

    for number in itertools.count():
        rng = random.Random(f"even {seed} {number}")
        position = random_opening(game, rng.choice(plies), rng)
        looks = ((Limits(nodes=GLANCE), UNEVEN), (Limits(time=JUDGE), EVEN))
        if all(even(judge, position, *look) for look in looks for judge in judges):
            yield position


def plain_search(search: AlphaBeta, position: Position, limits: Limits) -> Analysis:
    """Search by alpha-beta alone, whatever an expert adds to it."""
    return AlphaBeta.think(search, position, limits, None, Stop(), lines=False)


def pair(start: Position, searches: Sequence[Search]) -> float:
    """Play a game from each side, until its result is proved; return the points of the first."""
    points = 0.0
    for side in range(2):
        position, worth = start, None
        while worth is None and not position.over:
            first = position.turn == side
            found = searches[0 if first else 1](position, Limits(time=TIME))
            if found.outcome is not None:
                worth = WORTH[found.outcome] if first else 1.0 - WORTH[found.outcome]
            position = position.play(found.best or "")
        if worth is None:
            worth = 0.5 if position.winner == 0 else float(position.winner == side + 1)
        points += worth
    return points


def shipped_rows(quick: bool) -> Iterator[Row]:
    """Play the nets against the hand-written evaluations in the same search, at equal time."""
    test = Sprt.parse("0,100")
    for each in SHIPPED[:1] if quick else SHIPPED:
        game = plywise.game(each.spec)
        name = player_of(game)
        experts = [make(f"{name}:net={net}", game) for net in (shipped_file(game), NONE)]
        count = 4 if quick else each.pairs
        starts = list(itertools.islice(even_openings(game, experts, each.plies, SEED), count))
        whole = [engine.search for engine in experts]
        ways = [
            (
                "the same search",
                [partial(plain_search, search_of(engine)) for engine in experts],
                each.wanted,
            )
        ]
        if name != "alphabeta":
            ways.append(("with proofs", whole, 50.0))
        for what, searches, wanted in ways:
            some = starts[: len(starts) // 2] if searches is whole else starts
            points = [pair(start, searches) for start in some]
            verdict = test.verdict(Pairs.of(points))
            share = Share(sum(points), 2 * len(points))
            what = f"{each.spec}, {what}, {TIME:g} s, SPRT 0,100: {verdict}"
            yield row(what, share, wanted, quick)


LEARN_CONNECT4 = Bench(
    "learn-connect4",
    "Connect-4 learned from its rules",
    "Ten minutes of games against itself, without any evaluation written by hand; then one ply of "
    "search in positions with exact values, none of them learned from.",
    "wanted",
    connect4_rows,
    only_named=True,
)
LEARN_CLASSICS = Bench(
    "learn-classics",
    "Three classic games learned from their rules",
    "Five minutes of games against itself each; then games from random openings, each played from "
    "both sides.",
    "opponent",
    classics_rows,
    needs="pyspiel",
    only_named=True,
)
LEARNED = Bench(
    "learned",
    "Shipped nets against evaluations by hand",
    "The same search with the net and with the evaluation that it replaces, at equal time, from "
    "openings that both call even, each played from both sides.",
    "by hand",
    shipped_rows,
    only_named=True,
)
