"""Golden pictures: positions whose SVG is kept, letter for letter.

    python -m tests.golden.pictures      writes every file anew

A file that changed shows what a change of a scene, the theme or the SVG view did: look at the
pictures, in the light and the dark theme, before they are committed.
"""

from __future__ import annotations

from pathlib import Path

import plywise
from plywise import Analysis, Line, Position

FOLDER = Path(__file__).parent

#: A position for each name: spec and moves.
POSITIONS = {
    "align": (
        "align",
        "a1 d1 c2 f2 b3 d5 a6 b5 b4 c5 f1 e1 f3 b6 c6 c4 a4 a5 e4 f6 e2 d2 c3 d3",
    ),
    "align-checkerboard": ("align:size=5,checkerboard=yes", "a1 b1 c1 c2 c3"),
    "andantino": ("andantino", "j10 i11 j11 i10 j9 i9 j8"),
    "andantino-line": ("andantino:side=5", "j10 i11 j11 i10 j9 i9 j8 i12 j12"),
    "andantino-ring": ("andantino", "j10 i10 j9 k9 i9 k8 h10 h11 i11 j8 h12 i8 g12 j11 g11"),
    "connect4": ("connect4", "4453443325"),
    "connect4-won": ("connect4", "4455667"),
    "connect4-small": ("connect4:rows=4,cols=5", ""),
    "makeway": ("makeway", "12-21 21-26 0-6 0-3 16-21 3-10 10-12 6-10 6-8 23-26 8-10 25-26 24-26"),
    "makeway-won": ("makeway:dots=6,lines=12", "0-3 4-6 3-5 5-6 5-7"),
    "snails": ("snails", "ududulrdrlrlrlrlrlrluudddududdlruuuuludrddll"),
    "snails-territory": (
        "snails:rows=4,cols=5,territory=yes",
        "uddurdllrrluudulurrurllrdlurrdlldlrdluudrrludrudrllddrrdr",
    ),
    "tictactoe": ("tictactoe", "b2 a1 c3 b1"),
    "tictactoe-won": ("tictactoe", "b2 a1 c3 b1 c1 a3 c2"),
    "tictactoe-15x15": ("tictactoe:rows=15,k=5", "h8 i9 h9 h10 i8 g8 j8 k8 j7 i6"),
}
THEMES = ("light", "dark")


def position_of(name: str) -> Position:
    """The position that a picture shows."""
    spec, moves = POSITIONS[name]
    return plywise.game(spec).position(moves)


def analysis_of(position: Position) -> Analysis:
    """Scores for every legal move, made up: what the pictures of an analysis show."""
    lines = tuple(
        Line(move, 0.1 * i - 0.3, i, "win" if i == 2 else None, plies_to_end=1, pv=(move,))
        for i, move in enumerate(position.legal)
    )
    return Analysis(best=position.legal[2], value=0.5, score=2, lines=lines)


def pictures() -> dict[Path, str]:
    """Every picture that is kept."""
    drawn = {
        FOLDER / f"{name}-{theme}.svg": position_of(name).svg(theme)
        for name in POSITIONS
        for theme in THEMES
    }
    for name in ("andantino", "connect4", "tictactoe"):
        position = position_of(name)
        drawn[FOLDER / f"{name}-legal.svg"] = position.svg(legal=True)
        drawn[FOLDER / f"{name}-scores.svg"] = position.svg(analysis=analysis_of(position))
    for theme in THEMES:  # the outlines of legal moves and their scores together
        position = position_of("andantino")
        both = position.svg(theme, analysis=analysis_of(position), legal=True)
        drawn[FOLDER / f"andantino-both-{theme}.svg"] = both
    return drawn


if __name__ == "__main__":
    for file, picture in pictures().items():
        file.write_text(picture, encoding="utf-8")
        print(f"drawn {file.name}")
