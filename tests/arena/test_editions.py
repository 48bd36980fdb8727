"""Agents that come, go and change from night to night, and challenges that never count."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plywise.arena.games import play, tasks
from plywise.arena.page import page
from plywise.arena.plan import Entry, Plan
from plywise.arena.results import read_results
from plywise.arena.tournament import Tournament
from plywise.core.workers import Workers
from plywise.errors import SpecError
from tests.arena.test_tournaments import SPECS, facts, plan_of, played
from tests.commands import Run


class Counting(Workers[Any, Any]):
    """Plays games and counts who met whom."""

    def __init__(self) -> None:
        super().__init__(play)
        self.met: Counter[frozenset[str]] = Counter()

    def run(self, tasks: Any) -> Any:
        for task, found in super().run(tasks):
            self.met[frozenset(entry.spec for entry in task.agents)] += 1
            yield task, found


def night(plan: Plan, file: Path) -> tuple[Tournament, Counter[frozenset[str]]]:
    """Run the same command again; return the tournament and the games that were new."""
    workers = Counting()
    return played(plan, file, workers), workers.met


def met(*pairs: tuple[str, str], games: int = 2) -> dict[frozenset[str], int]:
    return {frozenset(pair): games for pair in pairs}


A, B, C, D = SPECS


def test_only_what_is_missing_is_played_when_agents_change(tmp_path: Path) -> None:
    file = tmp_path / "results"
    _, new = night(plan_of(A, B, C), file)
    assert new == met((A, B), (A, C), (B, C))
    first = facts(file)
    assert night(plan_of(A, B, C), file)[1] == {}

    changed = (Entry(A, A), Entry(B, B), Entry(C, D))  # the third has another version
    tournament, new = night(Plan("tictactoe", changed), file)
    assert new == met((A, D), (B, D))
    assert tournament.results.new == [C]
    assert facts(file)[: len(first)] == first, "the games of the old version are kept"
    table = tournament.table()
    assert {each.name: each.games for each in table.standings} == {A: 4, B: 4, C: 4}

    tournament, new = night(plan_of(A, B, C), file)  # and back again
    assert new == {}
    assert [row.played.moves for row in tournament.rows] == [row[7] for row in first]


def test_an_agent_more_and_one_less(tmp_path: Path) -> None:
    file = tmp_path / "results"
    night(plan_of(A, B, C, games=4), file)
    tournament, new = night(plan_of(A, C, D, games=4), file)
    assert new == met((A, D), (C, D), games=4)
    assert {each.name: each.games for each in tournament.table().standings} == {A: 8, C: 8, D: 8}
    assert tournament.games == len(tournament.rows) == 12


def test_an_edition_that_was_interrupted_is_completed_in_pairs(tmp_path: Path) -> None:
    file = tmp_path / "results"
    tournament = Tournament(plan_of(A, B, games=6), file)
    for count, task in enumerate(tournament._missing(0)):
        if count < 3:  # a pair and a half
            tournament.results.add(task, play(task))
    tournament.close()
    tournament, new = night(plan_of(A, B, C, games=6), file)
    assert new == {**met((A, B), games=4), **met((A, C), (B, C), games=6)}
    assert len(tournament.rows) == tournament.games == 18
    assert all(pairs.count == 3 for pairs in tournament.table().cross.values())


def test_a_ladder_goes_on_with_new_games_and_a_swiss_tournament_starts_again(
    tmp_path: Path,
) -> None:
    for format, carried in (("ladder", 6), ("swiss", 0)):
        file = tmp_path / format
        one, _ = night(plan_of(A, B, format=format, rounds=6), file)
        plan = plan_of(A, B, C, format=format, rounds=6)
        two, _ = night(plan, file)
        kept = [row for row in two.rows if row.key[0] == 0]
        assert kept == (one.rows if carried else [])
        assert len(two.rows) == two.games
        same, other = (next(tasks(plan, 0, [(0, 1)], None, edition)) for edition in (0, 1))
        assert same.seed != other.seed
        assert not {*same.seeds} & {*other.seeds}


def test_a_file_of_another_version_is_refused_and_not_touched(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "results"
    played(plan_of(A, B), file)
    with sqlite3.connect(file) as base:
        base.execute("update plan set version = 2")
        base.execute("drop table editions")
    base.close()
    before = file.read_bytes()
    said = (
        f"{file} was made by another version of plywise (its tables have version 2, this one has 1)"
        ": use that version, or another file"
    )
    for opened in (lambda: Tournament(plan_of(A, B), file), lambda: read_results(file)):
        with pytest.raises(SpecError) as caught:
            opened()
        assert str(caught.value) == said
    assert said in run("serve", "--port", "0", str(file)).complaint
    assert file.read_bytes() == before


def test_one_process_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = Tournament(plan_of(), tmp_path / "results")
    with pytest.raises(SpecError, match="another process is playing"):
        Tournament(plan_of(), tmp_path / "results")
    first.close()
    Tournament(plan_of(), tmp_path / "results").close()


def test_challenges_never_count(tmp_path: Path) -> None:
    file = tmp_path / "results"
    plan = plan_of(A, B)
    played(plan, file)
    tournament = Tournament(plan, file)
    before = tournament.table()
    games = [tournament.challenge(B, A, 4, Workers(play)) for _ in range(2)]
    assert tournament.table() == before
    assert [len(each) for each in games] == [4, 4]
    assert [row.played.moves for row in games[0]] != [row.played.moves for row in games[1]]
    tournament.close()
    again = Tournament(plan, file)
    assert again.table() == before
    assert again.challenges == [*games[0], *games[1]]
    text = page(again.snapshot())
    assert text.count("data-game=") == 2 + 8
    again.close()
    assert read_results(file)[2] == [*games[0], *games[1]]
    with pytest.raises(SpecError, match="cannot challenge itself"):
        again.challenge(A, A, 2, Workers(play))


@pytest.mark.long
def test_a_line_for_cron(tmp_path: Path, run: Run) -> None:
    """The same command every night, whatever students have handed in by then."""
    folder, page, table = tmp_path / "class", tmp_path / "page.html", tmp_path / "table.csv"
    folder.mkdir()
    (folder / "arena.toml").write_text('game = "tictactoe"\n')
    agent = "def get_move(state, player):\n    return state.legal[{}]\n"
    line = "arena", str(folder), "--html", str(page), "--csv", str(table)
    for name in ("anna", "ben"):
        (folder / f"{name}.py").write_text(agent.format(0))
    first = run(*line).out
    assert "2 games" in first
    assert run(*line).out == first
    (folder / "ben.py").write_text(agent.format(-1))
    (folder / "carla.py").write_text("def get_move(state, player:\n")
    changed = run(*line)
    assert "6 games" in changed.out
    assert "new or changed since the last time: ben, carla" in changed.err
    assert [line.split(",")[1] for line in table.read_text().splitlines()[1:]][-1] == "carla"
