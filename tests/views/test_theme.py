"""The colours can be seen: contrasts as the WCAG count them, 3 for shapes and 4.5 for letters."""

from __future__ import annotations

import pytest

from plywise import games
from plywise.core.palette import INK
from plywise.errors import SpecError
from plywise.views.theme import THEMES, Theme, find_theme

SHAPES = 3.0
LETTERS = 4.5
PALETTES = {kind.palette.name: kind.palette for kind in map(games.find, games.names())}
HUES = 1.8  #: between the two players' areas, so that they differ without any colour at all


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted([luminance(one), luminance(two)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
class TestContrast:
    def test_letters_on_the_page(self, theme: Theme) -> None:
        assert contrast(theme.text, theme.page) >= LETTERS
        assert contrast(theme.muted, theme.page) >= LETTERS

    def test_scores_in_the_cells(self, theme: Theme) -> None:
        for palette in (each.under(theme.name) for each in PALETTES.values()):
            assert contrast(theme.text, palette.cell) >= LETTERS
            assert contrast(theme.best, palette.cell) >= SHAPES
            assert contrast(palette.legal or theme.legal, palette.cell) >= SHAPES

    def test_strokes_on_paper(self, theme: Theme) -> None:
        ink = INK.under(theme.name)
        for player in ink.players:
            for ground in (ink.cell, ink.last):
                assert contrast(player.ink, ground) >= SHAPES
        assert contrast(ink.winning, ink.cell) >= SHAPES

    def test_discs_in_their_holes(self, theme: Theme) -> None:
        discs = PALETTES["discs"].under(theme.name)
        assert contrast(discs.board, discs.cell) >= (SHAPES if theme.name == "light" else 2.0)
        assert contrast(discs.winning, discs.board) >= SHAPES
        for player in discs.players:
            # a disc is told from an empty hole by its area or by its rim
            best = max(contrast(player.fill, discs.cell), contrast(player.rim, discs.cell))
            assert best >= SHAPES
            assert contrast(player.rim, player.fill) >= 2.0
        first, second = discs.players
        assert contrast(first.fill, second.fill) >= HUES


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_trails_and_what_lies_on_them(theme: Theme) -> None:
    garden = PALETTES["garden"].under(theme.name)
    for player in garden.players:
        # a trail is told from an empty cell by the marks in it
        assert contrast(player.detail, player.trail) >= SHAPES
        assert contrast(player.detail, player.fill) >= SHAPES
        assert contrast(player.ink, garden.cell) >= SHAPES


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_stones_and_what_is_marked_around_them(theme: Theme) -> None:
    stones = PALETTES["stones"].under(theme.name)
    assert stones.legal is not None
    assert contrast(stones.legal, stones.cell) >= SHAPES
    for player in stones.players:
        # a stone is told from its cell by its area or, if that is white on light wood, by its rim
        best = max(contrast(player.fill, stones.cell), contrast(player.rim, stones.cell))
        assert best >= SHAPES
        if theme.name == "dark":
            assert contrast(player.fill, stones.cell) >= SHAPES
        assert contrast(stones.last, player.fill) >= SHAPES
        assert contrast(stones.winning, stones.cell) >= SHAPES
    first, second = stones.players
    assert contrast(first.fill, second.fill) >= LETTERS


def test_strokes_are_seen_on_any_terminal() -> None:
    for player in INK.light.players:
        for ground in ("#000000", "#ffffff"):
            assert contrast(player.ink, ground) >= SHAPES


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(SpecError, match="there is no theme 'drak': did you mean 'dark'"):
        find_theme("drak")
