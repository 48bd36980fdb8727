"""What the paper says about its search, measured again.

Nearly every game is won by the second player, so games are compared by points. The exact margin of
every move is known, so a choice can also be measured without a game: by the points it gives away.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import mean

from lab.papers.report.plans import Claim, Comparison, Effort, ReportPlan, Row, Series, Table
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines import make
from plywise.games.align.agents import FEW, nearby
from plywise.games.align.solver import Solver
from plywise.play.statistics import Mean, Share

FEW_CELLS = (
    "It is used to increase performance and there is no need to search a lot of empty cells which "
    "will behave like human players"
)
FILLED = (6, 10, 14, 18, 22, 26)  #: cells that are filled in the random positions of the tables
POSITIONS, FEWER = 40, 8  #: with each number of filled cells; fewer in a quick report
PAPERS = "seed"  #: the paper's own agent
WHOLE = "seed:search=table"  #: the paper's sums over all its cells, to the end

Exact = tuple[Position, Mapping[str, int]]  #: a position, and the points each move gives away


@cache
def exact(game: Game, filled: int, quick: bool) -> Sequence[Exact]:
    """Random positions with this many filled cells, solved; none if the board is too small."""
    if filled > int(game.board.cells) - FEW:
        return ()
    solver, rng, found = Solver(game), random.Random(f"align {filled}"), []
    for _ in range(FEWER if quick else POSITIONS):
        position = game.start()
        for _ in range(filled):
            position = position.play_code(rng.choice(position.legal_codes))
        solved = solver.solve(position)
        worth = {line.move: int(line.score) for line in solved.lines}
        most = max(worth.values())
        found.append((position, {move: most - value for move, value in worth.items()}))
    return found


# ---- a few cells ---------------------------------------------------------------------------


def listed(game: Game, case: str, quick: bool) -> Row:
    """See what the paper's list of cells leaves out, whatever searches it."""
    positions = exact(game, int(case), quick)
    if not positions:
        return ()
    lists = [{position.text_of(cell) for cell in nearby(position)} for position, _ in positions]
    losses = [
        min(loss for move, loss in given.items() if move in cells)
        for (_, given), cells in zip(positions, lists, strict=True)
    ]
    return (
        int(game.board.cells) - int(case),
        round(mean(map(len, lists)), 1),
        Share(losses.count(0), len(losses)),
        Mean.of(losses),
    )


def enough(rows: Sequence[Row]) -> str:
    """Say whether a best move is always among the few cells."""
    shares = [cell for row in rows for cell in row if isinstance(cell, Share)]
    means = [cell for row in rows for cell in row if isinstance(cell, Mean)]
    share = Share(sum(each.points for each in shares), sum(each.count for each in shares))
    lost = mean(each.value for each in means)
    words = "confirmed" if share.interval[0] > HARDLY else "refuted"
    return (
        f"{words}: the few cells hold a best move in {share} of the positions, and the best of "
        f"them gives away {lost:.1f} points in the mean"
    )


HARDLY = 0.95  #: few cells are enough if a best move is among them at least this often

# ---- depth ---------------------------------------------------------------------------------


@cache
def losses(game: Game, agent: str, quick: bool) -> tuple[list[int], list[int]]:
    """Return what an agent's choices give away in all positions, and their nodes."""
    engine = make(agent, game)
    lost, nodes = [], []
    for filled in FILLED:
        for position, given in exact(game, filled, quick):
            found = engine.search(position)
            assert found.best is not None
            lost.append(given[found.best])
            nodes.append(found.nodes)
    return lost, nodes


def chosen(game: Game, case: str, quick: bool) -> Row:
    """Measure what an agent's choices give away, and how much less than the paper's agent."""
    lost, nodes = losses(game, case, quick)
    if not lost:
        return ()
    base, _ = losses(game, PAPERS, quick)
    less = [theirs - own for theirs, own in zip(base, lost, strict=True)]
    gain = "" if case == PAPERS else Mean.of(less)
    return Share(lost.count(0), len(lost)), Mean.of(lost), gain, round(mean(nodes))


def deeper(rows: Sequence[Row]) -> str:
    """Compare the paper's agent with less deep, unpruned and wider searches."""
    gains = {str(row[0]): row[3] for row in rows if isinstance(row[3], Mean)}

    def told(agent: str) -> str:
        low, high = gains[agent].interval
        if low <= 0 <= high:
            return f"{agent} gives away as much as {PAPERS}"
        word = "less" if low > 0 else "more"
        return f"{agent} gives away {abs(gains[agent].value):.1f} points {word} than {PAPERS}"

    return "; ".join(map(told, ("seed:depth=1", WHOLE, "seed:cells=36,depth=2")))


# ---- searches ------------------------------------------------------------------------------


def pruning(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say what pruning saves, and how often it changes the move."""
    pruned, plain = efforts[max(efforts)]
    return (
        f"confirmed, with {plain.nodes / pruned.nodes:.0f} times fewer nodes to the end; but the "
        f"bounds ignore the sums above them, so only {plain.same} of {pruned.same} moves stay the "
        "same"
    )


def tabled(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say what a table saves, and whether it changes the move."""
    table, plain = efforts[max(efforts)]
    agree = all(one.same == two.same for one, two in efforts.values())
    return (
        f"{'refuted' if agree else 'confirmed'}: with a table {plain.nodes / table.nodes:,.0f} "
        f"times fewer nodes to the end, and {'always' if agree else 'not always'} the same move"
    )


def ordered(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say what the order of the list saves."""
    near, rows, promise = efforts[max(efforts)]
    return (
        f"at depth {max(efforts)} it saves {1 - near.nodes / rows.nodes:.0%} of the nodes of "
        f"reading rows; starting with cells that score would save "
        f"{1 - promise.nodes / rows.nodes:.0%}"
    )


REPORT = ReportPlan(
    title="the paper's agent, plain searches and ours",
    agents=(
        "random",
        "seed:depth=2",
        "seed",
        WHOLE,
        "textbook:depth=2",
        "textbook:depth=4",
        "auto",
    ),
    opening_plies=8,  # later, the paper's agent seldom takes more than a second
    claims=(
        Claim(
            "The minimax approach will be suitable to be implemented as AI in this game",
            (("seed", "random"), ("textbook:depth=2", "random")),
        ),
        Claim(FEW_CELLS, (("seed", "textbook:depth=2"), ("seed", "textbook:depth=4"))),
    ),
    comparisons=(
        Comparison(
            title="nine cells from the end, with and without pruning",
            claim="The minimax approach is equipped with a-b pruning in order to reduce the time "
            "complexity",
            series=(
                Series("pruned", "seed:depth={}"),
                Series("plain", "seed:search=plain,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4, 5, 6, 7, 8, 9),
            plies=(27,),
            positions=20,
            verdict=pruning,
        ),
        Comparison(
            title="nine cells from the end, with and without a table",
            claim="We can not save the transposition table by using a hash table ... Zobrist "
            "hashing is not suitable in this scenario",
            series=(
                Series("with a table", "seed:search=table,depth={}"),
                Series("without", "seed:search=plain,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4, 5, 6, 7, 8, 9),
            plies=(27,),
            positions=20,
            verdict=tabled,
        ),
        Comparison(
            title="the order of the list",
            claim="Get the neighbour empty cells from the position of the opponent's latest move",
            series=(
                Series("neighbours first", "seed:depth={}"),
                Series("rows from the top", "seed:order=rows,depth={}"),
                Series("what scores first", "seed:order=promise,depth={}"),
            ),
            axis="depth",
            steps=(2, 4, 6, 8, 10),
            plies=(10, 16, 22),
            positions=30,
            verdict=ordered,
        ),
    ),
    tables=(
        Table(
            title="what the few cells leave out",
            columns=("filled cells", "empty", "listed", "a best move is listed", "points lost"),
            cases=tuple(map(str, FILLED)),
            row=listed,
            claim=FEW_CELLS,
            drawn={"a best move is listed": "share"},
            verdict=enough,
        ),
        Table(
            title="what a choice gives away, by depth and number of cells",
            columns=("agent", "best moves", "points lost", "less than seed", "nodes a move"),
            cases=(
                "random",
                "seed:depth=1",
                "seed:depth=2",
                "seed:depth=4",
                "seed:depth=6",
                PAPERS,
                WHOLE,
                "seed:cells=36,depth=1",
                "seed:cells=36,depth=2",
                "seed:cells=36,depth=4",
                "textbook:depth=2",
                "textbook:depth=4",
            ),
            row=chosen,
            drawn={"best moves": "share", "points lost": "log", "nodes a move": "log"},
            verdict=deeper,
        ),
    ),
)
