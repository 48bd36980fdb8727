"""What the paper says about its three approaches, measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.papers.report.plans import Claim, Comparison, Effort, ReportPlan, Series
from lab.papers.snails.tables import FIRST, FOLLOWING, MISSES, THIRD

DEPTHS = (1, 2, 3, 5, 8)  #: those of the paper, except 15
SECOND = tuple(f"minimax-astar:depth={depth},search=paper" for depth in DEPTHS)

PATIENCE = 30 * 60  #: seconds that the paper waited for depth 15
PACE = 4  #: seconds that it needed for depth 8, at least


def judge_depths(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Extend the paper's time for depth 8 to depth 15, by the nodes of both."""
    eight, fifteen = efforts[8][0], efforts[15][0]
    expected = PACE * fifteen.nodes / eight.nodes
    agrees = "fits" if expected > PATIENCE else "does not fit"
    return (
        f"depth 15 has {fifteen.nodes / eight.nodes:,.0f} times the nodes of depth 8, which at "
        f"more than {PACE} s is more than {expected / 3600:.1f} hours: no answer in half an hour "
        f"{agrees}; here it takes {fifteen.seconds:.2g} s, and depth 8 {eight.seconds:.2g} s"
    )


def judge_leaves(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say how many times as long minimax takes with the paper's A* at the leaves."""
    times = {step: each[1].seconds / each[0].seconds for step, each in efforts.items()}
    fitting = [str(step) for step, ratio in times.items() if 3 <= ratio <= 4]
    found = f"true at depth {', '.join(fitting)} only" if fitting else "refuted at every depth"
    told = ", ".join(f"{ratio:.3g}" for ratio in times.values())
    return f"{found}: {told} times as long at depths {', '.join(map(str, times))}"


REPORT = ReportPlan(
    title="the paper's three approaches and ours",
    agents=(*FIRST, *SECOND, THIRD, "astar", "auto:level=5"),
    opening_plies=8,
    claims=(
        Claim(
            "The second approach was more intelligent than the first one but it takes a lot of "
            "time to make a move",
            tuple(zip(SECOND, FIRST, strict=True)),
        ),
        Claim(
            "The third technique that is used is more intelligent and more efficient than the "
            "other two techniques",
            tuple((THIRD, other) for other in (*FIRST, *SECOND)),
        ),
        Claim(
            "Keeping depth of tree up to 2 takes a resonable time but then we have to compromise "
            "on the efficiency of AI agent",
            tuple((SECOND[place], SECOND[1]) for place in range(2, len(DEPTHS))),
        ),
    ),
    comparisons=(
        Comparison(
            title="one move of the first approach",
            claim="With depth 8, it took more than 4 seconds ... Increasing the depth to 15, we "
            "waited for almost half an hour and did not get the response",
            series=(
                Series("minimax", "minimax:heuristic=euclid,depth={}"),
                Series("alpha-beta", "euclid:depth={}"),
            ),
            axis="depth",
            steps=(*DEPTHS, 15),
            plies=(0,),
            positions=1,
            published={
                1: "milliseconds",
                3: "a few s",
                5: "a couple of s",
                8: "more than 4 s",
                15: "no answer in half an hour",
            },
            verdict=judge_depths,
        ),
        Comparison(
            title="what A* at the leaves costs",
            claim="time taken by A* algorithm to compute distance from snail to every block for "
            "each leaf node is three to four times more then Min-Max algorithm",
            series=(
                Series("euclid", "minimax:heuristic=euclid,depth={}"),
                Series("the paper's A*", "minimax:heuristic=minimax-astar-paper,depth={}"),
                Series("exact A*", "minimax:heuristic=minimax-astar,depth={}"),
            ),
            axis="depth",
            steps=DEPTHS,
            plies=tuple(range(0, 24, 4)),
            positions=6,
            published={2: "a reasonable time", 8: "a couple of minutes"},
            verdict=judge_leaves,
        ),
    ),
    tables=(FOLLOWING, MISSES),
)
