"""Setting up a position piece by piece, for every game that has a Look and a position text.

A draft says what stands on each place and who moves. It may be impossible: `text_of` then says
why, in the words in which the game refuses such a position text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.scene import Scene, Target
from plywise.errors import InvalidPosition, SpecError, Unsupported
from plywise.kit import texts
from plywise.kit.look import Look, Piece
from plywise.kit.picture import picture, shape_of

#: What a picture says about the points, which a draft does not have.
POINTS = frozenset({"sign 1", "points 1", "sign 2", "points 2"})
ROOM = 0.4  #: around a place that can be clicked


@dataclass(frozen=True)
class Draft:
    """What stands on each place, the side to move (0 or 1), and the look's further fields."""

    game: Game
    numbers: tuple[int, ...]
    turn: int
    also: Mapping[str, tuple[int, ...]]


def look_of(game: Game) -> Look:
    """Return the look of a game whose positions can be set up; Unsupported if there is none."""
    look = game.type.look
    if not isinstance(look, Look) or not look.is_written(game.type.state):
        raise Unsupported(f"{game.type.title} has no position text, so its board cannot be edited")
    return look


def draft_of(position: Position) -> Draft:
    """Return a position as a draft.

    >>> import plywise
    >>> draft_of(plywise.game("tictactoe").position("b2")).numbers
    (0, 0, 0, 0, 1, 0, 0, 0, 0)
    """
    game, look = position.game, look_of(position.game)
    numbers = tuple(look.standing(game.board, position.state))
    also = {name: tuple(map(int, np.ravel(position.state[name]))) for name in look.also}
    return Draft(game, numbers, int(position.state.turn), also)


def read_draft(
    game: Game, numbers: Sequence[int], turn: int, also: Mapping[str, Sequence[int]]
) -> Draft:
    """Return a draft; SpecError unless it fits the board of the game."""
    start = draft_of(game.start())
    most = len(look_of(game).kinds) - 1
    if len(numbers) != len(start.numbers):
        raise SpecError(f"{len(numbers)} places: this board has {len(start.numbers)}")
    if not all(0 <= number <= most for number in numbers):
        raise SpecError(f"on a place stands 0 (nothing) or a piece, 1 to {most}")
    if also.keys() != start.also.keys() or any(
        len(also[name]) != len(values) for name, values in start.also.items()
    ):
        wanted = ", ".join(f"{name} ({len(values)})" for name, values in start.also.items())
        raise SpecError(f"the further fields must be: {wanted or 'none'}")
    fields = {name: tuple(also[name]) for name in start.also}
    return Draft(game, tuple(numbers), turn, fields)


def text_of(draft: Draft) -> str:
    """Return the position text of a draft; InvalidPosition if there is no such position."""
    game, look = draft.game, look_of(draft.game)
    written = texts.written(look, game.board, draft.numbers, draft.turn, draft.also.values())
    states = np.zeros(1, game.type.state)
    game.rules.setup(game.board, states[0])
    try:
        look.from_text(game.board, states[0], written)
    except ValueError as error:
        raise InvalidPosition(str(error)) from error
    assert game.type.notation.to_text is not None
    text = game.type.notation.to_text(game.board, states[0])
    game.from_text(text)  # what is offered can be read again
    return text


def pieces_of(game: Game) -> tuple[Piece, ...]:
    """Return the pieces that can be placed, by number from 1 up, each with a label of its own."""
    kinds = look_of(game).kinds[1:]
    seen = Counter[int | None]()
    found = []
    for piece in kinds:
        seen[piece.owner] += 1
        plain = piece.label or (piece.owner is not None and seen[piece.owner] == 1)
        found.append(piece if plain else replace(piece, label=piece.letter.upper()))
    return tuple(found)


def scene_of_draft(draft: Draft) -> Scene:
    """Return the picture of a draft; every place is a target, called by its name."""
    game = draft.game
    shown = replace(
        look_of(game),
        contents=lambda b, s, out: np.copyto(out, draft.numbers),
        pieces=pieces_of(game),
        winning=None,
        put=None,
    )
    layout = shown.layout_of(game.board)
    targets = [Target(place.name, (shape_of(place),), place.at, ROOM) for place in layout.places]
    scene = picture(shown, game.start(), targets=targets)
    shapes = tuple(shape for shape in scene.shapes if shape.id not in POINTS)
    words = _in_words(layout.places, draft, pieces_of(game))
    title = f"{game.type.title}, board editor"
    return replace(scene, title=title, description=words, text="", shapes=shapes)


def _in_words(places: Sequence[Any], draft: Draft, pieces: Sequence[Piece]) -> str:
    standing = [
        f"{place.name} {pieces[number - 1].letter}"
        for place, number in zip(places, draft.numbers, strict=True)
        if number
    ]
    return f"On the board: {', '.join(standing) or 'nothing'}."
