"""Make Way as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from plywise.core.game import Notation, Rules, Strength, Words
from plywise.games.makeway import look, rules
from plywise.games.makeway.agents import AGENTS, HEURISTICS
from plywise.games.makeway.board import Board, State
from plywise.games.makeway.boards import options
from plywise.games.makeway.expert import EXPERT
from plywise.games.makeway.reasons import reasons
from plywise.games.makeway.solver import solver

SAMPLE = (
    "12-21 21-26 0-6 0-3 16-21 3-10 10-12 6-10 6-8 23-26 "
    "8-10 25-26 24-26 6-9 16-18 18-24 20-24 16-20 18-20"
)

GAME = options.MakeWay(
    name="makeway",
    title="Make Way",
    state=State,
    board=Board,
    parameters=options.PARAMETERS,
    prepare=options.prepare,
    sizes=lambda b: (b.lines, b.lines),
    rules=Rules.of(rules),
    look=look.LOOK,
    scene=look.scene,
    palette=look.PALETTE,
    notation=Notation(read_move=look.read_move, draw=look.draw),
    words=Words(
        summary="Claim lines between dots; the first to join the two big dots wins.",
        reason=look.reason,
        sample=SAMPLE,
        reasons=reasons,
    ),
    strength=Strength(
        heuristics=HEURISTICS, agents={**AGENTS, "expert": EXPERT}, solver=solver, scale=60.0
    ),
)
