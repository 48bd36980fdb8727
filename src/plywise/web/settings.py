"""What an operator may want to change: who comes in, and the limits of the server.

Where there is a number of something for all together, one address gets at most a quarter of it.
What nobody would change is a constant beside the code that it governs.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

KILOBYTE = 1024
MINUTE = 60.0
HOUR = 60 * MINUTE
SHARE = 4  #: one address gets at most one part in this many of whatever there is


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share(slots: int) -> int:
    """How many of these slots one address may have.

    >>> share(128), share(3)
    (32, 1)
    """
    return max(1, slots // SHARE)


@dataclass(frozen=True)
class Settings:
    """What one server allows. The defaults suit one person on their own machine."""

    # Access
    host: str = "127.0.0.1"  #: the address to listen on, also accepted as a host name
    names: tuple[str, ...] = ()  #: further host names that browsers may use
    proxies: tuple[str, ...] = ()  #: addresses whose X-Forwarded-For and -Proto are believed
    metrics: tuple[str, ...] = ()  #: addresses that may read /metrics, besides this machine
    embedders: tuple[str, ...] = ()  #: origins whose pages may show boards in a frame; * for all
    token: str | None = None  #: without this access token nobody comes in
    arenas: tuple[Path, ...] = ()  #: files with the results of tournaments that everybody may see
    warm_up: bool = True  #: compile what games need in the background after the start

    # Connections
    connections: int = 4000  #: open at once, if there are descriptors for as many
    head_seconds: float = 10.0  #: from connecting, or from the answer before, to a whole head
    body_seconds: float = 20.0  #: from the head to the end of the body

    # What one address may do at once and over a second
    connections_at_once: int = 500  #: new connections
    connections_per_second: float = 100.0
    requests_at_once: int = 300  #: requests and frames; more than that wait ...
    requests_per_second: float = 100.0
    throttle_seconds: float = 5.0  #: ... for so long at most: beyond that the answer is 429

    # Searches
    workers: int = field(default_factory=cores)  #: threads that search at the same time
    analysis_seconds: float = 600.0  #: the longest analysis on the socket
    answer_seconds: float = 10.0  #: ... and by a plain request, or of a hint
    move_seconds: float = 10.0  #: how long an engine may think about a move in a game
    absent_seconds: float = 1.0  #: ... when nobody is there: then it moves with what it has
    review_seconds: float = 0.3  #: time for each position of a review
    engine_threads: int = 1  #: the limit of an agent's `threads`
    engine_megabytes: float = 256.0  #: the limit of an agent's `memory`
    analyses_per_client: int = 4  #: analyses, hints and reviews of one browser at once
    analyses: int = 128  #: ... and of all together; beyond that the answer is 429
    engine_moves: int = 256  #: engine moves waiting or running; beyond that the answer is 429

    # Boards and games
    board_moves: int = 400  #: the largest `Game.max_moves`: 19 x 19 has 361
    puzzle_cells: int = 1600  #: the largest puzzle: 40 x 40
    plies: int = 1000  #: the longest game, in moves
    picture_moves: int = 400  #: the longest game that is drawn move by move

    # Requests
    body_bytes: int = 64 * KILOBYTE  #: the largest body of a request, or frame on the socket
    frames_per_second: float = 50.0  #: what one socket may send over time ...
    frames_at_once: int = 200  #: ... and at once

    # Clients
    games_per_client: int = 200  #: unfinished games of one browser
    games_per_minute: int = 120  #: new games from one address
    sockets_per_client: int = 32  #: open pages of one browser
    sockets: int = 2000  #: ... and of all together
    rooms: int = 500  #: games in memory; the rest are loaded from the store when needed
    idle_seconds: float = 10 * MINUTE  #: how long a game that nobody watches stays in memory

    @classmethod
    def public(cls, host: str, names: tuple[str, ...] = ()) -> Settings:
        """Settings for a server that strangers can reach: less time and memory for each."""
        return replace(
            cls(host=host, names=names),
            analysis_seconds=60.0,
            answer_seconds=3.0,
            move_seconds=3.0,
            review_seconds=0.1,
            engine_megabytes=32.0,
            analyses_per_client=2,
            board_moves=225,
            puzzle_cells=900,
            plies=400,
            picture_moves=200,
            requests_per_second=50.0,
            frames_per_second=20.0,
            frames_at_once=60,
            games_per_client=20,
            games_per_minute=10,
            sockets_per_client=8,
        )
