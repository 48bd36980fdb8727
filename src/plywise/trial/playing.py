"""Plays random games with interpreted rules, and checks every answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from plywise.core.game import Game, Verb
from plywise.core.position import Position
from plywise.core.rules import MEASURES
from plywise.core.scene import scene_of
from plywise.errors import RulesError
from plywise.jit.blame import place_of
from plywise.trial import answers
from plywise.trial.answers import States, complain, deciding, different, question, unlike
from plywise.trial.calls import TooSlow, Watch, meaning

GAMES = 12  #: random games of a trial
POSITIONS = 400  #: positions after which no further game is begun
SECONDS = 1.0  #: ... as for a game whose rules take long to interpret
SHOWN = 30  #: positions of the first game whose texts are checked
MANY = 9  #: moves that are too many for a message
_UNWRITTEN = int(np.iinfo(np.int32).min)  #: what `out` holds before moves are written

Answer = TypeVar("Answer")


class Trial:
    """The trial of one game."""

    def __init__(self, game: Game, watch: Watch) -> None:
        self.game = game
        self.watch = watch
        self.random = random.Random(0)
        self.seen = 0  # positions so far
        self.turns = set[int]()  # the players who were to move
        self.longest = 0
        self.line: list[int] = []  # the moves of the current game
        self.known: dict[int, tuple[States, str, tuple[int, ...]]] = {}  # positions by their keys
        self.began = time.process_time()

    def run(self) -> None:
        """Play the games; raise a RulesError for the first thing that is wrong."""
        # Compiled code raises on a division by zero; a key may overflow on purpose.
        with np.errstate(divide="raise", invalid="raise", over="ignore"):
            first = self.play_game()
            self.check_setup(first)
            self.check_texts(first)
            for _ in range(1, GAMES):
                if self.seen >= POSITIONS or time.process_time() - self.began > SECONDS:
                    break
                self.play_game()
            self.refuse_one_mover(self.turns, self.longest)

    # ---- calls ---------------------------------------------------------------------------------

    def ask(self, name: str, function: Callable[..., Any], states: States, *given: Any) -> Any:
        """Call a function with the board, a state and further arguments."""
        return self.call(name, states, function, self.game.board, states[0], *given)

    def call(self, name: str, states: States, function: Callable[..., Any], *given: Any) -> Any:
        """Call a function; what it raises becomes a RulesError."""
        self.watch.begin(name)
        try:
            return function(*given)
        except Exception as error:
            text = meaning(error, name, self.game, states[0])
            raise RulesError(f"{text}{self.after}") from error

    def answer(
        self,
        check: Callable[[str, Verb, Any], Answer],
        name: str,
        function: Verb,
        states: States,
        *given: Any,
    ) -> Answer:
        """Call a function like `ask`, and check what it returns."""
        return check(name, function, self.ask(name, function, states, *given))

    def listed(self, name: str, function: Verb, states: States) -> list[int]:
        """Call a function that writes moves, and check what it wrote."""
        out = np.full(self.game.max_moves, _UNWRITTEN, np.int32)
        count = self.ask(name, function, states, out)
        return answers.moves(name, function, count, out, _UNWRITTEN)

    @property
    def after(self) -> str:
        """Where the current game stands, for a message."""
        try:
            texts = [self.game.type.notation.move_text(self.game.board, move) for move in self.line]
            return f", after {self.game.join_moves(texts)!r}" if texts else ""
        except Exception:
            return f", after {len(self.line)} moves"

    # ---- one game ------------------------------------------------------------------------------

    def play_game(self) -> list[int]:
        """Play a random game to its end, and return its moves."""
        game, rules, self.line = self.game, self.game.rules, []
        states = np.zeros(1, game.type.state)
        self.ask("setup", rules.setup, states)
        movers = set[int]()
        while True:
            found = self.look_at(states)
            self.seen += 1
            if not found:
                self.longest = max(self.longest, len(self.line))
                return self.line
            movers.add(int(rules.turn(game.board, states[0])))
            if len(self.line) >= game.max_plies:
                self.refuse_length(movers)
            if self.seen > 2 * POSITIONS and time.process_time() - self.began > SECONDS:
                return self.line  # a long game with slow rules
            move = self.random.choice(found)
            states = states.copy()
            self.ask("play", rules.play, states, move)
            self.line.append(move)

    def refuse_length(self, movers: set[int]) -> None:
        """Complain about a game that is longer than it can be."""
        game, plies = self.game, len(self.line)
        self.refuse_one_mover(movers, plies)
        raise RulesError(
            f"a game is not over after {plies} moves, but sizes says that it lasts at most"
            f" {game.max_plies}: is max_plies too small, or does `over` miss the end?"
            f"{place_of(game.rules.over)}{self.after}"
        )

    def refuse_one_mover(self, movers: set[int], plies: int) -> None:
        """Complain if only one player was ever to move in this many plies."""
        if len(movers) == 1 and plies > 2:
            why = f"never gives player {2 - movers.pop()} the turn: change the turn in it"
            raise complain("play", self.game.rules.play, why)

    def look_at(self, states: States) -> list[int]:
        """Check all answers about a position; return the legal moves, none if it is over."""
        game, rules = self.game, self.game.rules
        states.flags.writeable = False
        turn = self.answer(answers.whole, "turn", rules.turn, states)
        ended = self.answer(answers.truth, "over", rules.over, states)
        key = self.answer(answers.key, "key", rules.key, states)
        if ended:
            margin = self.answer(answers.whole, "margin", rules.margin, states)
            most = game.max_margin
            if abs(margin) > most:
                right = f"set points={abs(margin)}"
                why = f"returned {margin}, but the largest margin is {most}: {right}"
                raise complain("margin", rules.margin, why)
            self.compare_twin(key, states, (margin,))
            return []
        if turn not in (0, 1):
            why = f"returned {turn}{self.after}: the players are 0 and 1"
            raise complain("turn", rules.turn, why)
        self.turns.add(turn)
        found = self.listed("moves", rules.moves, states)
        if not found:
            where = self.after.removeprefix(",") or " at the start"
            raise RulesError(
                f"{where.strip()} there are no moves, but the game is not over: `over` must return"
                f" True there, or `moves` write a pass{place_of(rules.over)}"
            )
        self.compare_twin(key, states, (turn + 1, len(found)))
        self.ask_more(states, found)
        return found

    def compare_twin(self, key: int, states: States, facts: tuple[int, ...]) -> None:
        """Complain if an earlier position has the same key, but another turn, moves or margin.

        It may be over in one of them only: some authors leave a limit of moves out of the key.
        """
        where = f"after {len(self.line)} moves" if len(self.line) > MANY else self.after
        where = where.removeprefix(", ") or "at the start"
        twin, there, others = self.known.setdefault(key, (states, where, facts))
        if facts == others or len(facts) != len(others):
            return
        b, rules, out = self.game.board, self.game.rules, np.zeros(self.game.max_moves, np.int32)

        def answer(states: States) -> tuple[int, ...]:
            if len(facts) == 1:
                return (int(rules.margin(b, states[0])),)
            return int(rules.turn(b, states[0])), int(rules.moves(b, states[0], out))

        names = deciding(twin, states, answer)
        words = ("margin",) if len(facts) == 1 else ("player to move", "number of moves")
        told = [unlike(twin, states, names), *different(words, others, facts)]
        both = f"for two positions {where}" if where == there else f"{where} as {there}"
        why = f"returned the same number {both}, but {', '.join(told)}: {question(names)}"
        raise complain("key", rules.key, why)

    def ask_more(self, states: States, found: list[int]) -> None:
        """Check the answers of the optional verbs."""
        game, rules = self.game, self.game.rules
        if rules.evaluate is not None:
            self.answer(answers.whole, "evaluate", rules.evaluate, states)
        if rules.bounds is not None:
            low, high = self.answer(answers.pair, "bounds", rules.bounds, states)
            if low > high:
                why = f"returned {low, high}: the lowest margin must come first"
                raise complain("bounds", rules.bounds, why)
        if rules.forced is not None:
            self.listed("forced", rules.forced, states)
        if rules.promise is not None:
            self.answer(answers.whole, "promise", rules.promise, states, found[0])
        if rules.measures is not None:
            self.ask("measures", rules.measures, states, np.zeros(MEASURES, np.int32))
        for name, heuristic in game.type.strength.heuristics.items():
            self.ask(f"heuristic {name}", heuristic.function, states, 0)

    # ---- the start position --------------------------------------------------------------------

    def check_setup(self, line: list[int]) -> None:
        """Play the same game from a record that held something else before `setup`."""
        game = self.game
        clean, used = np.zeros(1, game.type.state), np.zeros(1, game.type.state)
        for name in game.type.state.names or ():
            used[name] = 1
        unset = f"{place_of(game.rules.setup)}"
        try:
            for states in (clean, used):
                self.watch.begin("setup")
                game.rules.setup(game.board, states[0])
            fields = [name for name in clean.dtype.names or () if np.any(clean[name] != used[name])]
            same = all(self._agree(clean, used, move) for move in [None, *line])
        except (Exception, TooSlow):
            same = False
        if not same:
            names = ", ".join(f"s.{name}" for name in fields) or "every field"
            raise RulesError(
                f"`setup` does not set {names}: it must write the start position{unset}"
            )

    def _agree(self, clean: States, used: States, move: int | None) -> bool:
        """Play a move in both games, and compare what the rules say then."""
        game, found = self.game, []
        for states in (clean, used):
            self.watch.begin("setup")
            if move is not None:
                game.rules.play(game.board, states[0], move)
            here = Position(game, states.copy())
            found.append((here.margin, here.to_move, here.key, here.legal_codes))
        return found[0] == found[1]

    # ---- what people see -----------------------------------------------------------------------

    def check_texts(self, line: list[int]) -> None:
        """Check texts and drawings along a game."""
        game, self.line = self.game, []
        kind, notation, position = game.type, game.type.notation, game.start()
        for move in [*line[: SHOWN - 1], None]:
            states = position.states
            self.check_move_texts(position)
            if notation.draw is not None:
                self.answer(answers.text, "draw", notation.draw, states)
            if kind.scores is not None:
                self.answer(answers.pair, "scores", kind.scores, states)
            if notation.to_text is not None:
                self.answer(answers.text, "to_text", notation.to_text, states)
            if position.over and kind.words.reason is not None:
                self.answer(answers.text, "reason", kind.words.reason, states)
            if move is None or len(self.line) == 0:
                self.call("scene", states, scene_of, position)
            if move is not None:
                self.line.append(move)
                position = position.play_code(move)

    def check_move_texts(self, position: Position) -> None:
        """Check that every legal move has a text of its own."""
        write, known = self.game.type.notation.move_text, dict[str, int]()
        for move in position.legal_codes:
            given = self.call("move_text", position.states, write, self.game.board, move)
            text = answers.text("move_text", write, given)
            if not text.strip():
                raise complain("move_text", write, f"gave move {move} an empty text")
            if text in known:
                why = f"wrote {text!r} for two moves, {known[text]} and {move}: texts must differ"
                raise complain("move_text", write, why)
            known[text] = move
