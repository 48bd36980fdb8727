"""How Andantino looks: its colours, moves and positions in text, and the picture.

A position is its rows from the top (number 19 on the largest board), black as x, white as o, runs
of empty cells as numbers; then the side to move. After j10 k10 j11 on side 4:

    4/5/6/3xo2/3x2/5/4 o

The picture adds pockets inside rings, enclosed stones crossed out, and a banner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plywise.core.game import Record
from plywise.core.palette import Palettes, Player
from plywise.core.position import Position
from plywise.core.scene import Circle, Path, Point, Scene, Shape
from plywise.games.andantino import rules
from plywise.games.andantino.board import EMPTY, FIVE, OUT, SIDE
from plywise.jit.bits import ZERO, has
from plywise.kit import Look, Piece, hexagon_board
from plywise.kit.cells import column_text
from plywise.kit.marks import cross
from plywise.kit.picture import picture
from plywise.kit.words import number_word

#: Black and white stones on wood, which is dark enough for white and light enough for black. Legal
#: moves are red, as in the paper.
PALETTE = Palettes.of(
    "stones",
    board=("#ffffff", "#14181d"),
    edge=("#b39c6b", "#4c5763"),
    cell=("#efe3c8", "#6b5c3f"),
    grid=("#c9b68a", "#3b3222"),
    last=("#e0572a", "#e0572a"),
    winning=("#0072b2", "#7cc8f2"),
    legal=("#c21f30", "#ff9d9d"),
    light=(
        Player(fill="#23282f", rim="#000000", detail="#5c6773", ink="#1c2128", trail="#a89f8c"),
        Player(fill="#ffffff", rim="#4c5763", detail="#aab3bd", ink="#5c6773", trail="#ffffff"),
    ),
    dark=(
        Player(fill="#05070a", rim="#98a3ae", detail="#4c5763", ink="#98a3ae", trail="#1c170d"),
        Player(fill="#f2f4f6", rim="#3b3222", detail="#98a3ae", ink="#f2f4f6", trail="#b3a685"),
    ),
)


COLOURS = ("black", "white")


def read_move(b: Record, text: str) -> int:
    """Read a cell by its letter and its number."""
    layout = LOOK.layout_of(b)
    cell = layout.numbers.get(text.lower())
    if cell is not None:
        return cell
    if re.fullmatch(r"[a-z][1-9][0-9]?", text.lower(), re.ASCII) is None:
        raise ValueError("write a letter and a number: j10 is the middle")
    first, last = layout.places[0].name, layout.places[-1].name
    raise ValueError(
        f"{text} is off the hexagon: its letters go from {column_text(SIDE - int(b.side))} to "
        f"{column_text(SIDE + int(b.side) - 2)}, its numbers from {first[1:]} to {last[1:]}"
    )


def put(b: Record, s: Record, marks: Sequence[int]) -> None:
    """Set up a position: any stones that leave a legal move or end the game."""
    done = [0, 0]
    for cell in (cell for row in LOOK.layout_of(b).rows for cell in row if marks[cell]):
        player = marks[cell] - 1
        found = rules.place(b, s, player, cell)
        done[player] |= found & (rules.LINE | rules.RING_CLOSED)
        if found & rules.WALKED_IN:
            done[1 - player] |= rules.RING_CLOSED
    if all(did & rules.LINE for did in done):
        raise ValueError("both players have five in a line")
    last = 1 - int(s.turn)  # the player who moved last takes precedence
    winner = last if done[last] else 1 - last if done[1 - last] else None
    s.won = 0 if winner is None else winner + 1
    if winner is None and s.filled < b.cells and all(word == ZERO for word in s.legal):
        raise ValueError("no empty cell touches two stones, so there is no legal move")


def winning_lines(b: Record, s: Record) -> list[tuple[int, ...]]:
    """The finished lines, or the ring around enclosed stones, from stone to stone."""
    if s.won == 0:
        return []
    mine = int(s.won)
    lines = LOOK.layout_of(b).runs(s.mark, mine, FIVE)
    if lines:
        return lines
    ring: set[int] = set()
    waiting = sorted(enclosed(b, s, mine - 1)[1])
    seen = set(waiting)
    while waiting:  # out from the enclosed stones to the walls
        for beside in map(int, b.step[waiting.pop()]):
            if s.mark[beside] == mine:
                ring.add(beside)
            elif beside not in seen and beside != OUT:
                seen.add(beside)
                waiting.append(beside)
    return [(one, two) for one in sorted(ring) for two in sorted(ring.intersection(b.step[one]))
            if one < two]  # fmt: skip


PIECES = tuple(
    Piece(letter, player, name=f"{COLOURS[player]} stone") for player, letter in enumerate("xo")
)
LOOK: Look = Look(
    lambda b: hexagon_board(int(b.side), named=SIDE),
    "mark",
    PIECES,
    put=put,
    winning=winning_lines,
)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    if s.won == 0:
        return "the board is full"
    winner = int(s.won) - 1
    if s.count[winner, 5]:
        return f"{COLOURS[winner]} has five in a line"
    count = len(enclosed(b, s, winner)[1])
    stones = "a stone" if count == 1 else f"{number_word(count)} stones"
    return f"{COLOURS[winner]} encloses {stones}"


def ending(b: Record, s: Record) -> str:
    """Say how the game was won, in a word or two."""
    return "line" if s.count[int(s.won) - 1, 5] else "ring"


def enclosed(b: Record, s: Record, player: int) -> tuple[set[int], set[int]]:
    """The cells inside a player's rings, and the opponent's stones among them."""
    inside = {
        cell
        for cell in range(int(b.cells))
        if has(s.pocket[player], cell) and s.mark[cell] != player + 1
    }
    return inside, {cell for cell in inside if s.mark[cell] != EMPTY}


# ---- the picture ---------------------------------------------------------------------------------


ABOVE = 0.6  #: the strip for the banner
AROUND = 1.0  #: cells that are shown around those in use


def scene(position: Position) -> Scene:
    """The board with its stones; after the end also the line or ring, and the winner."""
    b = position.game.board
    places = LOOK.layout_of(b).places
    shapes: list[Shape] = []
    for player in range(2):
        inside, caught = enclosed(b, position.state, player)
        shapes += [
            _pocket(places[cell].at, player, places[cell].name) for cell in sorted(inside - caught)
        ]
        for place in (places[cell] for cell in sorted(caught)):
            name, strokes = f"enclosed {place.name}", cross(place.at, 0.2)
            shapes.append(Path(strokes, 0.09, id=name, roles=("threat",), layer=8))
    winner = position.winner
    banner = f"Player {winner} ({COLOURS[winner - 1]}) wins!" if winner else ""
    room = (0.0, ABOVE, 0.0, 0.0)
    return picture(LOOK, position, over=shapes, room=room, banner=banner, last="dot", window=AROUND)


def _pocket(at: Point, player: int, name: str) -> Shape:
    """Mark an empty cell inside a ring, where the opponent must not play."""
    name = f"pocket {COLOURS[player]} {name}"
    return Circle(at, 0.16, 0.05, id=name, roles=("trail",), layer=4, owner=player)
