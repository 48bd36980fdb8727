"""What the paper says about its four levels and its order of columns, measured again."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

LEVELS = ("seed:level=1", "seed:level=2", "seed:level=3", "seed:level=4")

REPORT = ReportPlan(
    title="the paper's four levels and ours",
    agents=(*LEVELS, "auto:level=2", "auto:level=5", "auto:level=8", "auto:level=10"),
    opening_plies=4,
    claims=(
        Claim(
            "Different level refers to different depth i.e 2,4,6,8 up-to which computer "
            "anticipates its next moves",
            tuple(zip(LEVELS[1:], LEVELS[:-1], strict=True)),
        ),
    ),
    comparisons=(
        Comparison(
            title="columns from the middle out, or from the left",
            claim="put from 4 then 3,5 then 2,6 then 1,7. This almost doubles up the speed.",
            series=(
                Series("middle first", "seed:level={}"),
                Series("left to right", "seed:level={},order=left"),
            ),
            axis="level",
            steps=(1, 2, 3, 4),
            plies=tuple(range(0, 28, 3)),
        ),
    ),
)
