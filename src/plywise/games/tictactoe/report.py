"""What the paper says about minimax and alpha-beta, measured again."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

FULL = "seed:depth=9"

REPORT = ReportPlan(
    title="the paper's agent at several depths, and ours",
    agents=("random", "seed:depth=2", "seed:depth=4", "seed:depth=6", FULL, "auto:level=5", "auto"),
    opening_plies=2,
    claims=(
        Claim(
            "The goal of the algorithm is to find the optimal next move",
            ((FULL, "auto"), (FULL, "seed:depth=6"), (FULL, "seed:depth=2"), (FULL, "random")),
        ),
    ),
    comparisons=(
        Comparison(
            title="minimax and alpha-beta",
            claim="Alpha-beta pruning returns the same move as the standard one, but it removes "
            "(prunes) all the nodes that are possibly not affecting the final decision.",
            series=(
                Series("alpha-beta", "textbook:heuristic=seed,depth={}"),
                Series("minimax", "minimax:heuristic=seed,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4, 5, 6, 7, 8, 9),
            plies=(0, 1, 2, 3),
            positions=24,
        ),
    ),
)
