"""Tournaments: every game is kept, none is doubled, whatever happens."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.arena import games
from plywise.arena.games import Task, play
from plywise.arena.page import page
from plywise.arena.plan import Entry, Plan
from plywise.arena.results import Row
from plywise.arena.standings import cross_table, table_of
from plywise.arena.tournament import Tournament
from plywise.core.analysis import Analysis
from plywise.core.position import Position
from plywise.core.workers import LocalWorkers, Workers
from plywise.errors import SpecError
from plywise.play.series import Played
from tests.awkward import LIST, SHIPPED

SPECS = ("random", "textbook:depth=1", "textbook:depth=3", "textbook:depth=2")


def plan_of(*specs: str, **given: Any) -> Plan:
    entries = tuple(Entry(spec, spec) for spec in specs or SPECS)
    return Plan("tictactoe", entries, **given)


def facts(file: Path) -> list[tuple[Any, ...]]:
    """What a file has of each game, but for seconds."""
    with sqlite3.connect(file) as base:
        return base.execute(
            'select edition, round, "table", number, first, second, winner, moves, plies, failure, '
            "reason "
            'from games order by edition, round, "table", number'
        ).fetchall()


def played(plan: Plan, file: Path, workers: Workers[Task, Played] | None = None) -> Tournament:
    tournament = Tournament(plan, file)
    with workers or Workers(play) as playing:
        tournament.run(playing)
    tournament.close()
    return tournament


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_every_format_comes_to_its_end(tmp_path: Path, format: str) -> None:
    plan = plan_of(*SPECS, "random:seed=3", format=format)
    told: list[tuple[int, int]] = []
    tournament = Tournament(plan, tmp_path / "results")
    tournament.run(Workers(play), lambda _: told.append((len(tournament.rows), tournament.games)))
    assert told == [(number, tournament.games) for number in range(1, tournament.games + 1)]
    table = tournament.table()
    assert sum(each.points for each in table.standings) == table.games == tournament.games
    assert [each.rank for each in table.standings] == [1, 2, 3, 4, 5]
    tournament.close()


def test_each_opening_is_played_from_both_sides(tmp_path: Path) -> None:
    rows = played(plan_of(games=4, plies=3), tmp_path / "results").rows
    for one, two in zip(rows[::2], rows[1::2], strict=True):
        assert (one.first, one.second) == (two.second, two.first)
        assert one.played.moves.split()[:3] == two.played.moves.split()[:3]


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    plan, whole, file = plan_of(games=4), tmp_path / "whole", tmp_path / "part"
    played(plan, whole)

    class Enough(Exception):
        pass

    def stop(_: int) -> None:
        if len(tournament.rows) in (1, 7, 8, 20):
            raise Enough

    for _ in range(5):
        tournament = Tournament(plan, file)
        try:
            tournament.run(Workers(play), stop)
        except Enough:
            pass
        finally:
            tournament.close()
    assert facts(file) == facts(whole)


@pytest.mark.slow
def test_several_workers_play_the_same_games(tmp_path: Path) -> None:
    plan = plan_of(format="swiss")
    played(plan, tmp_path / "one")
    played(plan, tmp_path / "two", LocalWorkers(play, 2))
    assert facts(tmp_path / "one") == facts(tmp_path / "two")


def kill_often(tmp_path: Path, count: int, rng: random.Random) -> None:
    """Kill a tournament at random moments, and compare it with one that nobody disturbed."""
    names = [f"random:seed={number}" for number in range(5)]
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "tictactoe"\ngames = {10 * count}\nagents = {json.dumps(names)}\n')
    whole, often = tmp_path / "whole", tmp_path / "often"
    command = [sys.executable, "-m", "plywise", "arena", str(plan), "--json", "--results"]

    def finish(file: Path) -> Any:
        done = subprocess.run([*command, str(file)], check=True, capture_output=True)
        return json.loads(done.stdout)

    def kept() -> int:
        with suppress(sqlite3.Error):
            return len(facts(often))
        return 0

    table = finish(whole)
    after = []
    for _ in range(count):
        before = kept()
        process = subprocess.Popen(
            [*command, str(often)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while kept() == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.uniform(0.0, 0.1))
        process.kill()
        process.wait()
        after.append(kept())
    assert any(0 < each < len(facts(whole)) for each in after), "it was never in the middle"
    again = finish(often)
    assert facts(often) == facts(whole)
    for each in (table, again):
        for standing in each["standings"]:
            del standing["slowest"], standing["seconds"]
    assert again == table


@pytest.mark.slow
def test_a_tournament_that_is_killed(tmp_path: Path) -> None:
    kill_often(tmp_path, 3, random.Random(1))


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_tournament_that_is_killed_a_hundred_times(tmp_path: Path, part: int) -> None:
    kill_often(tmp_path, 10, random.Random(f"killed {part}"))


def test_another_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results"
    played(plan_of("random", "random:seed=2"), file)
    with pytest.raises(SpecError, match=r"another plan \(games, seed\)"):
        Tournament(plan_of("random", "random:seed=2", games=4, seed=2), file)
    with sqlite3.connect(file) as base:
        base.execute("delete from plan")
    base.close()
    with pytest.raises(SpecError, match="cannot be used"):
        Tournament(plan_of(), file)
    file.write_text("nonsense" * 100)
    with pytest.raises(SpecError, match="cannot be used"):
        Tournament(plan_of(), file)


@pytest.mark.slow
def test_agents_that_fail_lose_their_games_and_say_why(tmp_path: Path) -> None:
    bad = {
        "crash": "raise ValueError('no idea')",
        "illegal": "return 'z9'",
        "time": "import time; time.sleep(60)",
    }
    agents = [Entry("random", "random")]
    for name, body in bad.items():
        file = tmp_path / f"{name}.py"
        file.write_text(f"def get_move(state, player):\n    {body}\n")
        agents.append(Entry(name, str(file)))
    (tmp_path / "broken.py").write_text("def get_move(state, player:\n")
    agents.append(Entry("broken", str(tmp_path / "broken.py")))
    plan = Plan("tictactoe", tuple(agents), format="gauntlet", time="0.3 a move", plies=0)
    tournament = Tournament(plan, tmp_path / "results")
    assert [(entry.name, "SyntaxError" in fault) for entry, fault in tournament.faults()] == [
        ("broken", True)
    ]
    found = {each.name: each for each in tournament.run(Workers(play)).standings}
    tournament.close()
    assert found["random"].wins == 8
    for name in bad:
        assert found[name].failures[name] == 2, found[name]
    assert found["broken"].failures["crash"] == 2
    assert "no idea" in found["crash"].reason
    assert "took more than 0.3 s" in found["time"].reason


def row(number: int, first: int, second: int, winner: int) -> Row:
    nothing = 0.0, 0.0
    return Row((0, 0, 0, number), first, second, Played(winner, "", 0, nothing, (1, 1), nothing))


def test_pairs_are_counted_once_from_each_side() -> None:
    rows = [row(0, 0, 1, 1), row(1, 1, 0, 1), row(2, 0, 1, 1), row(3, 1, 0, 2), row(4, 0, 1, 1)]
    cross = cross_table(rows)
    assert cross[0, 1].counts == (0, 0, 1, 0, 1)
    assert cross[1, 0].counts == (1, 0, 1, 0, 0)


def test_split_pairs_make_ratings_certain() -> None:
    """Where player 1 always wins, equal agents are known to be equal."""
    plan = plan_of("random", "random:seed=2")
    split = [row(number, number % 2, 1 - number % 2, 1) for number in range(100)]
    rng = random.Random(1)
    luck = [row(number, number % 2, 1 - number % 2, rng.choice((1, 2))) for number in range(100)]
    errors = [table_of(plan, rows).standings[0].error for rows in (split, luck)]
    assert errors[0] is not None
    assert errors[1] is not None
    assert errors[0] < errors[1] / 3


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_whoever_wins_most_is_first(format: str) -> None:
    """The agents are listed in another order than that of their strength."""
    strength = (2, 0, 3, 1)
    plan = plan_of(*(f"random:seed={number}" for number in range(4)), format=format)
    rows = []
    for one, two in combinations(range(4), 2):
        for game in range(10):
            first, second = (one, two) if game % 2 == 0 else (two, one)
            better = 1 if strength[first] > strength[second] else 2
            rows.append(row(len(rows), first, second, better if game else 3 - better))
    standings = table_of(plan, rows).standings
    assert [each.rank for each in standings] == [1, 2, 3, 4]
    assert [strength[each.number] for each in standings] == [3, 2, 1, 0]
    assert [each.points for each in standings] == [27, 19, 11, 3]


#: A plan names its game: those that tests define have no name that a worker could know.
NAMED = [*SHIPPED, *(spec for each in LIST if ".py" in (spec := each.make().spec))]


@pytest.mark.parametrize("spec", NAMED, ids=lambda spec: Path(spec).name)
def test_results_are_those_of_the_moves(tmp_path: Path, spec: str) -> None:
    """Whoever moved last or twice: the winner is the agent whose side won on the board."""
    plan = replace(plan_of("random", "random:seed=2", plies=0), game=spec)
    tournament = played(plan, tmp_path / "results")
    assert tournament.rows
    won = [0.0, 0.0]
    for each in tournament.rows:
        end = plywise.game(spec).position(each.played.moves)
        assert end.over
        assert each.played.winner == end.winner
        won[each.first] += {1: 1.0, 2: 0.0, 0: 0.5}[end.winner]
        won[each.second] += {1: 0.0, 2: 1.0, 0: 0.5}[end.winner]
    assert {each.number: each.points for each in tournament.table().standings} == dict(
        enumerate(won)
    )


def test_the_page_has_every_game(tmp_path: Path) -> None:
    plan = replace(
        plan_of("random", "random:seed=2"),
        agents=(Entry("<b>one</b>", "random"), Entry("two", "random:seed=2")),
    )
    tournament = played(plan, tmp_path / "results")
    text = page(tournament.snapshot())
    assert "&lt;b&gt;one&lt;/b&gt;" in text
    assert "<b>one" not in text
    assert text.count("data-game=") == 2
    data = json.loads(text.partition('id="replays">')[2].partition("</script>")[0])
    for each, kept in zip(data["games"], tournament.rows, strict=True):
        assert each["moves"] == kept.played.moves.split()
        assert len(each["frames"]) == len(each["moves"]) + 1
        assert next(data["lines"][line] for line in each["frames"][0]).count(".") == 3


@pytest.mark.long
def test_no_game_depends_on_those_before_it(tmp_path: Path) -> None:
    """An agent that counts its moves, in a tournament with and without interruptions."""
    counts = "moves = 0\n\ndef get_move(state, player):\n    global moves\n    moves += 1\n"
    counts += "    return state.legal[moves % len(state.legal)]\n"
    (tmp_path / "counts.py").write_text(counts)
    agents = Entry("counts", str(tmp_path / "counts.py")), Entry("other", "textbook:depth=1")
    plan = Plan("tictactoe", agents, games=6)
    played(plan, tmp_path / "whole")
    part = tmp_path / "part"

    class Enough(Exception):
        pass

    def stop(_: Any) -> None:
        raise Enough

    for _ in range(2):
        tournament = Tournament(plan, part)
        with suppress(Enough):
            tournament.run(Workers(play), stop)
        tournament.close()
    played(plan, part)
    assert facts(part) == facts(tmp_path / "whole")


def test_games_can_be_watched_while_they_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, plain = plan_of("random", "textbook:depth=1"), games.shown

    def watched(file: Path) -> tuple[list[games.Playing], Tournament]:
        seen: list[games.Playing] = []

        @contextmanager
        def shown(task: Task) -> Iterator[Callable[[Position, Analysis], None]]:
            with plain(task) as show:

                def on_move(position: Position, analysis: Analysis) -> None:
                    show(position, analysis)
                    seen.extend(games.playing(file, 5))

                yield on_move

        monkeypatch.setattr(games, "shown", shown)
        tournament = Tournament(plan, file)
        after: list[games.Playing] = []
        tournament.run(Workers(play), lambda _: after.extend(games.playing(file, 5)))
        tournament.close()
        assert after == []
        return seen, tournament

    assert watched(tmp_path / "quick")[0] == [], "a quick game is not written"
    monkeypatch.setattr(games, "PAUSE", 0.0)
    seen, tournament = watched(tmp_path / "slow")
    whole = [row.played.moves.split() for row in tournament.rows]
    assert [list(each.moves) for each in seen] == [
        moves[:count] for moves in whole for count in range(plan.plies + 1, len(moves) + 1)
    ]
    assert {(each.first, each.second) for each in seen} == {
        ("random", "textbook:depth=1"),
        ("textbook:depth=1", "random"),
    }
    assert not games.live_folder(tmp_path / "slow").exists()
    assert facts(tmp_path / "slow") == facts(tmp_path / "quick")
