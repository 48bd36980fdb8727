"""Checks that rules give the same results interpreted and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.jit import kernel
from plywise.jit.kernels import roomy
from plywise.testing.sample import Sample, demand, lacks

FEW = 10  #: games of a sample to replay
ENOUGH = 60  #: positions of a sample to try heuristics on

_ANSWERS = "turn", "over", "margin", "key", "moves", "evaluate", "lowest", "highest", "forced"
#: The results of all verbs at one position.
Answers = np.dtype((np.record, [(name, "u8" if name == "key" else "i8") for name in _ANSWERS]))


@kernel
def replay_kernel(
    setup: Verb,
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    key: Verb,
    evaluate: Verb,
    bounds: Verb,
    forced: Verb,
    promise: Verb,
) -> Verb:
    """Replay a game and call every verb at every position."""

    def replay(
        board: Record,
        line: Record,
        states: Record,
        answers: Record,
        legal: Record,
        promises: Record,
        only: Record,
    ) -> None:
        b = board[0]
        setup(b, states[0])
        for ply in range(line.size + 1):
            if ply > 0:
                states[ply] = states[ply - 1]
                play(b, states[ply], line[ply - 1])
            s = states[ply]
            answer = answers[ply]
            answer.key = key(b, s)
            if over(b, s):
                answer.over = 1
                answer.margin = margin(b, s)
                continue
            answer.turn = turn(b, s)
            answer.evaluate = evaluate(b, s)
            lowest, highest = bounds(b, s)
            answer.lowest = lowest
            answer.highest = highest
            answer.moves = moves(b, s, legal[ply])
            for i in range(answer.moves):
                promises[ply, i] = promise(b, s, legal[ply, i])
            answer.forced = forced(b, s, only[ply])

    return replay


@kernel
def view_kernel(heuristic: Verb) -> Verb:
    """Call a heuristic for both players on many positions."""

    def view(board: Record, states: Record, views: Record) -> None:
        for i in range(states.size):
            views[i, 0] = heuristic(board[0], states[i], 0)
            views[i, 1] = heuristic(board[0], states[i], 1)

    return view


@kernel
def kinds_kernel(turn: Verb, key: Verb, moves: Verb) -> Verb:
    """Return the answers of some verbs as they are: whole numbers, or something else."""

    def kinds(board: Record, states: Record, out: Record) -> Any:
        b, s = board[0], states[0]
        return turn(b, s), key(b, s), moves(b, s, out)

    return kinds


def _check_kinds(sample: Sample) -> None:
    """Check that answers that are whole numbers when interpreted are so when compiled, too."""
    game, start = sample.game, sample.games[0][0]
    if start.over:
        return
    out = roomy(game.max_moves, np.int32)
    found = kinds_kernel.build(game.rules)(game.boards, start.states.copy(), out)
    for verb, value in zip(("turn", "key", "moves"), found, strict=True):
        why = (
            f"{verb!r} is {value!r} when compiled, not a whole number: in arithmetic with 64-bit"
            " words, write every number as np.uint64(...)"
        )
        demand(isinstance(value, int | np.integer), "compiled", start, why)


def check_compiled(sample: Sample) -> None:
    """Check that the same moves give the same states and results, interpreted and compiled."""
    game = sample.game
    _check_kinds(sample)
    loops = replay_kernel.plain(game.rules), replay_kernel.build(game.rules)
    for positions in sample.games[:FEW]:
        codes = [position.last for position in positions[1:]]
        interpreted, compiled = (_replay(sample, loop, codes) for loop in loops)
        for verb, expected in interpreted.items():
            for ply, position in enumerate(positions):
                one, two = expected[ply], compiled[verb][ply]
                same = one.tobytes() == two.tobytes()
                why = f"{verb!r} is {one} interpreted and {two} compiled"
                demand(same, "compiled", position, why)


def _replay(sample: Sample, loop: Verb, codes: list[int | None]) -> dict[str, np.ndarray[Any, Any]]:
    game, plies = sample.game, len(codes) + 1
    states, answers = np.zeros(plies, game.type.state), np.zeros(plies, Answers)
    legal, promises, only = (roomy((plies, game.max_moves), np.int64) for _ in range(3))
    loop(game.boards, np.array(codes, np.int64), states, answers, legal, promises, only)
    told = {verb: answers[verb] for verb in Answers.names or ()}
    return {"play": states, **told, "moves": legal, "promise": promises, "forced": only}


def check_heuristics(sample: Sample) -> str | None:
    """Check that heuristics are finite numbers, the same interpreted and compiled."""
    game = sample.game
    positions = sample.some(ENOUGH)
    if not game.type.strength.heuristics or not positions:
        return lacks("heuristics", game) or "every position is over"
    states = np.concatenate([position.states for position in positions])
    for name, heuristic in game.type.strength.heuristics.items():
        both = np.zeros((2, len(states), 2))
        view_kernel.plain(game.rules, heuristic=heuristic.function)(game.boards, states, both[0])
        view_kernel.build(game.rules, heuristic=heuristic.function)(game.boards, states, both[1])
        for position, one, two in zip(positions, both[0], both[1], strict=True):
            finite = np.isfinite(one).all()
            demand(finite, "heuristics", position, f"{name!r} is not a finite number: {one}")
            same = np.allclose(one, two, rtol=1e-9)
            why = f"{name!r} is {one} interpreted and {two} compiled"
            demand(same, "heuristics", position, why)
    return None
