"""Golden trees and graphs: their SVG is kept, letter for letter.

    python -m tests.golden.trees      writes every file anew

Look at the pictures before they are committed.
"""

from __future__ import annotations

from pathlib import Path

import plywise
from plywise.play.trees import grow
from plywise.views import draw_svg
from plywise.views.graph import Note, graph_scene
from plywise.views.tree import tree_scene

FOLDER = Path(__file__).parent / "trees"


def pictures() -> dict[Path, str]:
    """Every picture that is kept."""
    ending = plywise.game("tictactoe").position("b2 a1 c3 b3 a2 c2")
    textbook, minimax = grow(ending), grow(ending, "minimax")
    values = (0.0, 0.0, 1.0, 1.0, 0.25, -0.5, 0.0, -1.0)
    notes = [Note(2, "B", "a2??", True), Note(5, "M", "a3?")]
    scenes = {
        "tree-boards": tree_scene(textbook.root, textbook.title),
        "tree-plain": tree_scene(minimax.root, minimax.title, boards=False),
        "graph": graph_scene(values, notes, title="A game"),
    }
    return {FOLDER / f"{name}.svg": draw_svg(scene) for name, scene in scenes.items()}


if __name__ == "__main__":
    for file, picture in pictures().items():
        file.write_text(picture, encoding="utf-8")
