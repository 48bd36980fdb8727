"""Exact results of Andantino: forced wins from the book, the shortest ones, or by proof numbers.

The search looks for longer and longer wins, so the first one found is the shortest. If there is no
short one, proof-number search takes turns with it: it follows narrow lines to any length.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo
from plywise.core.game import Game
from plywise.core.position import Position, texts
from plywise.engines.book import WON, Book
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run, first_move
from plywise.engines.proof import ForcedWin, Prover
from plywise.engines.scale import analysis_of, proved
from plywise.engines.solve import ExactSolver, Search
from plywise.games.andantino import rules
from plywise.games.andantino.kernel import OPEN, YES, Frame, solver_kernel
from plywise.jit.bits import has

MEGABYTES = 64.0  #: of the table
PROOFS = 256.0  #: megabytes for proof numbers, if they are needed
FIRST_TURN = 8_000_000  #: nodes before they are; each turn has four times as many as the last
FIRST_NODES = 200_000  #: nodes before the book is used, because a short win has a length
HARD = 20_000  #: after this many nodes, proof numbers find the line of a win


class Solver(ExactSolver):
    """Proves forced wins for either side, and keeps its transposition table."""

    def __init__(
        self,
        game: Game,
        memory: float = MEGABYTES,
        book: Book | None = None,
        proofs: float = PROOFS,
    ) -> None:
        self.game = game
        self.book = book
        self.proofs = proofs
        deepest = game.max_plies + 3
        self.kernel = solver_kernel.build(game.rules)
        self.states = np.zeros(deepest, game.type.state)
        self.frames = np.zeros(deepest, Frame)
        lists = np.zeros((deepest, game.max_moves), np.int32)
        ranks = np.zeros((deepest, game.max_moves), np.int64)
        entries = 1 << int(memory * (1 << 20) / 16).bit_length() - 1
        self.scratch = self.states, self.frames, lists, ranks, np.zeros((entries, 2), np.uint64)
        self.ask(game.start(), 0, 1, Run(NO_LIMITS), NO_BUDGET)  # compiles, before any clock starts

    @cached_property
    def prover(self) -> Prover:
        """The proof-number search, made when it is first needed."""
        prover = Prover(self.game, self.proofs)
        prover.warm(self.game.start())
        return prover

    def find(self, search: Search) -> Analysis:
        """Find who wins, in how many plies, and how; no outcome if a limit comes first."""
        position, run = search.position, search.run
        if search.limits.depth is not None:
            found = self.deepen(position, search.limits, run, search.on_info)
            search.nodes = found.nodes
            return found
        known = self.known(position)
        turn = FIRST_TURN if known is None else FIRST_NODES
        while True:
            part = Limits(nodes=min(turn, search.left))
            found = self.deepen(position, part, run, search.on_info)
            search.nodes += found.nodes
            if found.outcome is None and known is not None:
                found = known
            for attacker in (position.turn, 1 - position.turn):
                if found.outcome is None and not search.ended:
                    with run.off_the_clock():
                        prover = self.prover
                    asked = prover.ask(position, attacker, run, min(turn, search.left))
                    search.nodes += asked.nodes
                    if asked.settled:
                        found = self._proved(position, attacker)
            if found.outcome is not None or search.ended:
                return found
            turn *= 4

    def known(self, position: Position) -> Analysis | None:
        """Look in the book: a win, or a loss with the longest defence."""
        moves = {} if self.book is None else self.book.moves(position)
        if self.book is None or not moves:
            return None
        best = max(moves, key=lambda move: moves[move])
        won, lost = moves[best] == WON, self.book.chance(position) == WON
        if not won and not lost:  # a move leads into the book, but others may not
            return None
        return analysis_of((position.text_of(best),), proved(position, 1 if won else -1, None))

    def _proved(self, position: Position, attacker: int) -> Analysis:
        """A win by proof numbers, with one line of it."""
        seen = proved(position, 1 if attacker == position.turn else -1, None)
        moves: list[str] = []
        run, here = Run(NO_LIMITS), position
        while not here.over:
            near = self.deepen(here, Limits(nodes=HARD), run, None)
            if near.outcome is not None:
                moves += near.pv
                break
            move = here.legal_codes[0]
            if here.turn == attacker:
                move = self.prover.ask(here, attacker, run).best
            elif near.best is not None:
                move = here.code_of(near.best)
            moves.append(here.text_of(move))
            here = here.play_code(move)
        return analysis_of(tuple(moves), seen)

    def deepen(
        self, position: Position, limits: Limits, run: Run, on_info: OnInfo | None
    ) -> Analysis:
        """Look for a win in 1, a loss in 2, a win in 3, ... up to the limits."""
        nodes, limit = 0, limits.nodes or NO_BUDGET
        left = int(self.game.board.cells) - int(position.state.filled)
        most = min(left, limits.depth or left)
        best = first_move(position)
        for plies in range(1, most + 1):
            attacker = position.turn if plies % 2 else 1 - position.turn
            found = self.ask(position, attacker, plies, run, limit - nodes)
            nodes += found.nodes
            if found.settled is None:
                break
            if not found.settled and plies % 2 == 0 and found.best in position.legal_codes:
                safe = position.text_of(found.best)  # this move avoids that loss
                best = replace(best, best=safe, pv=(safe,))
            # A player may have to put the last stone into the opponent's ring. So a win may be a
            # ply shorter, and at the end of the board both have to be asked.
            length = plies
            if found.settled and plies > 1:
                sooner = self.ask(position, attacker, plies - 1, run, limit - nodes)
                nodes += sooner.nodes
                length -= int(sooner.settled is True)
            elif not found.settled and plies == left:
                attacker = 1 - attacker
                found = self.ask(position, attacker, plies, run, limit - nodes)
                nodes += found.nodes
                if found.settled is None:
                    break
                if not found.settled:
                    avoids = plies % 2 == 1 and found.best in position.legal_codes
                    safe = position.text_of(found.best) if avoids else best.pv[0]
                    best = analysis_of((safe,), proved(position, 0, None))
            if found.settled:
                seen = proved(position, 1 if attacker == position.turn else -1, length)
                pv = texts(position, self.line(position, attacker, length))
                best = analysis_of(pv, seen)
            best = replace(best, depth=plies, nodes=nodes, seconds=run.seconds)
            if on_info is not None:
                on_info(best)
            if best.outcome is not None:
                break
        return replace(best, nodes=nodes, seconds=run.seconds)

    def ask(
        self, position: Position, attacker: int, plies: int, run: Run, budget: int
    ) -> ForcedWin:
        """Ask if a player forces a win within these plies. The clock counts after the grace."""
        if run.grace > 0:
            found = self._ask(position, attacker, plies, run, min(budget, run.grace), hurry=False)
            run.grace -= found.nodes
            if found.settled is not None or run.stopped or found.nodes >= budget:
                return found
            again = self._ask(position, attacker, plies, run, budget - found.nodes, hurry=True)
            return again._replace(nodes=found.nodes + again.nodes)
        return self._ask(position, attacker, plies, run, budget, hurry=True)

    def _ask(
        self, position: Position, attacker: int, plies: int, run: Run, budget: int, *, hurry: bool
    ) -> ForcedWin:
        self.states[0] = position.state
        counts = np.array([budget], np.int64)

        given = attacker, plies, counts, run.stop, run.halt
        job = partial(self.kernel, self.game.boards, *self.scratch, *given)
        (answer,) = run.call([job], hurry=hurry)
        settled = None if answer == OPEN else answer == YES
        return ForcedWin(settled, int(self.frames[0].move), int(counts[0]))

    def line(self, position: Position, attacker: int, plies: int) -> list[int]:
        """The line of a proved win: the attacker's shortest moves, the defender's longest.

        All of it has been searched before, so it takes hardly any time.
        """
        moves: list[int] = []
        run = Run(NO_LIMITS)
        while not position.over:
            if position.turn == attacker:
                move = self.ask(position, attacker, plies, run, NO_BUDGET).best
            else:
                move = self._longest(position, attacker, plies, run)
            moves.append(move)
            position, plies = position.play_code(move), plies - 1
        return moves

    def _longest(self, position: Position, attacker: int, plies: int, run: Run) -> int:
        """The answer after which the win takes longest."""
        codes, shorter = position.legal_codes, plies - 2
        number, cell = rules.winning(self.game.board, position.state, attacker)
        if number == 1 and not has(position.state.pocket[attacker], int(cell)):
            codes = (int(cell),)
        for move in codes:
            after = position.play_code(move)
            if after.over:
                continue
            if shorter < 1 or not self.ask(after, attacker, shorter, run, NO_BUDGET).settled:
                return move
        return codes[0]
