"""Solving Connect-4: what each idea is worth, by the nodes without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.connect4 import EMPTY, Ours, read
from bench.measure import Bench, Quantity, Row
from plywise.core.game import Verb
from plywise.games.connect4.solver import IDEAS, halve
from plywise.games.connect4.table import bucket_of
from plywise.jit import rule
from plywise.jit.bits import ONE


@rule
def no() -> bool:
    """The technique is left out."""
    return False


@rule
def middle_first(threats: Any, near: Any, now: Any, alpha: int) -> int:
    """The middle first, whatever a move threatens."""
    return 0


@rule
def keep_last(table: Any, key: Any, word: Any) -> None:
    """Store a word in place of whatever was there."""
    at = bucket_of(key)
    table[at] = table[at + ONE] = word


#: The ideas to leave out, by name, and what replaces each.
WITHOUT: dict[str, dict[str, Verb]] = {
    "forced answers without a node": {"chain": no},
    "no line left": {"no_line": no},
    "answers in pairs, here": {"claim": no},
    "a threat in a lower cell, here": {"threat": no},
    "both, for all moves first": {"children": no},
    "both, here and for all moves": {
        "claim": no,
        "threat": no,
        "children": no,
    },
    "two threats": {"double": no},
    "the table for all moves first": {"probe": no},
    "mirror images are one": {"mirror": no},
    "threats first": {"order": middle_first},
    "two words a bucket": {"keep": keep_last},
    "near scores step by step": {"question": halve},
}


def leave_out(quick: bool) -> Iterator[Row]:
    """Measure the nodes with all ideas, and how many times as many they are without each."""
    sets = [read("begin-far", quick), *([] if quick else [EMPTY])]
    base: list[Ours] = []
    for name, changed in {"": {}, **WITHOUT}.items():
        ours, right = [Ours({**IDEAS, **changed}) for _ in sets], True
        for solver, known in zip(ours, sets, strict=True):
            positions = [solver.solver.game.position(moves) for moves in known]
            right &= solver.scores(positions) == list(known.values())
        base = base or ours
        if name:
            figures = [
                Quantity(one.nodes / every.nodes, "x")
                for one, every in zip(ours, base, strict=True)
            ]
        else:
            figures = [
                Quantity(one.nodes / len(known), "nodes")
                for one, known in zip(ours, sets, strict=True)
            ]
        yield Row(
            f"without: {name}" if name else "everything",
            figures[0],
            "" if quick else figures[1],
            Quantity(ours[0].seconds / base[0].seconds, "x"),
            right=right,
        )


IDEAS_BENCH = Bench(
    "connect4-ideas",
    "Exact scores of Connect-4: what each idea is worth",
    "Nodes for a position of begin-far (plywise) and for the empty board; without an idea, how "
    "many times as many. The result is the time for begin-far relative to all ideas.",
    "empty board",
    leave_out,
)
