"""What the report says about its agent, to be measured anew."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

REPORT = ReportPlan(
    title="the report's agent, deeper ones and ours",
    agents=("random", "seed", "textbook:heuristic=seed,depth=4", "auto:level=5", "auto"),
    opening_plies=2,
    claims=(
        Claim(
            "As for now the computer is able to win 75% of the games. We need to improve this "
            "accuracy",
            (("auto", "seed"), ("seed", "random")),
        ),
    ),
    comparisons=(
        Comparison(
            title="how far the report's agent can look",
            claim="DEPTH used for this purpose was only 2 as the grid was too big (27 dots and "
            "nearly 70-80 lines) thus making it very difficult to search all the possibilities",
            series=(
                Series("minimax", "minimax:heuristic=seed,depth={}"),
                Series("alpha-beta", "textbook:heuristic=seed,depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3),
            plies=tuple(range(0, 24, 4)),
            positions=4,
        ),
    ),
)
