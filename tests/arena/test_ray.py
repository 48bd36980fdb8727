"""Tournaments on a Ray cluster: the same games, whoever plays them."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise
from lab.papers.report import measure, prepare
from plywise.arena.games import play
from plywise.core.workers import RayWorkers
from plywise.learn.learner import Learner, Settings
from plywise.learn.selfplay import play_task
from plywise.puzzles.slither.generator import Wish, making_many
from tests.arena.test_tournaments import facts, plan_of, played

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A cluster of two nodes on this machine; gives its address."""
    clusters: Any = pytest.importorskip("ray.cluster_utils")  # only `make long` installs Ray
    found = clusters.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    found.add_node(num_cpus=1)
    found.wait_for_nodes()
    yield found.address
    found.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_two_nodes_play_the_same_games(tmp_path: Path, cluster: str) -> None:
    plan = plan_of(format="swiss", games=4)
    played(plan, tmp_path / "here")
    played(plan, tmp_path / "there", RayWorkers(play, cluster))
    assert facts(tmp_path / "here") == facts(tmp_path / "there")


@pytest.mark.filterwarnings("ignore")
def test_reports_and_puzzles_are_made_there_too(cluster: str) -> None:
    game = plywise.game("tictactoe")
    here, there = (
        measure(prepare(game, ("random", "textbook:depth=2"), games=6), ray=ray)
        for ray in (None, cluster)
    )
    assert [match.points for match in here.matches.values()] == [
        match.points for match in there.matches.values()
    ]
    wish = Wish(5, 5)
    made, alone = (
        [one.puzzle for one in making_many(wish, 1, 3, 1, ray) if not isinstance(one, str)]
        for ray in (cluster, None)
    )
    assert made == alone


@pytest.mark.filterwarnings("ignore")
def test_the_games_that_a_net_learns_from_are_the_same_there(cluster: str) -> None:
    game, settings = plywise.game("tictactoe"), Settings(positions=2000, hidden=8)
    here = Learner(game, settings)
    here.run(rounds=2)
    with RayWorkers(play_task, cluster) as workers:
        there = Learner(game, settings, workers=workers)
        there.run(rounds=2)
    for name, array in here.weights.arrays.items():
        assert (array == there.weights.arrays[name]).all()


def slow_square(number: int) -> int:
    time.sleep(0.5)
    return number * number


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_costs_nothing(cluster: str) -> None:
    killed: list[int] = []

    def kill() -> None:
        while not killed:
            time.sleep(1.0)
            said = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout
            for line in said.splitlines():
                if "ray::slow_square" in line:
                    killed.append(int(line.split()[0]))
                    os.kill(killed[0], signal.SIGKILL)
                    return

    with RayWorkers(slow_square, cluster) as workers:
        thread = threading.Thread(target=kill)
        thread.start()
        found: dict[Any, Any] = dict(workers.run(range(12)))
        thread.join()
    assert killed
    assert found == {number: number * number for number in range(12)}
