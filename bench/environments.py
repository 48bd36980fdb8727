"""Games for learning: batches stepped in one call, and PettingZoo's environments."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import plywise
from bench.measure import Bench, Quantity, Row, alternate, compare

GAMES = 4096
STEPS = 100  #: of a batch in one measured turn
MOVES = 4000  #: of an environment in one measured turn


def batches(quick: bool) -> Iterator[Row]:
    """Step games of Connect-4; every step writes the masks and the planes of every game."""
    rounds = 3 if quick else 15
    game, cores = plywise.game("connect4"), len(os.sched_getaffinity(0))
    one, all_cores = (plywise.batch(game, GAMES, restart=True, threads=t) for t in (1, cores))

    def stepping(batch: plywise.Batch) -> None:
        for _ in range(STEPS):
            batch.step(batch.sample)

    jobs = (partial(stepping, one), partial(stepping, all_cores), partial(one.random, STEPS))
    for job in jobs:
        job()
    alone, together, blind = (
        Quantity(GAMES * STEPS / seconds, "moves/s")
        for seconds in alternate(*jobs, rounds=rounds, clock=time.perf_counter)
    )
    what = f"{GAMES:,} games, masks and planes after every move"
    words = f"{cores} thread" + "s" * (cores > 1)
    yield Row(f"{what}, {words}", together, alone, together, at_least=5e6)
    yield Row(f"{GAMES:,} games, random moves inside the kernel, one thread", blind, alone, blind)


def pettingzoo(quick: bool) -> Iterator[Row]:
    """Play random games through the same loop."""
    from pettingzoo.classic import connect_four_v3

    from plywise.adapters.pettingzoo import env

    ours, theirs, raw = env("connect4"), connect_four_v3.env(), connect_four_v3.raw_env()
    jobs = [partial(playing, each) for each in (ours, theirs, raw)]
    for job in jobs:
        job()
    mine, wrapped, bare = (
        Quantity(MOVES / seconds, "moves/s")
        for seconds in alternate(*jobs, rounds=3 if quick else 9)
    )
    yield compare("a random move through `last` and `step`", mine, wrapped, at_least=3)
    yield compare("..., their `raw_env`, which checks nothing", mine, bare)


def playing(env: Any) -> None:
    """Play random moves, as many as a turn has."""
    rng, left = random.Random(1), MOVES
    while left > 0:
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[rng.randrange(len(legal))]))
            left -= 1
            if left == 0:
                return


BATCH = Bench(
    "batch",
    "A batch of games of Connect-4",
    f"`batch.step(batch.sample)` for {GAMES:,} games, which checks the moves, plays them, restarts "
    "what has ended, and writes turns, rewards, masks of legal moves and planes of bytes.",
    "one thread",
    batches,
)
PETTINGZOO = Bench(
    "pettingzoo",
    "Connect-4 as an AEC environment, against PettingZoo's own",
    "The same loop over `agent_iter`, `last` and `step` with a random legal move, against "
    "`connect_four_v3.env()` and against its `raw_env()` without wrappers.",
    "PettingZoo",
    pettingzoo,
    needs="pettingzoo",
)
