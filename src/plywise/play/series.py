"""A series: games between two agents, each opening from both sides, and what came of them.

Matches, tournaments, learning and the tables of reports all play their games here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from typing import Literal

from plywise.core.analysis import Analysis, Limits
from plywise.core.game import Game, need_game
from plywise.core.position import Position, opponent
from plywise.core.progress import progress
from plywise.engines.driver import NO_LIMITS
from plywise.errors import AgentError, SpecError, Unsupported
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import GRACE, MEMORY, PATIENCE, InvalidAnswer, Overtime
from plywise.play.match import By, Match
from plywise.play.players import QUIET, SEEDS, MakeAgent, Player, make_agent, new_seed
from plywise.play.records.game_record import HUMAN, TimeControl

USUAL_TIME = 0.1  #: default seconds per move for an agent that takes a time limit
_TRIES = 1000  #: random openings tried before a game counts as too short for them

OnMove = Callable[[By, Position, Analysis], None]  #: who moved, the position after it, and why
Seeds = Callable[[int, By], int | None]  #: the seed of an agent in a game; None for none

# ---- openings ------------------------------------------------------------------------------


def random_opening(game: Game, plies: int, rng: random.Random) -> Position:
    """Return a position after `plies` random plies in which the game is not over."""
    for _ in range(_TRIES if plies < game.max_plies else 0):
        position = game.start()
        while len(position.moves) < plies and not position.over:
            position = position.play_code(rng.choice(position.legal_codes))
        if not position.over:
            return position
    raise Unsupported(f"no game of {game.spec} lasts longer than {plies} random moves: use fewer")


def openings(game: Game, count: int, plies: int, seed: int = 1) -> list[Position]:
    """Return `count` random openings, the same ones for the same seed."""
    return [
        random_opening(game, plies, random.Random(f"{seed} {number}")) for number in range(count)
    ]


# ---- one game ------------------------------------------------------------------------------

#: How a game can be lost otherwise than on the board.
Failure = Literal["time", "illegal", "crash"]


@dataclass(frozen=True)
class Played:
    """A game that was played; pairs of figures are those of player 1 and player 2."""

    winner: int  #: 1, 2, or 0 for a draw
    moves: str  #: all of them, those of the opening too
    plies: int = 0  #: of the opening
    seconds: tuple[float, float] = (0.0, 0.0)
    counts: tuple[int, int] = (0, 0)  #: moves of both
    slowest: tuple[float, float] = (0.0, 0.0)  #: seconds of the slowest move
    failure: Failure | None = None  #: if the game did not end on the board
    reason: str = ""  #: what the loser did wrong then, or why the game is over
    margin: int | None = None  #: player 1's lead, if the game has points and ended on the board


def play_game(
    start: Position,
    players: tuple[Player, Player],
    limits: Limits = NO_LIMITS,
    *,
    clock: TimeControl | None = None,
    on_move: Callable[[Position, Analysis], None] | None = None,
) -> Played:
    """Play one game from a position. Getting ready and compiling are not on the clock.

    `on_move` is called with the position after each move, and with the analysis of the move.
    """
    position, spent = start, (list[float](), list[float]())
    winner, failure, reason = position.winner, None, ""
    while winner is None:
        turn, allowed, limit = position.turn, None, limits
        if clock is not None:
            allowed = max(0.0, clock.left(spent[turn]))
            limit = limits & Limits(time=clock.share(allowed))
        try:
            move, analysis = players[turn].choose(position, limit, allowed=allowed)
            if allowed is not None and analysis.seconds > allowed + GRACE:
                raise Overtime(f"{players[turn].spec} took more than {allowed:g} s for a move")
        except AgentError as error:
            failure = _failure(error)
            if players[turn].program is None and failure != "time":
                raise  # a bug in an engine: its author should see it
            winner, reason = opponent(position.mover), str(error)
            break
        spent[turn].append(analysis.seconds)
        position = position.play_code(move)
        winner = position.winner
        if on_move is not None:
            on_move(position, analysis)
    one, two = spent
    return Played(
        winner,
        start.game.join_moves(position.moves),
        len(start.moves),
        (round(sum(one), 6), round(sum(two), 6)),
        (len(one), len(two)),
        (round(max(one, default=0.0), 6), round(max(two, default=0.0), 6)),
        failure,
        reason or position.reason or "",
        position.margin if start.game.points and failure is None else None,
    )


def _failure(error: AgentError) -> Failure:
    if isinstance(error, Overtime):
        return "time"
    return "illegal" if isinstance(error, InvalidAnswer) else "crash"


# ---- the series ----------------------------------------------------------------------------


def new_player(
    spec: str,
    game: Game,
    why: str,
    *,
    time: float | None = None,
    make: MakeAgent = QUIET,
) -> Player:
    """Make a player; SpecError with the reason `why` if it is a person."""
    player = Player(
        spec,
        game,
        usual=USUAL_TIME if time is None else time,
        patience=PATIENCE if time is None else time,
        make=make,
    )
    if player.person:
        raise SpecError(f"{HUMAN} is not an agent: {why}")
    return player


def play_series(
    game: Game,
    a: str,
    b: str,
    openings: Iterable[Position],
    *,
    so_far: Match | None = None,
    first: int = 0,
    games: int | None = None,
    seeds: Seeds | None = None,
    limits: Limits = NO_LIMITS,
    time: float | None = None,
    make: MakeAgent = QUIET,
    on_game: Callable[[Match], None] | None = None,
    on_move: OnMove | None = None,
    until: Callable[[Match], bool] | None = None,
) -> Match:
    """Play two games from each opening; `a` is player 1 in the first, third, ... of them.

    Both players are made once and get new seeds for each game; without `seeds` an agent has that
    of its spec, or its usual one. `first` is the number of the first game, and `games` the most
    that are played. For the rest see `play_match`.
    """
    match = so_far or Match(game.spec, a, b)
    with ExitStack() as table:
        both = []
        for spec in (a, b):
            both.append(new_player(spec, game, "a match is between agents", time=time, make=make))
            table.callback(both[-1].close)
        for player in both:
            player.get_ready()
        sides: tuple[By, ...] = ("a", "b")
        skipped = first % 2  # of the two games from the first opening
        numbered = enumerate((each for each in openings for _ in range(2)), first - skipped)
        for number, opening in islice(
            numbered, skipped, None if games is None else skipped + games
        ):
            begins = number % 2  # the index of the agent that is player 1
            for index, player in enumerate(both):
                seed = None if seeds is None else seeds(number, sides[index])
                player.sit_down(1 if index == begins else 2, seed)
            told = (
                None
                if on_move is None
                else partial(_told, on_move, sides[begins:] + sides[:begins])
            )
            played = play_game(opening, (both[begins], both[1 - begins]), limits, on_move=told)
            match = match.after(played, begins)
            if on_game is not None:
                on_game(match)
            if until is not None and match.games % 2 == 0 and until(match):
                break
    return match


def _told(on_move: OnMove, players: Sequence[By], position: Position, analysis: Analysis) -> None:
    """Say which of the agents, player 1 first, has moved."""
    assert position.before is not None
    on_move(players[position.before.turn], position, analysis)


def play_match(
    game: Game,
    a: str,
    b: str,
    *,
    games: int = 10,
    seed: int | None = None,
    limits: Limits = NO_LIMITS,
    time: float | None = None,
    opening_plies: int = 0,
    memory: int = MEMORY,
    first: int = 0,
    so_far: Match | None = None,
    on_game: Callable[[Match], None] | None = None,
    on_move: OnMove | None = None,
    on_output: OnOutput | None = None,
    until: Callable[[Match], bool] | None = None,
) -> Match:
    """Play `games` games; `a` is player 1 in the first, third, ... of them.

    Games come in pairs that share an opening of random plies. The same seed gives the same
    match if neither agent uses a clock. `limits` apply to all moves of both. `time` is for agents
    without another limit: engines that take a time limit (default 0.1 s), agent files and
    programs (default 10 s). `on_game` is called with the match after each game, `on_move` after
    each move with `a` or `b`, the position and the agent's analysis. `until` is asked after each
    pair of games and ends the match when it returns True, as a sequential test does. `first` is the
    number of the first game: a match of 4 games from number 6 on has the games 6 to 9 of a longer
    one. `so_far` is a match to continue: the same seed gives the games that would have followed.

    An agent file or a program that fails loses that game and the match continues; one that
    cannot even start is refused before the first game. `memory` is the limit for each, in
    megabytes; `on_output` gets what they print besides their moves.
    """
    need_game(game, "match")
    if games < 1:
        raise SpecError(f"games must be at least 1, not {games}")
    if opening_plies < 0:
        raise SpecError(f"opening_plies must be at least 0, not {opening_plies}")
    if memory < 1:
        raise SpecError(f"memory must be at least 1 megabyte, not {memory}")
    seed = random.SystemRandom().randrange(SEEDS) if seed is None else seed
    match = so_far or Match(game.spec, a, b, seed)
    if (match.game, match.a, match.b) != (game.spec, a, b):
        raise SpecError(
            f"so_far is a match of {match.game} between {match.a} and {match.b},"
            f" not of {game.spec} between {a} and {b}"
        )
    first += match.games
    with progress(f"{a} - {b}", games) as advance:

        def told(match: Match) -> None:
            advance(f"{a} +{match.wins} ={match.draws} -{match.losses} {b}")
            if on_game is not None:
                on_game(match)

        return play_series(
            game,
            a,
            b,
            (
                random_opening(game, opening_plies, random.Random(f"{seed} {pair}"))
                for pair in count(first // 2)
            ),
            so_far=match,
            first=first,
            games=games,
            seeds=lambda number, by: new_seed(f"{seed} {number} {by}"),
            limits=limits,
            time=time,
            make=partial(make_agent, memory=memory, on_output=on_output),
            on_game=told,
            on_move=on_move,
            until=until,
        )
