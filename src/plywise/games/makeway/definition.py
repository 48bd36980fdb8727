"""Make Way as the rest of plywise sees it: parameters, notation, texts, agents."""

from __future__ import annotations

from plywise.core.game import GameType, Rules
from plywise.games.makeway import options, rules, texts
from plywise.games.makeway.agents import AGENTS, HEURISTICS
from plywise.games.makeway.board import Board, State
from plywise.games.makeway.scene import scene

GAME = GameType(
    name="makeway",
    title="Make Way",
    summary="Claim lines between dots; who first joins the two big dots wins.",
    state=State,
    board=Board,
    parameters=options.PARAMETERS,
    prepare=options.prepare,
    settle=options.settle,
    whole=options.whole,
    sizes=lambda b: (b.lines, b.lines),
    rules=Rules(
        setup=rules.setup,
        moves=rules.moves,
        play=rules.play,
        turn=rules.turn,
        over=rules.over,
        margin=rules.margin,
        key=rules.key,
        evaluate=rules.evaluate,
        bounds=rules.bounds,
        forced=rules.forced,
    ),
    move_text=texts.line_text,
    read_move=texts.read_move,
    to_text=texts.to_text,
    from_text=texts.from_text,
    draw=texts.draw,
    reason=texts.reason,
    scene=scene,
    heuristics=HEURISTICS,
    agents=AGENTS,
    scale=60.0,
)
