"""Random games: many of them counted, or a single one with every state on record."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plywise.core.analysis import Stop
from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.jit import kernel
from plywise.jit.rng import below, generator


class Tally(NamedTuple):
    """How random games ended, and how many moves they took together."""

    first: int  #: won by player 1, who is number 0 in the rules
    draws: int
    second: int
    plies: int


class Walk(NamedTuple):
    """A random game: its moves, and the states from the one it began with to the last."""

    moves: np.ndarray[Any, Any]  # [plies]
    states: np.ndarray[Any, Any]  # [plies + 1]


def playouts(position: Position, count: int, seed: int = 0, stop: Stop | None = None) -> Tally:
    """Play so many games at random; fewer if stopped."""
    loop = playout_kernel.build(position.game.rules)
    states = position.states.repeat(2)
    out = np.zeros(position.game.max_moves, np.int32)
    tally = np.zeros(len(Tally._fields), np.int64)
    rng, run = generator(seed), Run(NO_LIMITS, stop)
    boards = position.game.boards
    run.call([lambda: loop(boards, states, out, rng, count, tally, run.stop, run.halt)])
    return Tally(*tally.tolist())


def walk(position: Position, seed: int = 0, compiled: bool = True) -> Walk:
    """Play one random game, compiled or interpreted: the same in both ways."""
    game = position.game
    loop = (walk_kernel.build if compiled else walk_kernel.plain)(game.rules)
    states = np.zeros(game.max_plies + 1, game.type.state)
    states[0] = position.state
    out = np.zeros(game.max_moves, np.int32)
    played = np.zeros(game.max_plies, np.int32)
    plies = loop(game.boards, states, out, generator(seed), played)
    return Walk(played[:plies], states[: plies + 1])


@kernel
def playout_kernel(moves: Verb, play: Verb, over: Verb, margin: Verb) -> Verb:
    """`count` games from `states[0]`, played in `states[1]`; `tally` is laid out as `Tally`."""

    def playout(
        board: Record,
        states: Record,
        out: Record,
        rng: Record,
        count: int,
        tally: Record,
        stop: Record,
        halt: Record,
    ) -> None:
        b = board[0]
        s = states[1]
        for _ in range(count):
            if stop[0] | halt[0] != 0:
                break
            states[1] = states[0]
            while not over(b, s):
                found = moves(b, s, out)
                play(b, s, out[below(rng, found)])
                tally[3] += 1
            result = margin(b, s)
            tally[0 if result > 0 else 2 if result < 0 else 1] += 1

    return playout


@kernel
def walk_kernel(moves: Verb, play: Verb, over: Verb) -> Verb:
    """One game: `states` and `played` have room for the longest; returns how many plies."""

    def walk(board: Record, states: Record, out: Record, rng: Record, played: Record) -> int:
        b = board[0]
        ply = 0
        while not over(b, states[ply]):
            found = moves(b, states[ply], out)
            played[ply] = out[below(rng, found)]
            states[ply + 1] = states[ply]
            play(b, states[ply + 1], played[ply])
            ply += 1
        return ply

    return walk
