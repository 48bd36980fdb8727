"""Finding exercises: games of players that make mistakes, and an exact search of what they missed.

A position becomes an exercise if one move is proved to reach the goal and all others are proved to
miss it, and if another method proves the same. Most positions are not exercises, so two short
searches come first: one of all moves, one of all moves but the best.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Container
from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, Outcome, own_moves
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.auto import FULL, Weaker
from plywise.engines.solve import solver
from plywise.play.exercises.checking import Checker, Open, outcome_for
from plywise.play.exercises.exercise import (
    EASIEST,
    HARDEST,
    SHARP,
    Exercise,
    Goal,
    Moves,
)

LONGEST = 6  #: moves of your own in the longest exercise
DEPTH = 2 * LONGEST  #: plies that are searched for the length
SCREEN = 5_000  #: nodes for a first look at all moves, and at all but the best
NODES = 40_000  #: nodes for a second look
PROOF = 20_000  #: nodes of the solver for a move that this leaves open
CHECK = 2_000_000  #: nodes of the second proof of each move
PLAY = 2_000  #: nodes for a good move, in the games that are played for this
LEVELS = range(1, 5)  #: the levels of the other moves
ERRORS = (0.0, 0.2, 0.9)  #: the share of these if behind, level or ahead
CLEAR = 0.1  #: the value from which somebody is ahead
RANDOM = 0.05  #: the share of moves that are chosen at random
LATE = 14  #: positions from the end that are looked at
AGAIN = 6  #: how often an end is played again
HARVEST = 12  #: exercises from one game, at most
REPLIES = 4  #: replies to an answer after which the next exercise is looked for
FEWEST = 2  #: legal moves, or there is nothing to choose
REFUTED = 3  #: plies of a refutation that are kept


class Maker:
    """Makes exercises of one game, from games with numbers: the same number gives the same ones."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed
        self.engine = AlphaBeta(game, memory=16.0)
        self.solver = solver(game)
        self.checker = Checker(game, CHECK)
        self.grader = Grader(game)
        self.levels = [Weaker(game, level, seed) for level in LEVELS]

    def of_game(self, number: int) -> list[Exercise]:
        """Play a game and return exercises from its end, no two of them alike."""
        rng = random.Random(f"{self.seed} {number}")
        found: dict[tuple[str, int], Exercise] = {}
        waiting = deque(self.positions(rng))
        while waiting and len(found) < HARVEST:
            position = waiting.popleft()
            exercise = self.examine(position, found)
            if exercise is None:
                continue
            found[exercise.answer, exercise.length] = exercise
            waiting.extendleft(self.sequels(position.play(exercise.answer), rng))
        return list(found.values())

    def sequels(self, position: Position, rng: random.Random) -> list[Position]:
        """Return positions after some replies: after one only move there is often another."""
        replies = rng.sample(position.legal_codes, min(REPLIES, len(position.legal_codes)))
        after = [position.play_code(reply) for reply in replies]
        return [each for each in after if len(each.legal_codes) >= FEWEST]

    def positions(self, rng: random.Random) -> list[Position]:
        """Play a game, and its end again in other ways; return positions from the ends."""
        played = self.played(self.game.start(), rng)
        found = {position.key: position for position in played[-LATE:]}
        for _ in range(AGAIN):
            before = rng.choice(played[-2 * LATE : -1])
            other = before.play(rng.choice(before.legal))
            found |= {each.key: each for each in self.played(other, rng)[-LATE:]}
        every = [each for each in found.values() if len(each.legal_codes) >= FEWEST]
        rng.shuffle(every)
        return every

    def played(self, position: Position, rng: random.Random) -> list[Position]:
        """Play to the end; whoever is ahead makes more mistakes, so that games stay close."""
        weak = [rng.choice(self.levels) for _ in range(2)]
        for level in weak:
            level.seed = rng.randrange(1 << 32)
        ahead = 0.0  # how good the position is for player 0, as it was seen last
        played = [position]
        while not position.over:
            sign = 1 if position.mover == 1 else -1
            errs = ERRORS[1 + (sign * ahead > CLEAR) - (sign * ahead < -CLEAR)]
            if rng.random() < errs:
                found = weak[position.turn].search(position)
            else:
                found = self.engine.search(position, Limits(nodes=PLAY))
            ahead = sign * found.value
            random_one = rng.random() < RANDOM
            move = rng.choice(position.legal) if random_one else found.best or position.legal[0]
            position = position.play(move)
            played.append(position)
        return played

    # ---- what is proved --------------------------------------------------------------------------

    def examine(
        self, position: Position, alike: Container[tuple[str, int]] = ()
    ) -> Exercise | None:
        """Return the exercise of a position, if it is one; not with an answer and length given."""
        screen = NODES if self.game.points else SCREEN  # points are only certain at the end
        best = self.look(position, screen)
        if best.best is None or best.outcome == "loss":
            return None
        answer = best.best
        rest = self.look(position, screen if best.outcome is None else NODES, but=answer)
        if best.outcome is None:
            if rest.outcome != "loss":
                return None
            best = self.look(position)
            if best.best != answer:
                return None
        outcome = best.outcome or self.outcome(position, answer)
        goal: Goal
        if outcome == "win" and self.misses_all(position, rest, answer):
            goal = "win"
        elif outcome == "draw" and rest.outcome == "loss":
            goal = "draw"
        else:
            return None
        line = self.best_play(position, answer, DEPTH + 1 if goal == "win" else REFUTED)
        length = self.length(position, best, rest, line, goal)
        if length is None or length > LONGEST or (answer, length) in alike:
            return None
        usual, others = self.refutations(position, answer, goal)
        found = Exercise(self.game.spec, position.moves, goal, length, line, usual, others)
        try:
            fault = self.checker.fault(found)
        except Open:
            return None
        if fault is not None:
            raise RuntimeError(f"two proofs disagree about {found.moves}: {fault}")
        lost = rest.plies_to_end if rest.outcome == "loss" else None
        return self.grader.graded(found, sharp=rest.outcome == "loss", forced=lost == 2)

    def look(self, position: Position, nodes: int = NODES, but: str | None = None) -> Analysis:
        """Search a position, or all its moves but one."""
        limits = Limits(depth=DEPTH, nodes=nodes)
        avoid = () if but is None else (position.code_of(but),)
        return self.engine.search(position, limits, avoid=avoid)

    def outcome(self, position: Position, move: str) -> Outcome | None:
        """Return the outcome of a move as the solver proves it, for the side that plays it."""
        limits = Limits(nodes=PROOF)
        return outcome_for(
            position.turn, position.play(move), lambda at: self.solver.solve(at, limits)
        )

    def misses_all(self, position: Position, rest: Analysis, answer: str) -> bool:
        """Return True if no move but the answer wins, by the search or by the solver."""
        if rest.outcome is not None:
            return rest.outcome != "win"
        others = (move for move in position.legal if move != answer)
        return all(self.outcome(position, move) in ("draw", "loss") for move in others)

    def length(
        self, position: Position, best: Analysis, rest: Analysis, line: Moves, goal: Goal
    ) -> int | None:
        """Return the moves of your own that the exercise takes; None if that is not proved."""
        if self.game.points:  # they are counted at the end of the game
            played = self.best_play(position, line[0], DEPTH + 1)
            over = self.game.position(played, start=position).over
            return own_moves(position, played) if over else None
        if goal == "win":
            return own_moves(position, line) if best.plies_to_end == len(line) else None
        return own_moves(position, rest.pv) if rest.plies_to_end == len(rest.pv) else None

    def best_play(self, position: Position, move: str, most: int) -> tuple[str, ...]:
        """Return a move and best play after it, of at most `most` plies."""
        moves = [move]
        position = position.play(move)
        while len(moves) < most and not position.over:
            found = self.look(position)
            if found.outcome is None:
                found = self.solver.solve(position, Limits(nodes=PROOF))
            move = found.best or position.legal[0]
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    # ---- what refutes the others -----------------------------------------------------------------

    def refutations(
        self, position: Position, answer: str, goal: Goal
    ) -> tuple[Moves, dict[str, Moves]]:
        """Return the usual refutation, and that of every wrong move which needs another."""
        wrong = [move for move in position.legal if move != answer]
        lines = {move: self.best_play(position, move, 1 + REFUTED)[1:] for move in wrong}
        usual = Counter(lines.values()).most_common(1)[0][0]
        return usual, {
            move: line
            for move, line in lines.items()
            if line != usual and not self.refutes(position.play(move), usual, position.turn, goal)
        }

    def refutes(self, position: Position, line: Moves, victim: int, goal: Goal) -> bool:
        """Return True if a line keeps the goal out of the victim's reach, from its start on."""
        for move in line:
            if move not in position.legal:
                return False
            mover, position = position.turn, position.play(move)
            if mover != victim and not self.misses(position, victim, goal):
                return False
        return bool(line)

    def misses(self, position: Position, player: int, goal: Goal) -> bool:
        """Return True if it is proved that a player does not reach the goal from here."""
        outcome = outcome_for(player, position, self.look)
        return outcome == "loss" or (outcome == "draw" and goal == "win")


# ---- what is said about them -----------------------------------------------------------------

#: For all levels together. Levels that look further than this reaches count with what it sees.
LEVEL_NODES = 15_000

#: Themes, by what the answer does.
AT_ONCE, BY_FORCE, QUIET, PARRY, ONLY = "win at once", "by force", "quiet", "parry", "only move"
#: In a game of points, by what it scores.
TAKE, LEAVE = "take the points", "leave the points"
#: Besides: the first glance sees another move.
HIDDEN = "not obvious"


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
        limits = Limits(depth=deepest, nodes=LEVEL_NODES)
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
    sign = 1 if position.mover == 1 else -1
    ends = (position.play_code(move).margin for move in position.legal_codes)
    return any(margin is not None and sign * margin > 0 for margin in ends)
