"""What is said about an exercise: its themes, and how hard it is."""

from __future__ import annotations

from dataclasses import replace

from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.auto import FULL, Weaker
from plywise.play.exercises.exercise import EASIEST, HARDEST, Exercise

#: For all levels together. Levels that look further than this reaches count with what it sees.
NODES = 15_000

#: Themes, by what the answer does.
AT_ONCE, BY_FORCE, QUIET, PARRY, ONLY = "win at once", "by force", "quiet", "parry", "only move"
#: In a game of points, by what it scores.
TAKE, LEAVE = "take the points", "leave the points"
#: Besides: every wrong move loses; the first glance sees another move.
SHARP, HIDDEN = "all or nothing", "not obvious"
THEMES = (AT_ONCE, BY_FORCE, QUIET, PARRY, ONLY, TAKE, LEAVE, SHARP, HIDDEN)


class Grader:
    """Finds the themes and the rating of exercises of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.levels = [Weaker(game, level, 0) for level in range(1, FULL)]

    def graded(self, found: Exercise, *, sharp: bool, forced: bool) -> Exercise:
        """Return an exercise with its themes and its rating.

        It is `sharp` if every wrong move loses, and `forced` if every one loses at once.
        """
        position = found.position(self.game)
        looks = self.looks(position)
        themes = [self.theme(found, position)]
        if found.goal == "win" and sharp:
            themes.append(SHARP)
        if looks[0].best != found.answer:
            themes.append(HIDDEN)
        if forced and PARRY not in themes:
            themes.append(PARRY)
        themes += self.ending(found, position)
        return replace(found, themes=tuple(themes), rating=self.rating(found.answer, looks))

    def theme(self, found: Exercise, position: Position) -> str:
        """Return what the answer does."""
        if self.game.points:
            gains = {move: position.play(move).gained for move in position.legal}
            most = max(gains.values())
            return QUIET if most <= 0 else TAKE if gains[found.answer] == most else LEAVE
        if found.goal == "draw":
            return PARRY if found.length == 1 else ONLY
        if found.length == 1:
            return AT_ONCE
        me = position.turn
        for move in found.line[:-1]:
            position = position.play(move)
            if position.turn != me and has_choice(position):
                return QUIET
        return BY_FORCE

    def ending(self, found: Exercise, position: Position) -> list[str]:
        """Return how the game is won, if it says so."""
        say = self.game.type.words.ending
        if say is None or found.goal == "draw":
            return []
        end = self.game.position(found.line, start=position)
        return [say(self.game.board, end.state)] if end.over else []

    def looks(self, position: Position) -> list[Analysis]:
        """Return what is seen at the first glance, and by every level."""
        first = self.levels[0]
        if first.playouts:
            counts = (1, *(level.playouts for level in self.levels))
            return [
                first.searcher.search(position, Limits(nodes=count), lines=True) for count in counts
            ]
        seen: list[Analysis] = []
        deepest = max(level.person.depth for level in self.levels)
        limits = Limits(depth=deepest, nodes=NODES)
        first.searcher.search(position, limits, seen.append, lines=True)
        depths = (1, *(level.person.depth for level in self.levels))
        return [seen[min(depth, len(seen)) - 1] for depth in depths]

    def rating(self, answer: str, looks: list[Analysis]) -> int:
        """Return how hard the answer is to find: by how likely the levels are to miss it."""
        found = 0.0
        for level, seen in zip(self.levels, looks[1:], strict=True):
            blind = level.person.overlooks
            chances = (level.chances(each.lines)[answer] for each in (looks[0], seen))
            glance, sight = chances
            found += blind * glance + (1 - blind) * sight
        missed = 1 - found / len(self.levels)
        return round(EASIEST + (HARDEST - EASIEST) * missed)


def has_choice(position: Position) -> bool:
    """Return True if there is more than one move that does not lose at once."""
    safe = 0
    for move in position.legal_codes:
        safe += not loses_at_once(position.play_code(move), position.turn)
        if safe == 2:
            return True
    return False


def loses_at_once(position: Position, victim: int) -> bool:
    """Return True if the side to move, not the victim, can end the game with a win."""
    if position.over or position.turn == victim:
        return False
    sign = 1 if position.turn == 0 else -1
    ends = (position.play_code(move).margin for move in position.legal_codes)
    return any(margin is not None and sign * margin > 0 for margin in ends)
