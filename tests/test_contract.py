"""The contract of a game, a puzzle and a server stays small enough to be held in one head."""

from __future__ import annotations

from dataclasses import fields

from plywise import GameType, Notation, Parameter, PuzzleType, Rules, Strength, Words
from plywise.kit import Look
from plywise.web.settings import Settings

#: Methods of GameType that a game with boards or scores of its own overrides.
OVERRIDDEN = ("bind", "whole", "exact")


def names(*kinds: type) -> list[str]:
    """The fields that an author can set."""
    return [each.name for kind in kinds for each in fields(kind) if each.init]


def test_a_game_has_at_most_45_names() -> None:
    assert all(callable(getattr(GameType, name)) for name in OVERRIDDEN)
    assert len(names(GameType, Rules, Look, Parameter)) + len(OVERRIDDEN) <= 45


def test_the_groups_have_at_most_16_more() -> None:
    assert len(names(Notation, Words, Strength)) <= 16


def test_a_puzzle_has_at_most_28() -> None:
    assert len(names(PuzzleType)) <= 28


def test_a_server_has_at_most_40_settings() -> None:
    assert len(names(Settings)) <= 40
