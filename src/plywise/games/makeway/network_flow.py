"""The lines as an electrical network: the resistance between the big dots.

A player's own lines resist nothing, a free one resists 1, and the other's do not conduct. One
inverted matrix a player tells at once what every claim would make of the resistance (Kirchhoff;
the change of one line is a change of rank one). Shannon's machine for the switching game of 1951
played by such a network.
"""

from __future__ import annotations

import math
from typing import Any

from plywise.core.game import Record
from plywise.games.makeway.board import is_free
from plywise.jit import rule

LEAK = 1e-5  #: what every part leaks to the ground, so that the matrix can be inverted
MOST = 100.0  #: the resistance of a way that is nearly or fully cut
LEAST = 0.02


@rule
def measure_network(b: Record, s: Record, player: int, desk: Record) -> None:
    """Invert the matrix of a player's network."""
    g = desk.matrix[player]
    n = 0
    for dot in range(b.dots):
        if s.part[player, dot] == dot:
            desk.place[dot] = n
            n += 1
    for row in range(n):
        for col in range(n):
            g[row, col] = 0.0
        g[row, row] = LEAK
    for line in range(b.lines):
        if is_free(s, line):
            row = desk.place[s.part[player, b.ends[line, 0]]]
            col = desk.place[s.part[player, b.ends[line, 1]]]
            if row != col:
                g[row, row] += 1.0
                g[col, col] += 1.0
                g[row, col] -= 1.0
                g[col, row] -= 1.0
    for k in range(n):
        pivot = 1.0 / g[k, k]
        g[k, k] = pivot
        for col in range(n):
            if col != k:
                g[k, col] *= pivot
        for row in range(n):
            if row != k:
                factor = g[row, k]
                for col in range(n):
                    if col != k:
                        g[row, col] -= factor * g[k, col]
                g[row, k] = -factor * pivot


@rule
def resistance(b: Record, s: Record, player: int, desk: Record) -> Any:
    """Between the big dots, for a player whose network is measured."""
    g = desk.matrix[player]
    end = 0
    for part in range(1, s.part[player, b.dots - 1] + 1):
        if s.part[player, part] == part:
            end += 1
    return within(g[0, 0] + g[end, end] - 2.0 * g[0, end])


@rule
def within(value: float) -> float:
    """A resistance that has a logarithm."""
    return min(MOST, max(LEAST, value))


@rule
def weigh_lines(b: Record, s: Record, player: int, sign: float, desk: Record) -> None:
    """Add to the worth of every free line what its claim by the mover does for a player.

    That is `sign` times the fall of the logarithm of his resistance.
    """
    g = desk.matrix[player]
    n = 0
    for dot in range(b.dots):
        if s.part[player, dot] == dot:
            desk.place[dot] = n
            n += 1
    end = desk.place[s.part[player, b.dots - 1]]
    whole = g[0, 0] + g[end, end] - 2.0 * g[0, end]
    before = math.log(within(whole))
    for line in range(b.lines):
        if not is_free(s, line):
            continue
        row = desk.place[s.part[player, b.ends[line, 0]]]
        col = desk.place[s.part[player, b.ends[line, 1]]]
        if row == col:
            continue
        tension = g[0, row] - g[end, row] - g[0, col] + g[end, col]
        across = g[row, row] + g[col, col] - 2.0 * g[row, col]
        if s.turn == player:
            after = whole - tension * tension / across
        else:
            after = whole + tension * tension / max(1.0 - across, 1e-9)
        desk.worth[line] += sign * (before - math.log(within(after)))


@rule
def strongest_lines(b: Record, s: Record, player: int, desk: Record, out: Record) -> int:
    """The few free lines whose claim would lower a player's resistance most, the best first."""
    g = desk.matrix[player]
    n = 0
    for dot in range(b.dots):
        if s.part[player, dot] == dot:
            desk.place[dot] = n
            n += 1
    end = desk.place[s.part[player, b.dots - 1]]
    count = 0
    for line in range(b.lines):
        if not is_free(s, line):
            continue
        row = desk.place[s.part[player, b.ends[line, 0]]]
        col = desk.place[s.part[player, b.ends[line, 1]]]
        if row == col:
            continue
        tension = g[0, row] - g[end, row] - g[0, col] + g[end, col]
        across = g[row, row] + g[col, col] - 2.0 * g[row, col]
        desk.worth[line] = tension * tension / across
        at = count
        while at > 0 and desk.worth[out[at - 1]] < desk.worth[line]:
            if at < out.size:
                out[at] = out[at - 1]
            at -= 1
        if at < out.size:
            out[at] = line
            count = min(count + 1, out.size)
    return count
