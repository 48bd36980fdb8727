"""What the paper says about its agent, measured again; and the results of many boards."""

from __future__ import annotations

from collections.abc import Sequence

from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.report import Cell, Claim, Comparison, ReportPlan, Series, Table
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.games.makeway.boards.options import two_trees
from plywise.games.makeway.solver.survey import survey

BOARDS, PATIENCE = 20, 1.0  #: of each density, with seeds from 1 up, and seconds for each
FEW, HURRY = 4, 0.5  #: the same in a quick report
USUAL = "usual"


def density(game: Game, case: str, quick: bool) -> Sequence[Cell]:
    """Survey boards with `case` more lines than two trees, on as many dots as the game's."""
    dots = int(game.board.dots) - 2
    lines = "" if case == USUAL else f",lines={two_trees(dots) + int(case)}"
    count, seconds = (FEW, HURRY) if quick else (BOARDS, PATIENCE)
    specs = [f"{game.type.name}:dots={dots}{lines},seed={seed}" for seed in range(1, count + 1)]
    try:
        boards = [game.type(Spec.parse(spec)) for spec in specs]
    except SpecError:  # boards of this size cannot have so few or so many lines
        return ()
    found = survey(case, boards, Limits(time=seconds))
    fewest, most = (each(int(board.board.lines) for board in boards) for each in (min, max))
    results = (round(count * found.share(outcome)) for outcome in ("win", "draw", None))
    return (str(fewest) if fewest == most else f"{fewest}-{most}", *found.types, *results)


DENSITY = Table(
    title=f"boards by density, {BOARDS} of each and {PATIENCE:g} s for a proof "
    f"({FEW} and {HURRY:g} s if quick)",
    columns=(
        "lines beyond two trees",
        "lines",
        "Short wins",
        "whoever begins wins",
        "Cut wins",
        "first player wins",
        "draws",
        "undecided",
    ),
    cases=("-8", "-4", "-2", "-1", "+0", "+2", "+6", "+12", USUAL),
    row=density,
)

STRONGER = ("auto", "auto:level=5", "textbook:heuristic=seed,depth=4")

REPORT = ReportPlan(
    title="the paper's agent, deeper versions and ours",
    agents=("random", "seed", *STRONGER[::-1]),
    opening_plies=2,
    claims=(
        Claim(
            "As for now the computer is able to win 75% of the games. We need to improve this "
            "accuracy",
            (*((agent, "seed") for agent in STRONGER), ("seed", "random")),
        ),
    ),
    comparisons=(
        Comparison(
            title="how deep the paper's agent can search",
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
    tables=(DENSITY,),
)
