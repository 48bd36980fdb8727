"""A search tree as plain data, drawn as text or as a Scene for the other views.

Max nodes are houses that point up, min nodes point down; a finished game is a box, a leaf at the
horizon an ellipse. The best path is drawn bold in the colour of the best move. Pruned moves are
listed below a dashed stub with a cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import cos, dist, pi, sin
from typing import Any, Literal

from plywise.core.position import Position
from plywise.core.scene import (
    CHARACTER,
    Box,
    Label,
    Path,
    Point,
    Role,
    Scene,
    Shape,
    scene_of,
    shifted,
)

# ---- the tree ------------------------------------------------------------------------------

#: max and min have children; the other two are leaves: the game is over, or the depth is reached.
Kind = Literal["max", "min", "over", "horizon"]


@dataclass(frozen=True)
class Branch:
    """A node with everything below it, in search order."""

    position: Position
    kind: Kind
    value: float  #: for the player to move at the root
    figure: str  #: the value in short: `12`, `W3` (won after 3 plies), `≤ 0` (a bound)
    window: tuple[str, str] | None = None  #: alpha and beta on entry, if the search has them
    best: bool = False  #: is it on the principal variation?
    children: tuple[Branch, ...] = ()
    pruned: tuple[str, ...] = ()  #: moves cut off without a search

    @property
    def move(self) -> str:
        """The move that led here; empty at the start of a game."""
        return self.position.moves[-1] if self.position.moves else ""

    def walk(self) -> Iterator[Branch]:
        """Yield all nodes, in search order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_json(self) -> dict[str, Any]:
        """Return plain data, with the children nested."""
        return {
            "move": self.move,
            "kind": self.kind,
            "value": self.value,
            "figure": self.figure,
            "window": None if self.window is None else list(self.window),
            "best": self.best,
            "pruned": list(self.pruned),
            "children": [child.to_json() for child in self.children],
        }


# ---- text ----------------------------------------------------------------------------------

#: The symbol of each kind of node, in Unicode and in ASCII, and what it means in a picture.
SIGNS: dict[Kind, tuple[str, str, str]] = {
    "max": ("△", "max", "max to move"),
    "min": ("▽", "min", "min to move"),
    "over": ("□", "end", "game over"),
    "horizon": ("○", "leaf", "estimate"),
}
_ASCII = {"∞": "inf", "≤ ": "<=", "≥ ": ">=", "├─": "|-", "└─": "`-", "│": "|", "✗": "x"}


def tree_text(root: Branch, unicode: bool = True) -> Iterator[str]:
    """Draw one line per node, below its parent; a star marks the best path."""
    for line in _lines(root, "", "", unicode):
        for letters, plain in () if unicode else _ASCII.items():
            line = line.replace(letters, plain)
        yield line


def _lines(branch: Branch, first: str, rest: str, unicode: bool) -> Iterator[str]:
    """Draw a node with the prefix `first`, and everything below it with the prefix `rest`."""
    words = [branch.move] if first else []
    words += [SIGNS[branch.kind][0 if unicode else 1], branch.figure]
    words += ["[{}, {}]".format(*branch.window)] if branch.window else []
    words += ["*"] if branch.best else []
    yield first + " ".join(words)
    last = len(branch.children) - (0 if branch.pruned else 1)
    for number, child in enumerate(branch.children):
        fork, trunk = ("└─ ", "   ") if number == last else ("├─ ", "│  ")
        yield from _lines(child, rest + fork, rest + trunk, unicode)
    if branch.pruned:
        yield f"{rest}└─ ✗ pruned: {' '.join(branch.pruned)}"


# ---- layout --------------------------------------------------------------------------------

# The tidy algorithm of Reingold and Tilford, for nodes of any width: subtrees are pushed together
# as far as their outlines allow at every depth, so no two nodes overlap, and a parent is centred
# over its first and last child.

Outline = list[tuple[float, float]]  #: how far a subtree reaches left and right, by depth


@dataclass
class Node:
    """A branch in the picture, or the stub of pruned moves; x is its middle."""

    branch: Branch | None  #: None for a stub
    width: float
    depth: int
    pruned: tuple[str, ...] = ()  #: the moves of a stub
    x: float = 0.0
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def shift(self, by: float) -> None:
        """Move it and all below it to the right."""
        for node in self.walk():
            node.x += by


def arrange(root: Branch, width: float, stub: float, gap: float) -> Node:
    """Lay out a tree of nodes `width` wide and stubs `stub` wide, starting at x = 0."""
    node, _ = _arrange(root, 0, width, stub, gap)
    node.shift(-min(each.x - each.width / 2 for each in node.walk()))
    return node


def _arrange(
    branch: Branch, depth: int, width: float, stub: float, gap: float
) -> tuple[Node, Outline]:
    node = Node(branch, width, depth)
    below: Outline = []
    for child in branch.children:
        _append(node, *_arrange(child, depth + 1, width, stub, gap), below, gap)
    if branch.pruned:
        last = Node(None, stub, depth + 1, branch.pruned)
        _append(node, last, [(-stub / 2, stub / 2)], below, gap)
    if node.children:
        node.x = (node.children[0].x + node.children[-1].x) / 2
    return node, [(node.x - width / 2, node.x + width / 2), *below]


def _append(parent: Node, child: Node, outline: Outline, below: Outline, gap: float) -> None:
    """Put a subtree to the right of its siblings, as close as possible."""
    apart = max(
        (right + gap - left for (_, right), (left, _) in zip(below, outline, strict=False)),
        default=0.0,
    )
    child.shift(apart)
    parent.children.append(child)
    for level, (left, right) in enumerate(outline):
        if level < len(below):
            below[level] = below[level][0], right + apart
        else:
            below.append((left + apart, right + apart))


# ---- picture -------------------------------------------------------------------------------

# All lengths below are in modules: the width of a node's board, or of its house without one.
GAP = 0.24  #: between neighbours
STUB = 0.5  #: the width of a pruned stub
HOUSE = 0.46  #: the height of the house that holds a value
DROP = 1.0  #: from one house down to the next node
FIGURE = 0.24  #: the size of a value
SMALL = 0.18  #: of a move and a window
MARGIN = 0.4
HEAD = 1.3  #: room for the title and the legend
BOLD, THIN = 0.05, 0.02  #: pens
PROSE = 0.53  #: the width of a character in a sentence, relative to its height

_ROUND = [(0.44 * cos(2 * pi * i / 32), 0.9 * sin(2 * pi * i / 32)) for i in range(32)]
#: Across in modules, down in halves of a house.
_HOUSES: dict[Kind, list[Point]] = {
    "max": [(-0.44, 1.0), (-0.44, -0.3), (0.0, -1.0), (0.44, -0.3), (0.44, 1.0)],
    "min": [(-0.44, -1.0), (-0.44, 0.3), (0.0, 1.0), (0.44, 0.3), (0.44, -1.0)],
    "over": [(-0.4, -0.75), (0.4, -0.75), (0.4, 0.75), (-0.4, 0.75)],
    "horizon": _ROUND,
}
_LEAN: dict[Kind, float] = {"max": 0.05, "min": -0.05}  #: a value is where its house is wide


def tree_scene(root: Branch, title: str, boards: bool = True) -> Scene:
    """Draw the tree as a Scene, by default with a small board at each node."""
    return _Picture(root, title, boards).scene()


class _Picture:
    """Draws one tree. A module is the width of a board, so that boards keep their size."""

    def __init__(self, root: Branch, title: str, boards: bool) -> None:
        self.root = root
        self.title = title
        self.boards = boards
        self.first = scene_of(root.position)
        left, top, right, bottom = _frame(self.first) if boards else (0.0, 0.0, 1.0, 0.0)
        self.module = right - left
        self.board = (bottom - top) / self.module  # the height of one
        self.shapes: list[Shape] = []

    def scene(self) -> Scene:
        """Draw the whole tree."""
        nodes = list(arrange(self.root, 1.0, STUB, GAP).walk())
        width = max([self._heading(), *(node.x + node.width / 2 for node in nodes)])
        for node in nodes:
            self._draw(node)
        bottom = max(self._bottom(node) for node in nodes)
        size = (width + 2 * MARGIN) * self.module, (bottom + MARGIN) * self.module
        text = "\n".join(tree_text(self.root))
        shapes = tuple(self.shapes)
        return Scene(self.title, self.title, text, size, shapes, palette=self.first.palette)

    def _top(self, node: Node) -> float:
        return MARGIN + HEAD + node.depth * (self.board + HOUSE + DROP)

    def _bottom(self, node: Node) -> float:
        content = self.board + HOUSE if node.branch else SMALL * 1.25 * (len(node.pruned) - 1)
        return self._top(node) + content

    # Nodes and edges

    def _draw(self, node: Node) -> None:
        branch = node.branch
        if branch is None:
            return
        x, y = node.x, self._top(node)
        if self.boards:
            self._board(branch, x, y)
        y += self.board + HOUSE / 2 + 0.05
        role: Role = "best" if branch.best else "text"
        self._house(branch.kind, x, y, role)
        self._letters(branch.figure, x, y + _LEAN.get(branch.kind, 0.0), FIGURE, role, 0.76)
        y += HOUSE / 2
        if branch.window is not None:
            self._letters("[{}, {}]".format(*branch.window), x, y + 0.14, SMALL, "coordinate", 1.1)
            y += 0.25
        for child in node.children:
            start, end = (x, y + 0.03), (child.x, self._top(child) - 0.28)
            self._edge(start, end, child)

    def _edge(self, start: Point, end: Point, child: Node) -> None:
        """Draw a line with the move at its end, or a crossed stub with the pruned moves."""
        if child.branch is None:
            self._dashes(start, end)
            self._cross((start[0] + 2 * end[0]) / 3, (start[1] + 2 * end[1]) / 3)
            for number, move in enumerate(child.pruned):
                self._letters(move, end[0], end[1] + 0.14 + 1.25 * SMALL * number, SMALL, "threat")
            return
        best = child.branch.best
        self._stroke([start, end], BOLD if best else THIN, "best" if best else "coordinate")
        self._letters(child.branch.move, end[0], end[1] + 0.14, SMALL, "best" if best else "text")

    def _board(self, branch: Branch, x: float, y: float) -> None:
        scene = scene_of(branch.position)
        left, top, _, _ = _frame(scene)
        right, down = self._at(x - 0.5, y)[0] - left, self._at(x, y)[1] - top
        for shape in scene.shapes:
            if shape.roles[0] != "area":
                self.shapes.append(replace(shifted(shape, right, down), id=self._id()))

    # Title and legend

    def _heading(self) -> float:
        """Draw the title and the legend, and return their width."""
        width = self._caption(self.title, 0.0, MARGIN + 0.1, 0.3, "text")
        x, y = 0.0, MARGIN + 0.75
        kinds = {branch.kind for branch in self.root.walk()}
        for kind in (kind for kind in _HOUSES if kind in kinds):
            self._house(kind, x + 0.44, y, "text")
            x = self._caption(SIGNS[kind][2], x + 1.04, y)
        self._stroke([(x, y), (x + 0.5, y)], BOLD, "best")
        x = self._caption("best path", x + 0.6, y)
        if any(branch.pruned for branch in self.root.walk()):
            self._dashes((x, y), (x + 0.5, y))
            self._cross(x + 0.25, y)
            x = self._caption("pruned", x + 0.6, y)
        if any(branch.window for branch in self.root.walk()):
            x = self._caption("[alpha, beta] on entry", x, y)
        if any(branch.figure[-2:-1] in ("W", "L") for branch in self.root.walk()):
            x = self._caption("W3, L3: won, lost at ply 3", x, y)
        return max(width, x)

    def _caption(
        self, text: str, x: float, y: float, size: float = 0.2, role: Role = "coordinate"
    ) -> float:
        """Write a text at x, and return where the next one can start."""
        width = PROSE * size * len(text)
        self._letters(text, x + width / 2, y, size, role)
        return x + width + 0.4

    # Strokes and letters, in modules

    def _house(self, kind: Kind, x: float, y: float, role: Role) -> None:
        corners = [(x + dx, y + dy * HOUSE / 2) for dx, dy in _HOUSES[kind]]
        self._stroke([*corners, corners[0]], BOLD if role == "best" else THIN, role)

    def _cross(self, x: float, y: float) -> None:
        for slope in (-0.09, 0.09):
            self._stroke([(x - 0.09, y - slope), (x + 0.09, y + slope)], 0.035, "threat")

    def _dashes(self, start: Point, end: Point) -> None:
        count = max(2, round(dist(start, end) / 0.16))
        for i in range(count):
            ends = (i / count, (i + 0.5) / count)
            points = [tuple(a + t * (b - a) for a, b in zip(start, end, strict=True)) for t in ends]
            self._stroke([(x, y) for x, y in points], THIN, "coordinate")

    def _stroke(self, points: Sequence[Point], pen: float, role: Role) -> None:
        stroke = tuple(self._at(x, y) for x, y in points)
        layer = 1 if role == "best" else 0
        shape = Path((stroke,), pen * self.module, id=self._id(), roles=(role,), layer=layer)
        self.shapes.append(shape)

    def _letters(
        self, text: str, x: float, y: float, size: float, role: Role, room: float = 99.0
    ) -> None:
        """Write a text centred at a point, smaller if it would not fit."""
        size = min(size, room / (CHARACTER * len(text))) * self.module
        self.shapes.append(Label(self._at(x, y), text, size, id=self._id(), roles=(role,), layer=2))

    def _at(self, x: float, y: float) -> Point:
        return (MARGIN + x) * self.module, y * self.module

    def _id(self) -> str:
        return f"shape {len(self.shapes) + 1}"


def _frame(scene: Scene) -> Box:
    """Return the box around everything in a Scene, without the coordinates."""
    boxes = [shape.box for shape in scene.shapes if shape.roles[0] != "area"]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
