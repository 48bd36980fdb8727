"""How good a network is, on positions whose exact values are known (see `plywise grade`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from plywise.core.game import Game
from plywise.engines.batch import planes_of
from plywise.jit.kernels import roomy
from plywise.play.grade import Labelled

from .trees import SCALE, Array, Trees

TOGETHER = 2000  #: positions that are searched side by side

#: From planes of bytes to logits and values.
Answer = Callable[[Array], tuple[Array, Array]]


class Exam:
    """Solved positions, and the share in which a move keeps the value."""

    def __init__(self, game: Game, asked: Sequence[Labelled]) -> None:
        self.game = game
        self.writer = planes_of(game)
        positions = [game.position(list(one.moves)) for one in asked]
        self.states = np.concatenate([position.states for position in positions])
        self.turns = np.array([position.turn for position in positions], np.uint8)
        #: [position, move]: whether it is legal, and whether it keeps the value.
        self.legal = np.zeros((len(asked), game.max_moves), np.bool_)
        self.keeps = self.legal.copy()
        #: Every position after a legal move: whose move it was, and the result if the game is over.
        parents, codes, results, states, turns = [], [], [], [], []
        for number, (one, position) in enumerate(zip(asked, positions, strict=True)):
            for code, value in zip(position.legal_codes, one.values, strict=True):
                self.legal[number, code] = True
                self.keeps[number, code] = value == one.best
                after = position.play_code(code)
                sign = 1 if position.turn == 0 else -1
                parents.append(number)
                codes.append(code)
                results.append(np.nan if after.margin is None else np.sign(after.margin) * sign)
                states.append(after.states)
                turns.append(after.turn)
        self.parents, self.codes = np.array(parents), np.array(codes)
        self.results = np.array(results, np.float32)
        self.after = np.concatenate(states)
        self.after_turns = np.array(turns, np.uint8)

    def __len__(self) -> int:
        return len(self.states)

    def by_policy(self, answer: Answer) -> float:
        """The share of the moves with the highest logits that keep the value."""
        logits, _ = answer(self._planes(self.states, self.turns))
        return self._kept(np.where(self.legal, logits, -np.inf))

    def by_value(self, answer: Answer) -> float:
        """The same for the moves to the position with the best value."""
        _, values = answer(self._planes(self.after, self.after_turns))
        own = np.where(self.after_turns == self.turns[self.parents], values, -values)
        found = np.full(self.legal.shape, -np.inf)
        found[self.parents, self.codes] = np.where(np.isnan(self.results), own, self.results)
        return self._kept(found)

    def by_search(self, answer: Answer, simulations: int, scale: float = SCALE) -> float:
        """The same for the moves that a search finds."""
        right = 0
        for low in range(0, len(self), TOGETHER):
            some = slice(low, low + TOGETHER)
            chosen = search(self.game, self.states[some], answer, simulations, scale).chosen
            right += int(self.keeps[some][np.arange(len(chosen)), chosen].sum())
        return right / len(self)

    def _kept(self, scores: Array) -> float:
        return float(self.keeps[np.arange(len(self)), scores.argmax(axis=1)].mean())

    def _planes(self, states: Array, turns: Array) -> Array:
        planes = np.zeros((len(states), *self.writer.shape), np.uint8)
        self.writer.write(states, turns, planes)
        return planes


def search(
    game: Game, states: Array, answer: Answer, simulations: int, scale: float = SCALE
) -> Trees:
    """Search every state, without noise; return the trees, with what they found."""
    trees = Trees(game, len(states), simulations, scale=scale)
    trees.plant(states)
    writer, out = planes_of(game), roomy(game.max_moves, np.int32)
    planes = np.zeros((len(states), *writer.shape), np.uint8)
    while not trees.trees["done"].all():
        writer.write(trees.leaves, trees.turns, planes)
        trees.logits[:], trees.values[:] = answer(planes)
        trees.search(0, len(states), out)
    return trees
