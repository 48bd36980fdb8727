"""Finding exercises: games of players that make mistakes, and an exact search of what they missed.

A position becomes an exercise if the value of every move is proved, by two methods, and only one
move has the best.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from plywise import engines
from plywise.core.analysis import Limits, Line, Outcome, Stop
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.auto import FULL
from plywise.engines.solve import solver
from plywise.play.exercises.checking import Checker, Open
from plywise.play.exercises.exercise import EASIEST, HARDEST, Exercise, Goal

LONGEST = 6  #: moves of your own in the longest exercise
DEPTH = 2 * LONGEST  #: plies that are searched for the length
NODES = 300_000  #: for the values of all moves of a position
PROOF = 200_000  #: nodes of the solver for a move that this leaves open
CHECK = 10_000_000  #: nodes of the second proof of each move
PLAYERS = (3, 5, 7)  #: the levels that play the games
RANDOM = 0.15  #: the share of their moves that are chosen at random
LATE = 14  #: positions from the end of each game that are looked at
FEWEST = 3  #: legal moves, or there is nothing to choose
REFUTED = 3  #: plies of a refutation that are kept
#: At most this share has one goal and one length, so that short ones do not crowd out the others.
SHARE = 0.2

#: Themes, by what the answer does.
AT_ONCE, BY_FORCE, QUIET, PARRY, ONLY = "win at once", "by force", "quiet", "parry", "only move"
THEMES = (AT_ONCE, BY_FORCE, QUIET, PARRY, ONLY)


class Maker:
    """Makes exercises of one game, from games with numbers: the same number gives the same ones."""

    def __init__(self, game: Game, seed: int = 0, stop: Stop | None = None) -> None:
        self.game = game
        self.seed = seed
        self.stop = stop or Stop()
        exact = replace(game.rules, reduction=None, null_move=None, threats=None)
        self.engine = AlphaBeta(game, memory=16.0, rules=exact)
        self.solver = solver(game)
        self.checker = Checker(game, CHECK)
        self.levels = [engines.make(f"auto:level={level}", game) for level in range(1, FULL)]

    def of_game(self, number: int) -> list[Exercise]:
        """Play a game and return the exercises at its end, in random order."""
        lot = random.Random(f"{self.seed} {number}")
        found = []
        for position in self.positions(lot):
            if len(position.legal) >= FEWEST and not self.stop.is_set():
                exercise = self.examine(position)
                if exercise is not None:
                    found.append(exercise)
        return found

    def positions(self, lot: random.Random) -> list[Position]:
        """Play a game between players that make mistakes; return its last positions."""
        position = self.game.start()
        played = [position]
        while not position.over and not self.stop.is_set():
            if lot.random() < RANDOM:
                move = lot.choice(position.legal)
            else:
                player = self.levels[lot.choice(PLAYERS) - 1]
                move = player.search(position, stop=self.stop).best or position.legal[0]
            position = position.play(move)
            played.append(position)
        late = played[-LATE:-1]
        lot.shuffle(late)
        return late

    def examine(self, position: Position) -> Exercise | None:
        """Return the exercise of a position, if it is one."""
        lines = self.proved(position)
        if lines is None:
            return None
        best = best_of(lines)
        goal: Goal
        if best == "win":
            goal = "win"
        elif best == "draw":
            goal = "draw"
        else:
            return None
        reaching = [line for line in lines.values() if line.outcome == best]
        wrong = {move: line for move, line in lines.items() if line.outcome != best}
        if len(reaching) != 1 or (
            goal == "draw" and any(w.outcome != "loss" for w in wrong.values())
        ):
            return None
        answer = reaching[0]
        plies = self.plies(position, answer, wrong, goal)
        if plies is None or (plies + 1) // 2 > LONGEST:
            return None
        found = Exercise(
            moves=position.moves,
            goal=goal,
            answer=answer.move,
            length=(plies + 1) // 2,
            line=self.best_play(position, answer.move, plies if goal == "win" else REFUTED),
            refutations={move: self.best_play(position, move, 1 + REFUTED)[1:] for move in wrong},
            theme="",
            rating=EASIEST,
        )
        try:
            fault = self.checker.fault(found)
        except Open:
            return None
        if fault is not None:
            raise RuntimeError(f"two proofs disagree about {found.moves}: {fault}")
        return replace(found, theme=self.theme(found), rating=self.rating(position, answer.move))

    # ---- what is proved --------------------------------------------------------------------------

    def proved(self, position: Position) -> Mapping[str, Line] | None:
        """Return every move with its proved outcome; None if one stays open or two are best."""
        limits = Limits(depth=DEPTH, nodes=NODES)
        found = self.engine.search(position, limits, stop=self.stop, lines=True)
        lines = {line.move: line for line in found.lines}
        if not lines or sum(line.outcome == "win" for line in lines.values()) > 1:
            return None
        for move, line in lines.items():
            if line.outcome is None:
                outcome = self.outcome(position, move)
                if outcome is None:
                    return None
                lines[move] = replace(line, outcome=outcome, plies_to_end=None)
        return lines

    def outcome(self, position: Position, move: str) -> Outcome | None:
        """Return the outcome of a move as the solver proves it, for the side that plays it."""
        after = position.play(move)
        found = self.solver.solve(after, Limits(nodes=PROOF), stop=self.stop).outcome
        return found if found is None or after.turn == position.turn else REVERSED[found]

    def plies(
        self, position: Position, answer: Line, wrong: Mapping[str, Line], goal: Goal
    ) -> int | None:
        """Return the plies that the exercise takes; None if that is not proved."""
        if self.game.points:  # they are counted at the end of the game
            return len(self.best_play(position, answer.move, DEPTH + 1))
        if goal == "win":
            return answer.plies_to_end
        lasting = [line.plies_to_end for line in wrong.values()]
        known = [plies for plies in lasting if plies is not None]
        return max(known) if len(known) == len(lasting) else None

    def best_play(self, position: Position, move: str, most: int) -> tuple[str, ...]:
        """Return a move and best play after it, of at most `most` plies."""
        moves = [move]
        position = position.play(move)
        while len(moves) < most and not position.over:
            limits = Limits(depth=DEPTH, nodes=NODES)
            found = self.engine.search(position, limits, stop=self.stop)
            if found.outcome is None:
                found = self.solver.solve(position, Limits(nodes=PROOF), stop=self.stop)
            move = found.best or position.legal[0]
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    # ---- what is said about it -------------------------------------------------------------------

    def theme(self, found: Exercise) -> str:
        """Return what the answer does."""
        if found.goal == "draw":
            return PARRY if found.length == 1 else ONLY
        if found.length == 1:
            return AT_ONCE
        position, me = found.position(self.game), found.position(self.game).turn
        for move in found.line[:-1]:
            position = position.play(move)
            if position.turn != me and len(replies(position)) > 1:
                return QUIET
        return BY_FORCE

    def rating(self, position: Position, answer: str) -> int:
        """Return how hard the answer is to find: by the share of levels that miss it."""
        missed = sum(level.search(position).best != answer for level in self.levels)
        return round(EASIEST + (HARDEST - EASIEST) * missed / len(self.levels))


class Choice:
    """Chooses from what games offer: at most one of each, of all lengths, no position twice."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.count = count
        self.most = max(1, round(SHARE * count))
        self.made: list[Exercise] = []
        self.kinds: Counter[tuple[Goal, int]] = Counter()
        self.seen: set[int] = set()

    @property
    def is_complete(self) -> bool:
        """True if there are enough."""
        return len(self.made) >= self.count

    def take(self, offered: Iterable[Exercise]) -> Exercise | None:
        """Take the exercise of which there are fewest, if any is wanted."""
        wanted = [
            exercise
            for exercise in offered
            if self.kinds[exercise.goal, exercise.length] < self.most
            and exercise.position(self.game).key not in self.seen
        ]
        if not wanted or self.is_complete:
            return None
        chosen = min(wanted, key=lambda exercise: self.kinds[exercise.goal, exercise.length])
        self.kinds[chosen.goal, chosen.length] += 1
        self.seen.add(chosen.position(self.game).key)
        self.made.append(chosen)
        return chosen


REVERSED: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


def best_of(lines: Mapping[str, Line]) -> Outcome:
    """Return the best outcome that a move has."""
    outcomes = {line.outcome for line in lines.values()}
    return "win" if "win" in outcomes else "draw" if "draw" in outcomes else "loss"


def replies(position: Position) -> list[str]:
    """Return the moves after which the opponent cannot win at once."""
    return [move for move in position.legal if not wins_at_once(position.play(move), position.turn)]


def wins_at_once(position: Position, victim: int) -> bool:
    """Return True if the side to move, not the victim, can end the game with a win."""
    if position.over or position.turn == victim:
        return False
    ends = (position.play(move) for move in position.legal)
    sign = 1 if position.turn == 0 else -1
    return any(end.margin is not None and sign * end.margin > 0 for end in ends)
