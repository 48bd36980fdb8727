"""Make the opening book: black's win, proved against every answer of white.

For each move of white's, the book gets one move of black's that proof-number search has shown to
win, until a small search finds the win by itself. So the book and that small search are enough to
check the whole proof. White's defences are included, the longest with the most weight. Black's
first moves are given, because proof-number search would switch between several good ones there;
the rest of the proof shows that they win.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import NamedTuple

from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.book import WON, Book
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.proof import Prover
from plywise.errors import Unsupported

OPENING = "j10"
#: Up to symmetry there is one way to place three stones, and white has three answers.
LINES = ("j10 k10 j11 k9 j9", "j10 k10 j11 k11 j12", "j10 k10 j11 i11 k9 j9 l9")
#: The answer of white's after which programs most often go wrong; `i11` is harder to refute.
TRICKY = "j10 k10 j11 k11"
BLACK = 0
TURN = 30.0  #: seconds of work between two progress lines
EASY = 60_000  #: a win found within so many nodes needs no book
SMALL = 16.0  #: megabytes for the search without a book
MEMORY = 4096.0  #: megabytes for the search that makes the book


class Small:
    """The search without a book. It starts with an empty table each time."""

    def __init__(self, game: Game, easy: int = EASY) -> None:
        self.prover, self.easy, self.nodes = Prover(game, SMALL), easy, 0
        self.prover.warm(game.start())

    def wins(self, position: Position) -> bool:
        """True if it finds a win for black."""
        if position.over:
            return position.winner == BLACK + 1
        self.prover.forget()
        found = self.prover.ask(position, BLACK, Run(NO_LIMITS), self.easy)
        self.nodes += found.nodes
        return found.settled is True


def answers(position: Position) -> list[Position]:
    """The positions after each move, up to symmetry."""
    return list(
        {child.key: child for child in map(position.play_code, position.legal_codes)}.values()
    )


class Making:
    """A book in progress. Proofs are kept beside the file, so that it can continue later."""

    def __init__(
        self,
        game: Game,
        file: Path,
        memory: float = MEMORY,
        opening: str = OPENING,
        lines: tuple[str, ...] = LINES,
        easy: int = EASY,
    ) -> None:
        self.game, self.file = game, file
        self.opening = game.position(opening)
        self.prover = Prover(game, memory)
        self.prover.warm(self.opening)
        self.small = Small(game, easy)
        self.nodes = 0
        self.part = file.with_name(file.name + ".part")
        self.wins: dict[
            int, int
        ] = {}  # by position with black to move: the position after the winning move
        if self.part.exists():
            for line in self.part.read_text().splitlines():
                before, after = map(int, line.split())
                self.wins[before] = after
        for line in lines:
            position = game.start()
            for move in line.split():
                before, position = position.key, position.play(move)
                if position.turn != BLACK:
                    self.wins[before] = position.key

    def grow(self) -> Iterator[str]:
        """Go through everything white can play, and prove it; yield progress lines."""
        pending, seen = [self.opening], {self.opening.key}
        while pending:
            for child in answers(pending.pop()):
                if child.key not in self.wins:
                    if self.small.wins(child):
                        continue
                    yield from self.prove(child)
                after = next(each for each in answers(child) if each.key == self.wins[child.key])
                if after.key not in seen:
                    seen.add(after.key)
                    pending.append(after)

    def prove(self, position: Position) -> Iterator[str]:
        """Find a winning move for black, who is to move, and prove it."""
        while True:
            found = self.prover.ask(position, BLACK, Run(Limits(time=TURN)))
            self.nodes += found.nodes
            if found.settled is False:
                raise Unsupported(f"black does not win after {position.moves}")
            if found.settled:
                break
            numbers = f"proof number {found.proof}, disproof number {found.disproof}"
            yield f"{self.game.join_moves(position.moves)}: {numbers}, {self.told}"
        after = position.play_code(found.best).key
        self.wins[position.key] = after
        with self.part.open("a") as part:
            part.write(f"{position.key} {after}\n")
        if len(position.moves) < 10 or len(self.wins) % 100 == 0:
            yield f"{self.game.join_moves(position.moves)}: black wins, {self.told}"

    @property
    def told(self) -> str:
        """The progress so far."""
        return f"{self.nodes:,} nodes, {len(self.wins):,} positions"

    def finish(self) -> Book:
        """Write the book."""
        wins = dict.fromkeys([self.opening.key, *self.wins.values()], WON)
        book = with_defences(Book.of(self.game, wins), self.opening)
        self.file.write_bytes(book.pack())
        self.part.unlink(missing_ok=True)
        return book


def with_defences(book: Book, opening: Position) -> Book:
    """Add white's moves to a book, weighted by how many positions follow each."""
    sizes: dict[int, int] = {}
    defences: dict[int, int] = {}
    pending = [opening]
    while pending:
        position = pending[-1]
        hard = [(child, after) for child in answers(position) if (after := reply(book, child))]
        left = [after for _, after in hard if after.key not in sizes]
        if left:
            pending += left
            continue
        pending.pop()
        for child, after in hard:
            defences[child.key] = min(WON - 1, round(16 * log2(1 + sizes[after.key])))
        sizes[position.key] = 1 + sum(sizes[after.key] for _, after in hard)
    tricky = book.game.position(TRICKY).key
    if tricky in defences:
        defences[tricky] = WON - 1
    return Book.of(book.game, {**dict.fromkeys(sizes, WON), **defences})


def reply(book: Book, position: Position) -> Position | None:
    """The position after black's book move; None where the book ends."""
    known = [after for after in answers(position) if book.chance(after) == WON]
    return known[0] if known else None


class Checked(NamedTuple):
    """What a check of the book found."""

    positions: int  #: book positions visited
    leaves: int  #: positions that the small search proved
    nodes: int  #: nodes searched
    open: list[Position]  #: positions without a proved win


def check(book: Book, opening: str = OPENING, easy: int = EASY) -> Checked:
    """Check the book against everything white can play, and prove the positions where it ends."""
    small, leaves, unproved = Small(book.game, easy), 0, []
    pending = [book.game.position(opening)]
    seen = {pending[0].key}
    while pending:
        for child in answers(pending.pop()):
            after = reply(book, child)
            if after is None:
                leaves += 1
                if not small.wins(child):
                    unproved.append(child)
            elif after.key not in seen:
                seen.add(after.key)
                pending.append(after)
    return Checked(len(seen) - 1, leaves, small.nodes, unproved)
