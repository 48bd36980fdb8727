"""Random games for checking laws, and the error that says which law broke where."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from plywise import games as registry
from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.errors import RulesError


class LawBroken(AssertionError):
    """A game breaks a law; `position` is where, or None for a fact about the game itself."""

    __module__ = "plywise.testing"  # where authors import it from, and where a traceback sends them

    def __init__(self, law: str, where: Position | Game, why: str) -> None:
        self.law = law
        self.position = where if isinstance(where, Position) else None
        game = where.game if isinstance(where, Position) else where
        place = f" {at(where)}" if isinstance(where, Position) else ""
        super().__init__(f"{game.spec} breaks the law {law!r}{place}: {why}")


def at(position: Position) -> str:
    """Describe a position by the moves or the text that lead to it."""
    origin = "at the start" if position.origin is None else f"at {position.origin!r}"
    return f"after {position.game.join_moves(position.moves)!r}" if position.moves else origin


def demand(holds: object, law: str, where: Position | Game, why: str) -> None:
    """Raise LawBroken unless the condition holds."""
    if not holds:
        raise LawBroken(law, where, why)


def lacks(law: str, game: Game) -> str | None:
    """Return why a law says nothing about a game: it leaves out what the law is about."""
    kind, rules = game.type, game.rules
    optional: dict[str, tuple[str, object]] = {
        "evaluation": ("evaluation", rules.evaluate),
        "symmetry": ("symmetries", kind.strength.symmetries),
        "bounds": ("bounds", rules.bounds),
        "heuristics": ("heuristics", kind.strength.heuristics),
        "forced": ("forced moves", rules.forced),
    }
    name, given = optional.get(law, ("", law))
    return None if given else f"the game has no {name}"


@dataclass(frozen=True)
class Sample:
    """Random plays of one game, each as its positions from the start to the end.

    `most` is for games whose rules are slow to interpret: it limits the positions of each check.
    """

    game: Game
    games: tuple[tuple[Position, ...], ...]
    seed: int
    most: int | None = None

    def __iter__(self) -> Iterator[Position]:
        for positions in self.games:
            yield from positions

    def some(self, count: int) -> list[Position]:
        """Return up to `count` positions that are not over, spread evenly over all games."""
        undecided = [position for position in self if not position.over]
        count = count if self.most is None else min(count, self.most)
        step = max(1, len(undecided) // count)
        return undecided[::step][:count]

    def random(self) -> random.Random:
        """Return a random generator, the same for every check."""
        return random.Random(self.seed)


def random_games(
    game: str | GameType | Game, games: int = 20, seed: int = 0, most: int | None = None
) -> Sample:
    """Play random games. A game that does not end is stopped one ply past the limit."""
    if isinstance(game, str):
        game = registry.make(game)
    elif isinstance(game, GameType):
        game = game()
    rng = random.Random(seed)
    return Sample(game, tuple(_random_game(game, rng) for _ in range(games)), seed, most)


def _random_game(game: Game, rng: random.Random) -> tuple[Position, ...]:
    positions = [game.start()]
    while not positions[-1].over and len(positions) <= game.max_plies + 1:
        last = positions[-1]
        try:
            positions.append(last.play_code(rng.choice(last.legal_codes)))
        except RulesError as error:
            raise LawBroken("ends", last, str(error)) from error
        except Exception as error:
            why = f"playing on raised {error!r}"
            if isinstance(error, IndexError):
                why += f"; sizes says that there are {game.max_moves} moves: is that too few?"
            raise LawBroken("ends", last, why) from error
    return tuple(positions)


def outlook(position: Position) -> dict[str, object]:
    """Return everything the rules say about a position, computed again from its state."""
    game, rules = position.game, position.game.rules
    fresh = Position(game, position.states.copy())
    known: dict[str, object] = {"over": fresh.over, "key": fresh.key}
    if fresh.over:
        known["margin"] = fresh.margin
    else:
        known["legal moves"] = fresh.legal
        known["turn"] = fresh.turn
        known["evaluation"] = evaluation(fresh)
        if rules.bounds is not None:
            known["bounds"] = tuple(int(margin) for margin in rules.bounds(game.board, fresh.state))
    return known


def differences(one: dict[str, object], two: dict[str, object]) -> str:
    """Describe how two outlooks differ; empty if they agree."""
    keys = [key for key in one if one[key] != two.get(key)]
    return ", ".join(f"{key} {one[key]} became {two.get(key)}" for key in keys)


def evaluation(position: Position) -> int | None:
    """Return the game's evaluation of a position, or None if it has none."""
    evaluate = position.game.rules.evaluate
    return None if evaluate is None else int(evaluate(position.game.board, position.state))
