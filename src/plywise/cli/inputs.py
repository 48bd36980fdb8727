"""Arguments and options that several commands share, and how they become games and positions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError
from plywise.games import EXAMPLE, EXAMPLE_WITH_PARAMETERS, make

if TYPE_CHECKING:
    from plywise.core.analysis import Limits
    from plywise.core.game import Game
    from plywise.core.position import Position
    from plywise.core.scene import Scene
    from plywise.play.records.game_record import Result


def game_names(incomplete: str) -> list[str]:
    """Return the games whose names begin so, for completion in the shell."""
    from plywise import games

    return [name for name in games.names() if name.startswith(incomplete)]


def agent_names(context: typer.Context, incomplete: str) -> list[str]:
    """Return the agents whose names begin so, of the game that is named before."""
    from plywise import engines, games

    # After an option without its value, typer has not read the arguments.
    game = context.params.get("game") or next(iter(context.args), "")
    names: Sequence[str] = ()
    with suppress(PlywiseError), redirect_stdout(StringIO()):  # a game's file may print
        names = engines.names(games.make(game))
    return [name for name in names if name.startswith(incomplete)]


GameSpec = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"A game, such as '{EXAMPLE}', '{EXAMPLE_WITH_PARAMETERS}' or './mygame.py'.",
        autocompletion=game_names,
    ),
]
GameOrFile = Annotated[
    str,
    typer.Argument(
        metavar="GAME|FILE",
        help="A game, with its moves in --moves, or a file saved by 'play'.",
        autocompletion=game_names,
    ),
]
Agent = Annotated[
    str,
    typer.Option(
        "--agent",
        metavar="A",
        help="An agent, such as 'alphabeta:depth=8' or 'auto:time=5'.",
        autocompletion=agent_names,
    ),
]
Moves = Annotated[
    str,
    typer.Option(
        "--moves",
        metavar="M",
        help="The moves played so far, such as '4453' or 'b2 a1 c3'.",
    ),
]
Text = Annotated[
    str | None,
    typer.Option("--text", metavar="T", help="Start from this position ('text' in show --json)."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", metavar="S", help="Seconds to think."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Random seed.")]
Load = Annotated[
    Path | None,
    typer.Option("--load", metavar="FILE", help="Continue a saved game or puzzle."),
]
Save = Annotated[
    Path | None, typer.Option("--save", metavar="FILE", help="Save to this file after every move.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="Where games are stored: sqlite:///FILE or postgresql://USER@HOST/NAME; by default "
        "a file in your data folder.",
    ),
]
WorkerCount = Annotated[
    int, typer.Option("--workers", metavar="N", help="Number of processes that do the work.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def usual_limits(agent: str, seconds: float) -> Limits:
    """Return the time for an agent whose spec sets no limit, or else no more than these."""
    from plywise.core.analysis import Limits
    from plywise.play.players import LIMITS

    return Limits() if set(LIMITS) & set(Spec.parse(agent).given) else Limits(time=seconds)


def read_position(game: Game, moves: str, text: str | None) -> Position:
    """Return the position after `moves`, from the start or from the position `text` describes."""
    return game.position(moves, start=None if text is None else game.from_text(text))


def is_saved(game: str) -> bool:
    """Return True for a file saved by `play`, and False for a game or a game's own file."""
    file = Path(game)
    return file.is_file() and file.suffix != ".py"


def read_played(game: str, moves: str, text: str | None) -> tuple[Position, Result | None]:
    """Return the last position of a game or of a saved file, and the result that the file has."""
    from plywise.play.records.saves import load

    if not is_saved(game):
        return read_position(make(game), moves, text), None
    if moves or text:
        raise SpecError(f"{game} already contains the moves: leave out --moves and --text")
    record = load(Path(game))
    played = make(record.game)
    start = None if record.start is None else played.from_text(record.start)
    return played.position([move.text for move in record.moves], start=start), record.result


#: What the name of a file may end with, by the option that writes it; the usual ending first.
ENDINGS = {"svg": (".svg",), "png": (".png",), "apng": (".apng", ".png")}


def _ending(parameter: typer.CallbackParam, file: Path | None) -> Path | None:
    """Refuse a file whose name says that it holds something else than its option writes."""
    allowed = ENDINGS[str(parameter.name)]
    if file is not None and file.suffix.lower() not in ("", *allowed):
        raise SpecError(f"--{parameter.name} {file}: the name must end in {' or '.join(allowed)}")
    return file


Svg = Annotated[
    Path | None,
    typer.Option("--svg", metavar="F", help="Write the picture to an SVG file.", callback=_ending),
]
Png = Annotated[
    Path | None,
    typer.Option("--png", metavar="F", help="Write the picture to a PNG file.", callback=_ending),
]
Apng = Annotated[
    Path | None,
    typer.Option(
        "--apng",
        metavar="F",
        help="Write the game so far, move by move, to an animated PNG file.",
        callback=_ending,
    ),
]


def _check_theme(context: typer.Context, theme: str) -> str:
    """Refuse an unknown theme before any work, but do nothing while a shell completes words."""
    if not context.resilient_parsing:
        from plywise.views.theme import find_theme

        find_theme(theme)
    return theme


Theme = Annotated[
    str,
    typer.Option("--theme", metavar="T", help="Colours: 'light' or 'dark'.", callback=_check_theme),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


def write_pictures(scene: Scene, svg: Path | None, png: Path | None, theme: str) -> None:
    """Draw a Scene into the files the user asked for."""
    from plywise.views import draw_png, draw_svg

    if svg is not None:
        svg.write_text(draw_svg(scene, theme), encoding="utf-8")
    if png is not None:
        png.write_bytes(draw_png(scene, theme))
