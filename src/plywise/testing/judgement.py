"""Laws of evaluation: estimates, bounds and forced moves that a search can rely on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from plywise.core.game import Game, Record, Rules
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.errors import InvalidPosition
from plywise.jit import rule
from plywise.kit import Look
from plywise.testing.sample import Sample, demand, evaluation, lacks

ENOUGH = 100  #: positions of a sample to check
BACK = 12  #: how far from the end of a game positions are searched
NODES = 50_000  #: ... and how large a tree


def check_evaluation(sample: Sample) -> str | None:
    """Check that the estimate changes sign when the other player is to move.

    The turn is swapped in the field that the look names, or else in the position text, if one of
    its words is the player to move. A position that cannot be set up like that is skipped.
    """
    if sample.game.rules.evaluate is None:
        return lacks("evaluation", sample.game)
    swap = _swap_of(sample)
    if swap is None:
        return "neither a look nor a word of its position texts says who is to move"
    swapped = 0
    for position in sample.some(ENOUGH):
        try:
            other = swap(position)
        except InvalidPosition:
            continue
        if other.over or other.turn == position.turn:
            continue
        swapped += 1
        one, two = evaluation(position), evaluation(other)
        why = f"the estimate is {one}, but {two} with the other player to move"
        demand(one is None or two is None or one + two == 0, "evaluation", position, why)
    return None if swapped else "no position can be set up with the other player to move"


def _swap_of(sample: Sample) -> Callable[[Position], Position] | None:
    """Return how to give the other player the turn, or None if nothing says whose turn it is."""
    kind, look = sample.game.type, sample.game.type.look
    # Where a look puts up positions itself, other fields may depend on the turn: its texts know.
    if isinstance(look, Look) and look.put is None and "turn" in (kind.state.names or ()):
        return partial(_swap_field, look)
    if kind.notation.to_text is None:
        return None
    positions = sample.some(ENOUGH)
    for index in range(min((len(each.text.split()) for each in positions), default=0)):
        words: tuple[set[str], set[str]] = (set(), set())
        for position in positions:
            words[position.turn].add(position.text.split()[index])
        if len(words[0]) == len(words[1]) == 1 and words[0] != words[1]:
            return partial(_swap_word, index, (words[0].pop(), words[1].pop()))
    return None


def _swap_field(look: Look, position: Position) -> Position:
    states = position.states.copy()
    states["turn"] = 1 - position.turn
    return Position(position.game, states)


def _swap_word(index: int, marks: tuple[str, str], position: Position) -> Position:
    words = position.text.split()
    words[index] = marks[1 - position.turn]
    return position.game.from_text(" ".join(words))


def check_symmetry(sample: Sample) -> str | None:
    """Check that symmetric games have the same moves, turns, results and estimates."""
    game = sample.game
    if game.type.strength.symmetries is None:
        return lacks("symmetry", game)
    images = [
        tuple(int(move) for move in image) for image in game.type.strength.symmetries(game.board)
    ]
    every = set(range(game.max_moves))
    for number, image in enumerate(images, 1):
        what = f"symmetry {number} of {len(images)} does not have every move once"
        demand(set(image) == every, "symmetry", game, what)
    for first, one in enumerate(images, 1):
        for second, two in enumerate(images, 1):
            what = (
                f"symmetry {second} and then symmetry {first} is not in the list, which needs all"
                " that follow from each other, and the one that leaves every move as it is"
            )
            demand(tuple(one[move] for move in two) in images, "symmetry", game, what)
    for number in range(max(len(images), len(sample.games))):
        chosen = number % len(images)
        seen = f"under symmetry {chosen + 1} of {len(images)}"
        _compare(sample.games[number % len(sample.games)], images[chosen], seen)
    return None


def _compare(positions: tuple[Position, ...], image: tuple[int, ...], seen: str) -> None:
    mirrored = positions[0]
    for position, after in zip(positions, (*positions[1:], None), strict=True):
        moves = {image[move] for move in position.legal_codes}
        same = moves == set(mirrored.legal_codes)
        demand(same, "symmetry", position, f"the legal moves differ {seen}")
        same = (position.margin, position.to_move) == (mirrored.margin, mirrored.to_move)
        demand(same, "symmetry", position, f"the result or the player to move differs {seen}")
        if after is None or position.over:
            break
        one, two = evaluation(position), evaluation(mirrored)
        demand(one == two, "symmetry", position, f"the estimate is {one}, but {two} {seen}")
        assert after.last is not None
        mirrored = mirrored.play_code(image[after.last])


def check_bounds(sample: Sample) -> str | None:
    """Check that, near the end, the result of best play is within the bounds."""
    game, bounds = sample.game, sample.game.rules.bounds
    if bounds is None:
        return lacks("bounds", game)
    engine = Textbook(game, meet)
    for positions in sample.games:
        for position in positions[-2 : -2 - BACK : -1]:
            found = _value(engine, position)
            if found.aborted:
                break
            margin = _margin(engine, position, found)
            lowest, highest = bounds(game.board, position.state)
            why = f"the bounds are {lowest} .. {highest}, but best play ends with {margin}"
            demand(lowest <= margin <= highest, "bounds", position, why)
    return None


def _margin(engine: Textbook, position: Position, found: Result) -> int:
    """Return by how much player 0 wins from here."""
    value = found.value / engine.heuristic.win
    mover = round(value) if engine.game.points else (value > 0) - (value < 0)
    return mover if position.turn == 0 else -mover


def check_forced(sample: Sample) -> str | None:
    """Check that, near the end, searching forced moves alone gives the same result."""
    game, forced = sample.game, sample.game.rules.forced
    if forced is None:
        return lacks("forced", game)
    every = Textbook(game, meet)
    alone = Textbook(Game(replace(game.type, rules=_forced_only(game.rules)), game.params), meet)
    for positions in sample.games:
        for position in positions[-2 : -2 - BACK : -1]:
            one, two = _value(every, position), _value(alone, position)
            if one.aborted or two.aborted:
                break  # the tree is too large here, and even larger earlier in the game
            why = f"the value is {one.value:g}, but {two.value:g} with forced moves alone"
            demand(one.value == two.value, "forced", position, why)
    return None


def _value(engine: Textbook, position: Position) -> Result:
    """Return the exact result for the player to move; faster wins are better."""
    plies = engine.game.max_plies - len(position.moves)
    return engine.run(position, plies, Run(NO_LIMITS), budget=NODES)


@cache
def _forced_only(rules: Rules) -> Rules:
    """Return the rules with only the forced moves wherever there are any."""
    moves, forced = rules.moves, rules.forced
    assert forced is not None

    @rule
    def forced_or_all(b: Record, s: Record, out: Record) -> int:
        count: int = forced(b, s, out)
        if count == 0:
            count = moves(b, s, out)
        return count

    return replace(rules, moves=forced_or_all)
