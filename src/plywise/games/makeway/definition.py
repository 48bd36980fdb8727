"""Make Way as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from pathlib import Path

from plywise.core.game import GameType
from plywise.games.makeway import rules, texts
from plywise.games.makeway.agents import AGENTS, HEURISTICS
from plywise.games.makeway.board import Board, State
from plywise.games.makeway.boards import options
from plywise.games.makeway.expert import EXPERT
from plywise.games.makeway.palette import PALETTE
from plywise.games.makeway.reasons import reasons
from plywise.games.makeway.scene import marks, scene
from plywise.games.makeway.solver import solver

SAMPLE = (
    "12-21 21-26 0-6 0-3 16-21 3-10 10-12 6-10 6-8 23-26 "
    "8-10 25-26 24-26 6-9 16-18 18-24 20-24 16-20 18-20"
)

GAME = GameType(
    name="makeway",
    title="Make Way",
    summary="Claim lines between dots; the first to join the two big dots wins.",
    state=State,
    board=Board,
    parameters=options.PARAMETERS,
    prepare=options.prepare,
    settle=options.settle,
    whole=options.whole,
    toss=True,
    sizes=lambda b: (b.lines, b.lines),
    rules=rules.RULES,
    look=texts.LOOK,
    read_move=texts.read_move,
    draw=texts.draw,
    reason=texts.reason,
    guide=Path(__file__).with_name("guide.md"),
    sample=SAMPLE,
    scene=scene,
    palette=PALETTE,
    reasons=reasons,
    marks=marks,
    heuristics=HEURISTICS,
    agents={**AGENTS, "expert": EXPERT},
    expert="expert",
    solver=solver,
    scale=60.0,
)
