"""Guides: what they may hold, and what a game without one has to say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plywise import Words, games
from plywise.errors import MoveError
from plywise.views.guide import Heading, Listing, Paragraph, Picture, guide_of, read_guide
from tests.awkward.coins import COINS


def test_what_a_guide_may_hold() -> None:
    text = """\
A paragraph
of two lines.
## A heading
Right below it.

- one
- two, which
  goes on
![One](b2)
![Two, (with brackets)](b2 a1)

Text before
- a list
"""
    game = games.make("tictactoe")
    assert read_guide(text, game) == [
        Paragraph("A paragraph of two lines."),
        Heading("A heading"),
        Paragraph("Right below it."),
        Listing(("one", "two, which goes on")),
        Picture("One", game.position("b2")),
        Picture("Two, (with brackets)", game.position("b2 a1")),
        Paragraph("Text before"),
        Listing(("a list",)),
    ]


def test_a_picture_of_moves_that_are_not_legal_is_a_mistake() -> None:
    with pytest.raises(MoveError):
        read_guide("![wrong](b2 b2)", games.make("tictactoe"))


def test_a_game_without_a_guide_has_its_summary() -> None:
    assert COINS.guide is None
    assert guide_of(COINS) == [Paragraph(COINS.words.summary)]
    assert guide_of(replace(COINS, words=Words())) == []
