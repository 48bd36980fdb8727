"""Compares this checkout with another one: a match, or the speed of the same searches.

    python -m bench.versions ../plywise-before match snails expert --games 400 --nodes 5000
    python -m bench.versions ../plywise-before speed snails expert --nodes 200000
    python -m bench.versions ../plywise-before depth snails expert --depth 12
    python -m bench.versions ../plywise-before depth ./examples/hex.py alphabeta --depth 6

Each version runs in its own process, which gets the moves of a game and answers with a move. Both
have the same node limit, so a match does not depend on the machine. Speed is nodes per second of
processor time, with the two versions taking turns. Where the two search different trees, compare
the processor time that each needs for the same depth instead.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import plywise
from bench.measure import Quantity
from plywise.core.position import Position

HERE = Path(__file__).parent.parent
SOLVE = "solve"  #: instead of an agent: the solver, without its book
PLIES = (2, 4, 6)  #: random moves before a game, in turn
QUIET = (4, 8, 12, 16)  #: ... and before a search whose speed is measured


def serve(game_spec: str, engine_spec: str) -> None:
    """Run one version: read lines with moves and a limit, and print a line with each answer."""
    import time

    from plywise.engines.solve import solver

    game = plywise.game(game_spec)
    if engine_spec == SOLVE:
        search: Any = solver(game, book=False).solve
    else:
        search = plywise.engine(engine_spec, game).search
    for line in sys.stdin:
        asked = json.loads(line)
        before = time.process_time()
        limits = plywise.Limits(**asked["limits"])
        found = search(game.position(asked["moves"]), limits)
        seconds = time.process_time() - before
        answer = {"best": found.best, "nodes": found.nodes, "seconds": seconds}
        print(json.dumps(answer), flush=True)


class Version:
    """A process that runs one checkout."""

    def __init__(self, folder: Path, game: str, engine: str) -> None:
        code = f"import runpy, sys; sys.argv = ['versions', 'serve', {game!r}, {engine!r}]; "
        code += f"runpy.run_path({str(Path(__file__))!r}, run_name='__main__')"
        path = os.pathsep.join((str(folder / "src"), str(HERE)))
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=folder,  # each version has its own examples
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, moves: list[str], **limits: int) -> dict[str, Any]:
        """Return its move, its nodes and its seconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"moves": moves, "limits": limits}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a version ended before it answered: see its output above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def random_start(game: plywise.Game, plies: int, rng: random.Random) -> Position:
    """Return a position after random moves in which the game is not over."""
    while True:
        position = game.start()
        for _ in range(plies):
            if position.over:
                break
            position = position.play(rng.choice(position.legal))
        if not position.over:
            return position


def play_pair(given: argparse.Namespace, number: int) -> tuple[int, int, int]:
    """Play pairs of games from one start, each version once as first: won, drawn, lost."""
    game = plywise.game(given.game)
    versions = [Version(folder, given.game, given.engine) for folder in (HERE, given.before)]
    results = [0, 0, 0]
    try:
        for pair in range(number, given.games // 2, given.jobs):
            rng = random.Random(f"{given.seed} {pair}")
            start = random_start(game, PLIES[pair % len(PLIES)], rng)
            for first in range(2):
                position = start
                while not position.over:
                    version = versions[first if position.turn == 0 else 1 - first]
                    position = position.play(
                        version.ask(list(position.moves), nodes=given.nodes)["best"]
                    )
                assert position.margin is not None
                mine = position.margin if first == 0 else -position.margin
                results[0 if mine > 0 else 1 if mine == 0 else 2] += 1
    finally:
        for version in versions:
            version.close()
    return results[0], results[1], results[2]


def match(given: argparse.Namespace) -> None:
    """Play all games and print the result of this checkout."""
    with ThreadPoolExecutor(given.jobs) as pool:
        parts = list(pool.map(lambda number: play_pair(given, number), range(given.jobs)))
    won, drawn, lost = (sum(column) for column in zip(*parts, strict=True))
    score = (won + drawn / 2) / (won + drawn + lost)
    print(
        f"{given.game}, {given.engine}, {given.nodes:,} nodes per move: this version against before"
    )
    print(f"{won} won, {drawn} drawn, {lost} lost: {100 * score:.1f} %")


def rounds(given: argparse.Namespace) -> Iterator[tuple[float, list[tuple[int, float]]]]:
    """Search the same positions with both versions in turn: the ratio, both nodes and seconds."""
    limits = {"depth": given.depth} if given.what == "depth" else {"nodes": given.nodes}
    game = plywise.game(given.game)
    rng = random.Random(given.seed)
    positions = [random_start(game, plies, rng) for plies in QUIET]
    versions = [Version(folder, given.game, given.engine) for folder in (HERE, given.before)]
    try:
        for version in versions:
            version.ask([], nodes=1000)
        for _ in range(given.rounds):
            both: list[tuple[int, float]] = []
            for version in versions:
                found = [version.ask(list(position.moves), **limits) for position in positions]
                nodes = sum(answer["nodes"] for answer in found)
                both.append((nodes, sum(answer["seconds"] for answer in found)))
            (mine, quick), (theirs, slow) = both
            even = given.what == "depth"  # the same work, whatever the number of nodes
            yield slow / quick * (1.0 if even else mine / theirs), both
    finally:
        for version in versions:
            version.close()


def speed(given: argparse.Namespace) -> None:
    """Compare nodes per second, or the seconds for a depth, over several starts of both versions.

    Where a process happens to put its tables in memory changes its speed by a few percent for as
    long as it runs, so one start, however many its rounds, says little about small differences.
    """
    totals = [[0, 0.0], [0, 0.0]]
    starts: list[float] = []
    for _ in range(given.starts):
        ratios = []
        for ratio, both in rounds(given):
            ratios.append(ratio)
            for total, (nodes, seconds) in zip(totals, both, strict=True):
                total[0] += nodes
                total[1] += seconds
        starts.append(statistics.median(ratios))
    mean = statistics.fmean(starts)
    error = statistics.stdev(starts) / math.sqrt(len(starts)) if len(starts) > 1 else math.nan
    words = f"ratio {mean:.3f}, {given.starts} starts"
    if len(starts) > 1:
        words += f" from {min(starts):.3f} to {max(starts):.3f}, standard error {error:.3f}"
    if given.what == "depth":
        runs = given.rounds * given.starts
        ours, theirs = (
            f"{s / runs:.3f} s, {n // runs:,} nodes, {Quantity(n / s, 'nodes/s')}"
            for n, s in totals
        )
        print(
            f"{given.game}, {given.engine}, depth {given.depth}: {ours}; before {theirs}; {words}"
        )
        return
    ours, theirs = (str(Quantity(nodes / seconds, "nodes/s")) for nodes, seconds in totals)
    print(f"{given.game}, {given.engine}: {ours}, before {theirs}, {words}")


def main() -> None:
    """Read the command line."""
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:4])
        return
    parser = argparse.ArgumentParser(prog="python -m bench.versions", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("before", type=Path, help="the folder of the other checkout")
    parser.add_argument("what", choices=("match", "speed", "depth"))
    parser.add_argument("game")
    parser.add_argument("engine", help="an agent, or 'solve' for the solver without its book")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move")
    parser.add_argument("--depth", type=int, default=12, help="for `depth`")
    parser.add_argument("--starts", type=int, default=5, help="how often both versions start")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of a comparison, each start")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not (given.before / "src" / "plywise").is_dir():
        parser.error(
            f"{given.before} is not a checkout of plywise: name the folder that has src/plywise"
        )
    given.before = given.before.resolve()
    {"match": match, "speed": speed, "depth": speed}[given.what](given)


if __name__ == "__main__":
    main()
