"""Records the tree of a textbook search as `Branch`es, and refuses one too large to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plywise.core.engine import unguarded
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.engines import make
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.kernels.textbook import FINISHED, HORIZON, LIMIT, PRUNED
from plywise.engines.textbook import Result, Textbook
from plywise.errors import SpecError, suggest
from plywise.kit.words import counted
from plywise.views.tree import Branch, Kind

ENGINES = ("minimax", "textbook")  #: the searches that record a tree
USUAL_LIMIT = 250  #: nodes; a picture with more is unreadable
MOST = 20_000  #: the largest limit


@dataclass(frozen=True)
class Grown:
    """A tree, and the search it comes from."""

    root: Branch
    engine: str
    depth: int
    nodes: int  #: nodes searched
    pruned: int  #: branches pruned

    @property
    def title(self) -> str:
        """The game and the search in one line."""
        game = self.root.position.game.type
        cut = f", {self.pruned} pruned" if self.pruned else ""
        name = game.title
        return f"{name}, {self.engine} to depth {self.depth}: {counted(self.nodes, 'node')}{cut}"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from plywise.play.drawn import tree_html

        return tree_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {
            "engine": self.engine,
            "depth": self.depth,
            "nodes": self.nodes,
            "pruned": self.pruned,
            "root": self.root.to_json(),
        }


def grow(
    position: Position,
    agent: str = "textbook",
    limit: int = USUAL_LIMIT,
) -> Grown:
    """Search and keep the tree: to the depth in the agent's spec, or as deep as `limit` allows.

    >>> import plywise
    >>> grow(plywise.game("tictactoe").position("b2 a1 c3 b3 a2")).title
    'Tic-Tac-Toe, textbook to depth 4: 39 nodes, 4 pruned'
    """
    if position.over:
        raise SpecError(f"the game is over ({position.reason}): there is no tree to draw")
    spec = Spec.parse(agent)
    engine = spec.name
    if engine not in ENGINES:
        raise SpecError(f"{engine!r} does not record a tree: {suggest(engine, ENGINES)}")
    if not 2 <= limit <= MOST:
        raise SpecError(f"limit must be from 2 to {MOST} nodes, not {limit}")
    searcher = unguarded(make(spec, position.game))
    assert isinstance(searcher, Textbook)
    depth = searcher.limits.depth
    deepest = min(depth or 1, position.game.max_plies)
    found = _search(searcher, position, deepest, limit)
    if found is None:
        raise SpecError(_too_large(searcher, engine, position, deepest, limit))
    while depth is None and not found.complete:
        deeper = _search(searcher, position, deepest + 1, limit)
        if deeper is None:
            break
        found, deepest = deeper, deepest + 1
    return _grown(position, searcher, found, engine, deepest)


def _search(searcher: Textbook, position: Position, depth: int, limit: int) -> Result | None:
    """Search to this depth; None if the tree has more nodes than `limit`, pruned ones included."""
    result = searcher.run(position, depth, Run(NO_LIMITS), budget=limit, record=limit)
    small = result.tree is not None and result.tree.complete and not result.aborted
    return result if small else None


def _too_large(searcher: Textbook, engine: str, position: Position, depth: int, limit: int) -> str:
    fits = [less for less in range(1, depth) if _search(searcher, position, less, limit)]
    advice = f"try depth={fits[-1]}" if fits else "try a later position"
    more = "" if engine == "textbook" else ", textbook"
    size = f"the tree to depth {depth} has more than {limit} nodes"
    return f"{size}: {advice}{more}, or a higher --limit"


def _grown(
    position: Position, searcher: Textbook, result: Result, engine: str, depth: int
) -> Grown:
    """Turn the rows of a recorded tree into branches."""
    assert result.tree is not None
    nodes = result.tree.nodes
    children: dict[int, list[int]] = {}
    for index in range(1, len(nodes)):
        children.setdefault(int(nodes[index]["parent"]), []).append(index)

    def branch(index: int, position: Position, path: tuple[int, ...], best: bool) -> Branch:
        """Return a node and all below it; `path` continues the best path if the node is on it."""
        node, searched, pruned = nodes[index], [], []
        for child in children.get(index, []):
            move = int(nodes[child]["move"])
            if nodes[child]["state"] == PRUNED:
                pruned.append(position.text_of(move))
            else:
                on_path = best and path[:1] == (move,)
                searched.append(branch(child, position.play_code(move), path[1:], on_path))
        value, alpha, beta = (float(node[name]) for name in ("value", "alpha", "beta"))
        kinds: dict[int, Kind] = {FINISHED: "over", HORIZON: "horizon"}
        inner: Kind = "max" if node["maximizes"] else "min"
        # Below a cut-off the value is only a bound, unless it still fell inside the window.
        loose = bool(pruned) or any(child.figure[0] in "≤≥" for child in searched)
        bound = "≤ " if loose and value <= alpha else "≥ " if loose and value >= beta else ""
        return Branch(
            position,
            kinds.get(int(node["state"]), inner),
            value,
            bound + figure(value),
            (figure(alpha), figure(beta)) if engine == "textbook" and searched else None,
            best,
            tuple(searched),
            tuple(pruned),
        )

    def figure(value: float) -> str:
        """Format a value briefly; a decided game shows its distance from the root in plies."""
        if abs(value) >= LIMIT:
            return "+∞" if value > 0 else "-∞"
        plies = searcher.heuristic.win - abs(value)
        long = searcher.heuristic.win >= 10_000 and not position.game.points
        if long and 0 <= plies <= position.game.max_plies:
            return f"{'W' if value > 0 else 'L'}{plies:.0f}"
        return f"{value:.4g}"

    pruned = int((nodes["state"] == PRUNED).sum())
    return Grown(branch(0, position, result.pv, True), engine, depth, len(nodes) - pruned, pruned)
