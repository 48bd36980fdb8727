"""Many games of one kind, played side by side in one compiled call: `plywise.batch`.

Everything is a NumPy array with a row for each game. The arrays are written in place, so take them
once: `torch.from_numpy(batch.planes)` always shows the present positions.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import pairwise
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plywise.core.analysis import Stop
from plywise.core.engine import enough_memory
from plywise.core.game import Game, Record, Verb, need_game
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.errors import IllegalMove, InvalidMove, RulesError, SpecError, Unsupported
from plywise.jit import kernel
from plywise.jit.bits import ZERO, below, has, include, random_words
from plywise.jit.kernels import roomy
from plywise.trial import ensure_tried

if TYPE_CHECKING:
    from plywise.kit.planes import PlaneWriter

Array = np.ndarray[Any, Any]

SHARE = 1024  #: games for a thread: starting it takes as long as playing a few hundred moves
CHUNK = 1 << 18  #: bytes that are written before their planes: they stay in a core's own cache
_KEPT = ("over", "margins", "rewards", "sample", "_random")  #: what does not follow from states
_GO = np.zeros(1, np.uint8)  #: the flag of a search that nobody stops


class Batch:
    """`n` games of one kind, played side by side in compiled code.

    Every array has a row for each game. The seed decides the random moves. With `restart`, a game
    that ends begins again at once. The games are shared out to `threads`, by default all cores if
    there are enough games. Without `planes` none are written, which saves their time.

    >>> import plywise
    >>> games = plywise.batch(plywise.game("connect4"), 1000, seed=1, restart=True)
    >>> games.step(games.sample)
    >>> games.planes.shape, int(games.turns.sum())
    ((1000, 3, 6, 7), 1000)

    Attributes:
        game: what is played.
        states: the state records of the positions, to read only.
        legal: True for every move that is legal, by its number; False for all if the game is over.
        turns: the player to move, 0 or 1.
        planes: the positions for learning, as bytes, seen by the player to move: those of
            `plywise.kit.planes`, or of a game without a look the bytes of its state record.
            Nothing if the batch was made with `planes=False`.
        over: True if the game is over; with `restart`, if it ended with the last step.
        margins: by how much player 0 won the game that ended last.
        rewards: of both players, by the last step: 1 for a win, -1 for a loss, else 0.
        sample: a random legal move; -1 if the game is over.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seed: int = 0,
        restart: bool = False,
        threads: int | None = None,
        planes: bool = True,
    ) -> None:
        need_game(game, "batch")
        count = _whole("n", n)
        self.game = game
        self.restart = restart
        ensure_tried(game)
        start = game.start()
        if start.over:
            raise Unsupported(f"{game.spec} is over before the first move: {start.reason}")
        wanted = _threads(count) if threads is None else min(_whole("threads", threads), count)
        self._start = start.states
        _check_memory(game, count, planes)
        edges = [count * part // wanted for part in range(wanted + 1)]
        self._shares = [
            _Share(low, high, roomy(game.max_moves, np.int32), planes_of(game) if planes else None)
            for low, high in pairwise(edges)
        ]
        with enough_memory(f"a batch of {count} games of {game.spec}"):
            self._states = roomy(count, game.type.state)
            self.states = self._states.view()
            self.states.flags.writeable = False  # rules trust what is in them
            self._allowed = np.zeros((count, (game.max_moves + 63) // 64), np.uint64)
            self._chosen = np.zeros(count, np.int64)
            self.legal = np.zeros((count, game.max_moves), np.bool_)
            self.turns = np.zeros(count, np.uint8)
            self.over = np.zeros(count, np.bool_)
            self.margins = np.zeros(count, np.int32)
            self.rewards = np.zeros((count, 2), np.float32)
            self.sample = np.zeros(count, np.int64)
            writer = self._shares[0].planes
            shape = (0,) if writer is None else writer.shape
            self.planes = np.zeros((count, *shape), np.uint8)
        self._step = step_kernel.build(game.rules)
        self._check = check_kernel.build()
        self._turn = Lock()  # one call at a time, from whatever thread
        size = self.states.nbytes + self.legal.nbytes + self.planes.nbytes
        self._chunk = max(1, CHUNK * count // size)
        self.reset(seed=seed)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<{len(self)} games of {self.game.spec}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the games and their random numbers; a copy has arrays of its own."""
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        kept["states"] = self._states.tobytes()  # without the type, which cannot be pickled
        again = partial(Batch, restart=self.restart, planes=self.planes.size > 0)
        return again, (self.game, len(self)), kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._states[:] = np.frombuffer(kept.pop("states"), self._states.dtype)
        self._call(self.sample, 0)
        for name, array in kept.items():
            getattr(self, name)[:] = array

    # ---- playing -------------------------------------------------------------------------------

    def step(self, moves: Any) -> None:
        """Play a move in every game; in games that are over the move is ignored.

        `moves` has the number of a legal move for each game. If one of them is not legal, an
        IllegalMove names it, and nothing is played.
        """
        chosen = np.asarray(moves)
        if chosen.dtype.kind not in "iu" or chosen.shape != self._chosen.shape:
            raise InvalidMove(
                f"step needs {len(self)} whole numbers, a move for each game, not"
                f" {chosen.dtype} of the shape {chosen.shape}"
            )
        with self._turn:
            self._chosen[:] = chosen
            self._ensure_legal(self._chosen)
            self._call(self._chosen, 1)

    def random(self, steps: int = 1, stop: Stop | None = None) -> int:
        """Play that many random moves in every game; return how many moves were played in all.

        Planes are written after the last one. The moves depend on the seed, not on the threads.
        """
        number = _whole("steps", steps)
        with self._turn:
            self._ensure_legal(self.sample)  # somebody may have written to it
            return self._call(self.sample, number, stop)

    def reset(
        self, games: Any = None, *, start: Position | None = None, seed: int | None = None
    ) -> None:
        """Set up the start position in all games, or in these: numbers, or a truth value each.

        `start` is another position to begin from; games that restart begin at the usual one.
        A seed makes the random moves of all games start again from it.
        """
        if seed is not None:
            self._random = random_words(len(self), index(seed)) | np.uint64(1)
        which = slice(None) if games is None else np.asarray(games)
        if start is not None and not start.game.same_board(self.game):
            raise Unsupported(f"{self.game.spec} cannot start from a position of {start.game.spec}")
        with self._turn:
            self._states[which] = self._start if start is None else start.states
            self.over[which] = False
            self._call(self.sample, 0)

    def seen_by(self, player: int) -> Array:
        """Return the planes of all games, seen by player 0 or 1, in a new array."""
        planes = np.empty_like(self.planes)
        writer = self._shares[0].planes
        if writer is not None:
            with self._turn:
                writer.write(self._states, np.full(len(self), player, np.uint8), planes)
        return planes

    def position(self, number: int) -> Position:
        """Return the position of a game, without the moves that led to it."""
        states = self.states[number : number + 1].copy()
        if len(states) != 1:
            raise IndexError(f"there is no game {number}: the games are 0 to {len(self) - 1}")
        to_text = self.game.type.notation.to_text
        text = None if to_text is None else to_text(self.game.board, states[0])
        return Position(self.game, states, origin=text)

    # ---- calls of the kernels --------------------------------------------------------------------

    def _call(self, chosen: Array, steps: int, stop: Stop | None = None) -> int:
        """Run the kernel on every slice; return the number of moves."""
        if steps <= 1 and len(self._shares) == 1:
            return self._work(self._shares[0], chosen, steps, _GO, _GO)
        run = Run(NO_LIMITS, stop)
        jobs = [
            partial(self._work, share, chosen, steps, run.stop, run.halt) for share in self._shares
        ]
        return sum(run.call(jobs))

    def _work(self, share: _Share, chosen: Array, steps: int, stop: Array, halt: Array) -> int:
        """Play in one share of the games and write their planes, as many as the cache holds."""
        total = 0
        for low in range(share.low, share.high, self._chunk):
            high = min(low + self._chunk, share.high)
            played = self._step(
                self.game.boards, self._start, self._states, chosen, self.sample, self.legal,
                self._allowed, self.turns, self.over, self.margins, self.rewards, self._random,
                share.out, low, high, steps, self.restart, stop, halt,
            )  # fmt: skip
            if played < 0:
                raise RulesError(
                    f"`moves` of {self.game.name} wrote a move that is not one of 0 to"
                    f" {self.game.max_moves - 1}: see sizes"
                )
            if share.planes is not None:
                share.planes.write(
                    self._states[low:high], self.turns[low:high], self.planes[low:high]
                )
            total += int(played)
        return total

    def _ensure_legal(self, chosen: Array) -> None:
        """Raise an IllegalMove that names the first game whose move is not legal."""
        most = self.game.max_moves
        number = int(self._check(chosen, self._allowed, most, self.over, self.restart))
        if number < 0:
            return
        position, move = self.position(number), str(chosen[number])
        legal = [str(code) for code in sorted(position.legal_codes)]
        some = legal if len(legal) <= 12 else [*legal[:10], "...", legal[-1]]
        words = f"the legal moves are {' '.join(some)}" if legal else "the game is over"
        raise IllegalMove(f"game {number}: {move} is not a legal move: {words}", move, position)


batch = Batch
"""`plywise.batch(game, n)` makes a Batch, as `plywise.game` makes a Game."""


class _Share(NamedTuple):
    """The games of one thread, and what it needs for itself."""

    low: int
    high: int
    out: Array  # the list of legal moves
    planes: StateBytes | PlaneWriter | None


class StateBytes:
    """The planes of a game without a look: the bytes of its state record, one after the other."""

    def __init__(self, game: Game) -> None:
        self.shape = (game.type.state.itemsize,)
        self.high = np.full(self.shape, 255, np.uint8)

    def write(self, states: Array, players: Array, out: Array) -> None:
        """Copy the bytes; they are the same for both players."""
        out[:] = states.view(np.uint8).reshape(len(states), -1)


def _threads(count: int) -> int:
    """Return how many threads pay off for this number of games."""
    known = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return max(1, min(cores, count // SHARE))


def _check_memory(game: Game, count: int, planes: bool) -> None:
    """Refuse a batch that is larger than the memory: the system would end the process later."""
    each = game.type.state.itemsize + game.max_moves
    each += int(np.prod(planes_of(game).shape)) if planes else 0
    if not hasattr(os, "sysconf"):  # on Windows an allocation fails at once
        return
    if count * each > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
        raise SpecError(
            f"there is not enough memory for a batch of {count} games of {game.spec}:"
            f" {each} bytes for each"
        )


def planes_of(game: Game) -> StateBytes | PlaneWriter:
    """Return what writes the planes of a game, for one thread."""
    look = game.type.look
    return StateBytes(game) if look is None else look.planes(game)


def _whole(name: str, value: int) -> int:
    """Return a whole number from 1 up."""
    try:
        number = index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise SpecError(
            f"{name}={value!r:.40} is not valid: {name} must be a whole number from 1 up"
        )
    return number


# ---- the kernels ---------------------------------------------------------------------------------
# Every array has a row for each game:
#
#     states    n records            legal     n x max_moves, True where a move is legal
#     chosen    n moves to play      allowed   n sets of legal moves, which nobody else writes to
#     turns     n times 0 or 1       sample    n random legal moves; -1 where the game is over
#     ended     n truth values       margins   n results of the games that ended last
#                                    rewards   n x 2, of this step


@kernel
def step_kernel(moves: Verb, play: Verb, turn: Verb, over: Verb, margin: Verb) -> Verb:
    """Play `chosen` in games `first` to `last`, `steps` times; with `sample` for it, at random.

    With `restart` a game that ends begins again at once: `ended`, `margins` and `rewards` tell of
    the game that ended, everything else of the new one. With 0 steps only the arrays are written.
    Returns the number of moves played, or -1 if the rules wrote a move that does not exist.
    """

    def step(
        board: Record,
        start: Record,
        states: Record,
        chosen: Record,
        sample: Record,
        legal: Record,
        allowed: Record,
        turns: Record,
        ended: Record,
        margins: Record,
        rewards: Record,
        rng: Record,
        out: Record,
        first: int,
        last: int,
        steps: int,
        restart: bool,
        stop: Record,
        halt: Record,
    ) -> int:
        b = board[0]
        played = 0
        for _ in range(max(steps, 1)):
            if stop[0] | halt[0] != 0:
                break
            for i in range(first, last):
                s = states[i]
                rewards[i, 0] = 0
                rewards[i, 1] = 0
                # Step 1: play, unless the game has ended and stays so.
                if steps > 0:
                    if ended[i] and not restart:
                        continue
                    play(b, s, chosen[i])
                    played += 1
                # Step 2: the result.
                ended[i] = over(b, s)
                row, bits = legal[i], allowed[i]
                row[:] = False
                bits[:] = ZERO
                if ended[i]:
                    result = margin(b, s)
                    margins[i] = result
                    sign = 1 if result > 0 else -1 if result < 0 else 0
                    rewards[i, 0] = sign
                    rewards[i, 1] = -sign
                    if not restart:
                        turns[i] = turn(b, s)
                        sample[i] = -1
                        continue
                    states[i] = start[0]
                # Step 3: the position to move in.
                turns[i] = turn(b, s)
                count = moves(b, s, out)
                for k in range(count):
                    move = out[k]
                    if move < 0 or move >= row.size:
                        return -1
                    row[move] = True
                    include(bits, move)
                sample[i] = out[below(rng[i : i + 1], count)]
        return played

    return step


@kernel
def check_kernel() -> Verb:
    """Return the first game whose move is not legal, or -1; a finished game takes any move."""

    def check(chosen: Record, allowed: Record, most: int, ended: Record, restart: bool) -> int:
        for i in range(chosen.size):
            if ended[i] and not restart:
                continue
            move = chosen[i]
            if move < 0 or move >= most or not has(allowed[i], move):
                return i
        return -1

    return check
