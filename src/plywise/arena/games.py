"""One game of a tournament: what a worker is told, and how it plays it while others watch.

Whoever plays a game writes its moves to a small file in a folder beside the results, not more often
than people can follow; a quick game is never written. Nothing depends on these files.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from plywise import games
from plywise.arena.plan import Entry, Plan
from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game
from plywise.core.position import Position, opponent
from plywise.errors import PlywiseError, SpecError
from plywise.play.agents.sandbox import Sandbox
from plywise.play.players import Player, make_agent, new_seed
from plywise.play.series import Played, new_player, play_game, random_opening

KEPT = 8  #: games with their rules that a worker keeps at hand
WAITING = 16  #: agents whose processes wait for their next game, about 30 MB each
PAUSE = 0.5  #: seconds between two writes
STALE = 300.0  #: seconds after which a game that was not written again is no longer shown
Key = tuple[str, str, int, Sandbox | None]
_waiting: list[tuple[Key, Player]] = []  # the one that played last is at the end


@dataclass(frozen=True)
class Task:
    """A game to be played. Everything about it follows from the plan and its number."""

    plan: Plan
    edition: int  #: of the tournament; another begins when agents have changed
    round: int
    table: int  #: of the pairing in its round
    number: int  #: of the game in its pairing; two in a row share an opening
    first: int  #: the agent, by its number in the plan, that is player 1
    second: int
    seed: str  #: what all random numbers follow from
    sandbox: Sandbox | None = None  #: where agents in their own processes run
    live: str = ""  #: the folder in which the game is shown while it is played, if any

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What no other game of the tournament has."""
        return self.edition, self.round, self.table, self.number

    @property
    def agents(self) -> tuple[Entry, Entry]:
        """Player 1 and player 2."""
        return self.plan.agents[self.first], self.plan.agents[self.second]

    @property
    def seeds(self) -> tuple[int, int]:
        """The random seeds of both players."""
        text = f"{self.seed} {self.round} {self.table} {self.number}"
        return new_seed(f"{text} 1"), new_seed(f"{text} 2")

    @property
    def opening(self) -> int:
        """The number of the opening, which is the same at all tables of a round."""
        return self.round * (self.plan.games // 2) + self.number // 2

    def start(self) -> Position:
        """Return the position after the opening."""
        plan, game = self.plan, game_of(self.plan.game)
        if not plan.openings:
            return random_opening(game, plan.plies, random.Random(f"{self.seed} {self.opening}"))
        earlier = self.edition * plan.last_round * (plan.games // 2)
        moves = plan.openings[(earlier + self.opening) % len(plan.openings)]
        position = game.position(moves)
        if position.over:
            raise SpecError(f"the opening {moves!r} ends the game: leave it out")
        return position


def tasks(
    plan: Plan,
    number: int,
    paired: Iterable[tuple[int, int]],
    sandbox: Sandbox | None = None,
    edition: int = 0,
    *,
    seed: str = "",
) -> Iterator[Task]:
    """The games of a round.

    Another `seed` than that of the plan makes other openings and random choices.
    """
    seed = f"{seed or plan.seed}" if not edition else f"{seed or plan.seed} edition {edition}"
    for table, (a, b) in enumerate(paired):
        for game in range(plan.games):
            first, second = (a, b) if game % 2 == 0 else (b, a)
            yield Task(plan, edition, number, table, game, first, second, seed, sandbox)


@lru_cache(KEPT)
def game_of(spec: str) -> Game:
    """The game that a spec names; its compiled rules stay with it."""
    return games.make(spec)


def play(task: Task) -> Played:
    """Play a game. An agent that cannot start loses it."""
    start = task.start()
    with ExitStack() as table:
        seats: list[Player] = []
        for number, (entry, seed) in enumerate(zip(task.agents, task.seeds, strict=True), 1):
            try:
                player = table.enter_context(_seated(entry.spec, start.game, task))
                player.sit_down(number, seed)
                player.get_ready()
            except PlywiseError as error:
                moves = start.game.join_moves(start.moves)
                lost = Played(opponent(number), moves, len(start.moves), failure="crash")
                return replace(lost, reason=str(error))
            seats.append(player)
        one, two = seats
        on_move = table.enter_context(shown(task)) if task.live else None
        limits = Limits(nodes=task.plan.nodes or None)
        return play_game(start, (one, two), limits, clock=task.plan.clock, on_move=on_move)


@contextmanager
def _seated(spec: str, game: Game, task: Task) -> Iterator[Player]:
    """A player for one game, with a process that is kept from an earlier one if there is."""
    key = spec, game.spec, task.plan.memory, task.sandbox
    waiting = [each for each in _waiting if each[0] == key]
    if waiting:
        _waiting.remove(waiting[-1])
    player = waiting[-1][1] if waiting else seat(spec, game, task.plan.memory, task.sandbox)
    try:
        yield player
    except BaseException:
        player.close()
        raise
    if player.program is not None:
        player.program.end_game()
        _waiting.append((key, player))
        while len(_waiting) > WAITING:
            _waiting.pop(0)[1].close()


def put_away() -> None:
    """End the processes of agents that wait in this process for another game."""
    while _waiting:
        _waiting.pop()[1].close()


def seat(spec: str, game: Game, memory: int, sandbox: Sandbox | None = None) -> Player:
    """Make a player of a tournament; what its agent prints is not shown."""
    make = partial(make_agent, memory=memory, on_output=None, sandbox=sandbox, fresh=True)
    return new_player(spec, game, "a tournament is between agents", make=make)


def fault_of(plan: Plan, entry: Entry, sandbox: Sandbox | None = None) -> str | None:
    """Say why an agent does not even start; None if it does."""
    try:
        with closing(seat(entry.spec, game_of(plan.game), plan.memory, sandbox)) as player:
            player.sit_down(1, None)
            player.get_ready()
    except PlywiseError as error:
        return str(error)
    return None


# ---- for those who watch --------------------------------------------------------------------


@dataclass(frozen=True)
class Playing:
    """A game that is being played."""

    first: str  #: the names of the agents
    second: str
    moves: tuple[str, ...]


@contextmanager
def shown(task: Task) -> Iterator[Callable[[Position, Analysis], None]]:
    """Show a game until it ends; what this gives is called after each move."""
    file = Path(task.live, f"{os.getpid()}.json")
    names = [entry.name for entry in task.agents]
    due = time.monotonic() + PAUSE

    def on_move(position: Position, _: Analysis) -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        with suppress(OSError):  # nobody can watch then
            part = file.with_suffix(".part")
            part.write_text(json.dumps([*names, position.moves]))
            part.replace(file)
        due = time.monotonic() + PAUSE

    try:
        yield on_move
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def live_folder(results: Path) -> Path:
    """Where the games of a tournament are shown."""
    return results.with_name(f"{results.name}.live")


def playing(results: Path, most: int) -> list[Playing]:
    """Return games that are being played now, up to a limit, always in the same order."""
    found: list[Playing] = []
    now = time.time()
    for file in sorted(live_folder(results).glob("*.json")):
        with suppress(OSError, ValueError, TypeError):
            if now - file.stat().st_mtime > STALE:
                continue
            first, second, moves = json.loads(file.read_text(encoding="utf-8"))
            found.append(Playing(str(first), str(second), tuple(map(str, moves))))
    return found[:most]
