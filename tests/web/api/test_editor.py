"""The board editor: drafts of every game, what becomes of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise.games import find, names
from plywise.web.api.editor import EditorAnswer
from tests.web.steps import complaint, fits


def send(client: TestClient, draft: dict[str, Any], **changed: Any) -> dict[str, Any]:
    asked = {name: draft[name] for name in ("game", "numbers", "to_move", "also")}
    answer = client.post("/api/editor", json={**asked, **changed})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    fits(EditorAnswer, found)
    return found


@pytest.mark.parametrize("name", names())
def test_a_position_of_every_game_comes_back(client: TestClient, name: str) -> None:
    kind = find(name)
    history = kind().position(kind.words.sample).history
    position = history[len(history) // 2]
    moves = position.game.join_moves(position.moves)
    draft = client.get("/api/editor", params={"game": name, "moves": moves}).json()
    assert draft["text"] == position.text
    assert [target["move"] for target in draft["scene"]["targets"]] == draft["places"]
    assert send(client, draft)["text"] == position.text
    assert send(client, draft, to_move=3 - draft["to_move"])["text"] != position.text


def test_a_piece_is_placed(client: TestClient) -> None:
    draft = client.get("/api/editor?game=tictactoe").json()
    numbers = list(draft["numbers"])
    numbers[draft["places"].index("b2")] = 1
    found = send(client, draft, numbers=numbers, to_move=2)
    assert found["text"] == plywise.game("tictactoe").position("b2").text
    assert found["error"] is None


def test_an_impossible_draft_is_drawn_and_refused_in_the_words_of_the_game(
    client: TestClient,
) -> None:
    draft = client.get("/api/editor?game=connect4").json()
    numbers = list(draft["numbers"])
    numbers[draft["places"].index(draft["places"][-1])] = 1  # a disc at the top, over nothing
    found = send(client, draft, numbers=numbers)
    assert found["text"] is None
    assert found["error"]
    assert len([each for each in found["scene"]["shapes"] if each["roles"][0] == "stone"]) == 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"numbers": [0]}, "1 places: this board has 9"),
        ({"numbers": [3] * 9}, "a piece, 1 to 2"),
        ({"numbers": [-1] * 9}, "a piece, 1 to 2"),
        ({"also": {"score": [1]}}, "the further fields must be: none"),
        ({"to_move": 3}, "to_move"),
    ],
)
def test_what_does_not_fit_the_board(
    client: TestClient, changed: dict[str, Any], words: str
) -> None:
    right = {"game": "tictactoe", "numbers": [0] * 9, "to_move": 1, "also": {}}
    assert words in complaint(client.post("/api/editor", json={**right, **changed}))
