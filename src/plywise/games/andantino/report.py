"""What the paper says about its weights and its search, measured again."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

REPORT = ReportPlan(
    title="the paper's agent, the improvement it proposed, and ours",
    agents=("seed", "seed-tuned", "alphabeta:depth=4", "auto:level=3", "auto:level=6", "auto"),
    opening_plies=4,
    claims=(
        Claim(
            "Possible reason for the bad performance is the weights. ... Further test and "
            "calibrate should be done about the weights.",
            (("seed-tuned", "seed"),),
        ),
        Claim(
            "the evaluation function need updates by adding parameters that covers other threats "
            "... and considers the fully-enclosed winning condition",
            (("seed-tuned", "seed"), ("auto", "seed-tuned")),
        ),
    ),
    comparisons=(
        Comparison(
            title="minimax and alpha-beta with the paper's evaluation",
            claim="minimax searching and alphabeta pruning were implemented to find the best moves",
            series=(
                Series("minimax", "minimax:heuristic=seed,depth={}"),
                Series("alpha-beta", "seed:depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4),
            plies=tuple(range(2, 20, 3)),
            positions=12,
        ),
    ),
)
