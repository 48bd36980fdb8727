"""One game of a tournament: what a worker is told, how it plays it, and what it says about it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial

from plywise import games
from plywise.arena.live import Board, shown
from plywise.arena.plan import Plan
from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import AgentError, PlywiseError, SpecError
from plywise.kit.duels import random_opening
from plywise.play.agents.program import PATIENCE
from plywise.play.agents.shelter import Shelter
from plywise.play.agents.specs import make_agent
from plywise.play.match import USUAL_TIME, Played, play_game
from plywise.play.players import HUMAN, Player
from plywise.play.records.game_record import TimeControl

KEPT = 8  #: games with their rules that a worker keeps at hand
WAITING = 16  #: agents whose processes wait for their next game, about 30 MB each
Key = tuple[str, str, int, Shelter | None]
_waiting: list[tuple[Key, Player]] = []  # the one that played last is at the end


@dataclass(frozen=True)
class Task:
    """A game to be played. Everything about it follows from the plan and its number."""

    edition: int  #: of the tournament; another begins when agents have changed
    round: int
    table: int  #: of the pairing in its round
    number: int  #: of the game in its pairing; two in a row share an opening
    first: int  #: the agent, by its number in the plan, that is player 1
    second: int
    game: str
    specs: tuple[str, str]  #: of player 1 and player 2
    opening: str | None  #: its moves; None for random ones
    opening_lot: str  #: decides about random ones
    lots: tuple[str, str]  #: decide about the random choices of both players
    plies: int
    clock: TimeControl | None
    nodes: int
    memory: int
    shelter: Shelter | None = None  #: where agents in their own processes run
    names: tuple[str, str] = ("", "")  #: of both agents, for those who watch
    live: str = ""  #: the folder in which the game is shown while it is played, if any

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What no other game of the tournament has."""
        return self.edition, self.round, self.table, self.number


@dataclass(frozen=True)
class Outcome:
    """A game that was played."""

    winner: int  #: 1, 2, or 0 for a draw
    moves: str
    plies: int  #: moves of the opening
    seconds: tuple[float, float]  #: of player 1 and player 2
    counts: tuple[int, int]  #: moves of both
    slowest: tuple[float, float]  #: the slowest move of both
    failure: str  #: time, illegal or crash; empty if the game ended on the board
    reason: str


def tasks(
    plan: Plan,
    number: int,
    paired: Iterable[tuple[int, int]],
    shelter: Shelter | None = None,
    edition: int = 0,
    *,
    lot: str = "",
) -> Iterator[Task]:
    """The games of a round. Its openings are the same at all tables.

    `lot` makes other openings and random choices than those of the rounds before.
    """
    seed = f"{lot or plan.seed}" if not edition else f"{lot or plan.seed} edition {edition}"
    for table, (a, b) in enumerate(paired):
        for game in range(plan.games):
            opening = number * (plan.games // 2) + game // 2
            listed = opening + edition * plan.last_round * (plan.games // 2)
            first, second = (a, b) if game % 2 == 0 else (b, a)
            yield Task(
                edition,
                number,
                table,
                game,
                first,
                second,
                plan.game,
                (plan.agents[first].spec, plan.agents[second].spec),
                plan.openings[listed % len(plan.openings)] if plan.openings else None,
                f"{seed} {opening}",
                (f"{seed} {number} {table} {game} 1", f"{seed} {number} {table} {game} 2"),
                plan.plies,
                plan.clock,
                plan.nodes,
                plan.memory,
                shelter,
                (plan.agents[first].name, plan.agents[second].name),
            )


@lru_cache(KEPT)
def game_of(spec: str) -> Game:
    """The game that a spec names; its compiled rules stay with it."""
    return games.make(spec)


def start_of(task: Task) -> Position:
    """The position after the opening."""
    game = game_of(task.game)
    if task.opening is None:
        return random_opening(game, task.plies, random.Random(task.opening_lot))
    position = game.position(task.opening)
    if position.over:
        raise SpecError(f"the opening {task.opening!r} ends the game: leave it out")
    return position


def play(task: Task) -> Outcome:
    """Play a game. An agent that cannot start loses it."""
    start = start_of(task)
    limits = Limits(nodes=task.nodes or None)
    with ExitStack() as table:
        seats = []
        for turn, spec in enumerate(task.specs):
            try:
                seats.append(table.enter_context(_seated(spec, start.game, task)))
            except PlywiseError as error:
                return _lost(start, turn, str(error))
        for turn, each in enumerate(seats):
            each.sit_down(turn + 1, random.Random(task.lots[turn]))
            if each.program is not None:
                try:
                    each.program.get_ready()
                except AgentError as error:
                    return _lost(start, turn, str(error))
        one, two = seats
        on_move = None
        if task.live:
            board = table.enter_context(shown(task.live, *task.names, start.moves))
            on_move = partial(_show, board)
        played = play_game(start, (one, two), limits, clock=task.clock, on_move=on_move)
        return _outcome(start, played)


def _show(board: Board, _: str, analysis: Analysis) -> None:
    if analysis.best is not None:
        board.move(analysis.best)


@contextmanager
def _seated(spec: str, game: Game, task: Task) -> Iterator[Player]:
    """A player for one game, with a process that is kept from an earlier one if there is."""
    key = spec, game.spec, task.memory, task.shelter
    waiting = [each for each in _waiting if each[0] == key]
    if waiting:
        _waiting.remove(waiting[-1])
    player = waiting[-1][1] if waiting else seat(spec, game, task.memory, task.shelter)
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


def seat(spec: str, game: Game, memory: int, shelter: Shelter | None = None) -> Player:
    """Make a player; SpecError if it is a person."""
    player = Player(
        spec,
        game,
        usual=USUAL_TIME,
        patience=PATIENCE,
        memory=memory,
        on_output=lambda _: None,
        make=partial(make_agent, shelter=shelter, fresh=True),
    )
    if player.person:
        raise SpecError(f"{HUMAN} is not an agent: a tournament is between agents")
    return player


def fault_of(spec: str, game: Game, memory: int, shelter: Shelter | None = None) -> str | None:
    """Say why an agent does not even start; None if it does."""
    try:
        player = seat(spec, game, memory, shelter)
    except PlywiseError as error:
        return str(error)
    try:
        player.sit_down(1, random.Random(1))
        if player.program is not None:
            player.program.get_ready()
    except PlywiseError as error:
        return str(error)
    finally:
        with suppress(PlywiseError):
            player.close()
    return None


def _lost(start: Position, turn: int, reason: str) -> Outcome:
    moves = start.game.join_moves(start.moves)
    nothing = 0.0, 0.0
    return Outcome(2 - turn, moves, len(start.moves), nothing, (0, 0), nothing, "crash", reason)


def _outcome(start: Position, played: Played) -> Outcome:
    of = played.spent(0), played.spent(1)
    return Outcome(
        played.winner,
        start.game.join_moves(played.moves),
        len(start.moves),
        (round(sum(of[0]), 6), round(sum(of[1]), 6)),
        (len(of[0]), len(of[1])),
        (round(max(of[0], default=0.0), 6), round(max(of[1], default=0.0), 6)),
        played.failure or "",
        played.reason,
    )
