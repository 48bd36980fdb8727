"""The rules of Make Way: claim a free line; the first to join the two big dots wins.

A line stays its owner's for good, so a claim is also the only way to block. A player is cut off
once the opponent's lines separate the big dots; when both are, nobody can win and the game is a
draw.
"""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.games.makeway.board import WORDS, bit_of, is_free
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, include, index_of, list_bits, lowest

FAR = 99  #: the distance of a player who is cut off
STEP = 20  #: the value of needing one line less, see evaluate


@rule
def setup(b: Record, s: Record) -> None:
    """Set up a board without claims; the winner of the toss is to move."""
    for player in range(2):
        for word in range(WORDS):
            s.own[player, word] = ZERO
        for dot in range(b.dots):
            s.part[player, dot] = dot
        s.cut[player] = 0
    s.key = ZERO
    s.left = b.lines
    s.turn = 0
    s.winner = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """Every free line."""
    n = 0
    for word in range(WORDS):
        n = list_bits(b.full[word] & ~(s.own[0, word] | s.own[1, word]), 64 * word, out, n)
    return n


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Claim a free line for the mover."""
    me = s.turn
    claim(b, s, me, move)
    if s.part[me, b.dots - 1] == 0:
        s.winner = me + 1
    if s.cut[1 - me] == 0 and is_cut(b, s, 1 - me):
        s.cut[1 - me] = 1
    s.turn = 1 - me


@rule
def parts_of(b: Record, s: Record, player: int, line: int) -> tuple[int, int]:
    """The parts of a player that a line joins."""
    return s.part[player, b.ends[line, 0]], s.part[player, b.ends[line, 1]]


@rule
def claim(b: Record, s: Record, player: int, line: int) -> None:
    """Give a free line to a player, and join the parts at its ends."""
    include(s.own[player], line)
    s.key ^= b.hash[player, line]
    s.left -= 1
    low, high = parts_of(b, s, player, line)
    if low > high:
        low, high = high, low
    if low != high:
        for dot in range(b.dots):
            if s.part[player, dot] == high:
                s.part[player, dot] = low


@rule
def is_cut(b: Record, s: Record, player: int) -> bool:
    """True if the opponent's lines separate the big dots.

    The search starts at the end and takes the lowest dot first, which leads towards the start.
    """
    other = 1 - player
    last = b.dots - 1
    seen = bit_of(last)
    fresh = seen
    while fresh != ZERO:
        bit = lowest(fresh)
        fresh ^= bit
        dot = index_of(bit)
        for slot in range(b.first[dot], b.first[dot + 1]):
            if has(s.own[other], b.by[slot]):
                continue
            near = b.near[slot]
            if near == 0:
                return False
            beside = bit_of(near)
            if seen & beside == ZERO:
                seen |= beside
                fresh |= beside
    return True


@rule
def over(b: Record, s: Record) -> bool:
    """True if somebody has joined the big dots, or nobody can any more."""
    return s.winner != 0 or (s.cut[0] == 1 and s.cut[1] == 1)


@rule
def margin(b: Record, s: Record) -> int:
    """1 if player 0 joined the big dots, -1 if player 1 did."""
    return 1 if s.winner == 1 else -1 if s.winner == 2 else 0


@rule
def key(b: Record, s: Record) -> Any:
    """A hash of the owners and the side to move."""
    return s.key ^ b.mover if s.turn == 1 else s.key


@rule
def joins(b: Record, s: Record, player: int, line: int) -> bool:
    """True if this free line would join the big dots for a player."""
    last = s.part[player, b.dots - 1]
    low, high = parts_of(b, s, player, line)
    return (low == 0 and high == last) or (low == last and high == 0)


@rule
def distance(b: Record, s: Record, player: int) -> int:
    """The fewest free lines that would join the big dots; FAR for a player who is cut off."""
    if s.cut[player] == 1:
        return FAR
    last = s.part[player, b.dots - 1]
    seen = ONE  # parts, by their lowest dots; the start's is 0
    steps = 0
    while seen & bit_of(last) == ZERO:
        fresh = seen
        for line in range(b.lines):
            if not is_free(s, line):
                continue
            low = bit_of(s.part[player, b.ends[line, 0]])
            high = bit_of(s.part[player, b.ends[line, 1]])
            if seen & low != ZERO:
                fresh |= high
            elif seen & high != ZERO:
                fresh |= low
        if fresh == seen:  # only in a set-up position: the opponent has joined them
            return FAR
        seen = fresh
        steps += 1
    return steps


@rule
def evaluate(b: Record, s: Record) -> int:
    """How many more lines the opponent needs."""
    return STEP * (distance(b, s, 1 - s.turn) - distance(b, s, s.turn))


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """A player who is cut off cannot win."""
    return (0 if s.cut[1] == 1 else -1), (0 if s.cut[0] == 1 else 1)


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """Join the big dots; else take the line that would win for the opponent. 0: any move."""
    block = -1
    for line in range(b.lines):
        if is_free(s, line):
            if joins(b, s, s.turn, line):
                out[0] = line
                return 1
            if block < 0 and joins(b, s, 1 - s.turn, line):
                block = line
    out[0] = block
    return 1 if block >= 0 else 0
