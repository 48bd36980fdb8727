"""A game under way: two players, a position, undo and redo, branches, clocks, a result.

Nothing here waits for a person: call `play` when they have moved. `think` lets the agent to move
choose its move and blocks meanwhile; call it from any thread. Everything else is quick and may be
called at the same time: `undo`, `resign` and `close` cancel the agent, `hurry` makes it move now.

Each change first goes to `keep`, which writes it to a file or a store; if that fails, nothing has
changed. Then the listener is called. Both run in the thread that made the change and hold the
session's lock: a listener should be quick and pass the event on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NoReturn

from plywise import games
from plywise.core.analysis import Analysis, Limits, Stop, check_cancelled
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position, opponent
from plywise.engines.eager import hurry
from plywise.errors import AgentError, PlywiseError
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import GRACE, MEMORY, Overtime
from plywise.play.players import LIMITS, Player, make_agent, new_seed
from plywise.play.records.game_record import (
    AGREED,
    Branch,
    GameRecord,
    Move,
    Offer,
    OfferKind,
    Result,
    before_last,
    branches_after,
    follows,
    name_of,
    one_line,
    too_many_branches,
    why_no_offer,
    with_branch,
    with_note,
    without_branch,
)

MAX_NOTE = 500  #: characters of a note
THINK = 1.0  #: default seconds per move for an engine, in a game without a clock


class SessionError(PlywiseError):
    """The request is not possible now; the message says why."""


Kind = Literal["move", "undo", "redo", "result", "note", "branch", "offer", "name", "info"]


@dataclass(frozen=True)
class Event:
    """A change. `info` is an agent's analysis while it thinks, `result` ends the game."""

    kind: Kind
    record: GameRecord
    position: Position
    analysis: Analysis | None = None  #: with `info`, and with an agent's move


Listener = Callable[[Event], None]
Keep = Callable[[GameRecord], None]


@dataclass
class _Turn:
    """The task of a thinking agent. If only `stop` is set, it moves at once."""

    position: Position
    player: Player
    limits: Limits
    left: float | None
    stop: Stop
    called_off: bool = False

    def call_off(self) -> None:
        """Cancel the search: nobody is waiting for this move any more."""
        self.called_off = True
        self.stop.set()


class Session:
    """A game being played. `now` is the clock, in seconds; `make` creates the agents.

    `game` is for a game that its spec in the record does not lead to, such as one of a notebook.

    `elapsed` is how long a person has been thinking already, if the game was open before. While
    the game is `waiting` for a player to sit down, no clock runs.
    """

    def __init__(
        self,
        record: GameRecord,
        *,
        listener: Listener | None = None,
        keep: Keep | None = None,
        memory: int = MEMORY,
        on_output: OnOutput | None = None,
        make: Callable[..., Engine] = make_agent,
        now: Callable[[], float] = time.monotonic,
        elapsed: float = 0.0,
        waiting: bool = False,
        game: Game | None = None,
    ) -> None:
        self.game = games.make(record.game) if game is None else game
        self.listener = listener
        self.keep = keep
        self._now = now
        self._lock = threading.RLock()
        self._thinking = threading.RLock()  # held while an agent thinks
        self._closed = False
        self._waiting = waiting
        self._turn: _Turn | None = None  # of the agent that is thinking

        def seated(spec: str) -> Player:
            made = partial(make, memory=memory, on_output=on_output)
            return Player(spec, self.game, usual=THINK, make=made)

        self.players = seated(record.players[0]), seated(record.players[1])
        for number, player in enumerate(self.players, 1):
            player.sit_down(number, new_seed(f"{record.seed} {number}"))
            if player.agent is not None:
                hurry(player.agent)
        position = self.game.start() if record.start is None else self.game.from_text(record.start)
        self._positions = [position]  # from the start to the present one
        for move in record.moves:
            check_cancelled()  # the server opens many games
            self._positions.append(position := position.play(move.text))
        self.record = replace(record, result=Result.on_board(position) or record.result)
        self._since = self._now() - (elapsed if self.players[position.turn].person else 0.0)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a session cannot be pickled or copied, because its agents are running: "
            "use session.record"
        )

    # ---- the state of the game ---------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The present position."""
        return self._positions[-1]

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return self.record.result

    def player(self, number: int) -> Player:
        """Return player 1 or 2."""
        return self.players[number - 1]

    @property
    def people(self) -> list[int]:
        """The numbers of the human players."""
        return [number for number, player in enumerate(self.players, 1) if player.person]

    @property
    def on_turn(self) -> Player | None:
        """The player to move; None when the game is over."""
        return None if self.result is not None else self.players[self.position.turn]

    @property
    def clocks(self) -> tuple[float, float] | None:
        """The seconds that both players have left right now, if there is a clock."""
        with self._lock:
            if self.record.time is None:
                return None
            left = [self.record.time.left(self._spent(turn)) for turn in (0, 1)]
            if self.clock_runs:
                left[self.position.turn] -= self._now() - self._since
            return left[0], left[1]

    @property
    def clock_runs(self) -> bool:
        """True while a clock is running: from the first move on, when both players are there."""
        with self._lock:
            return self.record.clock_runs and not self._waiting

    @property
    def can_undo(self) -> bool:
        """True if there is something to take back."""
        with self._lock:
            off_board = self.result is not None and self.result.how != "rules"
            return off_board or self._last_stop() >= 0

    # ---- what players do ---------------------------------------------------------------------

    def play(self, text: str) -> Position:
        """Play a person's move; MoveError if it is not legal, SessionError if not their turn."""
        with self._lock:
            player = self.on_turn
            if player is None:
                raise SessionError(f"the game is over: {self.result}")
            if not player.person:
                raise SessionError(f"it is not your turn: {player.spec} is to move")
            move = self.position.code_of(text)
            if self.flag():
                raise SessionError(f"too late: {self.result}")
            stands = self.record.time is not None and not self.clock_runs
            self._play(move, 0.0 if stands else self._now() - self._since)
            return self.position

    def think(self, limits: Limits | None = None) -> Analysis | None:
        """Let the agent to move play. None if there is none, or it was cancelled or failed.

        Without a clock, these limits replace the defaults of an engine whose spec sets none.
        """
        with self._thinking:  # a cancelled agent needs a moment to stop
            with self._lock:
                turn = self._turn = self._ask(limits)
            try:
                return None if turn is None else self._think(turn)
            finally:
                self._turn = None

    def hurry(self) -> bool:
        """Make the thinking engine move now with what it has found; False if there is none.

        A program in its own process cannot be hurried: it knows only its clock.
        """
        with self._lock:
            turn = self._turn
            if turn is None or turn.called_off or turn.player.program is not None:
                return False
            turn.stop.set()
            return True

    def resign(self, number: int | None = None) -> None:
        """Resign for player 1 or 2; by default for the person to move, or the only person."""
        with self._lock:
            if self.result is not None:
                raise SessionError(f"the game is over: {self.result}")
            if number is None:
                number = self.people[0] if len(self.people) == 1 else self.position.mover
            if number not in (1, 2):
                raise SessionError(f"there is no player {number}: players are 1 and 2")
            result = Result(opponent(number), "resigned", f"player {number} resigned")
            self._change("result", replace(self.record, result=result))

    def flag(self) -> bool:
        """End the game if the person to move has run out of time; return True if so.

        `think` does this for agents, whose time to compile or to start does not count.
        """
        with self._lock:
            clocks, player = self.clocks, self.on_turn
            if clocks is None or player is None or not (player.person and self.clock_runs):
                return False
            late = clocks[self.position.turn] < 0
            if late:
                self._out_of_time()
            return late

    def undo(self, to: int | None = None) -> Position:
        """Take back the last moves until a person's turn, or a result such as a resignation.

        With `to`, take back all but the first `to` moves, whoever is to move then.
        """
        with self._lock:
            record = self.record
            if to is None and record.result is not None and record.result.how != "rules":
                self._change("undo", replace(record, result=None))
                return self.position
            count = self._last_stop() if to is None else to
            if not 0 <= count < len(record.moves):
                raise SessionError(
                    "there is nothing to take back"
                    if to is None or not record.moves
                    else f"cannot go back to move {to}: choose 0 to {len(record.moves) - 1}"
                )
            return self._go_to("undo", self._positions[: count + 1])

    def redo(self, to: int | None = None) -> Position:
        """Replay what was taken back, until a person's turn or until there are `to` moves."""
        with self._lock:
            record = self.record
            if not record.undone or self.result is not None:
                raise SessionError("there is nothing to redo")
            if to is not None and not len(record.moves) < to <= len(record.line):
                least = len(record.moves) + 1
                raise SessionError(
                    f"cannot go forward to move {to}: choose {least} to {len(record.line)}"
                )
            positions = list(self._positions)
            for move in record.undone:
                positions.append(positions[-1].play(move.text))
                if self._stops_at(positions[-1]) if to is None else len(positions) - 1 == to:
                    break
            return self._go_to("redo", positions)

    # ---- two people ----------------------------------------------------------------------------

    def all_here(self) -> None:
        """Both players have sat down: the clock of the running turn starts now."""
        with self._lock:
            if self._waiting:
                self._waiting = False
                self._since = self._now()

    def rename(self, number: int, text: str) -> None:
        """Give player 1 or 2 a name; an empty text removes it."""
        with self._lock:
            one, two = self.record.names
            names = (name_of(text), two) if number == 1 else (one, name_of(text))
            if names != self.record.names:
                self._note("name", names=names)

    def offer(self, number: int, kind: OfferKind) -> bool:
        """Offer something to the opponent; True if they had offered the same, so that it is agreed.

        Nothing else happens until they `answer`. A move withdraws an offer.
        """
        with self._lock:
            offer = self.record.offer
            if offer is not None and offer == Offer(kind, opponent(number)):
                self.answer(number, True)
                return True
            if reason := why_no_offer(self.record, self.position, number, kind):
                raise SessionError(f"you cannot offer a {kind} now: {reason}")
            self._note("offer", offer=Offer(kind, number))
            return False

    def answer(self, number: int, accept: bool) -> OfferKind:
        """Accept or decline what the opponent has offered, and return it.

        Whoever made the offer can only withdraw it, with `accept` false. A rematch is a new game:
        accepting it changes nothing here.
        """
        with self._lock:
            offer = self.record.offer
            if offer is None or offer.declined or (accept and offer.by == number):
                raise SessionError("there is no offer to answer")
            if not accept:
                declined = None if offer.by == number else replace(offer, declined=True)
                self._note("offer", offer=declined)
            elif offer.kind == "draw":
                self._change("result", replace(self.record, result=AGREED))
            elif offer.kind == "takeback":
                self.undo(before_last(self.position, offer.by))
            return offer.kind

    # ---- notes and branches --------------------------------------------------------------------

    def note(self, text: str, at: int | None = None, branch: Sequence[str] = ()) -> None:
        """Set the note of a move, replacing the old one; an empty text removes it.

        The move is number `at` of the main line, by default the last one played; 0 is the game
        itself, whose note may have several lines. With `branch` it is the last of these moves,
        played after `at` moves.
        """
        with self._lock:
            if len(text) > MAX_NOTE:
                raise SessionError(f"a note can have at most {MAX_NOTE} characters: shorten it")
            at = len(self.record.moves) if at is None else at
            at, texts, _ = self._off_line(at, branch)
            record, said = self.record, one_line(text)
            if texts:
                if not any(branch.begins_with(at, texts) for branch in record.branches):
                    raise SessionError(f"there is no branch {' '.join(texts)} after move {at}")
                self._note("note", branches=with_note(record.branches, at, texts, said))
            elif at == 0:
                lines = [one_line(line) for line in text.splitlines()]
                self._note("note", notes=tuple(line for line in lines if line))
            else:
                line, played = list(record.line), len(record.moves)
                line[at - 1] = replace(line[at - 1], note=said)
                self._note("note", moves=tuple(line[:played]), undone=tuple(line[played:]))

    def branch(self, at: int, texts: Sequence[str]) -> Position:
        """Keep these moves after move `at` as a branch; return the position it leads to."""
        with self._lock:
            at, moves, position = self._off_line(at, texts)
            new = Branch(at, tuple(Move(text) for text in moves))
            kept = with_branch(self.record.branches, new)
            if complaint := too_many_branches(kept):
                raise SessionError(complaint)
            if kept != self.record.branches:
                self._note("branch", branches=kept)
            return position

    def prune(self, at: int, texts: Sequence[str]) -> None:
        """Remove the last of these moves, played after `at` moves, and all that follows it."""
        with self._lock:
            at, moves, _ = self._off_line(at, texts)
            if not moves:
                raise SessionError("that is the main line: name the moves of a branch")
            kept = without_branch(self.record.branches, at, moves)
            if kept == self.record.branches:
                raise SessionError(f"there is no branch {' '.join(moves)} after move {at}")
            self._note("branch", branches=kept)

    def go_on_from(self, other: Session) -> None:
        """Take over the running clock of another session of this game, if it is the same turn."""
        with self._lock:
            if other.position.moves == self.position.moves:
                self._since = other._since

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nothing change meanwhile; agents go on thinking."""
        with self._lock:
            yield

    def close(self) -> None:
        """Cancel any search and stop all agents. The record stays."""
        with self._lock:
            self._closed = True
            if self._turn is not None:
                self._turn.call_off()
        for player in self.players:
            player.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- internals; the lock is held unless stated otherwise ---------------------------------

    def _ask(self, limits: Limits | None) -> _Turn | None:
        """Return the task of the agent to move, if it is an agent, and start its clock."""
        player = self.on_turn
        if player is None or player.person or self._closed:
            return None
        self._since = self._now()
        player.reseed(f"{self.record.seed} {len(self.record.moves)}")
        if self.record.time is None:
            free = player.program is None and not set(LIMITS) & set(player.spec.given)
            usual = limits if free and limits is not None else Limits()
            return _Turn(self.position, player, usual, None, Stop())
        left = max(0.0, self.record.time.left(self._spent(self.position.turn)))
        share = Limits(time=self.record.time.share(left))
        return _Turn(self.position, player, share, left, Stop())

    def _think(self, turn: _Turn) -> Analysis | None:
        """Ask the agent, without the lock, and play its answer."""
        try:
            move, analysis = turn.player.choose(
                turn.position,
                turn.limits,
                lambda found: self._tell("info", found, turn),
                turn.stop,
                allowed=turn.left,
            )
        except AgentError as error:
            with self._lock:
                if not turn.called_off:
                    self._lose("time" if isinstance(error, Overtime) else "forfeit", str(error))
            return None
        finally:
            if self._closed:  # while the agent was thinking
                turn.player.close()
        with self._lock:
            if turn.called_off:
                return None
            if turn.left is not None and analysis.seconds > turn.left + GRACE:
                self._out_of_time()
                return None
            self._play(move, analysis.seconds, analysis)
            return analysis

    def _play(self, move: int, seconds: float, analysis: Analysis | None = None) -> None:
        position, record = self.position.play_code(move), self.record
        text = position.moves[-1]
        known = [branch.moves[0] for branch in record.branches if branch.at == len(record.moves)]
        said = (move.note for move in (*record.undone[:1], *known) if move.text == text)
        moves = (*record.moves, Move(text, round(seconds, 3), next(said, "")))
        record = replace(
            record,
            moves=moves,
            undone=(),
            result=Result.on_board(position),
            branches=branches_after(record.branches, record.line, moves),
        )
        self._change("move", record, [*self._positions, position], analysis)

    def _off_line(self, at: int, texts: Sequence[str]) -> tuple[int, tuple[str, ...], Position]:
        """Check moves; return where they leave the main line, those that do, and the position."""
        line = self.record.line
        if not 0 <= at <= len(line):
            raise SessionError(f"there is no move {at}: choose 0 to {len(line)}")
        position = self._positions[min(at, len(self._positions) - 1)]
        for move in line[len(self._positions) - 1 : at]:
            position = position.play(move.text)
        for text in texts:
            position = position.play(text)
        moves = position.moves[len(position.moves) - len(texts) :]
        along = follows(line, at, moves)
        return at + along, moves[along:], position

    def _note(self, kind: Kind, **changes: Any) -> None:
        """Change what the record says besides the moves and the result."""
        self._keep(replace(self.record, **changes))
        self._tell(kind)

    def _go_to(self, kind: Literal["undo", "redo"], positions: list[Position]) -> Position:
        """Go to the last of these positions, all on the main line."""
        line, count = self.record.line, len(positions) - 1
        result = Result.on_board(positions[-1])
        record = replace(self.record, moves=line[:count], undone=line[count:], result=result)
        self._change(kind, record, positions)
        return self.position

    def _lose(self, how: Literal["time", "forfeit"], reason: str) -> None:
        result = Result(opponent(self.position.mover), how, one_line(reason))
        self._change("result", replace(self.record, result=result))

    def _out_of_time(self) -> None:
        self._lose("time", f"player {self.position.mover} ran out of time")

    def _change(
        self,
        kind: Kind,
        record: GameRecord,
        positions: list[Position] | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        """Replace the record, cancel any search of the old position, and withdraw any offer."""
        record = replace(record, offer=None)
        self._keep(record)
        if self._turn is not None:
            self._turn.call_off()
        self._positions = positions or self._positions
        self._since = self._now()
        self._tell(kind, analysis)
        if record.result is not None and kind != "result":
            self._tell("result")

    def _keep(self, record: GameRecord) -> None:
        if self.keep is not None:
            self.keep(record)
        self.record = record

    def _tell(
        self, kind: Kind, analysis: Analysis | None = None, turn: _Turn | None = None
    ) -> None:
        with self._lock:
            if self.listener is not None and not (turn is not None and turn.called_off):
                self.listener(Event(kind, self.record, self.position, analysis))

    def _spent(self, turn: int) -> list[float]:
        """Return the seconds of one player's moves, in order."""
        made = zip(self._positions, self.record.moves, strict=False)
        return [move.seconds for position, move in made if position.turn == turn]

    def _stops_at(self, position: Position) -> bool:
        """Return True if undo and redo stop here: on a person's turn, or anywhere if none play."""
        if position.over or all(not player.person for player in self.players):
            return True
        return self.players[position.turn].person

    def _last_stop(self) -> int:
        """Return after how many moves undo would stop; -1 if nowhere."""
        counts = range(len(self.record.moves) - 1, -1, -1)
        return next((count for count in counts if self._stops_at(self._positions[count])), -1)
