"""What the paper says about its three approaches, measured again."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

DEPTHS = (1, 3, 5, 8)  #: those of the paper
EUCLID = tuple(f"euclid:depth={depth}" for depth in DEPTHS)
ASTAR = tuple(f"minimax-astar:depth={depth}" for depth in DEPTHS)

REPORT = ReportPlan(
    title="the paper's three approaches and ours",
    agents=(*EUCLID, *ASTAR, "astar", "auto:level=5", "auto"),
    opening_plies=4,
    claims=(
        Claim(
            "The second approach was more intelligent than the first one but it takes a lot of "
            "time to make a move",
            tuple(zip(ASTAR, EUCLID, strict=True)),
        ),
        Claim(
            "The third technique that is used is more intelligent and more efficient than the "
            "other two techniques",
            tuple(("astar", other) for other in (*EUCLID, *ASTAR)),
        ),
    ),
    comparisons=(
        Comparison(
            title="plain minimax with each evaluation",
            claim="With depth 8, it took more than 4 seconds ... time taken by A* algorithm to "
            "compute distance from snail to every block for each leaf node is three to four times "
            "more then Min-Max algorithm",
            series=(
                Series("euclid", "minimax:heuristic=euclid,depth={}"),
                Series("A* distances", "minimax:heuristic=minimax-astar,depth={}"),
                Series("A*, pruned", "minimax-astar:depth={}"),
            ),
            axis="depth",
            steps=DEPTHS,
            plies=tuple(range(0, 24, 4)),
            positions=6,
        ),
    ),
)
