"""Make the opening book: moves after which the opponent is likely to go wrong, solved exactly.

On the standard board neither side can force a win, so every line of good play is a draw. But many
moves that look good lose in ways that no player can see in time; the solver can. So a tree is grown
for each side. At the book's own turn every move that does not lose is tried, at the opponent's
every reply that one of a few model players might choose, and the solver says which of them lose.
The opponent is the same model player throughout, so earlier moves show who is likely. The chances
of a win are carried back to the start, and the book keeps the moves with the best ones; after a
losing reply it has moves that are proved to win, until the win is easy to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines import make
from plywise.engines.book import WON, Book
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import SpecError
from plywise.games.snails.expert.engine import GOOD
from plywise.games.snails.expert.evaluate import CELL
from plywise.games.snails.expert.search import Searcher
from plywise.games.snails.solver import SnailsSolver, solvable

#: The opponent is one of these, equally likely: our own search, so many plies ahead, ...
FORESIGHT = (9, 12)
#: ... the paper's best, or alpha-beta with the paper's heuristic and so many seconds a move ...
REPORT = "minimax-astar:depth=8"
RIVAL, SPEEDS = "alphabeta:heuristic=minimax-astar", (0.2, 0.4)
HASTE = (0.7, 1.0, 1.4)  #: ... times this factor: a little more or less time may change its move
DOUBT = CELL  #: a difference that hardly matters to it
UNLIKELY = 0.06  #: replies less likely than this are left out
LIMIT = 1000.0  #: the score of a won game
MEMORY = 2048.0  #: megabytes for proofs, kept between questions
SECONDS = 200.0  #: per question; without an answer a move counts as bad
SECOND = 4  #: fewer plies for the second player, who has one safe move and few traps
HOPE = 0.2  #: below this chance the search may choose among the safe moves
EASY = 50_000  #: a win found within so many nodes needs no book


Chances = np.ndarray[Any, Any]  #: the probability of each model player


class Making:
    """A book in progress. Proofs are kept beside the file, so that it can continue later."""

    def __init__(
        self,
        game: Game,
        plies: int,
        file: Path,
        easy: int = EASY,
        speeds: tuple[float, ...] = SPEEDS,
    ) -> None:
        if not solvable(game):
            what = (
                "only the rules without territory have one"
                if game.board.territory
                else "only boards of up to 64 cells have one"
            )
            raise SpecError(f"{game.spec} has no book: {what}")
        self.game, self.plies, self.file, self.easy, self.speeds = game, plies, file, easy, speeds
        players = len(FORESIGHT) + 1 + len(speeds) * len(HASTE)
        self.everybody: Chances = np.full(players, 1 / players)
        self.solver = SnailsSolver(game, MEMORY)
        self.fresh = SnailsSolver(game, memory=8.0)
        self.searcher = Searcher(game, memory=1.0)
        self.part = file.with_name(file.name + ".part")
        self.answers: dict[tuple[int, int], bool] = {}
        if self.part.exists():
            for line in self.part.read_text().splitlines():
                key, player, answer = map(int, line.split())
                self.answers[key, player] = bool(answer)
        self.report = make(REPORT, game)
        self.likely: dict[int, list[tuple[Position, Chances]]] = {}
        self.chances: dict[tuple[int, int, bytes], float] = {}

    def grow(self) -> Iterator[str]:
        """Grow both sides deeper and deeper; yield a line after each."""
        start = self.game.start()
        for depth in range(2, self.plies + 1, 2):
            for me in range(1 if depth > self.plies - SECOND else 2):
                chance = self.turn(start, me, depth, self.everybody)
                proofs = len(self.answers)
                yield f"player {me + 1}, {depth} plies: {chance:.3f}, after {proofs:,} proofs"

    def turn(self, position: Position, me: int, depth: int, who: Chances) -> float:
        """The chance of a win; `who` has the probability of each model player."""
        if position.over:
            return 0.0
        if position.turn != me:
            return self.reply(position, me, depth, who)
        if depth <= 0:
            return 0.0
        every = self.choices(position, me, depth, who)
        return max((chance for _, chance in every), default=0.0)

    def choices(
        self, position: Position, me: int, depth: int, who: Chances
    ) -> list[tuple[Position, float]]:
        """The positions after moves that do not lose, up to symmetry, with their chances."""
        after = {child.key: child for child in map(position.play_code, position.legal_codes)}
        safe = [child for child in after.values() if self.wins(child, 1 - me) is False]
        return [(child, self.turn(child, me, depth - 1, who)) for child in safe]

    def reply(self, position: Position, me: int, depth: int, who: Chances) -> float:
        """The chance of a win when the opponent is to move."""
        asked = position.key, depth, who.tobytes()
        if asked not in self.chances:
            self.chances[asked] = sum(
                likely * (1.0 if self.wins(child, me) else self.turn(child, me, depth - 1, left))
                for child, likely, left in self.replies(position, who)
            )
        return self.chances[asked]

    def replies(self, position: Position, who: Chances) -> list[tuple[Position, float, Chances]]:
        """The opponent's likely replies, their probabilities, and the model players after each."""
        if position.key not in self.likely:
            after = [position.play_code(move) for move in position.legal_codes]
            rows = [*self.estimates(position, after), *self.programs(position)]
            self.likely[position.key] = list(zip(after, np.array(rows).T, strict=True))
        every = [(child, who * likely) for child, likely in self.likely[position.key]]
        return [
            (child, float(left.sum()), np.round(left / left.sum(), 3))
            for child, left in every
            if left.sum() >= UNLIKELY
        ]

    def estimates(self, position: Position, after: list[Position]) -> Iterator[list[float]]:
        """The probability of each move for players with our evaluation."""
        for foresight in FORESIGHT:
            scores = [self.score(child, position.turn, foresight - 1) for child in after]
            weights = [exp((score - max(scores)) / DOUBT) for score in scores]
            yield [weight / sum(weights) for weight in weights]

    def programs(self, position: Position) -> Iterator[list[float]]:
        """The same for programs with the paper's heuristic, which each play one move."""
        choices = [self.report.search(position).best]
        for seconds in self.speeds:
            choices += self.played(position, seconds)
        for choice in choices:
            yield [float(move == choice) for move in position.legal]

    def played(self, position: Position, seconds: float) -> Iterator[str | None]:
        """The rival's moves; it remembers its searches on the way here."""
        rival = make(RIVAL, self.game)
        seen = self.game.start()
        for move in position.moves:
            if seen.turn == position.turn:
                rival.search(seen, Limits(seconds))
            seen = seen.play(move)
        found: list[Analysis] = []
        last = rival.search(position, Limits(max(HASTE) * seconds), found.append)
        for haste in HASTE[:-1]:
            ready = [info for info in found if info.seconds <= haste * seconds]
            yield (ready or [last])[-1].best
        yield last.best

    def score(self, position: Position, player: int, depth: int) -> float:
        """The score of a position from a search to a depth."""
        if position.margin is not None:
            return LIMIT * position.margin * (1 if player == 0 else -1)
        score = self.searcher.search(position, Limits(depth=depth), contempt=0).score
        return max(-LIMIT, min(LIMIT, score if position.turn == player else -score))

    def wins(self, position: Position, player: int) -> bool | None:
        """True if a player wins; None if that takes too long to find out."""
        if position.margin is not None:
            return position.margin > 0 if player == 0 else position.margin < 0
        asked = position.key, player
        if asked not in self.answers:
            answer, _ = self.solver.wins(position, player, Run(Limits(SECONDS)))
            if answer is None:
                return None
            self.answers[asked] = answer
            with self.part.open("a") as part:
                part.write(f"{position.key} {player} {answer:d}\n")
        return self.answers[asked]

    def finish(self) -> Book:
        """Write the book: the moves with the best chances, and how to win."""
        entries: dict[int, int] = {}
        for me in range(2):
            pending, seen = [(self.game.start(), self.everybody)], set[int]()
            while pending:
                position, who = pending.pop(0)
                if position.over or position.key in seen:
                    continue
                seen.add(position.key)
                if position.turn != me:
                    pending += [(position.play_code(move), who) for move in position.legal_codes]
                    continue
                for child, chance in self.good(position, me, who):
                    entries[child.key] = chance
                    if chance == WON or child.turn == me:
                        pending.append((child, who))
                    else:
                        pending += [(after, left) for after, _, left in self.replies(child, who)]
        book = Book.of(self.game, entries)
        self.file.write_bytes(book.pack())
        self.part.unlink(missing_ok=True)
        return book

    def good(self, position: Position, me: int, who: Chances) -> list[tuple[Position, int]]:
        """The positions after the book moves, with their chances as stored."""
        if self.wins(position, me):
            child = self.winning(position, me)
            return [] if child is None else [(child, WON)]
        left = self.plies - SECOND * me - len(position.moves)
        choices = self.choices(position, me, left, who) if left > 0 else []
        best = max((chance for _, chance in choices), default=0.0)
        if best < HOPE:
            return [(child, 0) for child, _ in choices]
        return [(c, int(chance * (WON - 1))) for c, chance in choices if chance >= GOOD * best]

    def winning(self, position: Position, me: int) -> Position | None:
        """The position after a move that is proved to win; None if the win is easy."""
        self.fresh.start_over()
        if self.fresh.solve(position, Limits(nodes=self.easy)).outcome == "win":
            return None
        _, move = self.solver.wins(position, me, Run(NO_LIMITS))
        return position.play_code(move)
