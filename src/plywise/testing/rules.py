"""Laws of the rules: games end, moves are valid, records are copied, one key means one future."""

from __future__ import annotations

import random
from itertools import chain

import numpy as np

from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.testing.sample import Sample, at, demand, differences, evaluation, outlook
from plywise.trial.answers import States, deciding, different, question, unlike
from plywise.trial.reading import VERBS

ENOUGH = 100  #: positions of a sample to check
#: What only reads a record.
READERS = ("moves", "turn", "over", "key", "evaluate", "bounds", "forced", "promise")


def check_ends(sample: Sample) -> None:
    """Check that every game ends within max_plies."""
    for positions in sample.games:
        last, plies = positions[-1], len(positions) - 1
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
        states = position.states.copy()
        given = {"b": game.board, "s": states[0], "out": out, "move": position.legal_codes[0]}
        questions = [
            (name, getattr(rules, name), [given[each] for each in VERBS[name].split(", ")])
            for name in READERS
        ]
        questions += [(name, view, [game.board, states[0], 0]) for name, view in views.items()]
        for name, verb, arguments in questions:
            if verb is not None:
                verb(*arguments)
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


# ---- keys ----------------------------------------------------------------------------------------

BRANCHES = 5  #: moves that are tried in each position, and positions that are compared
ROOTS = 4  #: positions around which moves are tried in every order, and as many near the end
NEAR = 3  #: plies of these orders
PLAYED = 60  #: pairs of positions with one key that are played to the end, the latest first
LIKE = 30  #: random games that are played from two positions that look alike
LONGEST = 20  #: plies of a pair that are played on, if the rules are slow to interpret
FACTS = "margin", "player to move", "number of moves", "estimate"


def check_keys(sample: Sample) -> None:
    """Check that the same text means the same key, and the same key the same future."""
    by_text: dict[object, Position] = {}
    by_key: dict[int, dict[bytes, Position]] = {}
    by_look: dict[object, Position] = {}
    fields: tuple[str, ...] = getattr(sample.game.rules.key, "fields", ())
    written = sample.game.type.notation.to_text is not None
    for position in _crowd(sample):
        state = position.states.tobytes()
        twin = by_text.setdefault(position.text if written else state, position)
        same = twin.key == position.key
        demand(same, "keys", position, f"its key differs from the same position {at(twin)}")
        by_key.setdefault(position.key, {}).setdefault(state, position)
        if fields and not written:
            _compare_look_alikes(by_look, position, fields)
    shared = [list(positions.values()) for positions in by_key.values() if len(positions) > 1]
    pairs = [(one, two) for one, *others in shared[:ENOUGH] for two in others[:BRANCHES]]
    for one, two in pairs:
        _compare(one, two)
    rng = sample.random()
    going = [(one, two) for one, two in pairs if not one.over]
    going.sort(key=lambda pair: len(pair[0].moves), reverse=True)
    for one, two in going[: PLAYED if sample.most is None else min(PLAYED, sample.most)]:
        _play_on(one, two, rng, sample.game.max_plies if sample.most is None else LONGEST)


def _compare_look_alikes(
    by_look: dict[object, Position], position: Position, fields: tuple[str, ...]
) -> None:
    """Demand one key of two positions that look alike, if nothing that follows tells them apart.

    Only for a key of fields: one of them may depend on the order in which moves were played.
    """
    seen = (str(position), _facts(position), position.legal_codes, len(position.moves))
    twin = by_look.setdefault(seen, position)
    if twin.key == position.key:
        return
    rng = random.Random(0)
    if not all(_same_end(twin, position, rng) for _ in range(LIKE)):
        return
    unequal = [name for name in fields if np.any(twin.states[name] != position.states[name])]
    names = " and ".join(f"s.{name}" for name in unequal)
    rest = ", ".join(repr(name) for name in fields if name not in unequal)
    demand(
        False,
        "keys",
        position,
        f"it looks like the position {at(twin)} and plays like it, but its key differs, because of"
        f" {names}: if that does not decide the future, write Rules(..., key=({rest}))",
    )


def _same_end(one: Position, two: Position, rng: random.Random) -> bool:
    """Return True if a random game ends the same from both positions."""
    while not one.over and not two.over and one.legal_codes == two.legal_codes:
        move = rng.choice(one.legal_codes)
        one, two = one.play_code(move), two.play_code(move)
    return one.over and two.over and one.margin == two.margin


def _crowd(sample: Sample) -> list[Position]:
    """Return positions of the sample, and around some of them three plies in every order."""
    crowd = sample.some(ENOUGH)
    late = [positions[-NEAR - 1] for positions in sample.games if len(positions) > NEAR]
    for root in chain(sample.some(ROOTS), late[:ROOTS]):
        # A key that loses a cell, because it overflows, is the same for two moves.
        crowd += [root.play_code(move) for move in root.legal_codes[:ENOUGH]]
        layer = [root]
        for _ in range(NEAR):
            layer = [
                before.play_code(move)
                for before in layer
                if not before.over
                for move in before.legal_codes[:BRANCHES]
            ]
            crowd += layer
    return crowd + [positions[-1] for positions in sample.games[:ENOUGH]]


def _compare(one: Position, two: Position) -> None:
    """Demand that two positions with one key agree, and so do the keys of what follows."""
    facts = _facts(one), _facts(two)
    if facts[0] == facts[1] and _children(one) == _children(two):
        return
    names = deciding(one.states, two.states, lambda states: _facts(Position(one.game, states)))
    told = [unlike(one.states, two.states, names), *different(FACTS, *facts)]
    _refuse(one, two, ", ".join(told), names)


def _facts(position: Position) -> tuple[int | None, ...]:
    """Return what positions with the same key must agree on, even mirror images."""
    if position.over:
        return position.margin, None, 0, None
    return None, position.to_move, len(position.legal_codes), evaluation(position)


def _children(position: Position) -> list[int]:
    if position.over or len(position.legal_codes) > ENOUGH:
        return []
    return sorted(position.play_code(move).key for move in position.legal_codes)


def _play_on(one: Position, two: Position, rng: random.Random, most: int) -> None:
    """Demand that two positions end with the same margin, if the same is played in both."""
    line: list[int] = []
    ends = one, two
    while not ends[0].over and not ends[1].over:
        if len(line) == most:
            return
        move = rng.choice(ends[0].legal_codes)
        child = ends[0].play_code(move)
        twin = _child_with(ends[1], child.key, move)
        if twin is None:
            return
        line.append(move)
        ends = child, twin
    there, here = (end.margin for end in ends)
    if there == here:
        return

    def answer(states: States) -> int | None:
        for move in line:
            one.game.rules.play(one.game.board, states[0], move)
        return Position(one.game, states).margin

    names = deciding(one.states, two.states, answer)
    moves = one.game.join_moves(ends[0].moves[len(one.moves) :])
    told = unlike(one.states, two.states, names)
    why = f"{told}, and after {moves!r} the margin is {there} there and {here} here"
    _refuse(one, two, why, names)


def _child_with(position: Position, key: int, move: int) -> Position | None:
    """Return the position with a key after one move, the given one if possible."""
    codes = position.legal_codes
    for code in sorted(codes, key=lambda each: each != move):
        child = position.play_code(code)
        if child.key == key:
            return child
    return None


def _refuse(one: Position, two: Position, why: str, names: list[str]) -> None:
    told = f"has the key of a different position, {at(one)}: {why}; {question(names)}"
    demand(False, "keys", two, told)
