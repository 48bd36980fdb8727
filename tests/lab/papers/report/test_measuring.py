"""Reports: a fair round robin, reproducible figures, and what is refused before it starts."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

import plywise
from lab.papers.report import Report, measure, measuring, plan_of, prepare, results
from lab.papers.report.pages import report_scene, report_text
from lab.papers.report.plans import Claim, Comparison, ReportPlan, Series, Table
from plywise import games
from plywise.core.game import AgentType
from plywise.core.scene import Label
from plywise.errors import SpecError, Unsupported
from plywise.play.match import Match
from plywise.play.series import play_match
from plywise.play.statistics import Share
from tests.kinds import altered
from tests.play.agents.making import write_agent

AGENTS = ("random", "seed:depth=2", "seed:depth=9")


def planned(plan: ReportPlan, *agents: str, **more) -> Report:
    """A report on Tic-Tac-Toe by a plan of one's own."""
    return prepare(plywise.game("tictactoe"), agents, plan=plan, **more)


def comparing(**changes) -> ReportPlan:
    """A plan that compares minimax with alpha-beta."""
    comparison = Comparison(
        title="pruning",
        claim="it prunes",
        series=(Series("cut", "textbook:depth={}"), Series("whole", "minimax:depth={}")),
        axis="depth",
        steps=(1, 2, 3),
        plies=(0, 1, 2),
        positions=6,
    )
    return ReportPlan("a test", AGENTS, 1, (), (replace(comparison, **changes),))


def quick(game: str | plywise.Game, *agents: str, **more) -> Report:
    made = plywise.game(game) if isinstance(game, str) else game
    return measure(prepare(made, agents, games=2, **more))


# ---- the round robin -----------------------------------------------------------------------


def test_everybody_meets_everybody() -> None:
    report = quick("tictactoe", *AGENTS)
    assert list(report.matches) == list(combinations(AGENTS, 2))
    assert {match.games for match in report.matches.values()} == {2}
    assert report.played == 6
    standings = report.standings()
    assert [standing.games for standing in standings] == [4, 4, 4]
    assert sum(standing.points for standing in standings) == 6
    shares = [standing.share for standing in standings]
    assert shares == sorted(shares, reverse=True)


def test_every_pair_has_the_same_openings_from_both_sides() -> None:
    seen: dict[int, set[str]] = {}
    played = [0]

    class Watching:
        name = "watching"

        def __init__(self, game: plywise.Game) -> None:
            pass

        def search(self, position, limits=None, on_info=None, stop=None, *, lines=False):
            if len(position.moves) in (2, 3):
                seen.setdefault(played[0], set()).add(" ".join(position.moves[:2]))
            return plywise.Analysis(position.legal[0], 0.0, 0.0)

    kind = plywise.game("tictactoe").type
    watching = AgentType(Watching)
    game = altered(kind, agents=dict.fromkeys("abc", watching))()
    report = prepare(game, ("a", "b", "c"), games=6, opening_plies=2)
    measure(report, on_step=lambda text: played.__setitem__(0, played[0] + 1))
    openings = [seen[number] for number in sorted(seen)]
    assert [len(opening) for opening in openings] == [1] * 18
    assert openings[0:4] == openings[4:8] == openings[8:12]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    # the second round
    assert openings[12:14] == openings[14:16] == openings[16:18]
    assert openings[12] == openings[13] not in openings[:4]


def test_the_same_seed_gives_the_same_report() -> None:
    def results(seed: int) -> list[tuple[int, int, int]]:
        matches = quick("connect4", "random", "seed:level=1", "seed:level=2", seed=seed).matches
        return [(match.wins, match.draws, match.losses) for match in matches.values()]

    assert results(3) == results(3)


def test_rounds_make_no_difference() -> None:
    agents = ("random", "seed:level=1")
    report = measure(prepare(plywise.game("connect4"), agents, games=6, opening_plies=3))
    whole = play_match(plywise.game("connect4"), *agents, games=6, seed=1, opening_plies=3)
    parts = report.matches[agents]
    for name in ("wins", "draws", "losses", "moves"):
        assert getattr(parts, name) == getattr(whole, name)


def test_a_match_is_seen_from_both_sides() -> None:
    report = quick("tictactoe", *AGENTS)
    one, other = report.against(*AGENTS[:2]), report.against(AGENTS[1], AGENTS[0])
    assert one is not None
    assert other is not None
    assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
    assert one.moves == other.moves[::-1]
    assert report.against("random", "random") is None


def test_times_are_those_of_all_moves() -> None:
    report = quick("tictactoe", *AGENTS)
    for agent in AGENTS:
        moves = sum(report.against(agent, other).moves[0] for other in AGENTS if other != agent)
        assert len(report.seconds[agent]) == moves
    standing = next(one for one in report.standings() if one.agent == "seed:depth=9")
    assert standing.seconds is not None
    assert 0 < standing.seconds[0] <= standing.seconds[1]


def test_an_agent_file_has_the_time_that_is_given(tmp_path) -> None:
    file = write_agent(tmp_path, "import time; time.sleep(30)")
    report = prepare(plywise.game("tictactoe"), (file, "seed:depth=1"), games=1)
    match = next(iter(measure(report, time=0.1).matches.values()))
    assert (match.losses, len(match.forfeits)) == (1, 1)
    assert "took more than 0.1 s" in match.forfeits[0].reason


def test_what_was_measured_before_a_stop_is_kept() -> None:
    report = prepare(plywise.game("tictactoe"), AGENTS, games=2)
    told = []

    def on_step(text: str) -> None:
        told.append(text)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(report, on_step=on_step)
    assert report.played == 3
    assert [standing.games for standing in report.standings()] != [0, 0, 0]
    assert report.to_json()["games"] == 3


def test_progress_comes_to_its_end() -> None:
    told: list[str] = []
    report = planned(comparing(), games=2)
    measure(report, on_step=told.append)
    assert len(told) == report.steps == 6 + results.REPEATS * 3 * 6
    assert told[0].startswith("random +")
    assert told[-1] == "pruning: depth 3"


# ---- comparisons ---------------------------------------------------------------------------


def test_searches_are_compared_on_the_same_positions() -> None:
    report = measure(planned(comparing(), games=2))
    (measured,) = report.measured
    assert len({position.key for position in measured.positions}) == 6
    for step, (cut, whole) in measured.efforts.items():
        for series, effort in (("textbook", cut), ("minimax", whole)):
            engine = plywise.engine(f"{series}:depth={step}", report.game)
            nodes = sum(engine.search(position).nodes for position in measured.positions)
            assert effort.nodes == nodes
            assert effort.seconds > 0
        assert (cut.same, whole.same) == (6, 6)
    ((label, nodes, seconds),) = measured.ratios(3)
    assert label == "whole"
    assert nodes == measured.efforts[3][1].nodes / measured.efforts[3][0].nodes > 1
    assert seconds is not None


def test_nodes_do_not_depend_on_the_machine() -> None:
    def nodes() -> list[int]:
        report = measure(planned(comparing(), games=2))
        return [each.nodes for efforts in report.measured[0].efforts.values() for each in efforts]

    assert nodes() == nodes()


def test_steps_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "ENOUGH", 2000)
    measured = measure(planned(comparing(steps=(1, 2, 3, 4, 5)), games=2)).measured[0]
    done = tuple(measured.efforts)
    assert 2 <= len(done) < 5
    assert measured.left_out == (1, 2, 3, 4, 5)[len(done) :]
    assert measured.to_json()["left_out"] == list(measured.left_out)


def test_middle_first_saves_nodes_and_changes_no_move() -> None:
    game = plywise.game("connect4")
    middle = plywise.engine("seed:level=3", game)
    left = plywise.engine("seed:level=3,order=left", game)
    assert left.name == "seed:level=3,order=left"
    report = prepare(game, quick=True)
    (measured,) = report.measured
    nodes = [0, 0]
    for position in measured.positions:
        found = [engine.search(position, lines=True) for engine in (middle, left)]
        assert found[0].best == found[1].best
        assert [line.score for line in found[0].lines] == [line.score for line in found[1].lines]
        nodes = [total + each.nodes for total, each in zip(nodes, found, strict=True)]
    assert nodes[0] < nodes[1]


# ---- a game's own tables -------------------------------------------------------------------


def test_tables_are_filled_row_by_row() -> None:
    asked = []

    def row(game: plywise.Game, case: str, quick: bool) -> tuple[int, ...]:
        asked.append((game.name, case, quick))
        return () if case == "none" else (len(case), 7)

    plan = ReportPlan(
        "a test",
        AGENTS,
        1,
        tables=(Table("letters", ("case", "n", "m"), ("a", "none", "bb"), row),),
    )
    told: list[str] = []
    report = planned(plan, games=1, quick=True)
    measure(report, on_step=told.append)
    assert len(told) == report.steps
    assert asked == [("tictactoe", case, True) for case in ("a", "none", "bb")]
    rows = [{"case": "a", "n": 1, "m": 7}, {"case": "bb", "n": 2, "m": 7}]
    (table,) = report.to_json()["tables"]
    assert (table["title"], table["rows"], table["verdict"]) == ("letters", rows, None)
    text = "\n".join(report_text(report))
    assert "letters\ncase  n  m\na     1  7\nbb    2  7" in text
    assert planned(plan, *AGENTS).tables == []


# ---- verdicts ------------------------------------------------------------------------------


def match_of(a: str, b: str, wins: int, losses: int) -> Match:
    return Match("tictactoe", a, b, seed=1, wins=wins, losses=losses)


def test_a_claim_is_confirmed_refuted_or_undecided_by_its_games() -> None:
    claim = Claim("deeper is better", (("b", "a"), ("c", "b"), ("c", "a")))
    plan = ReportPlan("a test", AGENTS, 1)
    report = planned(plan, games=1)
    assert report.verdict(claim) == "undecided"  # no games yet
    report.matches = {("a", "b"): match_of("a", "b", 0, 20)}
    assert report.verdict(claim) == "of 3 pairs confirmed by 1, 2 undecided"
    report.matches["b", "c"] = match_of("b", "c", 20, 0)
    report.matches["a", "c"] = match_of("a", "c", 9, 11)
    assert report.verdict(claim) == "of 3 pairs confirmed by 1, refuted by 1, 1 undecided"
    only = replace(claim, pairs=(("b", "c"),))
    assert report.verdict(only) == "confirmed"


def test_games_of_points_are_decided_by_the_lead() -> None:
    game = plywise.game("align:size=4")
    report = quick(game, "random", "textbook:depth=2", opening_plies=2)
    ((pair, match),) = report.matches.items()
    assert len(match.margins) == 2
    claim = Claim("it is better", (pair[::-1],))
    assert report.verdict(claim) == "undecided"  # a single opening says nothing
    report.claims = (claim,)
    report.matches[pair] = replace(match, wins=2, losses=2, margins=(-30, 10, -31, 9))
    assert report.verdict(claim) == "confirmed"
    text = "\n".join(report_text(report))
    assert "-10.5 (-" in text
    assert ", a lead of 10.5 (" in text
    assert report.to_json()["matches"][0]["lead"]["mean"] == -10.5
    drawn = [shape.text for shape in report_scene(report).shapes if isinstance(shape, Label)]
    assert {"-10.5", "+10.5"} <= set(drawn)


def test_a_table_has_shares_a_verdict_and_a_picture() -> None:
    table = Table(
        "how often",
        ("case", "found"),
        ("one", "two"),
        lambda game, case, quick: (Share(len(case), 4),),
        claim="always",
        drawn={"found": "share"},
        verdict=lambda rows: f"{len(rows)} rows",
    )
    report = planned(ReportPlan("a test", AGENTS, 1, tables=(table,)), parts=["tables"])
    assert report.empty
    (filled,) = report.tables
    filled.rows.append(("one", Share(3, 4)))
    assert filled.verdict is None  # not before it is complete
    filled.rows.clear()
    assert measure(report).played == 0
    assert not report.empty
    text = "\n".join(report_text(report))
    assert 'how often: "always"\ncase  found\none   75 % (30 to 95)' in text
    assert "verdict: 2 rows" in text
    assert report.to_json()["tables"][0]["rows"][0]["found"]["share"] == 0.75
    drawn = [shape.text for shape in report_scene(report).shapes if isinstance(shape, Label)]
    assert {"How often", '"always"', "2 rows", "75%"} <= set(drawn)


def test_a_comparison_has_the_published_figures_and_a_verdict() -> None:
    plan = comparing(published={2: "four seconds"}, verdict=lambda efforts: f"{len(efforts)} steps")
    report = planned(plan, quick=True, parts=["comparisons"])
    measure(report)
    text = "\n".join(report_text(report))
    assert "depth  the paper     nodes, cut" in text
    assert "2      four seconds" in text
    assert "verdict: 3 steps" in text


def test_a_report_has_no_other_parts() -> None:
    with pytest.raises(SpecError, match="no part 'tabels': choose from games, comparisons, tables"):
        prepare(plywise.game("tictactoe"), parts=["tabels"])
    with pytest.raises(SpecError, match="leave out the agents or the parts"):
        prepare(plywise.game("tictactoe"), AGENTS, parts=["tables"])


# ---- plans ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.names())
def test_every_plan_can_be_run(name: str) -> None:
    report = prepare(plywise.game(name), quick=True)
    assert len(report.agents) >= 2
    assert len(report.claims) == len(plan_of(report.game).claims)
    for measured in report.measured:
        for series in measured.comparison.series:
            for step in measured.comparison.steps:
                plywise.engine(series.spec.format(step), report.game)


def test_a_game_without_a_plan() -> None:
    game = replace(plywise.game("connect4").type, name="four")()
    report = prepare(game, quick=True)
    assert {"random", "seed", "auto"} <= set(report.agents)
    assert (report.claims, report.measured) == ((), [])


def test_agents_of_ones_own_leave_the_plan_out() -> None:
    report = prepare(plywise.game("connect4"), ("seed:level=1", "random"))
    assert (report.title, report.claims, report.measured) == ("a round robin", (), [])
    both = planned(ReportPlan("", AGENTS, 1, (Claim("so", (AGENTS[:2],)),)), *AGENTS)
    assert len(both.claims) == 1


def test_small_boards() -> None:
    assert prepare(plywise.game("connect4:rows=4,cols=4"), quick=True).measured[0].positions


@pytest.mark.parametrize(
    ("agents", "more", "words"),
    [
        (("seed",), {}, "a round robin needs two or more agents, not only seed"),
        (("seed", "human"), {}, "human is not an agent"),
        (("seed", "nobody"), {}, "there is no agent 'nobody'"),
        (("seed", "random", "seed"), {}, "seed is listed twice"),
        ((), {"games": 0}, "games must be at least 1"),
        ((), {"opening_plies": -1}, "opening_plies must be at least 0"),
    ],
)
def test_refused_before_the_first_game(agents, more, words) -> None:
    with pytest.raises(SpecError, match=words):
        prepare(plywise.game("tictactoe"), agents, **more)


def test_an_opening_longer_than_the_game() -> None:
    with pytest.raises(Unsupported, match="use fewer"):
        prepare(plywise.game("tictactoe"), opening_plies=9)


# ---- figures -------------------------------------------------------------------------------


@pytest.mark.slow
def test_workers_do_not_change_a_report() -> None:
    """The same games as in one match, whoever plays them; agents that look at no clock."""
    game, agents = plywise.game("tictactoe"), ("random", "textbook:depth=1", "textbook:depth=2")
    for workers in (1, 2):
        report = prepare(game, agents, games=11, seed=3, opening_plies=2)
        measure(report, workers=workers)
        for pair, match in report.matches.items():
            whole = play_match(game, *pair, games=11, seed=3, opening_plies=2)
            assert replace(match, seconds=whole.seconds) == whole
        assert {name: len(each) for name, each in report.seconds.items()} == {
            name: sum(
                match.moves[pair.index(name)]
                for pair, match in report.matches.items()
                if name in pair
            )
            for name in agents
        }
