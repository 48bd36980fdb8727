"""What two people can offer each other: a draw, to take back a move, a rematch."""

from __future__ import annotations

from plywise.core.position import Position
from plywise.play.players import HUMAN
from plywise.play.records.game_record import GameRecord, OfferKind


def why_not(record: GameRecord, position: Position, number: int, kind: OfferKind) -> str | None:
    """Say why player 1 or 2 cannot offer this now; None if they can."""
    offer, over = record.offer, record.result is not None
    if not all(player == HUMAN for player in record.players):
        return "there is nobody to make an offer to"
    if over != (kind == "rematch"):
        return f"the game is over: {record.result}" if over else "the game is not over yet"
    if kind == "takeback" and before_last(position, number) is None:
        return "there is nothing to take back"
    if offer is not None and offer.by == number and offer.kind == kind:
        return "it was declined" if offer.declined else "it is offered already"
    return None


def before_last(position: Position, number: int) -> int | None:
    """Return how many moves came before the last one of player 1 or 2; None if they made none.

    >>> import plywise
    >>> position = plywise.game("tictactoe").position("b2 a1 c3")
    >>> before_last(position, 1), before_last(position, 2)
    (2, 1)
    """
    earlier = position.before
    while earlier is not None and earlier.mover != number:
        earlier = earlier.before
    return None if earlier is None else len(earlier.moves)
