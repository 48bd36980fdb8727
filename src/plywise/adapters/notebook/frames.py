"""A game in a notebook as the page of the web app knows games: one person, no clocks, no server."""

from __future__ import annotations

from typing import Any

from plywise.play.players import label
from plywise.play.session import Session
from plywise.web.api.positions import position_json
from plywise.web.live.open_game import lines_json

__all__ = ["game_json", "lines_json"]


def game_json(session: Session, version: int) -> dict[str, Any]:
    """Return a game as plain data, with its position and all that its board may do."""
    record, position, people = session.record, session.position, session.people
    result, player = record.result, session.on_turn
    running = result is None
    return {
        "version": version,
        "game": session.game.spec,
        "title": session.game.type.title,
        "start": record.start,
        "clock": None,
        "clocks": None,
        "players": [
            {
                "spec": spec,
                "name": record.names[number - 1] or label(spec),
                "named": record.names[number - 1] != "",
                "person": number in people,
                "taken": True,
                "present": True,
                "you": number in people,
            }
            for number, spec in enumerate(record.players, 1)
        ],
        "you": people,
        "seat_free": None,
        "result": None
        if result is None
        else {"winner": result.winner, "how": result.how, "reason": result.reason},
        "offer": None,
        "next": None,
        "thinking": player is not None and not player.person,
        "can": {
            "move": running and position.mover in people,
            "undo": bool(people) and session.can_undo,
            "redo": bool(people) and running and bool(record.undone),
            "resign": running and bool(people),
            "hint": True,
            "draw": False,
            "takeback": False,
            "rematch": False,
            "answer": False,
        },
        **lines_json(record),
        "position": position_json(position),
    }
