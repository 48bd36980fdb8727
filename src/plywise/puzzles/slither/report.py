"""What `plywise report slither` measures: the paper's path search and our solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plywise.core.puzzle import Puzzle, PuzzleReport, Way

METHODS, BOARDS = ("dfs", "dfs-plus"), ("nested lists", "flat arrays")


def ways() -> Mapping[str, Way]:
    """The paper's search, with and without its improvements, on two boards; and our solver."""
    from plywise.puzzles.slither import path_search
    from plywise.puzzles.slither.solver.engine import solve

    def path(run: Callable[..., path_search.PathResult], method: str) -> Way:
        def timed(puzzle: Puzzle, patience: float) -> tuple[float, bool]:
            found = run(puzzle, method, patience)
            return found.seconds, found.finished

        return timed

    def ours(puzzle: Puzzle, patience: float) -> tuple[float, bool]:
        return solve(puzzle).seconds, True

    runs = {"nested lists": path_search.search_lists, "flat arrays": path_search.search}
    found = {
        f"{method}, {board}": path(runs[board], method) for method in METHODS for board in BOARDS
    }
    return {**found, "plywise": ours}


def make(size: int, seed: int) -> Puzzle:
    """Make a square puzzle."""
    from plywise.puzzles.slither.generator import Wish, generate

    return generate(Wish(size, size, symmetry="none"), seed).puzzle


REPORT = PuzzleReport(
    title="Slither: the paper's path search and our solver",
    claim="I would like to see how depth first search can be carried out provided I had chosen "
    "some other representations.",
    sizes=(2, 3, 4, 5, 6, 7),
    make=make,
    ways=ways,
    plots={
        f"median time of {method}": {board: f"{method}, {board}" for board in BOARDS}
        for method in METHODS
    },
    ours="plywise, with proof",
)
