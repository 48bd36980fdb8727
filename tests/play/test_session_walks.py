"""Random walks through a session, beside a plain model of what should be there."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import plywise
from plywise.play.record import Record, TimeControl
from plywise.play.saves import from_text, load, to_text
from plywise.play.session import Session, SessionError

pytestmark = pytest.mark.slow

GAMES = ("tictactoe", "connect4:rows=4,cols=4", "tictactoe:cols=4")


class Walk(RuleBasedStateMachine):
    """The model: the moves, those undone, and whether somebody has given up or come too late."""

    @initialize(
        game=st.sampled_from(GAMES),
        players=st.sampled_from(
            [("human", "human"), ("human", "random"), ("random", "human"), ("random", "random")]
        ),
        clock=st.sampled_from([None, "100 a move", "300 + 5"]),
    )
    def begin(self, game, players, clock):
        self.folder = Path(tempfile.mkdtemp())
        self.file = self.folder / "game.txt"
        self.time = 0.0
        self.moves: list[str] = []
        self.undone: list[str] = []
        self.ended = False
        control = None if clock is None else TimeControl.parse(clock)
        self.people = [player == "human" for player in players]
        self.open(Record(game, players, time=control, seed=4))

    def open(self, record):
        self.session = Session(record, file=self.file, now=lambda: self.time)

    def teardown(self):
        if hasattr(self, "session"):
            self.session.close()
            shutil.rmtree(self.folder)

    @property
    def model(self):
        return self.session.game.position(self.moves)

    def on_turn(self, count):
        """Is it a person's turn after so many moves? In these games they alternate."""
        return self.people[count % 2] or not any(self.people)

    @property
    def going(self):
        return not self.ended and not self.model.over

    @precondition(lambda self: self.going)
    @rule(index=st.integers(0, 100), seconds=st.sampled_from([0.0, 1.5, 20.0]))
    def move(self, index, seconds):
        if self.session.on_turn.person:
            self.time += seconds
            legal = self.session.position.legal
            self.moves.append(legal[index % len(legal)])
            self.session.play(self.moves[-1])
        else:
            self.moves.append(self.session.think().best)
        self.undone = []

    @rule()
    def undo(self):
        targets = [count for count in range(len(self.moves)) if self.on_turn(count)]
        if self.ended:
            self.session.undo()
            self.ended = False
        elif targets:
            self.session.undo()
            self.undone = self.moves[targets[-1] :] + self.undone
            self.moves = self.moves[: targets[-1]]
        else:
            self.refused(self.session.undo)

    @rule()
    def redo(self):
        if not self.going or not self.undone:
            self.refused(self.session.redo)
            return
        self.session.redo()
        while self.undone:
            self.moves.append(self.undone.pop(0))
            if self.on_turn(len(self.moves)):
                break

    @precondition(lambda self: self.going)
    @rule(number=st.sampled_from([None, 1, 2]))
    def resign(self, number):
        self.session.resign(number)
        self.ended = True

    @precondition(lambda self: self.going and self.session.clocks is not None)
    @rule()
    def run_out_of_time(self):
        self.time += 1000.0
        self.ended = self.people[len(self.moves) % 2]  # an agent that does not think has time
        assert self.session.flag() == self.ended
        self.time -= 0.0 if self.ended else 1000.0

    @rule()
    def reopen(self):
        self.session.close()
        record = load(self.file)
        assert record == self.session.record
        self.open(record)

    @rule(text=st.sampled_from(["z9", "", "99", "a1 b1"]))
    def nonsense(self, text):
        with contextlib.suppress(plywise.MoveError, SessionError):
            self.session.play(text)
            raise AssertionError

    def refused(self, action):
        try:
            action()
        except SessionError:
            return
        raise AssertionError("it should not have been allowed")

    @invariant()
    def agrees(self):
        if not hasattr(self, "session"):
            return
        record = self.session.record
        assert [move.text for move in record.moves] == self.moves
        assert [move.text for move in record.undone] == self.undone
        assert self.session.position == self.model
        assert (record.result is not None) == (not self.going)
        assert from_text(to_text(record)) == record
        assert load(self.file) == record
        if self.model.over:
            assert record.result.winner == self.model.winner
        if self.session.clocks is not None and self.going:
            assert all(left >= 0 for left in self.session.clocks)


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=25, stateful_step_count=30)
