"""The list of games makes itself, and the guides of all of them can be shown."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plywise import games
from plywise.core.game import GameType
from plywise.core.spec import FILES
from plywise.views.guide import read_guide
from plywise.web.api import catalogue
from plywise.web.api.schemas import Guide, Kind, Kinds, Sample
from plywise.web.errors import NotFound
from plywise.web.settings import Settings
from tests.awkward.coins import COINS
from tests.kinds import altered
from tests.web.steps import complaint, fits

SETTINGS = Settings()
PUBLIC = Settings.public("0.0.0.0")


def read(ready: catalogue.Ready) -> Any:
    assert gzip.decompress(ready.packed) == ready.plain
    return json.loads(ready.plain)


def test_every_registered_game_is_there() -> None:
    found = read(catalogue.get_kinds(SETTINGS))
    fits(Kinds, found)
    assert [kind["name"] for kind in found["kinds"]] == list(games.names())


@pytest.mark.parametrize("name", games.names())
class TestEveryGame:
    def test_has_its_sample_game_in_pictures(self, name: str) -> None:
        found = read(catalogue.get_kind(name, SETTINGS))
        sample = read(catalogue.get_sample(name))
        fits(Kind, found)
        fits(Sample, sample)
        kind = games.find(name)
        assert found["title"] == kind.title
        assert len(sample["frames"]) == len(kind().split_moves(kind.words.sample)) + 1
        for scene, frame in ((found["start"], 0), (found["picture"], -1)):
            numbers = sample["frames"][frame]["shapes"]
            assert [sample["shapes"][number] for number in numbers] == scene["shapes"]
        assert found["palette"] == found["picture"]["palette"]

    def test_has_a_picture_of_each_other_look(self, name: str) -> None:
        found = read(catalogue.get_kind(name, SETTINGS))
        assert list(found["looks"]) == (["marks=digits"] if name == "tictactoe" else [])
        for look, picture in found["looks"].items():
            assert picture["shapes"] != found["picture"]["shapes"], look
            assert len(picture["shapes"]) == len(found["picture"]["shapes"])

    def test_has_parameters_as_they_are(self, name: str) -> None:
        found = read(catalogue.get_kind(name, SETTINGS))["parameters"]
        told = [one for one in games.find(name).parameters if one.name not in FILES]
        for shown, parameter in zip(found, told, strict=True):
            assert shown["name"] == parameter.name
            assert shown["kind"] in ("int", "float", "bool", "str")
            assert shown["default"] == parameter.default

    def test_has_a_guide_with_legal_pictures(self, name: str) -> None:
        found = read(catalogue.get_guide(name, SETTINGS))
        fits(Guide, found)
        kinds = [block["type"] for block in found["blocks"]]
        assert {"heading", "paragraph", "list", "picture"} == set(kinds)
        for block in found["blocks"]:
            texts = [block.get("text"), block.get("caption"), *block.get("items", ())]
            for text in filter(None, texts):
                assert text == " ".join(text.split())
                assert not any(mark in text for mark in ("#", "![", "](", "**", "`"))
            if block["type"] == "picture":
                assert block["moves"]
                assert block["scene"]["shapes"]


def test_agents_show_what_the_server_allows() -> None:
    found = read(catalogue.get_kind("connect4", PUBLIC))["agents"]
    agents = {agent["name"]: agent for agent in found}
    assert {"auto", "alphabeta", "mcts", "random"} <= set(agents)
    highs = {each["name"]: each["high"] for each in agents["alphabeta"]["parameters"]}
    assert highs["threads"] == PUBLIC.engine_threads
    assert highs["memory"] == PUBLIC.engine_megabytes


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(NotFound, match="did you mean 'connect4'"):
        catalogue.find("conect4")


@pytest.fixture
def forgetful() -> Any:
    catalogue.kinds.cache_clear()
    yield
    catalogue.kinds.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_a_broken_game_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def find(name: str) -> GameType:
        if name == "connect4":
            raise ImportError("broken")
        return real(name)

    real = games.find
    monkeypatch.setattr(games, "find", find)
    assert list(catalogue.kinds()) == [name for name in games.names() if name != "connect4"]
    assert "the game connect4 cannot be loaded" in caplog.text


def test_a_wrong_sample_game_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here = {"tictactoe": games.find("tictactoe"), "toy": altered(COINS, sample="z99")}
    monkeypatch.setattr(catalogue, "kinds", lambda: here)
    monkeypatch.setattr(catalogue, "cached_on_disk", lambda name, facts, make: make()[0])
    found = read(catalogue.get_kinds.__wrapped__(SETTINGS))
    assert [kind["name"] for kind in found["kinds"]] == ["tictactoe"]
    assert "the game toy cannot be loaded" in caplog.text
    assert "'z99'" in caplog.text


# ---- guides --------------------------------------------------------------------------------------


def test_a_guide_as_plain_data() -> None:
    text = "Words.\n\n## A heading\n\n- one\n- two\n\n![Two](b2 a1)\n"
    game = games.make("tictactoe")
    *words, picture = [catalogue.block_json(block) for block in read_guide(text, game)]
    assert words == [
        {"type": "paragraph", "text": "Words."},
        {"type": "heading", "text": "A heading"},
        {"type": "list", "items": ["one", "two"]},
    ]
    assert (picture["type"], picture["caption"]) == ("picture", "Two")
    assert picture["moves"] == ["b2", "a1"]
    assert picture["scene"]["targets"]


def test_a_game_without_a_guide_has_its_summary() -> None:
    (only,) = catalogue.guide_blocks(COINS)
    assert catalogue.block_json(only) == {"type": "paragraph", "text": COINS.words.summary}
    assert list(catalogue.guide_blocks(altered(COINS, summary=""))) == []


# ---- over HTTP -----------------------------------------------------------------------------------


def test_kinds(client: TestClient) -> None:
    answer = client.get("/api/kinds")
    assert [kind["name"] for kind in answer.json()["kinds"]] == list(games.names())
    assert answer.headers["Content-Encoding"] == "gzip"
    plain = client.get("/api/kinds", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.json() == answer.json()


def test_one_kind_and_its_guide(client: TestClient) -> None:
    kind = client.get("/api/kinds/connect4").json()
    sample = client.get("/api/kinds/connect4/sample").json()
    *_, last = sample["frames"]
    assert len(sample["frames"]) == 26
    assert [sample["shapes"][number] for number in last["shapes"]] == kind["picture"]["shapes"]
    guide = client.get("/api/kinds/connect4/guide").json()
    assert guide["title"] == kind["title"] == "Connect-4"


@pytest.mark.parametrize("path", ["", "/guide", "/sample"])
def test_a_kind_that_is_not_there(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/kinds/conect4{path}")
    assert "did you mean 'connect4'?" in complaint(answer, 404)
