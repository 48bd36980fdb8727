"""Sets up a game from the command line and a few questions."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plywise import engines, games, puzzles
from plywise.cli.terminal.game_controller import about, check_colour
from plywise.cli.terminal.menu import Asker, Item, Menu
from plywise.cli.terminal.unfinished import GAMES, Place, newest_game
from plywise.core.game import Game
from plywise.core.puzzle import PuzzleType
from plywise.core.spec import Parameter, Spec, Value, format_spec
from plywise.errors import SpecError
from plywise.play.new_game import drawn_by, fresh_game, swaps
from plywise.play.records.game_record import HUMAN, GameRecord, Move, TimeControl
from plywise.play.records.saves import load

ENGINE = "auto"
LEVEL = 4  #: the level of `auto` that Enter chooses: a game that most people can win
_SEEDS = 10**6  #: random seeds are below this, so that they are easy to type


class PuzzleChosen(Exception):
    """The player wants a puzzle, which is played in another way than a game."""

    def __init__(self, kind: PuzzleType) -> None:
        super().__init__(kind.name)
        self.kind = kind


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for; None means not given."""

    game: str | None = None
    first: str | None = None
    second: str | None = None
    moves: str = ""
    load: Path | None = None
    save: Path | None = None
    clock: str | None = None
    seed: int | None = None
    colour: str | None = None

    def check(self) -> None:
        """Refuse options that do not go together, before anything is asked or drawn."""
        if self.load is not None and (self.game is not None or self.moves):
            raise SpecError(f"{self.load} already contains the game: leave out GAME and --moves")
        if self.game is None and self.moves:
            raise SpecError("--moves needs a game: write its name first")
        GAMES.check_save(self.save, self.load)
        if self.clock is not None:
            TimeControl.parse(self.clock)
        if self.seed is not None and self.seed < 0:
            raise SpecError(f"the seed must be at least 0, not {self.seed}")
        if self.game is not None:
            game = games.make(self.game)
            game.position(self.moves)
            check_colour(game, self.colour)

    @property
    def puzzle(self) -> PuzzleType | None:
        """The puzzle that the command line names, if it is one and not a game."""
        name, _, given = (self.game or "").strip().partition(":")
        if name in games.names() or name not in puzzles.names():
            return None
        if given:
            raise SpecError(
                f"{name} is a puzzle and takes no parameters here: 'plywise {name}' offers new ones"
            )
        for option in self.for_games:
            raise SpecError(f"{option} is for games, and {name} is a puzzle")
        return puzzles.find(name)

    @property
    def for_games(self) -> list[str]:
        """The options given that only make sense for a game."""
        given = {
            "--first": self.first is not None,
            "--second": self.second is not None,
            "--moves": bool(self.moves),
            "--clock": self.clock is not None,
            "--seed": self.seed is not None,
            "--colour": self.colour is not None,
        }
        return [option for option, there in given.items() if there]

    @property
    def players(self) -> tuple[str, str] | None:
        """The players, if the command line names any; one name alone plays a person or `auto`."""
        if self.first is None and self.second is None:
            return None
        if self.second is None:
            return str(self.first), (ENGINE if self.first == HUMAN else HUMAN)
        return self.first or HUMAN, self.second

    def record(self, game: str, players: tuple[str, str], *, toss: bool = False) -> GameRecord:
        """Return a new game; a toss may put the second player first."""
        seed = random.SystemRandom().randrange(_SEEDS) if self.seed is None else self.seed
        # Moves that are given belong to the board that the spec names.
        made = games.make(game) if self.moves else fresh_game(game, seed)
        check_colour(made, self.colour)
        moves = tuple(Move(text) for text in made.position(self.moves).moves)
        clock = None if self.clock is None else TimeControl.parse(self.clock)
        both = players[::-1] if toss and swaps(seed) else players
        notes = (f"toss: {both[0]} moves first",) if toss else ()
        return GameRecord(made.spec, both, moves=moves, time=clock, seed=seed, notes=notes)

    def place(self) -> Place[GameRecord]:
        """Return the place where a new game is saved."""
        return GAMES.place_for(self.save)


def begin(wishes: Wishes, ask: Asker, *, on_screen: bool) -> tuple[GameRecord, Place[GameRecord]]:
    """Return the game to play, and where it is saved.

    Off the screen, input may come from a script: if it names a game, it is asked nothing.
    """
    if wishes.load is not None:
        record = load(wishes.load)
        check_colour(games.make(record.game), wishes.colour)
        first, second = record.players
        players = wishes.first or first, wishes.second or second
        return replace(record, players=players), wishes.place()
    if wishes.game is None:
        return _choose(wishes, ask)
    if on_screen and not wishes.moves and wishes.save is None:
        found = newest_game(wishes.game, wishes.players)
        if found is not None:
            if ask(_resume_menu(found[1])):
                return found[1], found[0]
            found[0].release(found[1])
    kind = games.make(wishes.game).type
    toss = wishes.players is None and bool(drawn_by(kind, Spec(kind.name)))
    players = wishes.players or (HUMAN, ENGINE)
    return wishes.record(wishes.game, players, toss=toss), wishes.place()


def _choose(wishes: Wishes, ask: Asker) -> tuple[GameRecord, Place[GameRecord]]:
    """Ask for the game, who moves first, and which engine; PuzzleChosen if it is a puzzle."""
    found = newest_game() if wishes.save is None else None
    game = ask(_game_menu(None if found is None else found[1], not wishes.for_games))
    if found is not None:
        if game is None:
            return found[1], found[0]
        found[0].release(found[1])
    if isinstance(game, PuzzleType):
        raise PuzzleChosen(game)
    if wishes.players is not None:
        return wishes.record(game, wishes.players), wishes.place()
    players, toss = _ask_players(ask, games.make(game))
    return wishes.record(game, players, toss=toss), wishes.place()


def _ask_players(ask: Asker, game: Game) -> tuple[tuple[str, str], bool]:
    """Return the players, and whether a toss decides who moves first."""
    players, toss = ask(WHO)
    engine = _ask_engine(ask, game) if ENGINE in players else ENGINE
    first, second = (engine if player == ENGINE else player for player in players)
    return (first, second), toss


def _ask_engine(ask: Asker, game: Game) -> str:
    """Return the spec of the opponent: `auto` or a game's own agent, if it has levels too."""
    found = _with_levels(game)
    name: str = ask(_engine_menu(game, found)) if len(found) > 1 else ENGINE
    parameter = found[name]
    level: Value = ask(_level_menu(name, parameter))
    return format_spec(name, {} if level == parameter.default else {parameter.name: level})


def _with_levels(game: Game) -> dict[str, Parameter]:
    """Return the agents that have a level to choose, and its parameter; `auto` comes first."""
    return {
        name: parameter
        for name in sorted(engines.names(game), key=lambda name: name != ENGINE)
        for parameter in engines.find(name, game).parameters
        if parameter.name == "level" and _values(parameter)
    }


def _values(parameter: Parameter) -> tuple[Value, ...]:
    """Return all values of a parameter that has choices or a range of whole numbers."""
    if parameter.choices or parameter.kind is not int:
        return parameter.choices
    if parameter.low is None or parameter.high is None:
        return ()
    return tuple(range(int(parameter.low), int(parameter.high) + 1))


def _engine_menu(game: Game, found: Iterable[str]) -> Menu[str]:
    items = (
        Item(str(number), name, name, engines.find(name, game).help)
        for number, name in enumerate(found, 1)
    )
    return Menu("Which engine?", tuple(items))


def _level_menu(name: str, parameter: Parameter) -> Menu[Value]:
    values = _values(parameter)
    usual = LEVEL if name == ENGINE else parameter.default
    details = {values[0]: "easiest", values[-1]: "full strength", usual: "default"}
    items = tuple(
        Item(str(number), f"Level {value}", value, details.get(value, ""), (str(value),))
        for number, value in enumerate(values, 1)
    )
    default = values.index(usual) if usual in values else 0
    return Menu("How strong should the engine be?", items, default, advice=parameter.help)


def _game_menu(waiting: GameRecord | None, and_puzzles: bool) -> Menu[str | PuzzleType | None]:
    kinds = [games.find(name) for name in games.names()]
    items: list[Item[str | PuzzleType | None]] = [
        Item(str(number), kind.title or kind.name, kind.name, kind.words.summary, (kind.name,))
        for number, kind in enumerate(kinds, 1)
    ]
    for number, puzzle in enumerate(_puzzles() if and_puzzles else (), len(items) + 1):
        label = f"{puzzle.title or puzzle.name} (puzzle)"
        items.append(Item(str(number), label, puzzle, puzzle.summary, (puzzle.name,)))
    if waiting is not None:
        items.insert(0, Item("0", "Resume", None, about(waiting)))
    advice = f"Or type a game with parameters, {games.EXAMPLE_WITH_PARAMETERS}, or ./mygame.py."
    return Menu("Which game?", tuple(items), 0, _checked, advice)


def _puzzles() -> Iterator[PuzzleType]:
    """Yield the types of puzzles; one that cannot be loaded does not stop the others."""
    for name in puzzles.names():
        with contextlib.suppress(SpecError):
            yield puzzles.find(name)


def _checked(game: str) -> str:
    """Check a game's spec and return it as typed: a file's path says more than its game's name."""
    games.make(game)
    return game


def _resume_menu(waiting: GameRecord) -> Menu[bool]:
    items = (Item("1", "Resume", True, about(waiting), ("y", "yes")), Item("2", "New game", False))
    return Menu("You have an unfinished game.", items)


#: The first and the second player, and whether they are tossed for.
WHO: Menu[tuple[tuple[str, str], bool]] = Menu(
    "Who moves first?",
    (
        Item("1", "You", ((HUMAN, ENGINE), False), "against the engine"),
        Item("2", "The engine", ((ENGINE, HUMAN), False), "you move second"),
        Item("3", "Two people", ((HUMAN, HUMAN), False), "at one keyboard"),
        Item("4", "Watch", ((ENGINE, ENGINE), False), "the engine against itself"),
        Item("5", "Toss", ((HUMAN, ENGINE), True), "you or the engine, at random"),
    ),
)
