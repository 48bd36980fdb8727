"""The law of keys finds both mistakes of a key that is made of fields, and names the field."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywise import RulesError, game
from plywise.testing import LAWS, LawBroken, random_games

HEX = (Path(__file__).parents[2] / "examples" / "hex.py").read_text(encoding="utf-8")
NAMED = ', key=("sets", "turn")'


def sample(tmp_path: Path, text: str) -> object:
    file = tmp_path / "other.py"
    file.write_text(text, encoding="utf-8")
    return random_games(game(f"{file}:size=3"), games=10)


def test_one_position_under_two_keys(tmp_path: Path) -> None:
    """How the groups of Hex are linked depends on the order of the moves."""
    assert NAMED in HEX
    LAWS["keys"](sample(tmp_path, HEX))
    with pytest.raises(LawBroken, match=r"because of s\.group: .* key=\('stones', 'sets', 'turn'"):
        LAWS["keys"](sample(tmp_path, HEX.replace(NAMED, "")))


def test_two_futures_under_one_key(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"is s\.stones missing from `key`, .* overflow\?$"):
        LAWS["keys"](sample(tmp_path, HEX.replace(NAMED, ', key=("turn",)')))
