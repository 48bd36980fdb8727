"""The style sheet paints every shape as `Theme.paint` does, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import plywise
from plywise import games
from plywise.core.analysis import Analysis, Line
from plywise.core.scene import Label, Scene, Shape, scene_of
from plywise.views.css import draw_css
from plywise.views.marks import marked
from plywise.views.theme import THEMES, Theme

RULE = re.compile(r"^\s*([^{}@]+) \{ ([^}]*) \}$", re.MULTILINE)
SELECTOR = re.compile(r'\.scene \[class\^="(\w+)"\](\.player-[12])?(\.pen)?')
ROOTS = {"light": ":root", "dark": ':root[data-theme="dark"]'}
SYSTEM = ':root:not([data-theme="light"])'


def declarations(text: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in text.split(";") if part.strip())
    return {name.strip(): value.strip() for name, value in pairs}


PALETTES = {kind.palette.name: kind.palette for kind in map(games.find, games.names())}
SHEET = draw_css(PALETTES.values())
RULES = {selector: declarations(body) for selector, body in RULE.findall(SHEET)}


def classes(shape: Shape) -> list[str]:
    """As the page writes them."""
    owner = [] if shape.owner is None else [f"player-{shape.owner + 1}"]
    pen = ["pen"] if getattr(shape, "width", 0.0) > 0 else []
    return [*shape.roles, *owner, *pen]


def painted(scene: Scene, shape: Shape, root: str) -> dict[str, str]:
    """What a browser makes of the sheet: the most specific rule, its variables filled in."""
    names = classes(shape)
    best, found = -1, {}
    for selector, body in RULES.items():
        match = SELECTOR.fullmatch(selector)
        if match is None or not " ".join(names).startswith(match[1]):
            continue
        asked = [part[1:] for part in match.groups()[1:] if part]
        if set(asked) <= set(names) and len(asked) >= best:
            best, found = len(asked), body
    values = {**RULES[root], **RULES[f"{root} .palette-{scene.palette.name}"]}
    filled = re.compile(r"var\((--[\w-]+)\)")
    return {
        name: filled.sub(lambda variable: values[variable[1]], value)
        for name, value in found.items()
    }


def scenes() -> Iterator[Scene]:
    for spec in ("connect4", "tictactoe", "tictactoe:rows=7,k=4"):
        game = plywise.game(spec)
        moves = game.split_moves(game.type.words.sample) if spec == game.name else ()
        for count in range(len(moves) + 1):
            position = game.position(moves[:count])
            yield scene_of(position)
            yield marked(position, legal=True)
            if not position.over:
                lines = tuple(Line(move, 0.5, 1.0) for move in position.legal)
                yield marked(position, Analysis(position.legal[0], 0, 0, lines=lines))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_shape_of_the_games_is_painted_alike(theme: Theme) -> None:
    seen = set()
    for scene in scenes():
        for shape in scene.painted:
            paint = theme.paint(scene, shape)
            found = painted(scene, shape, ROOTS[theme.name])
            if getattr(shape, "width", 0.0) > 0:
                assert found == {"fill": "none", "stroke": paint.colour}
            else:
                assert found == {"fill": paint.colour, "stroke": paint.outline or "none"}
            seen.add((scene.palette.name, isinstance(shape, Label), *classes(shape)))
    assert len(seen) > 20  # combinations of palette, roles, owner and pen


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_page_has_its_colours(theme: Theme) -> None:
    root = RULES[ROOTS[theme.name]]
    for name in ("page", "text", "muted", "legal", "best", "threat", "dead"):
        assert root[f"--{name}"] == getattr(theme, name)
    assert root["color-scheme"] == theme.name


def test_dark_is_the_same_by_choice_and_by_the_system() -> None:
    chosen = {
        selector.removeprefix(ROOTS["dark"]): body
        for selector, body in RULES.items()
        if selector.startswith(ROOTS["dark"])
    }
    by_system = {
        selector.removeprefix(SYSTEM): body
        for selector, body in RULES.items()
        if selector.startswith(SYSTEM)
    }
    assert chosen == by_system
    assert len(chosen) == 1 + 2 * len(PALETTES)
    block = SHEET[SHEET.index("@media (prefers-color-scheme: dark)") :]
    assert block.index(SYSTEM) < block.index("\n}\n")


@pytest.mark.parametrize("root", [*ROOTS.values(), SYSTEM])
@pytest.mark.parametrize("name", PALETTES)
def test_swapped_colours(root: str, name: str) -> None:
    usual, swapped = RULES[f"{root} .palette-{name}"], RULES[f"{root} .swapped .palette-{name}"]
    for variable, colour in swapped.items():
        field, _, player = variable.rpartition("-")
        assert colour == usual[f"{field}-{3 - int(player)}"]
    assert len(swapped) == 10


def test_every_variable_that_is_used_is_there() -> None:
    used = set(re.findall(r"var\((--[\w-]+)\)", SHEET))
    for theme in THEMES.values():
        root = ROOTS[theme.name]
        for palette in PALETTES:
            assert used <= {*RULES[root], *RULES[f"{root} .palette-{palette}"]}
