"""Puzzles over HTTP: reading, checking, hints, new puzzles; nonsense is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.puzzles import slither
from plywise.puzzles.slither.formats import FORMATS, WRITERS
from plywise.puzzles.slither.grid import CROSS, LINE, Drawing
from plywise.views.guide import sample_solution
from plywise.web.api import puzzle_kinds
from plywise.web.api import puzzles as api
from plywise.web.api.schemas import Sample
from plywise.web.settings import Settings
from tests.web.steps import HOURS, fits, refused

PUZZLE = slither.read(slither.DEFAULT)
LOOP = sample_solution(slither.PUZZLE)
API = "/api/puzzles/slither"
EMPTY = "0" * PUZZLE.lines


@pytest.fixture
def settings() -> Settings:
    """Time enough for whatever is asked here, on any machine."""
    return Settings(warm_up=False, answer_seconds=HOURS)


def ask(client: TestClient, what: str, **asked: Any) -> Any:
    answer = client.post(f"{API}{what}", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def states(*moves: str) -> str:
    attempt = Attempt(slither.PUZZLE, PUZZLE)
    for move in moves:
        attempt = attempt.play(move)
    return "".join(map(str, attempt.states))


def test_the_kinds_and_the_sample(client: TestClient) -> None:
    (kind,) = client.get("/api/puzzles").json()["puzzles"]
    fits(puzzle_kinds.PuzzleKind, kind)
    assert kind["name"] == "slither"
    sample = client.get(f"{API}/sample").json()
    fits(Sample, sample)
    assert len(sample["frames"]) == 17
    assert "solved" in kind["picture"]["title"]
    assert client.get("/puzzle/slither").status_code == 200


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_opened(client: TestClient, name: str) -> None:
    found = ask(client, "", puzzle=slither.write(PUZZLE, name))
    fits(api.Puzzle, found)
    assert found["id"] == "slither/5/5/h7023722b8178cg"
    assert (found["rows"], found["cols"], found["facts"]) == (5, 5, "13 clues")
    assert found["status"] == "unique"
    assert found["states"] == EMPTY
    assert [target["move"] for target in found["scene"]["targets"]] == [
        PUZZLE.move_name(line) for line in range(PUZZLE.lines)
    ]


def test_the_board_does_not_wait_for_the_solver(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = slither.write(PUZZLE, next(iter(FORMATS)))
    assert ask(client, "/status", puzzle=text) == {"status": "unique"}

    def solve(*_: object) -> None:
        raise AssertionError("the solver was asked")

    monkeypatch.setattr("plywise.web.api.puzzles._verdict", solve)
    found = ask(client, "", puzzle=text, counted=False)
    fits(api.Puzzle, found)
    assert found["status"] is None
    assert found["scene"]["targets"]


def test_every_mark_can_be_drawn(client: TestClient) -> None:
    """Two ways, across and down, each with a line and a cross about the middle of its place."""
    found = ask(client, "")
    assert len(found["looks"]) == 2
    assert len(found["look"]) == len(found["middles"]) == PUZZLE.lines
    for line, cross in found["looks"]:
        assert [shape["kind"] for shape in (*line, *cross)] == ["line", "path"]
        start, end = line[0]["start"], line[0]["end"]
        assert [a + b for a, b in zip(start, end, strict=True)] == [0, 0]


def test_there_is_no_other_puzzle(client: TestClient) -> None:
    for path in ("", "/new", "/hint", "/solve"):
        answer = client.post(f"/api/puzzles/slitherr{path}", json={"puzzle": "", "states": ""})
        assert answer.status_code in (404, 422)
    assert "did you mean 'slither'" in refused(client.post("/api/puzzles/slitherr", json={}), 404)
    assert client.get("/api/puzzles/slitherr/sample").status_code == 404


def test_what_is_drawn_in_a_file_comes_along(client: TestClient) -> None:
    drawing = Drawing.empty(PUZZLE).change([(0, LINE), (1, CROSS)])
    found = ask(client, "", puzzle=slither.write(drawing, "pzprv3"))
    assert found["states"].startswith("120")


def test_nothing_is_the_usual_puzzle(client: TestClient) -> None:
    assert ask(client, "")["id"] == "slither/5/5/h7023722b8178cg"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"puzzle": "..5"}, "line 1, column 3: found '5'; expected a clue 0 to 4, or '.' for none"),
        ({"puzzle": "100x100t0:" + "z" * 400}, "100 x 100 cells|10400 cells"),
        ({"puzzle": "50x50t0:" + "z" * 96 + "d"}, "at most 1600 cells"),
        ({"puzzle": "." * 20_001}, "puzzle: "),
        ({"puzzle": 7}, "puzzle: "),
        ({"text": "33"}, "unknown field 'text'"),
    ],
)
def test_what_is_no_puzzle(client: TestClient, asked: Any, message: str) -> None:
    import re

    assert re.search(message, refused(client.post(API, json=asked), 422))


def test_standing(client: TestClient) -> None:
    found = ask(client, "/standing", puzzle=slither.DEFAULT, states=states("1 1 t"))
    fits(api.Progress, found)
    assert not found["solved"]
    assert [shape["id"] for shape in found["sides"]] == ["side 1 1"]
    loop = states(*LOOP)
    assert ask(client, "/standing", puzzle=slither.DEFAULT, states=loop)["solved"]


def test_standing_notes_complete_clues_and_broken_rules(client: TestClient) -> None:
    drawn = states("1 3 t", "1 3 l", "1 5 t", "5 1 l", "5 1 b", "x 5 2 b", "x 5 2 l")
    asked = {"puzzle": slither.DEFAULT, "states": drawn, "coloured": False}
    found = ask(client, "/standing", **asked)
    fits(api.Progress, found)
    assert found["sides"] == []
    assert found["done"] == ["clue 1 3"]
    assert found["broken"] == ["clue 1 5"]
    assert found["wrong"] == ["5 1 b"]


def test_the_puzzle_of_a_day(client: TestClient) -> None:
    (kind,) = client.get("/api/puzzles").json()["puzzles"]
    assert kind["days"][0] == "5 x 5"
    asked = {"date": "2026-05-17", "size": "5 x 5"}
    found = ask(client, "/daily", **asked)
    fits(api.Puzzle, found)
    assert (found["heading"], found["grade"]) == ("Slither 5 x 5", "easy")
    assert ask(client, "/daily", **asked) == found
    assert ask(client, "/daily", **{**asked, "date": "2026-05-18"})["id"] != found["id"]
    for change, message in (
        ({"size": "6 x 6"}, "there is no size '6 x 6'"),
        ({"date": "yesterday"}, "date: "),
    ):
        answer = client.post(f"{API}/daily", json={**asked, **change})
        assert message in refused(answer, 422)


def test_export_in_every_format(client: TestClient) -> None:
    found = ask(client, "/export", puzzle=slither.DEFAULT, states=states("1 1 t"))
    fits(api.Export, found)
    assert len(found["formats"]) == len(WRITERS)
    for each in found["formats"]:
        assert slither.read(each["text"]) == PUZZLE
    assert found["formats"][0]["text"] == "https://puzz.link/p?slither/5/5/h7023722b8178cg"


def test_the_solution_is_explained(client: TestClient) -> None:
    found = ask(client, "/explain", puzzle=slither.DEFAULT)
    fits(api.Explanation, found)
    drawn = bytearray(PUZZLE.lines)
    for frame in found["frames"]:
        for place, state in frame["changes"]:
            drawn[place] = state
    assert Drawing(PUZZLE, bytes(drawn)).solved
    assert found["frames"][0]["title"] == "Counting lines around a clue"
    assert [found["shapes"][number]["id"] for number in found["frames"][0]["shapes"]]


def test_the_rules_with_pictures(client: TestClient) -> None:
    guide = client.get(f"{API}/guide").json()
    fits(puzzle_kinds.PuzzleGuide, guide)
    sketches = [block for block in guide["blocks"] if block["type"] == "sketch"]
    assert len(sketches) == 8
    assert sketches[0]["puzzle"] == "slither/5/5/h7023722b8178cg"
    assert client.get("/api/puzzles/nothing/guide").status_code == 404


def test_check(client: TestClient) -> None:
    right = ask(client, "/check", puzzle=slither.DEFAULT, states=states("1 1 t"))
    assert right == {"words": "Everything is right so far.", "wrong": []}
    wrong = ask(client, "/check", puzzle=slither.DEFAULT, states=states("1 1 t", "2 1 t"))
    assert wrong == {
        "words": "There is a mistake: the line above the 2 in row 2, column 1.",
        "wrong": ["2 1 t"],
    }


def test_hints_lead_to_the_solution(client: TestClient) -> None:
    attempt = Attempt(slither.PUZZLE, PUZZLE).play("2 1 t")  # a mistake to begin with
    kinds = []
    while not attempt.solved:
        drawn = "".join(map(str, attempt.states))
        found = ask(client, "/hint", puzzle=slither.DEFAULT, states=drawn)
        fits(api.PuzzleHint, found)
        assert len(found["steps"]) == 3
        assert found["area"]
        assert found["marks"]
        assert found["moves"]
        kinds.append(found["kind"])
        for move in found["moves"]:
            attempt = attempt.play(move)
    assert kinds[0] == "mistake"
    assert set(kinds[1:]) == {"step"}


@pytest.mark.parametrize("name", FORMATS)
def test_the_computer_solves_every_format(client: TestClient, name: str) -> None:
    found = ask(client, "/solve", puzzle=slither.write(PUZZLE, name))
    fits(api.Solution, found)
    assert found["status"] == "unique"
    assert found["states"] == states(*LOOP)
    assert sorted(found["moves"]) == sorted(LOOP)
    assert found["words"].startswith("The only solution, found in ")
    assert found["seconds"] > 0


def test_what_the_computer_cannot_solve(client: TestClient) -> None:
    none = ask(client, "/solve", puzzle="44/..")
    assert (none["states"], none["moves"]) == (None, [])
    assert none["words"] == "This puzzle has no solution."
    several = ask(client, "/solve", puzzle="3../.../...")
    assert several["words"].startswith("One of several solutions, found in ")
    assert several["states"]
    for puzzle, message in (("..5", "line 1, column 3"), ("50x50t0:" + "z" * 96 + "d", "1600")):
        answer = client.post(f"{API}/solve", json={"puzzle": puzzle})
        assert message in refused(answer, 422)
    assert "unknown field" in refused(client.post(f"{API}/solve", json={"states": ""}), 422)


def test_the_computer_stops_when_the_time_is_up(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: list[float | None] = []

    def late(kind: object, puzzle: object, seconds: float | None) -> puzzle_help.SolverResult:
        allowed.append(seconds)
        return puzzle_help.SolverResult("unknown", None, 3.0)

    monkeypatch.setattr(puzzle_help, "solve", late)
    found = ask(client, "/solve", puzzle=slither.DEFAULT)
    assert found["words"] == "No solution was found in 3.0 s: this puzzle takes longer."
    assert found["states"] is None
    assert allowed == [HOURS]


@pytest.mark.parametrize(("puzzle", "word"), [("3../.../...", "several"), ("44/..", "no solution")])
def test_a_puzzle_that_is_not_proper(client: TestClient, puzzle: str, word: str) -> None:
    drawn = "0" * slither.read(puzzle).lines
    assert ask(client, "", puzzle=puzzle)["status"] in ("several", "none")
    assert word in ask(client, "/check", puzzle=puzzle, states=drawn)["words"]
    hint = ask(client, "/hint", puzzle=puzzle, states=drawn)
    assert hint["kind"] == "no solution"
    assert word in hint["steps"][0]


@pytest.mark.parametrize("what", ["standing", "check", "hint"])
def test_states_that_do_not_fit(client: TestClient, what: str) -> None:
    for drawn, message in (("", "got 0 states, expected 60"), ("3" * 60, "each state must be")):
        answer = client.post(f"{API}/{what}", json={"puzzle": slither.DEFAULT, "states": drawn})
        assert message in refused(answer, 422)


def test_a_new_puzzle(client: TestClient) -> None:
    params = {"rows": 6, "cols": "7", "grade": "tricky", "symmetry": "mirror"}
    asked: dict[str, Any] = {"params": params, "seed": 3}
    found = ask(client, "/new", **asked)
    fits(api.Puzzle, found)
    assert (found["rows"], found["cols"], found["grade"]) == (6, 7, "tricky")
    assert found == ask(client, "/new", **asked)
    assert slither.solve(slither.read(found["id"])).status == "unique"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"params": {"rows": 41}}, "rows"),
        ({"params": {"cols": "many"}}, "cols"),
        ({"params": {"grade": "eazy"}}, "grade"),
        ({"params": {"symmetry": "90"}}, "symmetry"),
        ({"params": {"file": "x"}}, "no parameter 'file'"),
        ({"seed": -1}, "seed: "),
        ({"params": {"rows": 2, "cols": 2, "grade": "extreme"}, "seed": 1}, "no such puzzle"),
    ],
)
def test_what_cannot_be_made(client: TestClient, asked: Any, message: str) -> None:
    assert message in refused(client.post(f"{API}/new", json=asked), 422)


def test_a_body_that_is_no_json(client: TestClient) -> None:
    answer = client.post(API, content=b"{", headers={"Content-Type": "application/json"})
    assert json.loads(answer.content)["error"] == "request body is not valid JSON"
