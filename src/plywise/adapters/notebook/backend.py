"""The Python side of a board: holds its game, plays for its agents and runs its searches.

The board sends commands and gets answers and events, as on the socket of the web app. Whatever
takes time runs in a thread of its own, so that the notebook stays responsive: at most one
analysis, one hint, one review, and the agent whose turn it is. A new one stops the one before it.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plywise import engines, games
from plywise.adapters.notebook.assets import style
from plywise.core.analysis import Analysis, Cancelled, Limits, Stop, cancellable
from plywise.core.engine import Engine
from plywise.core.game import Game, GameType
from plywise.core.position import Position
from plywise.core.scene import scene_of
from plywise.engines.eager import hurry
from plywise.errors import PlywiseError, SpecError, describe
from plywise.play.hints import hint
from plywise.play.players import SEEDS, label
from plywise.play.records.game_record import HUMAN, OFFERS, GameRecord, Move
from plywise.play.review import Review, review
from plywise.play.session import Event, Session
from plywise.web.api.analysis import analysis_json, hint_json
from plywise.web.api.positions import Walks
from plywise.web.api.schemas import picture_json, position_json
from plywise.web.live.open_game import lines_json

SECONDS = 60.0  #: the longest analysis of a position
REVIEW = Limits(time=0.3)  #: for each position of a review
EVERY = 0.1  #: seconds between two reports of an analysis
KEPT = 512  #: positions kept in memory

Showable = str | Game | GameType | Position | GameRecord | Review
Frame = dict[str, Any]
Send = Callable[[Frame], None]
Work = Callable[[Stop], Frame]


# ---- what a board is made with ----------------------------------------------------------------


@dataclass(frozen=True)
class Setup:
    """The game of a board and its moves; `played` if it has players, else it is a free board."""

    game: Game
    record: GameRecord
    played: bool
    review: Review | None = None


def set_up(
    what: Showable,
    first: str | None = None,
    second: str | None = None,
    moves: str | Sequence[str] = (),
) -> Setup:
    """Return what to show; TypeError if it has no board."""
    game, record, review = _read(what)
    if moves:
        position = game.position(moves, start=_last(game, record))
        texts = position.moves[len(record.moves) :]
        record = replace(record, moves=(*record.moves, *map(Move, texts)), undone=(), result=None)
    new = isinstance(what, str | Game | GameType)
    if not (new or first or second):
        return Setup(game, record, False, review)
    usual = (HUMAN, "auto") if second or not first else ("auto", HUMAN)
    players = first or usual[0], second or usual[1]
    seed = random.SystemRandom().randrange(SEEDS)
    return Setup(game, replace(record, players=players, seed=seed), True)


def _read(what: Showable) -> tuple[Game, GameRecord, Review | None]:
    if isinstance(what, str):
        what = games.make(what)
    elif isinstance(what, GameType):
        what = what()
    if isinstance(what, Game):
        what = what.start()
    if isinstance(what, GameRecord):
        return games.make(what.game), what, None
    review = what if isinstance(what, Review) else None
    position = what.position if isinstance(what, Review) else what
    if not isinstance(position, Position):
        raise TypeError(
            "a board needs a game, a position, a game record or a review,"
            f" such as plywise.board('NAME'), not {what!r:.60}"
        )
    moves = tuple(map(Move, position.moves))
    record = GameRecord(position.game.spec, (HUMAN, HUMAN), position.origin, moves=moves)
    return position.game, record, review


def _last(game: Game, record: GameRecord) -> Position:
    """Return the position after the moves of a record."""
    start = game.start() if record.start is None else game.from_text(record.start)
    return game.position([move.text for move in record.moves], start=start)


# ---- the board -------------------------------------------------------------------------------


class Backend:
    """One board: `send` passes frames on to it, from any thread."""

    def __init__(
        self, setup: Setup, send: Send, *, analysis: bool = False, flipped: bool = False
    ) -> None:
        self.setup = setup
        self.game = setup.game
        self._send = send
        self._analysing = analysis
        self._flipped = flipped
        self._walks = Walks(KEPT)
        self._engines: dict[str, Engine] = {}
        self._running: dict[str, Stop] = {}
        self._version = 0
        self._closed = False
        self.session: Session | None = None
        self.position = self._after([move.text for move in setup.record.moves])
        if setup.played:
            self._start(setup.record)

    @property
    def record(self) -> GameRecord:
        """The game that is played, or the line that a free board shows."""
        if self.session is not None:
            return self.session.record
        line = tuple(map(Move, self.position.moves))
        known = self.setup.record
        same = [move.text for move in known.moves] == [move.text for move in line]
        return known if same else replace(known, moves=line, undone=(), branches=(), result=None)

    def receive(self, frame: object) -> None:
        """Answer one message of the board; never raises."""
        asked = frame if isinstance(frame, Mapping) else {}
        number, name = asked.get("n"), str(asked.get("do"))
        try:
            if name not in COMMANDS:
                raise SpecError(f"unknown command {name[:40]!r}")
            answer = COMMANDS[name](self, asked)
        except Exception as error:
            answer = _refusal(error)
        if answer is not None:
            self._send({"re": number, **answer})

    def close(self) -> None:
        """Stop everything."""
        self._closed = True
        for name in list(self._running):
            self._stop(name)
        if self.session is not None:
            self.session.close()

    # ---- positions -----------------------------------------------------------------------------

    def _after(self, moves: Sequence[str]) -> Position:
        """Return the position after these moves, from the start of the board."""
        return self._walks.position(self.game, self.setup.record.start, tuple(map(str, moves)))

    def open(self, asked: Mapping[str, Any]) -> Frame:
        """Say all that a board needs to draw itself."""
        kind, record = self.game.type, self.setup.record
        last = self._after([move.text for move in record.moves])
        sample = self.game.position(kind.words.sample) if kind.words.sample else last
        found = self.setup.review
        return {
            "spec": self.game.spec,
            "title": kind.title or kind.name,
            "start": record.start,
            "style": style(scene_of(last).palette),
            "picture": picture_json(sample),
            "position": position_json(last),
            "lines": lines_json(record),
            "game": self._game(),
            "review": None if found is None else found.to_json(),
            "agents": [
                {"name": name, "help": engines.find(name, self.game).help}
                for name in engines.names(self.game)
            ],
            "analysing": self._analysing,
            "flipped": self._flipped,
        }

    def look(self, asked: Mapping[str, Any]) -> Frame:
        """Send a position."""
        return {"position": position_json(self._after(asked["moves"]))}

    def shown(self, asked: Mapping[str, Any]) -> Frame:
        """Note which position the board shows."""
        self.position = self._after(asked["moves"])
        return {}

    # ---- the game ------------------------------------------------------------------------------

    def _start(self, record: GameRecord) -> None:
        if self.session is not None:
            self.session.close()
        self.session = Session(record, listener=self._heard, game=self.game)
        self.position = self.session.position
        self._wake()

    def _game(self) -> Frame | None:
        if self.session is None:
            return None
        return game_json(self.session, self._version)

    def _heard(self, event: Event) -> None:
        """Tell the board of a change; the agent whose turn it is then begins to think."""
        if self._closed:
            return
        if event.kind == "info":
            found = analysis_json(event.position, event.analysis) if event.analysis else {}
            names = ("depth", "value_1", "text", "pv", "nodes", "seconds")
            self._send({"type": "thinking", **{name: found[name] for name in names if found}})
            return
        self._version += 1
        self.position = event.position
        self._send({"type": "game", "event": event.kind, "game": self._game()})
        self._wake()

    def _wake(self) -> None:
        session = self.session
        if session is None or session.on_turn is None or session.on_turn.person:
            return

        def think() -> None:
            try:
                session.think()
            except Exception as error:
                self._send({"type": "error", **_refusal(error)})
                if session.result is None:
                    session.resign(session.position.mover)

        threading.Thread(target=think, name="plywise-board-agent", daemon=True).start()

    def act(self, asked: Mapping[str, Any]) -> Frame:
        """Change the game that is played."""
        session = self.session
        if session is None:
            raise SpecError("nobody plays on this board")
        name = asked["do"]
        if name == "move":
            session.play(asked["move"])
        elif name in ("branch", "prune"):
            getattr(session, name)(asked["at"], asked["moves"])
        elif name == "note":
            session.note(asked["text"], asked["at"], asked.get("branch", ()))
        else:
            getattr(session, name)()
        return {"version": self._version}

    def again(self, asked: Mapping[str, Any]) -> Frame:
        """Start a new game with the same players, perhaps with sides swapped."""
        if self.session is None:
            raise SpecError("nobody plays on this board")
        record = self.session.record
        players = record.players[::-1] if asked.get("swap") else record.players
        moves = tuple(map(Move, self._after(asked["moves"]).moves))
        fresh = replace(self.setup.record, players=players, moves=moves, seed=record.seed + 1)
        self.setup = replace(self.setup, record=replace(fresh, undone=(), branches=(), result=None))
        self._stop("analyse")
        self._version += 1
        self._start(self.setup.record)
        return {}

    # ---- engines -------------------------------------------------------------------------------

    def _engine(self, spec: str) -> Engine:
        """Return the engine that analyses, the same one each time."""
        if spec not in self._engines:
            if spec == HUMAN:
                raise SpecError(f"{HUMAN!r} cannot analyse a position: name an agent such as auto")
            engine = self._engines[spec] = engines.make(spec, self.game)
            hurry(engine)
        return self._engines[spec]

    def analyse(self, asked: Mapping[str, Any]) -> Frame:
        """Search a position and report what is found as it deepens."""
        position, spec = self._after(asked["moves"]), str(asked.get("agent", "auto"))
        engine = self._engine(spec)

        def work(stop: Stop) -> None:
            told = 0.0

            def heard(found: Analysis, done: bool = False) -> None:
                nonlocal told
                now = time.monotonic()
                if stop.is_set() or (not done and now < told + EVERY):
                    return
                told = now
                data = analysis_json(position, found)
                about = {"agent": spec, "moves": list(position.moves), "done": done}
                self._send({"type": "analysis", **about, "analysis": data})

            heard(engine.search(position, Limits(time=SECONDS), heard, stop, lines=True), done=True)

        self._run("analyse", work)
        return {}

    def quiet(self, asked: Mapping[str, Any]) -> Frame:
        """Stop the analysis."""
        self._stop("analyse")
        return {}

    def hint(self, asked: Mapping[str, Any]) -> None:
        """Look for a hint, and answer when there is one."""
        position = self._after(asked["moves"])
        engine = self._engine("auto")

        def work(stop: Stop) -> Frame:
            return {"hint": hint_json(position, hint(position, engine=engine, stop=stop))}

        self._stop("analyse")  # it has the engine
        self._answer("hint", asked, work)

    def review(self, asked: Mapping[str, Any]) -> None:
        """Review the moves, report how far it is, and answer when it is done."""
        position = self._after(asked["moves"])
        of = len(position.moves) + 1

        def work(stop: Stop) -> Frame:
            def heard(count: int) -> None:
                if stop.is_set():
                    raise Cancelled("cancelled: another review was requested")
                self._send({"type": "reviewing", "done": count, "of": of})

            found = review(position, None, REVIEW, on_position=heard, stop=stop)
            return {"review": found.to_json()}

        self._answer("review", asked, work)

    def _answer(self, name: str, asked: Mapping[str, Any], work: Work) -> None:
        """Run work in a thread, and send its answer."""

        def answer(stop: Stop) -> None:
            try:
                found = work(stop)
            except Exception as error:
                found = _refusal(error)
            self._send({"re": asked.get("n"), **found})

        self._run(name, answer)

    def _run(self, name: str, work: Callable[[Stop], None]) -> None:
        """Run something in a thread, in the place of what ran under this name."""
        self._stop(name)
        stop = self._running[name] = Stop()

        def run() -> None:
            try:
                with cancellable(stop):
                    work(stop)
            except Exception as error:
                if not stop.is_set():
                    self._send({"type": "error", **_refusal(error)})

        threading.Thread(target=run, name=f"plywise-board-{name}", daemon=True).start()

    def _stop(self, name: str) -> None:
        if (stop := self._running.pop(name, None)) is not None:
            stop.set()


def game_json(session: Session, version: int) -> dict[str, Any]:
    """Return a game as plain data, with its position and all that its board may do."""
    record, position, people = session.record, session.position, session.people
    result, player = record.result, session.on_turn
    running = result is None
    return {
        "version": version,
        "game": session.game.spec,
        "title": session.game.type.title,
        "start": record.start,
        "players": [
            {
                "spec": spec,
                "name": record.names[number - 1] or label(spec),
                "named": record.names[number - 1] != "",
                "person": number in people,
                "taken": True,
                "present": True,
                "you": number in people,
            }
            for number, spec in enumerate(record.players, 1)
        ],
        "you": people,
        "result": result and vars(result),
        **dict.fromkeys(("clock", "clocks", "seat_free", "offer", "next")),  # of other boards
        "thinking": player is not None and not player.person,
        "can": {
            "move": running and position.mover in people,
            "undo": bool(people) and session.can_undo,
            "redo": bool(people) and running and bool(record.undone),
            "resign": running and bool(people),
            "hint": True,
            **dict.fromkeys((*OFFERS, "answer"), False),
        },
        **lines_json(record),
        "position": position_json(position),
    }


def _refusal(error: Exception) -> Frame:
    """Return an error in one line."""
    known = isinstance(error, PlywiseError)
    return {"error": str(error).partition("\n")[0] if known else describe(error), "status": 400}


#: What a board may ask for. A command that returns None answers later.
COMMANDS: dict[str, Callable[[Backend, Mapping[str, Any]], Frame | None]] = {
    "open": Backend.open,
    "position": Backend.look,
    "shown": Backend.shown,
    **dict.fromkeys(
        ("move", "undo", "redo", "resign", "hurry", "branch", "prune", "note"), Backend.act
    ),
    "again": Backend.again,
    "analyse": Backend.analyse,
    "quiet": Backend.quiet,
    "hint": Backend.hint,
    "review": Backend.review,
}
