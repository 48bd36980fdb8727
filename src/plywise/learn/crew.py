"""The part of a round that another process plays, perhaps on another machine."""

from __future__ import annotations

from typing import NamedTuple

from plywise.core.game import Game
from plywise.core.workers import Workers
from plywise.engines.net import Net
from plywise.learn.players import Array, Player
from plywise.learn.strength import manner_of


class Part(NamedTuple):
    """What one player needs for a round."""

    net: Net
    habits: Array
    positions: int
    unseen: Array
    random: Array  #: the player's random numbers


#: Positions with what they are worth, the number of games, and the random numbers after them.
Played = tuple[tuple[Array, ...], int, Array]
Crew = Workers[Part, Played]
_players: dict[tuple[Game, int], Player] = {}  #: of this process: it keeps what is compiled


def play_part(part: Part) -> Played:
    """Play a part by the rules of the agent that will use the net."""
    game = part.net.game
    if (game, part.positions) not in _players:
        _players.clear()  # a process plays one game at a time
        _players[game, part.positions] = Player(
            part.net, manner_of(game), 0, part.positions, part.unseen
        )
    player = _players[game, part.positions]
    player.unseen = part.unseen
    player.random[:] = part.random
    data, games = player.play(part.net, part.habits)
    return data, games, player.random.copy()
