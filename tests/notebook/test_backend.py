"""What a board in a notebook asks for and gets, without a page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import GameRecord, SpecError
from plywise.adapters.notebook.backend import COMMANDS, Backend, Showable, set_up
from plywise.core.engine import unguarded
from plywise.play.records.game_record import Move

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 120.0  #: seconds for an answer on a busy machine
Frame = dict[str, Any]


class Page:
    """What a board in a page hears; `wait` for what comes later."""

    def __init__(self, what: Showable, *players: str, **options: Any) -> None:
        self.heard: list[Frame] = []
        self.news = threading.Condition()
        moves = options.pop("moves", ())
        self.backend = Backend(set_up(what, *players, moves=moves), self.hear, **options)

    def hear(self, frame: Frame) -> None:
        with self.news:
            self.heard.append(frame)
            self.news.notify_all()

    def ask(self, name: str, **values: Any) -> Frame:
        """Send a command and return its answer."""
        number = len(self.heard) + 1000
        self.backend.receive({"do": name, "n": number, **values})
        return self.wait(lambda frame: frame.get("re") == number)

    def wait(self, wanted: Callable[[Frame], bool]) -> Frame:
        with self.news:
            found = self.news.wait_for(lambda: list(filter(wanted, self.heard)), PATIENCE)
            assert found, self.heard
            return found[0]


def turns(moves: int) -> Callable[[Frame], bool]:
    """The frame of the game after so many moves."""
    return lambda frame: frame.get("type") == "game" and len(frame["game"]["moves"]) == moves


def test_a_game_is_played_against_an_agent() -> None:
    page = Page("tictactoe", "human", "minimax")
    opened = page.ask("open")
    assert opened["game"]["can"]["move"]
    assert [player["name"] for player in opened["game"]["players"]] == ["Person", "minimax"]
    assert "error" not in page.ask("move", move="a1")
    after = page.wait(turns(2))["game"]  # best play answers in the middle
    assert [move["text"] for move in after["moves"]] == ["a1", "b2"]
    assert page.backend.position.moves == ("a1", "b2")
    assert page.ask("move", move="b2")["error"].startswith("'b2' is not legal here")
    page.ask("undo")
    assert page.backend.record.moves == ()
    page.ask("resign")
    assert page.backend.record.result is not None
    assert page.backend.record.result.winner == 2


def test_again_is_a_new_game_perhaps_with_sides_swapped() -> None:
    page = Page("tictactoe", "human", "minimax")
    page.ask("move", move="b2")
    assert "error" not in page.ask("again", moves=[], swap=True)
    assert page.backend.record.players == ("minimax", "human")
    page.wait(lambda frame: turns(1)(frame) and frame["game"]["you"] == [2])  # it moves at once
    opened = page.ask("open")
    assert opened["game"]["players"][1]["you"]


@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), plywise.Unsupported("oops")])
def test_an_agent_that_fails_loses_and_the_board_says_so(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: Any, **options: Any) -> None:
        raise error

    page = Page("tictactoe", "human", "minimax")
    assert page.backend.session is not None
    monkeypatch.setattr(type(unguarded(page.backend.session.players[1].agent)), "search", fail)
    page.ask("move", move="b2")
    page.wait(lambda frame: frame.get("type") == "game" and frame["game"]["result"] is not None)
    assert page.backend.record.result is not None
    assert page.backend.record.result.winner == 1
    assert any("oops" in str(frame) for frame in page.heard)


def test_a_free_board_has_no_players_and_knows_what_it_shows() -> None:
    position = plywise.game("tictactoe").position("a1 b2 c3")
    page = Page(position)
    opened = page.ask("open")
    assert opened["game"] is None
    assert [move["text"] for move in opened["lines"]["moves"]] == ["a1", "b2", "c3"]
    page.ask("shown", moves=["a1", "b2", "a2"])
    assert page.backend.position.moves == ("a1", "b2", "a2")
    assert [move.text for move in page.backend.record.moves] == ["a1", "b2", "a2"]
    assert page.ask("move", move="a3")["error"] == "nobody plays on this board"


def test_analysis_is_told_as_it_deepens_and_a_new_one_stops_the_old() -> None:
    page = Page("tictactoe", "human", "human")
    page.ask("analyse", moves=["a1", "b1", "a2", "b2"], agent="minimax")
    done = page.wait(lambda frame: frame.get("type") == "analysis" and frame["done"])
    assert done["analysis"]["best"] == "a3"
    assert len(done["analysis"]["lines"]) == 5
    endless = Page("connect4:rows=7,cols=8")
    endless.ask("analyse", moves=[], agent="alphabeta")
    first = endless.backend._running["analyse"]
    assert not first.is_set()
    endless.ask("analyse", moves=["4"], agent="alphabeta")
    second = endless.backend._running["analyse"]
    assert first.is_set()
    assert not second.is_set()
    endless.backend.close()
    assert second.is_set()


def test_hints_and_reviews_come_when_they_are_ready() -> None:
    page = Page(plywise.game("tictactoe").position("b2 a2 a1"))
    assert page.ask("hint", moves=["b2", "a2", "a1"])["hint"]["move"] == "c3"
    review = page.ask("review", moves=["b2", "a2", "a1"])["review"]
    assert [move["grade"] for move in review["moves"]] == ["best", "blunder", "best"]
    assert [f["done"] for f in page.heard if f.get("type") == "reviewing"] == [1, 2, 3, 4]


def test_a_review_is_shown_as_it_was_made() -> None:
    review = plywise.review(plywise.game("tictactoe").position("b2 a2 a1"))
    assert Page(review).ask("open")["review"] == review.to_json()


def test_a_game_from_a_cell_or_a_file() -> None:
    kind = plywise.game("tictactoe").type
    for game in (
        kind,
        replace(kind, name="mine")(),
        EXAMPLES / "clobber.py",
    ):
        page = Page(str(game) if isinstance(game, Path) else game, "human", "random")
        moves = page.ask("open")["position"]["legal"]
        page.ask("move", move=moves[0])
        page.wait(turns(2))


def test_a_record_is_studied_or_played_on() -> None:
    record = GameRecord("tictactoe", ("human", "human"), moves=(Move("b2"), Move("a1")))
    assert Page(record).ask("open")["game"] is None
    page = Page(record, "human", "minimax")
    assert [move["text"] for move in page.ask("open")["game"]["moves"]] == ["b2", "a1"]
    longer = Page(record, moves="c3")
    assert longer.backend.position.moves == ("b2", "a1", "c3")


@pytest.mark.parametrize(
    ("what", "players", "words"),
    [
        ("conect4", (), "did you mean 'connect4'?"),
        ("tictactoe", ("human", "atuo"), "atuo"),
    ],
)
def test_what_is_wrong_is_said_at_once(what: str, players: tuple[str, ...], words: str) -> None:
    with pytest.raises(SpecError, match=words.replace("?", r"\?")):
        Page(what, *players)


def test_only_what_has_a_board_can_be_shown() -> None:
    with pytest.raises(TypeError, match="a board needs a game, a position"):
        set_up(42)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*COMMANDS, "", "nonsense", None])
@pytest.mark.parametrize(
    "values",
    [{}, {"moves": 7}, {"moves": ["zz"], "at": -1, "text": None, "move": None, "agent": 3}],
)
def test_nonsense_gets_one_line(name: str | None, values: Frame) -> None:
    page = Page("tictactoe", "human", "human")
    page.backend.receive({"do": name, "n": 5, **values})
    answer = page.wait(lambda frame: frame.get("re") == 5)
    assert "\n" not in answer.get("error", "")
    page.backend.receive("not even a frame")
    assert "unknown command" in page.heard[-1]["error"]
    assert "error" not in page.ask("open")
