"""`python -m tests.signature`: what every search does on fixed positions, node for node.

One line for each search: the game, its moves so far, the agent and its limits, then the expected
moves, the score, the depth and the nodes. A change that is not meant to change a search leaves all
of it as it is; one that is meant to says so, and brings a match. The lines are kept in
`tests/golden/signature.txt`; `python -m tests.signature --write` writes them again.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import plywise
from plywise import Limits, Position
from plywise.engines import find, names
from plywise.engines.net.weights import shipped_file
from plywise.engines.perft import perft
from plywise.engines.solve import solver
from plywise.games.connect4 import solver as connect4_solver
from plywise.puzzles import slither
from tests.positions import random_positions

GOLDEN = Path(__file__).parent / "golden" / "signature.txt"
PUZZLES = Path(__file__).parent / "data" / "slither" / "olson-500.tsv"

#: Boards of every game, and how many plies into random games the positions are.
GAMES = {
    "tictactoe": range(4),
    "tictactoe:rows=5,cols=5,k=4": range(8),
    "connect4": range(16),
    "makeway": range(12),
    "snails": range(24),
    "snails:rows=5,cols=5": range(8),
    "align": range(4, 20),
    "align:size=4,checkerboard=yes": range(8),
    "andantino": range(6, 20),
    "andantino:side=5": range(4, 12),
}
POSITIONS = 3  #: of each game: the first one, and others that the seed below gives
SEED = 20261116
NODES = 30_000  #: for engines that are limited by nodes
PLIES = 4  #: ... and to so many plies, with more nodes than that takes in most games
MANY = 200_000
PLAIN = {"minimax", "textbook"}  #: these see every position so many plies ahead, or nearly
TREE = 50_000  #: ... as long as there are not more
SOLVING = 60_000  #: nodes of a solver without its book


def positions(spec: str) -> list[Position]:
    """The start, and some that come later."""
    game = plywise.game(spec)
    return [game.start(), *random_positions(game, POSITIONS - 1, GAMES[spec], SEED)]


def agents(spec: str) -> Iterator[str]:
    """Every agent of a game that plays the same under a limit of nodes, with every heuristic."""
    game = plywise.game(spec)
    for name in names(game):
        if name in ("auto", "random"):
            continue
        yield name
        known = {parameter.name for parameter in find(name, game).parameters}
        if name == game.type.expert and (net := shipped_file(game)) and net.exists():
            yield f"{name}:net=no"
        for heuristic in game.type.strength.heuristics if "heuristic" in known else ():
            yield f"{name}:heuristic={heuristic}"
    yield "auto:level=3"
    yield "auto:level=9"


def limits_of(agent: str, position: Position) -> tuple[Limits, ...]:
    """The limits under which an agent is asked."""
    if agent.split(":")[0] in PLAIN:
        return (Limits(depth=3 if perft(position, 3) <= TREE else 2),)
    if agent.split(":")[0] in ("alphabeta", "expert"):
        return Limits(nodes=NODES), Limits(depth=PLIES, nodes=MANY)
    return (Limits(nodes=NODES),)


def searched(position: Position, agent: str, limits: Limits, *, lines: bool = False) -> str:
    """What an agent, made for this search, finds."""
    try:
        found = plywise.engine(agent, position.game).search(position, limits, lines=lines)
    except plywise.Unsupported:
        return "does not play this"
    head = f"{' '.join(found.pv[:8])} score {found.score:g} depth {found.depth} nodes {found.nodes}"
    return " ".join([head, *(f"{line.score:g}" for line in found.lines)])


def solved(position: Position) -> str:
    """What the game's solver finds without its book."""
    found = solver(position.game, False).solve(position, Limits(nodes=SOLVING))
    return f"{found.best} {found.outcome} nodes {found.nodes}"


def signature(only: str = "") -> Iterator[str]:
    """Every line; with `only`, those that begin like that: a game, or a game and a blank."""
    for spec in GAMES:
        if not f"{spec} ".startswith(only):
            continue
        connect4_solver._words.cache_clear()  # its table is shared by all solvers of a process
        for position in positions(spec):
            head = f"{spec} {' '.join(position.moves) or '-'}"
            yield f"{head} | perft 2 | {perft(position, 2)}"
            yield f"{head} | solve | {solved(position)}"
            for agent in agents(spec):
                for limits in limits_of(agent, position):
                    found = searched(position, agent, limits)
                    yield f"{head} | {agent}, {_words(limits)} | {found}"
            for agent in sorted({"alphabeta", plywise.game(spec).type.expert}):
                found = searched(position, agent, Limits(nodes=NODES), lines=True)
                yield f"{head} | {agent}, every move | {found}"
    if "slither ".startswith(only):
        yield from _puzzles()


def _words(limits: Limits) -> str:
    return f"{limits.nodes} nodes" if limits.depth is None else f"{limits.depth} plies"


def _puzzles() -> Iterator[str]:
    rows = [line.split("\t") for line in PUZZLES.read_text().splitlines() if line[0] != "#"]
    for name, _, _, clues, *_ in rows[:40]:
        found = slither.solve(slither.read(clues.replace("/", "\n")))
        yield f"slither {name} | solve | {found.status} conflicts {found.conflicts}"


def golden() -> list[str]:
    """The lines that are kept."""
    return GOLDEN.read_text(encoding="utf-8").splitlines()


def main() -> int:
    """Print the lines and say what differs, or write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.signature", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the lines as they are now")
    parser.add_argument("only", nargs="?", default="", help="a game, such as 'snails'")
    given = parser.parse_args()
    lines = []
    for line in signature(given.only):
        print(line, flush=True)
        lines.append(line)
    if given.write:
        GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    wanted = [line for line in golden() if line.startswith(given.only)]
    changes = list(difflib.unified_diff(wanted, lines, "kept", "now", lineterm="", n=0))
    print(*(changes or ["the same as kept"]), sep="\n", file=sys.stderr)
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
