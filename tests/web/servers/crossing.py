"""Games played across two servers that share a database: both must show every move."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.serving import Server
from tests.web.servers.pages import Page, Visitor

PACE = 0.02, 0.2  #: seconds that a person thinks about a move
HERE, THERE = 0, 1  #: the two servers


@dataclass
class Crossing:
    """What was seen on all pages."""

    games: int = 0
    moves: int = 0
    #: Seconds from the confirmation of a move at one server until the page at the other shows it.
    lags: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


async def cross(servers: Sequence[Server], games: int, at_once: int = 20) -> Crossing:
    """Play games across two servers: most between people, every fourth against the computer."""
    found = Crossing()
    free = asyncio.Semaphore(at_once)

    async def one(number: int) -> None:
        async with free:
            rng = random.Random(number)
            pair = servers if rng.random() < 0.5 else servers[::-1]
            play = _against_computer if number % 4 == 3 else _two_people
            try:
                await play(pair, number, rng, found)
                found.games += 1
            except Exception as error:
                found.faults.append(f"game {number}: {error!r}")

    await asyncio.gather(*map(one, range(games)))
    return found


async def _two_people(
    servers: Sequence[Server], number: int, rng: random.Random, found: Crossing
) -> None:
    """One person is at each server; the second takes a seat there."""
    one, two = Visitor(2 * number), Visitor(2 * number + 1)
    id = await one.start(
        servers[HERE], game="tictactoe", first="human", second="human", seats="invite"
    )
    await two.look(servers[THERE], id)  # for a cookie
    async with one.page(servers[HERE], id) as here, two.page(servers[THERE], id) as there:
        await here.until(lambda: here.game, "the game")
        await there.until(lambda: there.game, "the game")
        await there.ok("seat")
        await here.until(lambda: here.game["seat_free"] is None, "the opponent")
        pages = [here, there]
        confirmed: list[str] = []
        while await pages[0].turn():
            await _move(pages[0], pages[1], confirmed, rng, found)
            pages.reverse()
        await pages[1].until(lambda: pages[1].over, "the end of the game")
        _compare(here, there, confirmed)
    await _compare_stored(servers, id, one, confirmed)


async def _against_computer(
    servers: Sequence[Server], number: int, rng: random.Random, found: Crossing
) -> None:
    """A person plays at one server, and somebody watches at the other."""
    player, watcher = Visitor(2 * number), Visitor(2 * number + 1)
    id = await player.start(
        servers[HERE], game="connect4", first="human", second="auto:level=1", seed=number
    )
    async with player.page(servers[HERE], id) as here, watcher.page(servers[THERE], id) as there:
        while await here.turn():
            await _move(here, there, [], rng, found)
        await there.until(lambda: there.over, "the end of the game")
        moves = here.moves
        _compare(here, there, moves)
    await _compare_stored(servers, id, player, moves)


async def _move(
    here: Page, there: Page, confirmed: list[str], rng: random.Random, found: Crossing
) -> None:
    """Play a move on one page and wait until the other shows it."""
    await asyncio.sleep(rng.uniform(*PACE))
    move, count = here.choose(rng), len(here.moves) + 1
    await here.ok("move", move=move, version=here.game["version"])
    at = time.perf_counter()
    confirmed.append(move)
    await there.until(lambda: len(there.moves) >= count, f"move {count} at the other server")
    seen = min(when for shown, when in there.shown.items() if shown >= count)
    found.moves += 1
    found.lags.append(max(0.0, seen - at))


def _compare(here: Page, there: Page, moves: list[str]) -> None:
    assert here.moves == there.moves == moves, (here.summary, there.summary, moves)
    for page in (here, there):
        assert not page.errors, page.errors


async def _compare_stored(
    servers: Sequence[Server], id: str, visitor: Visitor, moves: list[str]
) -> None:
    """Ask both servers once more."""
    for server in servers:
        kept = await visitor.look(server, id)
        assert [move["text"] for move in kept["moves"]] == moves, (kept["moves"], moves)
