"""What the paper says about its weights, its evaluation and its search, measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.papers.andantino.weights import TERMS, WEIGHTS
from lab.papers.andantino.wins import WINS
from lab.papers.report.plans import Claim, Comparison, Effort, ReportPlan, Series


def pruning(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say whether both searches find the same moves, and what pruning saves at the last depth."""
    same = all(whole.same == pruned.same for pruned, whole in efforts.values())
    pruned, whole = efforts[max(efforts)]
    moves = "both find the same moves" if same else "the moves differ"
    return (
        f"{moves}; at depth {max(efforts)} minimax needs {whole.nodes / pruned.nodes:.0f} times as "
        "many nodes"
    )


REPORT = ReportPlan(
    title="the paper's agent, better ones, and ours",
    agents=("seed", "seed-tuned", "seed:depth=4", "auto:level=3", "auto:level=6", "auto"),
    opening_plies=8,
    claims=(
        Claim(
            "the evaluation function need updates by adding parameters that covers other threats "
            "in five-in-a-row winning condition and considers the fully-enclosed winning condition",
            (("seed-tuned", "seed"),),
        ),
    ),
    comparisons=(
        Comparison(
            title="minimax and alpha-beta with the paper's evaluation",
            claim="minimax searching and alphabeta pruning were implemented to find the best moves",
            series=(
                Series("alpha-beta", "seed:depth={}"),
                Series("minimax", "minimax:heuristic=seed,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4, 5, 6),
            plies=tuple(range(2, 20, 3)),
            positions=24,
            verdict=pruning,
        ),
    ),
    tables=(WINS, WEIGHTS, TERMS),
)
