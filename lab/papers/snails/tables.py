"""Two tables of the report: does an agent follow its opponent, what does the paper's A* miss?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from lab.papers.report.plans import Row, Table
from plywise.core.engine import Engine
from plywise.core.game import Game, Record, Verb
from plywise.core.position import Position
from plywise.engines import make
from plywise.games.snails import appendix
from plywise.games.snails.distance import FAR, bare_lines, distance
from plywise.games.snails.words.three import cells_of
from plywise.jit import kernel, rule
from plywise.jit.bits import has, wide
from plywise.play.statistics import Share

OPENING = 8  #: random plies before each game; every opening is played from both sides
GAMES, FEW = 100, 4  #: against the opponent, and in a quick report
POSITIONS, LITTLE = 100, 6  #: for each number of plies, and in a quick report
OPPONENT = "astar"

FIRST = tuple(f"euclid:depth={depth}" for depth in (1, 2, 3, 5, 8))
THIRD = "astar:search=paper"


def openings(game: Game, count: int) -> Iterator[Position]:
    """Yield positions after a few random plies, the same ones every time."""
    for number in range(count):
        rng = random.Random(f"opening {number}")
        position = game.start()
        for _ in range(OPENING):
            position = position.play_code(rng.choice(position.legal_codes))
        yield position


def chosen(agent: Engine, position: Position) -> int:
    """The code of the move that an agent plays."""
    best = agent.search(position).best
    assert best is not None
    return position.code_of(best)


# ---- following -------------------------------------------------------------------------------


def steps_apart(position: Position) -> int:
    """The rows plus the columns between the two snails."""
    cols = int(position.game.board.cols)
    mine, other = (divmod(int(cell), cols) for cell in position.state.at)
    return abs(mine[0] - other[0]) + abs(mine[1] - other[1])


def turn_of(position: Position, played: int, seen: Counter[str]) -> None:
    """Count what one move does: where it leads among all moves, and whether it claims."""
    children = {code: position.play_code(code) for code in position.legal_codes}
    apart = {code: steps_apart(child) for code, child in children.items()}
    claims = {code for code, child in children.items() if child.state.left < position.state.left}
    seen["turns"] += 1
    seen["apart"] += apart[played]
    if min(apart.values()) < max(apart.values()):
        seen["choices"] += 1
        seen["nearest"] += apart[played] == min(apart.values())
    if claims:
        seen["could claim"] += 1
        seen["slid"] += played not in claims


def following(game: Game, case: str, quick: bool) -> Row:
    """Let an agent play the opponent; measure how close it stays, and what that brings."""
    seen: Counter[str] = Counter()
    points = 0.0
    for opening in openings(game, (FEW if quick else GAMES) // 2):
        for side in range(2):
            agents: list[Engine] = [make(OPPONENT, game), make(OPPONENT, game)]
            agents[side] = make(case, game)
            position, trapped = opening, False
            while not position.over:
                played = chosen(agents[position.turn], position)
                if position.turn == side:
                    turn_of(position, played, seen)
                position = position.play_code(played)
                stuck = position.state.stuck
                trapped |= bool(stuck[1 - side] and not stuck[side])
            seen["games"] += 1
            seen["trapped"] += trapped
            points += 0.5 if position.winner == 0 else position.winner == side + 1
    return (
        Share(seen["nearest"], seen["choices"]),
        f"{seen['apart'] / seen['turns']:.1f}",
        Share(seen["slid"], seen["could claim"]),
        Share(seen["trapped"], seen["games"]),
        Share(points, seen["games"]),
    )


def judge_following(rows: Sequence[Row]) -> str:
    """Compare the first approach with the third: does it follow more, and trap and score less?"""
    figures = {row[0]: [cell for cell in row if isinstance(cell, Share)] for row in rows}
    nearest, _, trapped, points = figures[THIRD]
    first = [figures[agent] for agent in FIRST]
    follows = sum(each[0].interval[0] > nearest.interval[1] for each in first)
    traps = sum(each[2].interval[1] < trapped.interval[0] for each in first)
    scores = sum(each[3].interval[1] < points.interval[0] for each in first)
    never = sum(each[2].points == 0 for each in first)
    return (
        f"at {follows} of {len(first)} depths the first approach goes to the nearest cell more "
        f"often than the third; it traps less often at {traps} and never at {never}, "
        f"and scores less at {scores}"
    )


FOLLOWING = Table(
    title=f"following, in {GAMES} games against {OPPONENT} ({FEW} if quick)",
    columns=("agent", "nearest move", "steps apart", "claims passed up", "traps", "points"),
    cases=("random:seed=1", *FIRST, "minimax-astar:depth=2,search=paper", THIRD, "auto:level=5"),
    row=following,
    claim="the AI agent was just trying to get closer to the opponent snail and was following it "
    "but never trying to win the game and to trap the opponent player",
    drawn={"nearest move": "share", "traps": "share", "points": "share"},
    verdict=judge_following,
)


# ---- the paper's A* --------------------------------------------------------------------------


@rule
def steps_to(b: Record, s: Record, player: int, goal: int) -> int:
    """Steps from a snail to an empty cell, or else from the cell to the snail; 0 if none."""
    own, empty = appendix.trail_of(s, player), cells_of(s.free)
    here = wide(s.at[player])
    steps = appendix.search(b, own, empty, here, goal)
    return steps if steps > 0 else appendix.search_back(b, own, empty, here, goal)


@kernel
def distances_kernel(
    turn: Verb, bare_lines: Verb, distance: Verb, steps_to: Verb, has: Verb
) -> Verb:
    """List the exact distance and the paper's for both snails and every empty cell."""

    def distances(board: Record, states: Record, out: Record) -> int:
        b, s = board[0], states[0]
        count = 0
        for player in range(2):
            rows, cols = bare_lines(b, s, player)
            for cell in range(b.cells):
                if has(s.free, cell):
                    out[count, 0] = distance(b, s, player, cell, rows, cols)
                    out[count, 1] = steps_to(b, s, player, cell)
                    count += 1
        return count

    return distances


def midgame(game: Game, opening: Position, plies: int, agent: Engine) -> Position | None:
    """Let the agent play itself up to a ply; None if the game ends before it."""
    position = opening
    while len(position.moves) < plies:
        if position.over:
            return None
        position = position.play_code(chosen(agent, position))
    return None if position.over else position


def misses(game: Game, case: str, quick: bool) -> Row:
    """Compare both searches on positions of the third approach against itself."""
    run = distances_kernel.build(
        game.rules, bare_lines=bare_lines, distance=distance, steps_to=steps_to, has=has
    )
    out = np.zeros((2 * int(game.board.cells), 2), np.int64)
    paper, exact = make(THIRD, game), make(OPPONENT, game)
    seen: Counter[str] = Counter()
    for opening in openings(game, LITTLE if quick else POSITIONS):
        position = midgame(game, opening, int(case), paper)
        if position is None:
            continue
        seen["positions"] += 1
        seen["other move"] += chosen(paper, position) != chosen(exact, position)
        for true, found in out[: run(game.boards, position.states, out)].tolist():
            seen["cells"] += 1
            if true == FAR:
                seen["invented"] += found > 0
            elif found == 0:
                seen["missed"] += 1
            else:
                seen["too many"] += found > true
                seen["too few"] += found < true
    if not seen["cells"]:
        return ()
    kinds = ("missed", "too many", "too few", "invented")
    return (
        seen["positions"],
        *(Share(seen[kind], seen["cells"]) for kind in kinds),
        Share(seen["other move"], seen["positions"]),
    )


def judge_misses(rows: Sequence[Row]) -> str:
    """Say how often the search is wrong, and how often that changes the move."""
    wrong = [sum(cell.value for cell in row[2:6] if isinstance(cell, Share)) for row in rows]
    moves = [row[6].value for row in rows if isinstance(row[6], Share)]
    return (
        f"refuted: the distance is not the shortest for {min(wrong):.0%} to {max(wrong):.0%} of "
        f"the cells, and {min(moves):.0%} to {max(moves):.0%} of the moves differ from those with "
        "exact distances"
        if max(wrong) > 0
        else "confirmed: every distance was the shortest"
    )


MISSES = Table(
    title=f"the paper's A* beside exact distances, in {POSITIONS} games ({LITTLE} if quick)",
    columns=(
        "plies played",
        "positions",
        "not found",
        "too many steps",
        "too few steps",
        "found out of reach",
        "another move",
    ),
    cases=("8", "16", "24", "32", "40", "48"),
    row=misses,
    claim="A* finds shortest distance from a child to a free block",
    drawn={"too many steps": "share", "too few steps": "share", "another move": "share"},
    verdict=judge_misses,
)
