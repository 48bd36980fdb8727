"""Options that commands that draw share: where the pictures go and how they look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.errors import SpecError

if TYPE_CHECKING:
    from plywise.core.scene import Scene


def _ending(wanted: str, *others: str) -> Callable[[Path | None], Path | None]:
    """Refuse a file whose name says that it holds something else."""
    allowed = " or ".join((wanted, *others))

    def check(file: Path | None) -> Path | None:
        if file is not None and file.suffix.lower() not in ("", wanted, *others):
            raise SpecError(f"--{wanted[1:]} {file}: the name must end in {allowed}")
        return file

    return check


Svg = Annotated[
    Path | None,
    typer.Option(
        "--svg", metavar="F", help="Write the picture to an SVG file.", callback=_ending(".svg")
    ),
]
Png = Annotated[
    Path | None,
    typer.Option(
        "--png", metavar="F", help="Write the picture to a PNG file.", callback=_ending(".png")
    ),
]
Apng = Annotated[
    Path | None,
    typer.Option(
        "--apng",
        metavar="F",
        help="Write the game so far, move by move, to an animated PNG file.",
        callback=_ending(".apng", ".png"),
    ),
]
Theme = Annotated[str, typer.Option("--theme", metavar="T", help="Colours: 'light' or 'dark'.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


def write_pictures(scene: Scene, svg: Path | None, png: Path | None, theme: str) -> None:
    """Draw a Scene into the files the user asked for."""
    from plywise.views import draw_png, draw_svg

    if svg is not None:
        svg.write_text(draw_svg(scene, theme), encoding="utf-8")
    if png is not None:
        png.write_bytes(draw_png(scene, theme))
