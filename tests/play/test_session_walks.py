"""Random walks through a session, beside a plain model of what should be there."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import plywise
from plywise.play.records.game_record import GameRecord, TimeControl
from plywise.play.records.saves import from_json, from_text, load, save, to_json, to_text
from plywise.play.session import Session, SessionError

pytestmark = pytest.mark.slow

NOTE = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8).map(
    lambda text: " ".join(text.split())
)
GAMES = ("tictactoe", "connect4:rows=4,cols=4", "tictactoe:cols=4")


def common(one, two):
    """How many moves two lines share from the start."""
    return next(
        (index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b),
        min(len(one), len(two)),
    )


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
        self.tree: set[tuple[str, ...]] = set()  # what was tried, from the start of the game
        self.notes: dict[tuple[str, ...], str] = {}
        self.ended = False
        control = None if clock is None else TimeControl.parse(clock)
        self.people = [player == "human" for player in players]
        self.open(GameRecord(game, players, time=control, seed=4))

    def open(self, record):
        save(record, self.file)
        self.session = Session(record, keep=lambda new: save(new, self.file), now=lambda: self.time)

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
        before = tuple(self.moves + self.undone)
        if self.session.on_turn.person:
            self.time += seconds
            legal = self.session.position.legal
            self.moves.append(legal[index % len(legal)])
            self.session.play(self.moves[-1])
        else:
            self.moves.append(self.session.think().best)
        self.forget(before, tuple(self.moves))
        self.undone = []

    def forget(self, old, new):
        """A move was played: what hung on other moves is gone, with what was said of it."""
        shared = common(old, new)
        self.tree = {
            path for path in self.tree if common(path, old) <= shared and path != new[: len(path)]
        }
        self.notes = {
            path: text
            for path, text in self.notes.items()
            if path in self.tree or path == new[: len(path)]
        }

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

    @rule(data=st.data())
    def undo_to(self, data):
        to = data.draw(st.integers(-1, len(self.moves)))
        if not 0 <= to < len(self.moves):
            self.refused(lambda: self.session.undo(to))
            return
        self.session.undo(to)
        self.undone = self.moves[to:] + self.undone
        self.moves, self.ended = self.moves[:to], False

    @rule(data=st.data())
    def redo_to(self, data):
        to = data.draw(st.integers(len(self.moves), len(self.moves) + len(self.undone) + 1))
        count = to - len(self.moves)
        if not self.going or not 0 < count <= len(self.undone):
            self.refused(lambda: self.session.redo(to))
            return
        self.session.redo(to)
        self.moves, self.undone = self.moves + self.undone[:count], self.undone[count:]

    def draw_line(self, data):
        """A place on the main line and a few moves from there, often along known ones."""
        main = self.moves + self.undone
        at = data.draw(st.integers(0, len(main)))
        position = self.session.game.position(main[:at])
        texts: list[str] = []
        for index in data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=5)):
            if position.over:
                break
            texts.append(position.legal[index % len(position.legal)])
            position = position.play(texts[-1])
        return at, texts

    @rule(data=st.data())
    def branch(self, data):
        at, texts = self.draw_line(data)
        main = tuple(self.moves + self.undone)
        path = (*main[:at], *texts)
        assert self.session.branch(at, texts).moves == path
        leaves = common(path, main)
        self.tree |= {path[:length] for length in range(leaves + 1, len(path) + 1)}

    @rule(data=st.data())
    def prune(self, data):
        at, texts = self.draw_line(data)
        main = tuple(self.moves + self.undone)
        path = (*main[:at], *texts)
        if path not in self.tree:
            self.refused(lambda: self.session.prune(at, texts))
            return
        self.session.prune(at, texts)
        self.tree = {each for each in self.tree if each[: len(path)] != path}
        self.notes = {each: text for each, text in self.notes.items() if each[: len(path)] != path}

    @rule(data=st.data(), text=NOTE)
    def note(self, data, text):
        at, texts = self.draw_line(data)
        main = tuple(self.moves + self.undone)
        if not data.draw(st.booleans()):
            texts = []
        path = (*main[:at], *texts)
        if path == main[: len(path)] or path in self.tree:
            self.session.note(text, at, texts)
            self.notes[path] = text
        else:
            self.refused(lambda: self.session.note(text, at, texts))

    @precondition(lambda self: self.going)
    @rule(number=st.sampled_from([None, 1, 2]))
    def resign(self, number):
        self.session.resign(number)
        self.ended = True

    @precondition(lambda self: self.going and self.session.clocks is not None)
    @rule()
    def run_out_of_time(self):
        self.time += 1000.0
        # Clocks start with the first move, and an agent that does not think has time.
        self.ended = bool(self.moves) and self.people[len(self.moves) % 2]
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
        assert from_json(json.loads(json.dumps(to_json(record)))) == record
        self.agrees_on_branches(record)
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

    def agrees_on_branches(self, record):
        main = tuple(self.moves + self.undone)
        notes = {(): " ".join(record.notes)}
        found = set()
        for at, moves in [(0, record.line), *((each.at, each.moves) for each in record.branches)]:
            for index, move in enumerate(moves):
                path = (*main[:at], *(each.text for each in moves[: index + 1]))
                assert notes.setdefault(path, move.note) == move.note
                found.add(path)
        on_line = {main[:length] for length in range(len(main) + 1)}
        assert found | on_line == self.tree | on_line
        assert {path: text for path, text in notes.items() if text} == {
            path: text for path, text in self.notes.items() if text
        }
        lines = [(*main[: each.at], *each.texts) for each in record.branches]
        assert all(
            main[: each.at + 1] != line[: each.at + 1]
            for each, line in zip(record.branches, lines, strict=True)
        )
        for one in lines:
            assert sum(one == two[: len(one)] for two in lines) == 1


class LongWalk(Walk):
    """The same, further and more often."""


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=12, stateful_step_count=40)
TestLongWalk = pytest.mark.long(LongWalk.TestCase)
TestLongWalk.settings = settings(max_examples=40, stateful_step_count=40)
