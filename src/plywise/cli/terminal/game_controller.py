"""A game in the terminal: its session, hints, commands, and who has which colour."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from plywise.cli.terminal.controller import Command, Controller
from plywise.cli.terminal.guide import draw_guide, offer_of, rules_of
from plywise.cli.terminal.unfinished import GAMES, Place, newest_game
from plywise.core.analysis import Analysis, Stop
from plywise.core.game import Game
from plywise.core.position import Position, opponent
from plywise.core.scene import Scene, Shape, gain, only_pass, scene_of
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.kit.words import counted
from plywise.play.agents.process import OnOutput
from plywise.play.hints import Hint
from plywise.play.hints import hint as find_hint
from plywise.play.new_game import drawn_by, fresh_game
from plywise.play.records.game_record import GameRecord
from plywise.play.records.saves import load
from plywise.play.session import Listener, Session, SessionError
from plywise.views import marked, shows_legal
from plywise.views.text import Terminal

LONGEST = 60  #: characters shown of a spec, which may hold a whole board
_OVER = "the game is over: type 'new' for another, or 'undo'"


@dataclass
class Advice:
    """A hint for one position, and how many of its steps have been shown."""

    position: Position
    hint: Hint
    told: int = 0


class GameController(Controller[GameRecord]):
    """The session, where it is saved, and the hint for its position.

    The rules are laid out for `paper`.
    """

    again = "plywise play"

    def __init__(
        self,
        record: GameRecord,
        place: Place[GameRecord],
        *,
        listener: Listener,
        on_output: OnOutput | None,
        colour: str | None = None,
        paper: Terminal | None = None,
        theme: str = "light",
    ) -> None:
        super().__init__(place)
        self.colour = colour  #: the colour that the person wants, or player 1 if that may be either
        self.advice: Advice | None = None
        self.legal: bool | None = None  #: mark the legal moves? None: as the game suggests
        self._listener = listener
        self._on_output = on_output
        self._paper, self._theme = paper or Terminal(), theme
        self.session = self._open(record, place)
        self.commands = {
            "hint": Command("a hint, step by step", self._hint),
            "undo": Command("back to your last turn", self._undo),
            "redo": Command("replay what you took back", self._redo),
            "save": Command("save the game to a file", self.save, "FILE"),
            "load": Command("continue a saved game", self._load, "FILE"),
            "resume": Command("continue the last game", self._resume),
            "resign": Command("give up", self._resign),
            "new": Command("start a new game", self._new),
            "moves": Command("moves played, legal moves", self._moves),
            "legal": Command("show or hide the legal moves", self._legal),
            "rules": Command("how the game is played", self._rules),
            "help": Command("this list", self.help),
            "quit": Command("leave; the game is saved", self.quit),
        }

    def _open(self, record: GameRecord, place: Place[GameRecord]) -> Session:
        """Open a session saved in this place, which is released if that fails."""
        try:
            session = Session(
                record, listener=self._listener, keep=place.keep, on_output=self._on_output
            )
            place.keep(session.record)
            return session
        except BaseException:
            place.release(record)
            raise

    def close(self) -> None:
        """Leave the game and stop everything it runs."""
        self.session.close()
        self.place.release(self.session.record)

    # ---- players and standing ------------------------------------------------------------------

    def name(self, number: int) -> str:
        """Return a short name for a player."""
        player = self.session.player(number)
        if not player.person:
            spec = player.spec
            return Path(spec.name).name if spec.is_file else str(spec)
        return "you" if len(self.session.people) == 1 else f"player {number}"

    def opening(self, *, offer: bool = False) -> list[str]:
        """Return what chance has decided before the first move: the board, and the toss.

        With `offer`, a person who is new to the game is offered its rules.
        """
        record = self.session.record
        kind = self.session.game.type
        lines = []
        if not record.moves and drawn_by(kind, Spec(kind.name)):
            lines.append(f"Board: {record.game}")
        if not record.moves and any(text.startswith("toss: ") for text in record.notes):
            first = self.name(1)
            lines.append(f"Toss: {first} {'move' if first == 'you' else 'moves'} first.")
        if offer and self.session.people:
            lines += offer_of(self.session.game)
        return lines

    def standing(self) -> str:
        """Say who moves, or who won and why: a sentence without its full stop."""
        text = self._standing()
        # An agent's spec is written as typed, even at the start of a sentence.
        capital = text.startswith(("you", "player", "draw"))
        return f"{text[0].upper()}{text[1:]}" if capital else text

    def _standing(self) -> str:
        result = self.session.result
        if result is None:
            position = self.session.position
            mover = self.name(position.mover)
            before = "" if position.before is None else self.name(position.before.mover)
            to_move = "your move" if mover == "you" else f"{mover} to move"
            return f"{gain(position, before)}{to_move}{only_pass(position)}"
        if result.winner == 0:
            return f"draw: {result.reason}"
        winner, loser = self.name(result.winner), self.name(opponent(result.winner))
        reason = f"{loser} resigned" if result.how == "resigned" else result.reason
        if "you" in (winner, loser):
            return f"you {'win' if winner == 'you' else 'lose'}: {reason}"
        return f"{winner} wins: {reason}"

    # ---- commands ------------------------------------------------------------------------------

    @property
    def saved(self) -> GameRecord:
        """The game so far."""
        return self.session.record

    @property
    def over(self) -> bool:
        """True if the game has a result."""
        return self.session.result is not None

    def is_move(self, text: str) -> bool:
        """Return True for a legal move, which goes before a command of the same name."""
        return text in self.session.position.legal

    def play(self, text: str) -> list[str]:
        """Play a person's move, or say which command was meant."""
        if self.over:
            raise SessionError(_OVER)
        return super().play(text)

    def play_move(self, text: str) -> list[str]:
        """Play a person's move."""
        self.session.play(text)
        self.advice = None
        return []

    @property
    def advised(self) -> bool:
        """True if there is a hint for this position already."""
        return self.advice is not None and self.advice.position == self.session.position

    def look(self, stop: Stop | None = None) -> Advice:
        """Find a hint for the present position, which takes a second."""
        player = self.session.on_turn
        if player is None:
            raise SessionError(_OVER)
        if not player.person:
            raise SessionError(f"hints are for your turn: {player.spec} is to move")
        position = self.session.position
        return Advice(position, find_hint(position, stop=stop))

    def tell(self) -> list[str]:
        """Return the next step of the hint; after the last one, the last again."""
        assert self.advice is not None
        self.advice.told = min(self.advice.told + 1, 3)
        step = self.advice.hint.steps[self.advice.told - 1]
        more = ("('hint' again for the move)", "('hint' again for the reason)", "")
        return [f"{step} {more[self.advice.told - 1]}".rstrip()]

    @property
    def hinted(self) -> Analysis | None:
        """The move that a hint has named, as an analysis that marks only this move."""
        if self.advice is None or not self.advised or self.advice.told < 2:
            return None
        return replace(self.advice.hint.analysis, best=self.advice.hint.move, lines=())

    @property
    def why(self) -> tuple[Shape, ...]:
        """The shapes that show the reason on the board, once a hint has given it."""
        if self.advice is None or not self.advised or self.advice.told < 3:
            return ()
        return self.advice.hint.marks

    @property
    def marks_legal(self) -> bool:
        """True if the legal moves are marked whenever a person is to move."""
        return shows_legal(self.session.game) if self.legal is None else self.legal

    @property
    def swapped(self) -> bool:
        """True if the players have exchanged their colours."""
        names = self.session.game.type.palette.choice or ()
        wanted = (self.colour or "").lower()
        people = self.session.people
        seat = people[0] - 1 if len(people) == 1 else 0
        return wanted in names and names.index(wanted) != seat

    @property
    def scene(self) -> Scene:
        """The position, with a person's legal moves and as much of a hint as has been shown."""
        player = self.session.on_turn
        legal = player is not None and player.person and self.marks_legal
        scene = marked(self.session.position, self.hinted, legal=legal, why=self.why)
        return swapped(scene, self.session.game) if self.swapped else scene

    def _hint(self) -> list[str]:
        if not self.advised:
            self.advice = self.look()
        return self.tell()

    def _undo(self) -> list[str]:
        before = len(self.session.record.moves)
        self.session.undo()
        self.advice = None
        taken = before - len(self.session.record.moves)
        if not taken:
            return ["the game continues"]
        return [f"took back {counted(taken, 'move')}; 'redo' replays"]

    def _redo(self) -> list[str]:
        before = len(self.session.record.moves)
        self.session.redo()
        self.advice = None
        return [f"replayed {counted(len(self.session.record.moves) - before, 'move')}"]

    def _load(self, rest: str) -> list[str]:
        file = self.file_of(rest, "load")
        self._change(load(file), GAMES.new_place())
        return [f"loaded {file}: {counted(len(self.session.record.moves), 'move')}"]

    def _resume(self) -> list[str]:
        found = newest_game()
        if found is None:
            raise SessionError("there is no other unfinished game")
        self._change(found[1], found[0])
        return [f"resuming {about(found[1])}"]

    def _resign(self) -> list[str]:
        self.session.resign()
        return []

    def _new(self) -> list[str]:
        old = self.session.record
        game = old.game if old.start else fresh_game(old.game, old.seed + 1, again=True).spec
        fresh = GameRecord(game, old.players, old.start, old.time, old.seed + 1)
        kept = f"; the last one stays in {self.place.file}" if self.place.chosen else ""
        self._change(fresh, GAMES.new_place())
        return [f"a new game{kept}", *self.opening()]

    def _moves(self) -> list[str]:
        position = self.session.position
        played = position.game.join_moves(position.moves) or "none yet"
        legal = " ".join(position.legal) or "none"
        return [f"played: {played}", f"legal: {legal}"]

    def _rules(self) -> list[str]:
        return draw_guide(rules_of(self.session.game), self._paper, self._theme)

    def _legal(self) -> list[str]:
        self.legal = not self.marks_legal
        return [f"the legal moves are {'shown' if self.legal else 'hidden'}"]

    def _change(self, record: GameRecord, place: Place[GameRecord]) -> None:
        """Switch to another game; the old one stays if that fails."""
        session = self._open(record, place)
        self.close()
        self.session, self.place, self.advice = session, place, None

    # ---- the end -------------------------------------------------------------------------------

    def review(self) -> str:
        """Return the command that reviews this game."""
        record, game = self.session.record, self.session.game
        start = [] if record.start is None else ["--text", record.start]
        moves = game.join_moves([move.text for move in record.moves])
        return shlex.join(["plywise", "review", record.game, *start, "--moves", moves])

    def ending(self) -> list[str]:
        """Return what to say when a game is over."""
        lines = [f"{self.standing()}."]
        if self.session.record.moves:
            lines.append(f"Review it: {self.review()}")
        return lines


def about(record: GameRecord) -> str:
    """Describe an unfinished game in a few words."""
    game = record.game if len(record.game) <= LONGEST else f"{record.game[: LONGEST - 3]}..."
    return f"{game}, {' - '.join(record.players)}, after {counted(len(record.moves), 'move')}"


# ---- pieces and colours ------------------------------------------------------------------------


@cache
def glyphs(game: Game) -> tuple[str, str]:
    """Return the glyphs of the players' pieces, taken from the board after a few moves."""
    position, seen = game.start(), {0: "1", 1: "2"}
    for _ in range(4):
        if position.over:
            break
        position = position.play_code(position.legal_codes[0])
        seen |= {
            shape.owner: shape.glyph
            for shape in scene_of(position).shapes
            if shape.owner is not None and shape.roles[0] == "stone" and shape.glyph
        }
    # Lines look the same for both; what they enclose is then marked as discs are.
    return ("●", "○") if seen[0] == seen[1] else (seen[0], seen[1])


def check_colour(game: Game, colour: str | None) -> None:
    """Refuse a colour that a game does not have."""
    names, title = game.type.palette.choice, game.type.title
    if colour is None or (names and colour.lower() in names):
        return
    if names is None:
        raise SpecError(f"{title} has no choice of colours: leave out --colour")
    raise SpecError(f"{title} has no colour {colour!r}: choose {' or '.join(names)}")


def swapped(scene: Scene, game: Game) -> Scene:
    """Return a picture in which the players have exchanged their colours and glyphs."""
    one, two = glyphs(game)
    other = {one: two, two: one}
    shapes = tuple(
        shape if shape.owner is None else replace(shape, glyph=other.get(shape.glyph, shape.glyph))
        for shape in scene.shapes
    )
    return replace(scene, shapes=shapes, palette=scene.palette.swapped)
