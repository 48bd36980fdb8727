"""Laws of judgement: estimates, bounds and forced moves that a search may rely on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from plywise.core.game import Game, Record, Rules
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.kernels.textbook import meet
from plywise.engines.textbook import Result, Textbook
from plywise.errors import InvalidPosition
from plywise.jit import rule
from plywise.testing.sample import Sample, demand, evaluation

ENOUGH = 100  #: positions of a sample that a law is held against
BACK = 12  #: how far from the end of a game the laws go that search it
NODES = 50_000  #: ... and how large a tree they search


def check_evaluation(sample: Sample) -> str | None:
    """With the other player to move, the estimate is the negative.

    The turn is swapped in the position text, where its last word says who moves. A position
    that cannot be read with the turn swapped is passed over.
    """
    if sample.game.rules.evaluate is None:
        return "the game has no evaluation"
    marks = _turn_marks(sample)
    if marks is None:
        return "its position texts do not end with a word for the player to move"
    swapped = 0
    for position in sample.some(ENOUGH):
        board = position.text.rpartition(" ")[0]
        try:
            other = sample.game.from_text(f"{board} {marks[1 - position.turn]}")
        except InvalidPosition:
            continue
        if other.over or other.turn == position.turn:
            continue
        swapped += 1
        one, two = evaluation(position), evaluation(other)
        why = f"the estimate is {one}, and {two} with the other to move"
        demand(one is None or two is None or one + two == 0, "evaluation", position, why)
    return None if swapped else "no position can be set up with the other player to move"


def _turn_marks(sample: Sample) -> tuple[str, str] | None:
    """The last words of position texts, if they are one word for each player and no other."""
    if sample.game.type.to_text is None:
        return None
    words: tuple[set[str], set[str]] = (set(), set())
    for position in sample.some(ENOUGH):
        words[position.turn].add(position.text.rpartition(" ")[2])
    if len(words[0]) != 1 or len(words[1]) != 1 or words[0] == words[1]:
        return None
    return words[0].pop(), words[1].pop()


def check_symmetry(sample: Sample) -> str | None:
    """A game played in the mirror is the same game: moves, turns, results and estimates."""
    game = sample.game
    if game.type.symmetries is None:
        return "the game names no symmetries"
    images = [tuple(int(move) for move in image) for image in game.type.symmetries(game.board)]
    every = set(range(game.max_moves))
    for image in images:
        demand(set(image) == every, "symmetry", game, f"{image} does not map moves to moves")
    for one in images:
        for two in images:
            both = tuple(one[move] for move in two)
            demand(both in images, "symmetry", game, f"{one} after {two} is not among them")
    for number in range(max(len(images), len(sample.games))):
        image = images[number % len(images)]
        _compare(sample.games[number % len(sample.games)], image)
    return None


def _compare(positions: tuple[Position, ...], image: tuple[int, ...]) -> None:
    mirrored = positions[0]
    for position, after in zip(positions, (*positions[1:], None), strict=True):
        seen = f"in the mirror {image}"
        moves = {image[move] for move in position.legal_codes}
        same = moves == set(mirrored.legal_codes)
        demand(same, "symmetry", position, f"the legal moves are other ones {seen}")
        same = (position.margin, position.to_move) == (mirrored.margin, mirrored.to_move)
        demand(same, "symmetry", position, f"the result or the turn is another {seen}")
        if after is None or position.over:
            break
        one, two = evaluation(position), evaluation(mirrored)
        demand(one == two, "symmetry", position, f"the estimate is {one}, and {two} {seen}")
        move = position.legal_codes[position.legal.index(after.moves[-1])]
        mirrored = mirrored.play_code(image[move])


def check_bounds(sample: Sample) -> str | None:
    """Near the end, the result of best play lies within the bounds."""
    game, bounds = sample.game, sample.game.rules.bounds
    if bounds is None:
        return "the game has no bounds"
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
    """By how much player 0 wins from here."""
    value = found.value / engine.heuristic.win
    mover = round(value) if engine.game.points else (value > 0) - (value < 0)
    return mover if position.turn == 0 else -mover


def check_forced(sample: Sample) -> str | None:
    """Near the end, looking at forced moves alone gives the result of looking at all of them."""
    game, forced = sample.game, sample.game.rules.forced
    if forced is None:
        return "the game has no forced moves"
    every = Textbook(game, meet)
    alone = Textbook(Game(replace(game.type, rules=_forced_only(game.rules)), game.params), meet)
    for positions in sample.games:
        for position in positions[-2 : -2 - BACK : -1]:
            one, two = _value(every, position), _value(alone, position)
            if one.aborted or two.aborted:
                break  # the tree is too large here, and more so earlier in the game
            why = f"the value is {one.value:g} by all moves, {two.value:g} by forced moves alone"
            demand(one.value == two.value, "forced", position, why)
    return None


def _value(engine: Textbook, position: Position) -> Result:
    """The exact result for the player to move, where a nearer win counts more."""
    plies = engine.game.max_plies - len(position.moves)
    return engine.run(position, plies, Run(NO_LIMITS), budget=NODES)


@cache
def _forced_only(rules: Rules) -> Rules:
    """The rules with forced moves as the only ones wherever there are any."""
    moves, forced = rules.moves, rules.forced
    assert forced is not None

    @rule
    def forced_or_all(b: Record, s: Record, out: Record) -> int:
        count: int = forced(b, s, out)
        if count == 0:
            count = moves(b, s, out)
        return count

    return replace(rules, moves=forced_or_all)
