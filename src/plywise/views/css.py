"""The theme as a style sheet, for pages that draw Scenes themselves.

The colours are variables: those of the page on the root, those of a board on the class of its
palette (`class="scene palette-discs"`). The rules come from `Theme.paint`, called with a theme
whose colours are the names of those variables, so that the page and the pictures cannot differ.

A shape's classes are its roles in order, then `player-1` or `player-2` for its owner, and `pen` if
it is a stroke. The first role says how it is painted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, get_args

from plywise.core.palette import INK, Palette, Palettes, Player
from plywise.core.scene import Circle, Role, Scene
from plywise.views.marks import SIZES
from plywise.views.theme import DARK, FONT, LIGHT, Theme

_UNPAINTED = ("area",)  #: roles that no view draws


def draw_css(palettes: Iterable[Palettes] = ()) -> str:
    """Write the whole style sheet: light, dark by system setting or `data-theme`, and the rules.

    `palettes` are those of the boards that will be drawn; INK is always included.
    """
    boards = {each.name: each for each in (INK, *palettes)}
    dark = list(_variables(DARK, ':root[data-theme="dark"]', boards))
    system = list(_variables(DARK, ':root:not([data-theme="light"])', boards))
    lines = [
        *_variables(LIGHT, ":root", boards),
        "@media (prefers-color-scheme: dark) {",
        *(f"  {line}" for line in system),
        "}",
        *dark,
        # Text has no outline, whatever its role.
        f".scene text {{ font-family: {FONT}; stroke: none !important; }}",
        *_rules(),
        *_marks(),
    ]
    return "\n".join([*lines, ""])


# Colours


def _variables(theme: Theme, root: str, boards: Mapping[str, Palettes]) -> Iterator[str]:
    """Yield the values of the variables in a theme."""
    yield f"{root} {{ color-scheme: {theme.name}; {declared(_page(theme))} }}"
    for name, palettes in boards.items():
        yield f"{root} .palette-{name} {{ {declared(_board(palettes.under(theme.name)))} }}"
        other = _players(palettes.swapped.under(theme.name))
        yield f"{root} .swapped .palette-{name} {{ {declared(other)} }}"


def colours(theme: Theme, palettes: Palettes) -> dict[str, str | None]:
    """Return all variables of a page with one board, by name."""
    board = _board(palettes.under(theme.name))
    given = {name: colour for name, colour in board.items() if colour is not None}
    return {**_page(theme), **given}


def _page(theme: Theme) -> dict[str, str | None]:
    return {name: getattr(theme, name) for name in _colours(Theme)}


def _board(palette: Palette) -> dict[str, str | None]:
    return {field: getattr(palette, field) for field in _colours(Palette)} | _players(palette)


def _players(palette: Palette) -> dict[str, str | None]:
    """Return the variables of both players' colours."""
    return {
        f"{field}-{number}": getattr(player, field)
        for number, player in enumerate(palette.players, 1)
        for field in _colours(Player)
    }


def declared(values: Mapping[str, str | None]) -> str:
    """Declare variables; for a colour that a palette does not have, the page's is used."""
    given = {name: colour for name, colour in values.items() if colour is not None}
    return " ".join(f"--{name}: {colour};" for name, colour in given.items())


def _colours(kind: type[Any]) -> list[str]:
    """Return the fields that hold a colour: all but `name` and `players`."""
    return [field.name for field in fields(kind) if field.name not in ("name", "players")]


def symbolic(usual: Palettes | None = None) -> tuple[Theme, Palettes]:
    """Make a theme and a palette whose colours are the variables.

    Where they are not set, they are those of a light page with the `usual` palette.
    """
    known = {} if usual is None else colours(LIGHT, usual)

    def named(kind: type[Any], suffix: str = "") -> dict[str, str]:
        names = {name: f"{name}{suffix}" for name in _colours(kind)}
        return {
            name: f"var(--{full}, {known[full]})" if full in known else f"var(--{full})"
            for name, full in names.items()
        }

    players = Player(**named(Player, "-1")), Player(**named(Player, "-2"))
    palette = Palette(**named(Palette), players=players)
    return Theme("css", **named(Theme)), Palettes("any", palette, palette)


# Paint


def _rules() -> Iterator[str]:
    for role in get_args(Role):
        if role in _UNPAINTED:
            continue
        selector = f'.scene [class^="{role}"]'  # begins with: no role begins with another
        anybody = [_paint(role, None, pen) for pen in (False, True)]
        yield f"{selector} {{ {anybody[0]} }}"
        yield f"{selector}.pen {{ {anybody[1]} }}"
        for owner in (0, 1):
            owned = [_paint(role, owner, pen) for pen in (False, True)]
            if owned != anybody:
                yield f"{selector}.player-{owner + 1} {{ {owned[0]} }}"
                yield f"{selector}.player-{owner + 1}.pen {{ {owned[1]} }}"


def _paint(role: Role, owner: int | None, pen: bool) -> str:
    """Return the style of a shape: a pen has no fill, an area may have an outline."""
    shape = Circle((0, 0), 1, 0.1 if pen else 0.0, id="", roles=(role,), owner=owner)
    scene = Scene("", "", "", (1, 1), (shape,), palette=_BOARD)
    colour, outline = _THEME.paint(scene, shape)
    if pen:
        return f"fill: none; stroke: {colour};"
    return f"fill: {colour}; stroke: {outline or 'none'};"


def _marks() -> Iterator[str]:
    """Yield the sizes of marks: circles have a radius of 1, scaled to their target's room."""
    for role, size in SIZES.items():
        mark = f'[class^="{role}"]'
        yield f".marks circle{mark} {{ r: {size.radius}px; stroke-width: {size.width}px; }}"
        yield f".marks polygon{mark} {{ stroke-width: {size.outline}px; }}"


_THEME, _BOARD = symbolic()
