"""The lines as an electrical network: the resistance between the big dots.

A player's own lines have resistance 0, a free line has 1, and the opponent's do not conduct. One
inverted matrix per player gives the resistance after every possible claim (Kirchhoff; changing one
line is a rank-one update). Shannon's machine of 1951 for the switching game used such a network.
"""

from __future__ import annotations

import math
from typing import Any

from plywise.core.game import Record
from plywise.games.makeway.board import is_free
from plywise.jit import rule

LEAK = 1e-5  #: conductance from every part to ground, so that the matrix is invertible
MOST = 100.0  #: the resistance when nearly or fully cut off
LEAST = 0.02
TINY = 1e-9


@rule
def measure_network(b: Record, s: Record, player: int, place: Record, g: Record) -> None:
    """Invert the matrix of a player's network; `g` has a row for each dot, `place` is scratch.

    Dots that own lines join are one part, and have equal rows.
    """
    # Step 1: the matrix of the parts.
    n = 0
    for dot in range(b.dots):
        if s.part[player, dot] == dot:
            place[dot] = n
            n += 1
    for row in range(n):
        for col in range(n):
            g[row, col] = 0.0
        g[row, row] = LEAK
    for line in range(b.lines):
        if is_free(s, line):
            row = place[s.part[player, b.ends[line, 0]]]
            col = place[s.part[player, b.ends[line, 1]]]
            if row != col:
                g[row, row] += 1.0
                g[col, col] += 1.0
                g[row, col] -= 1.0
                g[col, row] -= 1.0
    # Step 2: invert it.
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
    # Step 3: spread it over the dots. A part's row is never beyond its lowest dot, so going down
    # overwrites nothing that is still needed.
    for row in range(b.dots - 1, -1, -1):
        for col in range(b.dots - 1, -1, -1):
            g[row, col] = g[place[s.part[player, row]], place[s.part[player, col]]]


@rule
def change_network(b: Record, g: Record, out: Record, line: int, own: bool) -> None:
    """Update a network after a claim, by its owner or by the opponent; `out` is another matrix."""
    low, high = b.ends[line, 0], b.ends[line, 1]
    across = g[low, low] + g[high, high] - 2.0 * g[low, high]
    factor = 0.0  # both ends are in the same part already
    if across > TINY:
        factor = -1.0 / across if own else 1.0 / max(1.0 - across, TINY)
    for row in range(b.dots):
        scaled = factor * (g[row, low] - g[row, high])
        for col in range(b.dots):
            out[row, col] = g[row, col] + scaled * (g[low, col] - g[high, col])


@rule
def resistance(b: Record, g: Record) -> Any:
    """The resistance between the big dots."""
    end = b.dots - 1
    return within(g[0, 0] + g[end, end] - 2.0 * g[0, end])


@rule
def within(value: float) -> float:
    """Clamp a resistance so that it has a logarithm."""
    return min(MOST, max(LEAST, value))


@rule
def weigh_lines(b: Record, s: Record, g: Record, player: int, sign: float, worth: Record) -> None:
    """Add to the worth of every free line what its claim by the mover does for a player.

    That is `sign` times the fall in the logarithm of the player's resistance; `g` is the network.
    """
    end = b.dots - 1
    whole = g[0, 0] + g[end, end] - 2.0 * g[0, end]
    before = math.log(within(whole))
    for line in range(b.lines):
        low, high = b.ends[line, 0], b.ends[line, 1]
        if not is_free(s, line) or s.part[player, low] == s.part[player, high]:
            continue
        tension = g[0, low] - g[end, low] - g[0, high] + g[end, high]
        across = g[low, low] + g[high, high] - 2.0 * g[low, high]
        if s.turn == player:
            after = whole - tension * tension / max(across, TINY)
        else:
            after = whole + tension * tension / max(1.0 - across, TINY)
        worth[line] += sign * (before - math.log(within(after)))


@rule
def strongest_lines(b: Record, s: Record, g: Record, worth: Record, out: Record) -> int:
    """List the few free lines that would lower a resistance most, the best first."""
    end = b.dots - 1
    count = 0
    for line in range(b.lines):
        low, high = b.ends[line, 0], b.ends[line, 1]
        across = g[low, low] + g[high, high] - 2.0 * g[low, high]
        if not is_free(s, line) or across < TINY:
            continue
        tension = g[0, low] - g[end, low] - g[0, high] + g[end, high]
        worth[line] = tension * tension / across
        at = count
        while at > 0 and worth[out[at - 1]] < worth[line]:
            if at < out.size:
                out[at] = out[at - 1]
            at -= 1
        if at < out.size:
            out[at] = line
            count = min(count + 1, out.size)
    return count
