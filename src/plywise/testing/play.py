"""Laws of play: games end, moves are valid, records are copied."""

from __future__ import annotations

import numpy as np

from plywise.core.game import Verb
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.testing.sample import Sample, demand, differences, outlook

ENOUGH = 100  #: positions of a sample to check


def check_ends(sample: Sample) -> None:
    """Check that every game ends within max_plies, with a legal move until then."""
    for positions in sample.games:
        last, plies = positions[-1], len(positions) - 1
        demand(
            last.over or last.legal_codes,
            "ends",
            last,
            "there are no legal moves, but the game is not over",
        )
        limit = sample.game.max_plies
        demand(plies <= limit, "ends", last, f"{plies} plies were played, max_plies is {limit}")


def check_moves(sample: Sample) -> None:
    """Check that moves are distinct, below max_moves, and the same when asked twice."""
    game = sample.game
    for position in sample.some(ENOUGH):
        codes, again = (Position(game, position.states.copy()).legal_codes for _ in range(2))
        demand(codes == again, "moves", position, f"asked twice, gives {codes}, then {again}")
        demand(len(set(codes)) == len(codes), "moves", position, f"a move appears twice in {codes}")
        wrong = [move for move in codes if not 0 <= move < game.max_moves]
        demand(not wrong, "moves", position, f"{wrong} are not within 0 .. {game.max_moves - 1}")


def check_facts(sample: Sample) -> None:
    """Check that a spec makes its game again, and sizes, margins and the board are as they say."""
    game = sample.game
    again = game.type(Spec.parse(game.spec))
    demand(again == game, "facts", game, f"its spec {game.spec!r} makes a different game")
    demand(game.max_moves > 0 and game.max_plies >= 0, "facts", game, "its sizes are not positive")
    size = game.type.state.itemsize
    demand(game.type.state.names, "facts", game, f"its state of {size} bytes is not a record")
    largest = game.max_margin
    for positions in sample.games:
        last = positions[-1]
        margin = last.margin or 0
        why = f"the margin is {margin}, but the largest is {largest}"
        demand(abs(margin) <= largest, "facts", last, why)
    demand(
        again.boards.tobytes() == game.boards.tobytes(), "facts", game, "playing changed the board"
    )


def check_turn(sample: Sample) -> None:
    """Check that the player to move is 0 or 1."""
    for position in sample:
        why = f"the turn is {position.turn}, not 0 or 1"
        demand(position.turn in (0, 1), "turn", position, why)


def check_setup(sample: Sample) -> None:
    """Check that `setup` writes the start position over any old record."""
    game = sample.game
    fresh = outlook(game.start())
    for positions in sample.games[:ENOUGH]:
        states = positions[-1].states.copy()
        game.rules.setup(game.board, states[0])
        changed = differences(fresh, outlook(Position(game, states)))
        demand(not changed, "setup", positions[-1], f"setup over this position: {changed}")


def check_looking(sample: Sample) -> None:
    """Check that verbs that only read a record do not change it."""
    game, rules = sample.game, sample.game.rules
    out = np.zeros(game.max_moves, np.int32)
    views = {name: heuristic.function for name, heuristic in game.type.strength.heuristics.items()}
    for position in sample.some(ENOUGH):
        questions: list[tuple[str, Verb | None, tuple[object, ...]]] = [
            ("moves", rules.moves, (out,)),
            ("turn", rules.turn, ()),
            ("over", rules.over, ()),
            ("key", rules.key, ()),
            ("evaluate", rules.evaluate, ()),
            ("bounds", rules.bounds, ()),
            ("forced", rules.forced, (out,)),
            ("promise", rules.promise, (position.legal_codes[0],)),
            *((name, view, (0,)) for name, view in views.items()),
        ]
        states = position.states.copy()
        for name, verb, rest in questions:
            if verb is not None:
                verb(game.board, states[0], *rest)
            untouched = states.tobytes() == position.states.tobytes()
            demand(untouched, "looking", position, f"{name!r} changed the state")


def check_copies(sample: Sample) -> None:
    """Check that playing on a copy leaves the parent alone, and always gives the same child."""
    for position in sample.some(ENOUGH // 2):
        before = outlook(position)
        for move in position.legal_codes[:: max(1, len(position.legal_codes) // 8)]:
            child, again = position.play_code(move), position.play_code(move)
            changed = differences(before, outlook(position))
            text = position.text_of(move)
            demand(not changed, "copies", position, f"{text!r} on a copy changed this: {changed}")
            changed = differences(outlook(child), outlook(again))
            demand(not changed, "copies", position, f"{text!r} played again: {changed}")
