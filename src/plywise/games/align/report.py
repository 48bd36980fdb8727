"""What the paper says about its search, measured again."""

from __future__ import annotations

from plywise.core.report import Claim, Comparison, ReportPlan, Series

REPORT = ReportPlan(
    title="the paper's agent against mirroring, plain searches and ours",
    agents=(
        "random",
        "seed",
        "mirror",
        "textbook:depth=2",
        "textbook:depth=4",
        "auto:level=5",
        "auto",
    ),
    opening_plies=1,  # mirroring needs a symmetric board after two plies
    claims=(
        Claim(
            "The minimax approach will be suitable to be implemented as AI in this game",
            (("seed", "random"), ("seed", "mirror"), ("seed", "auto")),
        ),
        Claim(
            "It is used to increase performance and there is no need to search a lot of empty "
            "cells which will behave like human players",
            (("seed", "textbook:depth=2"), ("seed", "textbook:depth=4")),
        ),
    ),
    comparisons=(
        Comparison(
            title="minimax and alpha-beta",
            claim="The minimax approach is equipped with a-b pruning in order to reduce the time "
            "complexity",
            series=(
                Series("alpha-beta", "textbook:depth={}"),
                Series("minimax", "minimax:depth={}"),
            ),
            axis="depth",
            steps=(1, 2, 3, 4),
            plies=(0, 8, 16, 24),
            positions=12,
        ),
        Comparison(
            title="twelve cells from the end, with and without a transposition table",
            claim="We can not save the transposition table by using a hash table ... Zobrist "
            "hashing is not suitable in this scenario",
            series=(
                Series("with a table", "alphabeta:depth={}"),
                Series("without", "textbook:depth={}"),
            ),
            axis="depth",
            steps=(2, 4, 6, 8, 10, 12),
            plies=(24,),
            positions=6,
        ),
    ),
)
