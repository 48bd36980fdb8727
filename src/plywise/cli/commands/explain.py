"""`hint`, `review` and `tree`: a hint, the mistakes of a game, the tree of a search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import paper, progress, table
from plywise.cli.inputs import (
    Agent,
    GameOrFile,
    GameSpec,
    Moves,
    Seconds,
    Text,
    agent_names,
    read_played,
    read_position,
    usual_limits,
)
from plywise.games import make
from plywise.kit.commands import Drawn, Output, Picture

if TYPE_CHECKING:
    from plywise.play.review import Review


def hint(game: GameSpec, moves: Moves = "", text: Text = None, time: Seconds = None) -> Output:
    """Give a hint in three steps: where to look, which move, and why.

    The game's best agent looks at every legal move, for one second by default.
    """
    from plywise.core.analysis import Limits
    from plywise.play import hints

    limits = Limits(time=hints.SECONDS if time is None else time)
    found = hints.hint(read_position(make(game), moves, text), limits)
    yield found.to_json()
    yield from found.steps


def review(
    game: GameOrFile,
    moves: Moves = "",
    text: Text = None,
    agent: Agent = "auto",
) -> Drawn:
    """Review a game: grade each move and show what was better.

    A move is best, good, an inaccuracy, a mistake or a blunder, depending on the value it lost.
    Accuracy is the average share of the expected points that a player's moves kept. Without a limit
    in its spec, the agent has a fifth of a second for each position.
    """
    from plywise.core.scene import scene_of
    from plywise.play import review as reviews
    from plywise.play.drawn import notes_of, title_of
    from plywise.play.players import make_agent
    from plywise.views.graph import graph_scene, graph_text

    position, ended = read_played(game, moves, text)
    title = title_of(position, ended)
    limits = usual_limits(agent, reviews.SECONDS)
    engine = make_agent(agent, position.game)
    with progress("review", len(position.moves) + 1) as advance:
        found = reviews.review(
            position, engine, limits, on_position=lambda count: advance(f"position {count}")
        )
    notes = notes_of(found)
    palette = scene_of(position).palette
    yield Picture(graph_scene(found.values, notes, title=title, palette=palette))
    yield {"agent": engine.name, **found.to_json()}
    place = paper()
    yield title
    yield ""
    yield from _report(found)
    yield ""
    width = place.width or 80
    yield from graph_text(found.values, notes, unicode=place.unicode, width=width)
    if notes:
        yield "(I inaccuracy, M mistake, B blunder)".rjust(min(width, 60))


def _report(found: Review) -> Iterator[str]:
    rows = [["", "player", "move", "grade", "before", "after", "best", "comment"]]
    for move in found.moves:
        values = f"{move.best.value:+.2f}", f"{move.played.value:+.2f}"
        known = f"{move.ply}.", str(move.player), move.move, move.grade.value
        rows.append([*known, *values, move.best.move, move.comment])
    yield from table(rows)
    yield ""
    for summary in found.summaries:
        counts = ", ".join(f"{grade.value} {n}" for grade, n in summary.counts.items() if n)
        accuracy = (
            "nothing to lose" if summary.accuracy is None else f"accuracy {summary.accuracy:.0%}"
        )
        if summary.moves:
            yield f"player {summary.player}: {accuracy} ({counts})"


def tree(
    game: GameSpec,
    moves: Moves = "",
    text: Text = None,
    agent: Annotated[
        str,
        typer.Option(
            metavar="A",
            help="'textbook' (alpha-beta) or 'minimax', such as 'minimax:depth=2,heuristic=seed'; "
            "by default as deep as fits.",
            autocompletion=agent_names,
        ),
    ] = "textbook",
    limit: Annotated[int, typer.Option(metavar="N", help="Maximum number of nodes.")] = 250,
) -> Drawn:
    """Draw a search tree with values, windows and pruned branches.

    Branches are in the order searched. Values are for max, the player to move at the root: W3 is
    a win for max after three plies, L4 a loss after four. A star marks the best path.
    """
    from plywise.play.trees import grow
    from plywise.views.tree import tree_scene, tree_text

    position = read_position(make(game), moves, text)
    grown = grow(position, agent, limit)
    boards = position.game.type.scene is not None
    yield Picture(tree_scene(grown.root, grown.title, boards))
    yield grown.to_json()
    yield grown.title
    place = paper()
    yield from tree_text(grown.root, place.unicode)
