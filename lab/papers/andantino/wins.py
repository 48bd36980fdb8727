"""Positions in which the side to move has a forced win, and whether an agent's move keeps it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from lab.papers.report.plans import Row, Table
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines import make
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.andantino import rules
from plywise.games.andantino.solver import Solver
from plywise.play.statistics import Share

PLIES = (1, 3, 5, 7, 9)  #: lengths of the wins
EACH, FEW = 60, 6  #: positions of each length, in a report and in a quick one
GAMES = 60  #: random games for each of them, at most
SHORTEST, LONGEST = 6, 30  #: plies of these games
ANSWERED = 0.7  #: chance that a threat to win at once is answered
NODES = 50_000  #: of a search for a win
PROOF = 300_000  #: ... and of proof-number search where that finds nothing
MEMORY = 32.0  #: megabytes for each of the two

AGENTS = ("seed", "seed-tuned", "seed:depth=4", "auto:time=0.1")


def random_game(game: Game, rng: random.Random) -> Position:
    """Play random moves; most threats to win at once are answered, so that wins lie deeper."""
    position = game.start()
    for _ in range(rng.randrange(SHORTEST, LONGEST + 1)):
        if position.over:
            break
        number, cell = rules.winning(game.board, position.state, 1 - position.turn)
        if number and rng.random() < ANSWERED:
            position = position.play_code(int(cell))
        else:
            position = position.play_code(rng.choice(position.legal_codes))
    return position


@cache
def judge(game: Game) -> Solver:
    """The solver that finds the wins, without the book."""
    return Solver(game, MEMORY, proofs=MEMORY)


@cache
def won_positions(game: Game, each: int, seed: int = 1) -> dict[int, list[Position]]:
    """Return up to `each` positions for each length of the shortest win, all from other games."""
    found: dict[int, list[Position]] = {plies: [] for plies in PLIES}
    limits = Limits(depth=PLIES[-1], nodes=NODES)
    for number in range(GAMES * each):
        position = random_game(game, random.Random(f"{seed} {number}"))
        if position.over:
            continue
        known = judge(game).deepen(position, limits, Run(NO_LIMITS), None)
        if known.outcome == "win" and known.plies_to_end is not None:
            same = found[known.plies_to_end]
            if len(same) < each:
                same.append(position)
        if all(len(positions) == each for positions in found.values()):
            break
    return found


def keeps(position: Position, move: str) -> bool | None:
    """True if the mover still has a forced win after this move; None if that is not settled."""
    after = position.play(move)
    if after.over:
        return after.winner == position.turn + 1
    solver, run = judge(position.game), Run(NO_LIMITS)
    near = solver.deepen(after, Limits(nodes=NODES), run, None)
    if near.outcome is not None:
        return near.outcome == "loss"
    return solver.prover.ask(after, position.turn, run, PROOF).settled


def chosen(position: Position, agent: str) -> str:
    """The move of an agent that has not seen any other position."""
    best = make(agent, position.game).search(position).best
    assert best is not None
    return best


def found_wins(game: Game, case: str, quick: bool) -> Row:
    """Ask every agent for its move in the positions whose shortest win has `case` plies."""
    positions = won_positions(game, FEW if quick else EACH)[int(case)]
    if not positions:
        return ()
    kept = [
        [keeps(position, chosen(position, agent)) for position in positions] for agent in AGENTS
    ]
    shares = [Share(answers.count(True), len(positions)) for answers in kept]
    return len(positions), *shares, sum(answers.count(None) for answers in kept)


def verdict(rows: Sequence[Row]) -> str:
    """Say whether the first agent misses most wins, and how often each one finds them."""
    found = []
    for column in range(2, 2 + len(AGENTS)):
        shares = [cell for row in rows if isinstance(cell := row[column], Share)]
        found.append(Share(sum(one.points for one in shares), sum(one.count for one in shares)))
    low, high = found[0].interval
    answer = "confirmed" if high < 0.5 else "refuted" if low > 0.5 else "undecided"
    told = (f"{agent} {share}" for agent, share in zip(AGENTS, found, strict=True))
    return f"that most are missed is {answer}; found of all wins: {', '.join(told)}"


WINS = Table(
    title=f"forced wins, {EACH} positions of each length ({FEW} if quick)",
    columns=("plies to win", "positions", *AGENTS, "not settled"),
    cases=tuple(map(str, PLIES)),
    row=found_wins,
    claim="the algorithms don't work well in most case ... left image shows that the algorithms "
    "don't work in simple condition. But the middle and the right images show that the algorithms "
    "works sometimes",
    drawn=dict.fromkeys(AGENTS, "share"),
    verdict=verdict,
)
