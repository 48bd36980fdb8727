"""Reviews, matches and search trees as a notebook shows them."""

from __future__ import annotations

from collections import Counter
from html import escape

from plywise.core.position import Position
from plywise.core.scene import scene_of, standing
from plywise.kit.words import counted
from plywise.play.match import Match
from plywise.play.records.game_record import Result
from plywise.play.review import Grade, Review
from plywise.play.statistics import elo_words
from plywise.play.trees import Grown
from plywise.views.graph import Note, graph_scene
from plywise.views.html import framed, heading, picture, results, table
from plywise.views.tree import tree_scene, tree_text

#: How a move that was not good is marked.
MARKS = {Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}
BOARDS = 250  #: nodes of a tree that are drawn with their boards
MOST = 1_500  #: nodes of a tree that are drawn at all


# ---- reviews -------------------------------------------------------------------------------


def title_of(position: Position, ended: Result | None = None) -> str:
    """Describe a game in one line; `ended` is how it ended, if not on the board."""
    name = position.game.type.title or position.game.name
    result = standing(position) if position.over or ended is None else str(ended)
    return f"{name}, {counted(len(position.moves), 'move')}: {result}"


def notes_of(review: Review) -> list[Note]:
    """Return a mark on the graph for each move that was neither best nor good."""
    return [
        Note(
            move.ply,
            move.grade.value[0].upper(),
            f"{move.move}{MARKS[move.grade]}",
            move.grade is Grade.BLUNDER,
        )
        for move in review.moves
        if move.grade in MARKS
    ]


def review_html(review: Review) -> str:
    """Draw a review: the graph of the game, both players' accuracy, and every mistake."""
    palette = scene_of(review.position).palette
    title = title_of(review.position)
    graph = graph_scene(review.values, notes_of(review), title=title, palette=palette)
    players = [
        [
            f"player {summary.player}",
            "nothing to lose" if summary.accuracy is None else f"{summary.accuracy:.0%}",
            *(str(summary.counts[grade]) for grade in Grade),
        ]
        for summary in review.summaries
    ]
    faults = [
        [
            f"{move.ply}. {move.move}{MARKS[move.grade]}",
            f"player {move.player}",
            move.grade.value,
            move.comment,
        ]
        for move in review.moves
        if move.grade in MARKS
    ]
    return framed(
        picture(graph),
        table(["", "accuracy", *(grade.value for grade in Grade)], players),
        table(["move", "", "grade", "why"], faults) if faults else "",
        palette=palette,
    )


# ---- matches -------------------------------------------------------------------------------


def match_html(match: Match) -> str:
    """Draw a match: its score, and what each agent won and took."""
    share = "" if match.score is None else f": {match.score:.1%}, {elo_words(*match.elo)}"
    counts = (match.wins, match.draws, match.losses), (match.losses, match.draws, match.wins)
    rows = [
        [
            agent,
            results(*each),
            *map(str, each),
            "" if seconds is None else f"{seconds:.4f} s",
        ]
        for agent, each, seconds in zip(
            (match.a, match.b), counts, match.seconds_per_move, strict=True
        )
    ]
    reasons = Counter(
        (match.a if each.by == "a" else match.b, each.reason) for each in match.forfeits
    )
    lost = [
        f"{agent} forfeited {counted(count, 'game')}: {reason}"
        for (agent, reason), count in reasons.items()
    ]
    return framed(
        heading(
            f"{match.a} against {match.b}{share}",
            f"{match.game}, {counted(match.games, 'game')}, seed {match.seed}",
        ),
        table(["", "", "won", "drawn", "lost", "a move"], rows),
        *(f"<div>{escape(line)}</div>" for line in lost),
    )


# ---- trees ---------------------------------------------------------------------------------


def tree_html(grown: Grown) -> str:
    """Draw a search tree, with boards if it is small; one that is very large as text."""
    nodes = sum(1 for _ in grown.root.walk())
    palette = scene_of(grown.root.position).palette
    if nodes > MOST:
        text = escape("\n".join(tree_text(grown.root)))
        folded = f"<details><summary>the tree as text</summary><pre>{text}</pre></details>"
        return framed(heading(grown.title), folded)
    boards = nodes <= BOARDS and grown.root.position.game.type.scene is not None
    drawn = picture(tree_scene(grown.root, grown.title, boards))
    return framed(f'<div style="overflow:auto;max-height:45em">{drawn}</div>', palette=palette)
