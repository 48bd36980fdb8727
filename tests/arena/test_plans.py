"""Plans and pairings: what is read, what is refused, and who meets whom."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.arena.plan import Entry, Plan, read_openings, read_plan
from plywise.arena.tournament import pairings
from plywise.errors import SpecError
from tests.core.refusals import one_line

AGENT = "def get_move(state, player):\n    return state.legal[0]\n"


def plan_of(count: int, **given: Any) -> Plan:
    agents = tuple(Entry(f"agent {number}", f"random:seed={number}") for number in range(count))
    return Plan("tictactoe", agents, **given)


def write(folder: Path, text: str) -> Path:
    file = folder / "plan.toml"
    file.write_text(text)
    return file


def test_a_plan_in_toml(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "lines.txt").write_text("# two\na1 b2\n\nc3 b2  # the same, turned\n")
    text = """
    game = "tictactoe"
    format = "swiss"
    games = 4
    time = "60 + 0.5"
    openings = "lines.txt"
    agents = ["random", "./mine.py", {name = "third", spec = "auto:level=1"}]
    """
    plan = read_plan(write(tmp_path, text), {"games": 6})
    assert [entry.name for entry in plan.agents] == ["random", "mine", "third"]
    assert Path(plan.agents[1].spec) == tmp_path / "mine.py"
    assert (plan.games, plan.format, plan.openings) == (6, "swiss", ("a1 b2", "c3 b2"))
    assert plan.clock is not None
    assert plan.clock.increment == 0.5
    assert read_plan(write(tmp_path, text.replace('"60 + 0.5"', "2")), {}).time == "2 a move"


def test_a_folder_of_agents(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "_helper.py", ".hidden.py", "notes.txt"):
        (tmp_path / name).write_text(AGENT)
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "arena.toml").write_text('game = "connect4"\ngames = 8\n')
    plan = read_plan(tmp_path, {})
    assert [entry.name for entry in plan.agents] == ["a", "b", "program"]
    assert (plan.game, plan.games) == ("connect4", 8)
    (tmp_path / "arena.toml").write_text('game = "connect4"\nagents = ["auto:level=1"]\n')
    names = [entry.name for entry in read_plan(tmp_path, {}).agents]
    assert names == ["a", "b", "program", "auto:level=1"]
    (tmp_path / "arena.toml").write_text('game = "connect4"\nagents = "auto:level=1"\n')
    with pytest.raises(SpecError, match="agents must be a list"):
        read_plan(tmp_path, {})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("game = ", "is not TOML"),
        ('game = "tictactoe"', "agents must be a list"),
        ('agents = ["random", "auto"]', "does not say which game"),
        ('game = "tictactoe"\nagents = ["random"]', "2 to 1000 agents, not 1"),
        ('game = "tictactoe"\nagents = ["random", "random"]', "two agents are called 'random'"),
        ('game = "tictactoe"\nagents = ["random", 7]', "an agent is a spec"),
        ('agents = ["random", "auto"]\ngames = 3\ngame = "x"', "an even number"),
        ('agents = ["random", "auto"]\ngames = "4"\ngame = "x"', "games must be a whole number"),
        ('agents = ["random", "auto"]\ngame = "x"\nformat = "swis"', "did you mean 'swiss'"),
        ('agents = ["random", "auto"]\ngame = "x"\nrouns = 3', "did you mean 'rounds'"),
        ('agents = ["random", "auto"]\ngame = "x"\ntime = "soon"', "is not a clock"),
        ('agents = ["random", "auto"]\ngame = "x"\nopenings = "none.txt"', "cannot be read"),
        ('agents = ["random", "auto"]\ngame = "x"\nseed = -1', "must not be negative"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SpecError) as refused:
        read_plan(write(tmp_path, text), {})
    one_line(refused.value)
    assert problem in str(refused.value)


def test_what_is_no_plan(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="neither a folder"):
        read_plan(tmp_path / "agents.txt", {})
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(SpecError, match="no openings"):
        read_openings(tmp_path / "empty.txt")


@given(st.integers(2, 31))
def test_everybody_meets_everybody_once(count: int) -> None:
    plan = plan_of(count)
    met: Counter[frozenset[int]] = Counter()
    firsts: Counter[int] = Counter()
    for number in range(plan.last_round):
        played = pairings(plan, number, [], [], set())
        assert len({agent for pair in played for agent in pair}) == 2 * len(played)
        met.update(map(frozenset, played))
        firsts.update(first for first, _ in played)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {1}


def test_the_first_meets_all_others() -> None:
    plan = plan_of(5, format="gauntlet")
    assert plan.last_round == 1
    assert pairings(plan, 0, [], [], set()) == [(0, 1), (0, 2), (0, 3), (0, 4)]


def test_equals_meet_in_a_swiss_tournament_but_not_twice() -> None:
    plan = plan_of(6, format="swiss")
    points, ratings = [2.0, 0.0, 2.0, 1.0, 0.0, 1.0], [0.0] * 6
    assert pairings(plan, 1, points, ratings, set()) == [(0, 2), (3, 5), (1, 4)]
    assert pairings(plan, 1, points, ratings, {(0, 2)}) == [(0, 3), (2, 5), (1, 4)]


@given(st.integers(2, 12), st.integers(0, 9), st.data())
def test_nobody_plays_twice_in_a_round(count: int, number: int, data: st.DataObject) -> None:
    figures = st.lists(st.floats(-9, 9), min_size=count, max_size=count)
    points, ratings = data.draw(figures), data.draw(figures)
    for kind in ("swiss", "ladder"):
        played = pairings(plan_of(count, format=kind), number, points, ratings, set())
        agents = [agent for pair in played for agent in pair]
        assert len(set(agents)) == len(agents)
        assert len(played) >= (count - 1) // 2


def test_neighbours_meet_on_a_ladder() -> None:
    plan, ratings = plan_of(5, format="ladder"), [10.0, 50.0, 30.0, 40.0, 20.0]
    assert pairings(plan, 0, [], ratings, set()) == [(1, 3), (2, 4)]
    assert pairings(plan, 1, [], ratings, set()) == [(3, 2), (4, 0)]
