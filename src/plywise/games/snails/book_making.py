"""Making the opening book: where the other is most likely to go wrong, with exact results.

On the usual board no side can win by force, so every line of good play is a draw. But many moves
that look well lose to play that nobody sees through at the board. The solver sees it, given its
time. So for each side a tree is grown. At the own turn every move that does not lose is tried, at
the other's every reply that a player might choose who looks some plies ahead, and the solver says
which of them lose. What comes back to the start are chances, and the book keeps the moves with
the best ones; after a reply that loses, moves that are proved to win, until the win is easy to
find.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from pathlib import Path

from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.book import WON, Book
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import SpecError
from plywise.games.snails.book import GOOD
from plywise.games.snails.evaluate import CELL
from plywise.games.snails.expert_search import Searcher
from plywise.games.snails.solver import SnailsSolver, solvable

#: The other is one of these, each as likely: so many plies it looks ahead.
FORESIGHT = (6, 9, 12)
DOUBT = CELL  #: a difference that it hardly feels
UNLIKELY = 0.06  #: replies below this are left out
LIMIT = 1000.0  #: a score that stands for a game that is won
MEMORY = 2048.0  #: megabytes for proofs, kept from question to question
SECONDS = 200.0  #: for a question; without an answer a move counts as bad for us
HOPE = 0.2  #: below this chance the search may choose among the moves that hold
EASY = 50_000  #: nodes that a win may take which needs no book


class Making:
    """A book under way. What is proved is kept beside the file, so that it can go on."""

    def __init__(self, game: Game, plies: int, file: Path, easy: int = EASY) -> None:
        if not solvable(game):
            what = (
                "its rules have to be plain"
                if game.board.territory
                else "it may have up to 64 cells"
            )
            raise SpecError(f"{game.spec} has no book: {what}")
        self.game, self.plies, self.file, self.easy = game, plies, file, easy
        self.solver = SnailsSolver(game, MEMORY)
        self.fresh = SnailsSolver(game, memory=8.0)
        self.searcher = Searcher(game, memory=1.0)
        self.part = file.with_name(file.name + ".part")
        self.answers: dict[tuple[int, int], bool] = {}
        if self.part.exists():
            for line in self.part.read_text().splitlines():
                key, player, answer = map(int, line.split())
                self.answers[key, player] = bool(answer)
        self.likely: dict[int, list[tuple[float, Position]]] = {}
        self.chances: dict[int, float] = {}

    def grow(self) -> Iterator[str]:
        """Both sides, deeper and deeper: a line about each that is done."""
        start = self.game.start()
        for depth in range(2, self.plies + 1, 2):
            for me in range(2):
                self.chances = {}
                chance = self.turn(start, me, depth) if me == 0 else self.reply(start, me, depth)
                proofs = len(self.answers)
                yield f"player {me + 1}, {depth} plies: {chance:.3f}, after {proofs:,} proofs"

    def turn(self, position: Position, me: int, depth: int) -> float:
        """The chance of a win with the move to us."""
        if depth <= 0:
            return 0.0
        return max((chance for _, chance in self.choices(position, me, depth)), default=0.0)

    def choices(self, position: Position, me: int, depth: int) -> list[tuple[Position, float]]:
        """Where moves lead that do not lose, one of each image, with the chances then."""
        after = {child.key: child for child in map(position.after, position.codes)}
        safe = [child for child in after.values() if self.wins(child, 1 - me) is False]
        return [(child, self.reply(child, me, depth - 1)) for child in safe]

    def reply(self, position: Position, me: int, depth: int) -> float:
        """The chance of a win with the move to the other."""
        if position.over or position.turn == me:
            return 0.0 if position.over else self.turn(position, me, depth)
        if position.key not in self.chances:
            self.chances[position.key] = sum(
                likely * (1.0 if self.wins(child, me) else self.turn(child, me, depth - 1))
                for likely, child in self.replies(position)
            )
        return self.chances[position.key]

    def replies(self, position: Position) -> list[tuple[float, Position]]:
        """Where the other may go, each with its likelihood."""
        if position.key not in self.likely:
            after = [position.after(move) for move in position.codes]
            likely = [0.0] * len(after)
            for foresight in FORESIGHT:
                scores = [self.score(child, position.turn, foresight - 1) for child in after]
                weights = [exp((score - max(scores)) / DOUBT) for score in scores]
                for index, weight in enumerate(weights):
                    likely[index] += weight / sum(weights) / len(FORESIGHT)
            every = zip(likely, after, strict=True)
            self.likely[position.key] = [each for each in every if each[0] >= UNLIKELY]
        return self.likely[position.key]

    def score(self, position: Position, player: int, depth: int) -> float:
        """What a search to a depth says of a position."""
        if position.margin is not None:
            return LIMIT * position.margin * (1 if player == 0 else -1)
        score = self.searcher.search(position, Limits(depth=depth), contempt=0).score
        return max(-LIMIT, min(LIMIT, score if position.turn == player else -score))

    def wins(self, position: Position, player: int) -> bool | None:
        """Does a player win? None if that takes too long."""
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
            self.chances = {}
            pending, seen = [self.game.start()], set[int]()
            while pending:
                position = pending.pop()
                if position.over or position.key in seen:
                    continue
                seen.add(position.key)
                if position.turn != me:
                    pending += map(position.after, position.codes)
                    continue
                for child, chance in self.good(position, me):
                    entries[child.key] = chance
                    likely = [after for _, after in self.replies(child)]
                    pending += [child] if chance == WON or child.turn == me else likely
        book = Book.of(self.game, entries)
        self.file.write_bytes(book.pack())
        self.part.unlink(missing_ok=True)
        return book

    def good(self, position: Position, me: int) -> list[tuple[Position, int]]:
        """Where the moves for the book lead, with their chances as the book has them."""
        if self.wins(position, me):
            child = self.winning(position, me)
            return [] if child is None else [(child, WON)]
        left = self.plies - len(position.moves)
        choices = self.choices(position, me, left) if left > 0 else []
        best = max((chance for _, chance in choices), default=0.0)
        if best < HOPE:
            return [(child, 0) for child, _ in choices]
        return [(c, int(chance * (WON - 1))) for c, chance in choices if chance >= GOOD * best]

    def winning(self, position: Position, me: int) -> Position | None:
        """Where a move leads that is proved to win; None where the win is easy."""
        self.fresh.start_over()
        if self.fresh.solve(position, Limits(nodes=self.easy)).outcome == "win":
            return None
        _, move = self.solver.wins(position, me, Run(NO_LIMITS))
        return position.after(move)
