"""What each command prints when all is well."""

from __future__ import annotations

import io
import json
import re

import pytest

import plywise
from tests.docs.pages import the_game

# ---- games, show, perft ----------------------------------------------------------------------


@pytest.mark.slow
def test_the_rules_of_a_game_are_checked(run, file):
    done = run("check", "connect4:rows=4,cols=4", "--games", "3")
    assert done.out.startswith("18 laws hold in 3 random games: ends, moves, ")
    found = run("check", "tictactoe", "--games", "2", "--json").json
    assert "keys" in found["checked"]
    assert found["skipped"] == {}
    source = the_game().replace("sizes=lambda b: (b.rows * b.cols,", "sizes=lambda b: (3,")
    wrong = file("wrong.py", source)
    assert "`moves` writes more than 3 moves into out" in run("check", wrong).complaint
    assert run("check", "tictactoe", "--games", "0").complaint == "games must be at least 1, not 0"


def test_games_lists_every_game_with_parameters_and_agents(run):
    games = {game["name"]: game for game in run("games", "--json").json["games"]}
    assert {"connect4", "tictactoe"} <= set(games)
    assert [p["name"] for p in games["connect4"]["parameters"]] == ["rows", "cols", "inarow"]
    assert {"minimax", "seed"} <= set(games["tictactoe"]["agents"])
    text = run("games")
    assert text.code == 0
    assert "connect4  Connect-4." in text.out


def test_show_json_has_exactly_the_promised_keys(run):
    assert run("show", "connect4", "--moves", "4453", "--json").json == {
        "game": "connect4",
        "moves": ["4", "4", "5", "3"],
        "to_move": 1,
        "legal": ["1", "2", "3", "4", "5", "6", "7"],
        "over": False,
        "winner": None,
        "scores": None,
        "reason": None,
        "text": "7/7/7/7/3o3/2oxx2 x",
    }


@pytest.mark.parametrize(
    ("game", "moves", "winner", "reason"),
    [
        ("connect4", "1212121", 1, "four in a line"),
        ("connect4", "71212121", 2, "four in a line"),
        ("tictactoe", "a1 b2 c3 b1 b3 a3 c1 c2 a2", 0, "the board is full"),
    ],
)
def test_show_a_finished_game(run, game, moves, winner, reason):
    shown = run("show", game, "--moves", moves, "--json").json
    assert shown["over"]
    assert (shown["winner"], shown["reason"]) == (winner, reason)
    assert shown["to_move"] is None
    assert shown["legal"] == []
    verdict = "draw" if winner == 0 else f"player {winner} wins"
    assert run("show", game, "--moves", moves).out.endswith(f"{verdict}: {reason}\n")


def test_show_in_text(run):
    assert run("show", "tictactoe", "--moves", "b2 a1 c3").out.splitlines() == [
        "3  . . X",
        "2  . X .",
        "1  O . .",
        "   a b c",
        "",
        "player 2 to move",
        "legal: b1 c1 a2 c2 a3 b3",
    ]


def test_moves_continue_from_a_text(run):
    shown = run("show", "tictactoe", "--text", "2x/1x1/o2 o", "--moves", "a3", "--json").json
    assert shown["text"] == "o1x/1x1/o2 x"
    assert shown["moves"] == ["a3"]


def test_games_with_parameters(run):
    shown = run("show", "tictactoe:rows=3,cols=4", "--json").json
    assert shown["game"] == "tictactoe:cols=4"
    assert len(shown["legal"]) == 12


@pytest.mark.parametrize(
    ("game", "depth", "moves", "nodes"),
    [("tictactoe", 5, "", 15_120), ("connect4", 4, "", 2_401), ("connect4", 1, "1212121", 0)],
)
def test_perft(run, game, depth, moves, nodes):
    counted = run("perft", game, str(depth), "--moves", moves, "--json").json
    assert set(counted) == {"nodes", "seconds"}
    assert counted["nodes"] == nodes
    assert run("perft", game, str(depth), "--moves", moves).out.startswith(f"{nodes:,} nodes")


# ---- analyze ---------------------------------------------------------------------------------

ANALYSIS = {
    "best", "score", "score_kind", "value", "outcome", "plies_to_end", "pv", "depth", "nodes",
    "seconds",
}  # fmt: skip


def test_analyze_json(run):
    found = run(
        "analyze", "connect4", "--moves", "121212", "--agent", "minimax", "--depth", "2", "--json"
    ).json
    assert set(found) == ANALYSIS
    assert (found["best"], found["outcome"], found["plies_to_end"]) == ("1", "win", 1)
    assert (found["value"], found["score_kind"], found["depth"]) == (1.0, "connect4", 2)
    assert found["pv"] == ["1"]


def test_analyze_all_scores_every_legal_move(run):
    position = ("tictactoe", "--moves", "a1 b1 a2")
    arguments = ("analyze", *position, "--agent", "textbook:depth=6", "--all")
    found = run(*arguments, "--json").json
    assert set(found) == {*ANALYSIS, "lines"}
    assert [line["move"] for line in found["lines"]] == ["c1", "b2", "c2", "a3", "b3", "c3"]
    assert found["best"] == "a3"  # the only move that loses no sooner than in four plies
    assert [line["plies_to_end"] for line in found["lines"]] == [2, 2, 2, 4, 2, 2]
    text = run(*arguments).out
    assert "best a3: loss in 2 moves" in text
    assert text.count("loss in 1 move ") == 5


def test_analyze_keeps_to_its_limits(run):
    arguments = ("analyze", "connect4", "--agent", "textbook", "--json")
    assert run(*arguments, "--depth", "3").json["depth"] == 3
    assert run(*arguments, "--agent", "alphabeta:nodes=5000").json["nodes"] <= 5000
    found = run(*arguments, "--time", "0.05").json  # to the end it would take years
    assert found["best"] in set("1234567")
    assert found["outcome"] is None
    assert found["depth"] < 42


def test_analyze_thinks_for_a_second_unless_told_otherwise(run, monkeypatch):
    given = []

    def search(self, position, limits, on_info=None, stop=None, *, lines=False):
        given.append(limits)
        return plywise.Analysis(position.legal[0], 0.0, 0.0)

    monkeypatch.setattr("plywise.engines.textbook.Textbook.search", search)
    for arguments in (["textbook"], ["textbook:depth=3"], ["textbook", "--depth", "4"]):
        assert run("analyze", "tictactoe", "--agent", *arguments).code == 0
    assert given == [plywise.Limits(time=1.0), plywise.Limits(), plywise.Limits(depth=4)]


def test_what_an_agent_prints_stays_off_stdout(run, file):
    agent = file("chatty.py", "def get_move(state, player):\n    print('hm')\n    return 3\n")
    result = run("analyze", "connect4", "--agent", agent, "--json")
    assert result.json["best"] == "3"
    assert result.err == "hm\n"


def test_a_line_says_that_a_kernel_is_compiled(run, monkeypatch):
    from plywise.jit import kernels

    def search(self, position, *rest, **more):
        for name in ("one", "two"):  # as the jit room does when there is nothing on disk
            for listener in list(kernels._listeners):
                listener(name)
        return plywise.Analysis(position.legal[0], 0.0, 0.0)

    monkeypatch.setattr("plywise.engines.textbook.Textbook.search", search)
    result = run("analyze", "connect4", "--agent", "textbook", "--json")
    assert result.json["best"] == "1"
    words = "compiling a search for connect4 (first time only) ...\n"
    assert result.err == words


# ---- solve -----------------------------------------------------------------------------------

SOLVED = {
    "moves", "outcome", "score", "score_kind", "best", "plies_to_end", "pv", "nodes", "seconds",
}  # fmt: skip


def test_solve_one_position(run):
    solved = run("solve", "tictactoe", "--moves", "a1 b1 a2", "--json").json
    assert set(solved) == SOLVED
    assert solved["moves"] == ["a1", "b1", "a2"]
    assert (solved["outcome"], solved["best"]) == ("loss", "a3")
    assert run("solve", "tictactoe").out.startswith("start: draw")
    told = run("solve", "tictactoe", "--moves", "a1 b1 a2 b2").out
    assert told.startswith("a1 b1 a2 b2: win in 1 move, best a3 (")


def test_solve_tells_the_whole_sequence(run):
    solved = run("solve", "tictactoe", "--moves", "a1 b1 a2", "--json").json
    words = run("solve", "tictactoe", "--moves", "a1 b1 a2").out
    assert len(solved["pv"]) == solved["plies_to_end"]
    assert f", line {' '.join(solved['pv'])} (" in words


def test_solve_answers_what_comes_before_a_bad_line(run, file):
    """Also where a game's solver takes several lines at a time; games that are over count too."""
    positions = file("some.txt", "32164625\t11\n1212121\n4444444\n32164625\n")
    result = run("solve", "connect4", "--positions", positions, "--json")
    found = [json.loads(line) for line in result.out.splitlines()]
    assert found[0]["score"] == 11
    assert [(line["outcome"], line["best"]) for line in found] == [("win", "3"), ("loss", None)]
    assert result.complaint.startswith(f"{positions}, line 3: ")


def test_solve_a_file_of_positions(run, file):
    positions = file("some.txt", "a1 b1 a2 b2\t16\n\n \nb2 a1\tnot read\n")
    lines = run("solve", "tictactoe", "--positions", positions, "--json").out.splitlines()
    solved = [json.loads(line) for line in lines]
    assert [(each["moves"], each["outcome"]) for each in solved] == [
        (["a1", "b1", "a2", "b2"], "win"),
        (["b2", "a1"], "draw"),
    ]
    assert solved[0]["best"] == "a3"


def test_solve_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a1 b1 a2 b2\n"))
    assert run("solve", "tictactoe", "--positions", "-").out.startswith(
        "a1 b1 a2 b2: win in 1 move"
    )


@pytest.mark.parametrize(
    ("game", "moves", "outcome", "score", "kind"),
    [
        ("connect4", "1212121", "loss", -18, "connect4"),
        ("tictactoe", "a1 b2 c3 b1 b3 a3 c1 c2 a2", "draw", 0, "points"),
    ],
)
def test_solve_answers_a_finished_game(run, game, moves, outcome, score, kind):
    solved = run("solve", game, "--moves", moves, "--json").json
    assert (solved["outcome"], solved["score"], solved["score_kind"]) == (outcome, score, kind)
    assert (solved["best"], solved["plies_to_end"]) == (None, 0)


def test_solve_says_where_a_file_goes_wrong_after_the_answers_before(run, file):
    positions = file("some.txt", "a1 b1 a2 b2\n\na1 a1\nb2\n")
    result = run("solve", "tictactoe", "--positions", positions, "--json")
    assert json.loads(result.out)["outcome"] == "win"
    assert result.complaint.startswith(f"{positions}, line 3: move 2 of 2: 'a1' is not")


def test_solve_runs_out_of_time(run):
    board = "connect4:rows=7,cols=8"  # too large, also with what other tests have learnt
    solved = run("solve", board, "--time", "0.05", "--no-book", "--json").json
    assert solved["outcome"] is None
    assert solved["best"] in set("12345678")


# ---- match, warmup ---------------------------------------------------------------------------


def test_match_json(run):
    arguments = ("match", "tictactoe", "textbook:depth=9", "seed:depth=2", "--games", "4")
    played = run(*arguments, "--seed", "7", "--opening-plies", "2", "--json").json
    assert set(played) == {
        "game", "a", "b", "games", "wins", "draws", "losses", "score", "elo", "elo_low", "forfeits",
        "elo_high", "pairs", "superiority", "lead", "seconds_per_move", "seed",
    }  # fmt: skip
    assert played["game"] == "tictactoe"
    assert (played["a"], played["b"]) == ("textbook:depth=9", "seed:depth=2")
    assert played["wins"] + played["draws"] + played["losses"] == played["games"] == 4
    assert set(played["seconds_per_move"]) == {"a", "b"}
    assert played["seed"] == 7


def test_match_in_text(run):
    agents = ("textbook:depth=9", "minimax:depth=9")
    out = run("match", "tictactoe", *agents, "--games", "2", "--seed", "1").out
    assert "0 won, 2 drawn, 0 lost: 50.0%, Elo +0" in out
    assert "pairs (0, 1/2, 1, 1 1/2, 2): 0, 0, 1, 0, 0; LOS 50.0 %" in out
    assert re.search(r"^time per move: [0-9.]+ m?s, [0-9.]+ m?s$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("elo", "words"),
    [
        ((None, 166.2, None), "Elo at least +166 (95 %)"),
        ((None, None, -78.0), "Elo at most -78 (95 %)"),
        ((382.0, 12.0, None), "Elo +382 (95 %: at least +12)"),
        ((0.0, -50.0, 50.0), "Elo +0 (95 %: -50 to +50)"),
        ((None, None, None), "Elo unknown"),
    ],
)
def test_an_elo_difference_in_words(elo, words):
    from plywise.play.statistics import elo_words

    assert elo_words(*elo) == words


def test_a_failing_agent_loses_its_game_and_the_match_goes_on(run, file):
    agent = file(
        "tired.py",
        "games = []\n"
        "def get_move(state, player):\n"
        "    games.extend([1] if len(state.moves) < 2 else [])\n"
        "    return state.legal[0] if len(games) < 3 else None\n",
    )
    result = run("match", "tictactoe", agent, "textbook:depth=2", "--games", "5", "--json")
    assert result.code == 0
    assert result.json["games"] == 5
    assert "gave an invalid answer: 'None' is not a move" in result.json["forfeits"][0]["reason"]


@pytest.mark.slow
def test_warmup_compiles_nothing_the_second_time(run):
    first = run("warmup", "tictactoe", "--json").json
    assert set(first) == {"compiled", "cached", "seconds"}
    second = run("warmup", "tictactoe", "--json").json
    assert second["compiled"] == 0
    assert second["cached"] == first["compiled"] + first["cached"]


def test_a_match_ends_when_the_test_knows(run):
    arguments = ("match", "tictactoe", "textbook:depth=9", "random", "--seed", "1", "--sprt")
    found = run(*arguments, "0,200", "--json").json
    assert found["sprt"]["verdict"] == "better"
    assert found["games"] % 2 == 0
    assert found["games"] < 100
    text = run(*arguments, "0,200").out
    assert "A is better by 200 Elo points rather than 0; log-likelihood ratio +" in text
    few = run(*arguments, "0,200", "--games", "2").out
    assert "not decided yet" in few


@pytest.mark.slow
def test_a_tournament(run, tmp_path):
    plan, page = tmp_path / "plan.toml", tmp_path / "page.html"
    plan.write_text('game = "tictactoe"\nagents = ["random", "textbook:depth=9", "auto:level=1"]\n')
    table = tmp_path / "table.csv"
    text = run("arena", str(plan), "--html", str(page), "--csv", str(table)).out
    assert "tictactoe: round-robin, 6 games, seed 1" in text
    assert "points of the row against the column, in %" in text
    assert page.read_text().count("data-game=") == 6
    assert [line.split(",")[0] for line in table.read_text().splitlines()] == ["rank", *"123"]
    again = run("arena", str(plan), "--json").json
    assert again["games"] == 6
    assert [each["rank"] for each in again["standings"]] == [1, 2, 3]
    assert (tmp_path / "arena.sqlite").exists()
    names = [each["name"] for each in again["standings"]][:2]
    challenge = run("arena", str(plan), "--challenge", *names, "--games", "4").out
    assert challenge.startswith(f"{names[0]} against {names[1]}, 4 games that do not count: ")
    after = run("arena", str(plan), "--json").json
    assert after["games"] == again["games"]
    assert run("arena", str(plan), "--challenge", names[0], "nobody").complaint.startswith(
        "there is no agent 'nobody'"
    )


@pytest.mark.slow
def test_a_tournament_says_which_agents_do_not_start(run, tmp_path):
    (tmp_path / "good.py").write_text("def get_move(state, player):\n    return state.legal[0]\n")
    (tmp_path / "bad.py").write_text("import nothing_like_this\n")
    text = run("arena", str(tmp_path), "--game", "tictactoe", "--check").out
    assert "good   yes" in text
    assert "bad    no: the agent file" in text
    assert "nothing_like_this" in text
