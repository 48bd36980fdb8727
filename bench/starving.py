"""The web app while a hundred clients ask for the most expensive things there are.

Players and visitors are measured in turns with the load and without it, so that other work on the
machine is fair to both. The clients of the load run in a process of their own, at the lowest
priority: clients elsewhere would not use the server's processors at all.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from multiprocessing.synchronize import Event
from typing import Any

import httpx
from tests.serving import Server, serving

from bench.measure import Bench, Quantity, Row
from bench.web import Heard, Person, shares, sit, timed

CLIENTS = 100  #: of the load
ADDRESSES = (100, 4)  #: from which they come
PLAYERS = 10
ROUNDS = 4  #: of quiet and load
SECONDS = 10.0  #: of each
PACE = 0.3, 0.9  #: seconds that a player thinks about a move
VISIT = 0.5  #: seconds between two visitors
SULK = 0.5  #: seconds that a client of the load waits after a refusal
PATIENCE = 60.0
LOWEST = 19  #: priority of the load, as a `nice` value
BOARDS = ("connect4", "tictactoe:rows=15,k=5", "makeway", "snails", "align", "andantino")
COLUMNS = "abcdefghijklmnopqrs"  #: of a board of 19 x 19


# ---- the load ------------------------------------------------------------------------------------


def expensive(rng: random.Random) -> tuple[str, str, Any]:
    """A method, a path and a body: as much work as one request can ask for."""
    seed = rng.randrange(10**9)
    board = f"makeway:dots=62,lines={rng.choice((64, 65, 66))},seed={seed}"
    lines = "\n".join(f"game makeway:dots=62,lines=65,seed={seed + n}" for n in range(4000))
    moves = [f"{column}{row}" for row in range(1, 20) for column in COLUMNS]
    rng.shuffle(moves)
    large = {"game": "tictactoe:rows=19,k=19", "moves": moves[:340]}
    puzzle = {"params": {"rows": 30, "cols": 30, "grade": "expert"}, "seed": seed}
    return rng.choice(
        (
            ("GET", f"/api/positions?game={board}", None),
            ("GET", f"/api/positions?game={board}", None),
            ("POST", "/api/positions", large),
            ("POST", "/api/games", {"game": board}),
            ("POST", "/api/games/import", {"text": f"plywise game 1\n{lines}\nend"}),
            ("POST", "/api/analysis", {"game": "connect4:rows=7,cols=8", "time": 10}),
            ("POST", "/api/review", large),
            ("POST", "/api/hint", {**large, "time": 10}),
            ("POST", "/api/puzzles/slither/new", puzzle),
        )
    )


def load(url: str, addresses: int, go: Event, end: Event, answers: Any) -> None:
    """The process of the load: a hundred clients, while `go` is set."""
    os.nice(LOWEST)

    async def one(number: int, seen: Counter[str]) -> None:
        rng = random.Random(number)
        source = f"127.0.1.{1 + number % addresses}"
        address = httpx.AsyncHTTPTransport(local_address=source)
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, transport=address) as client:
            while not end.is_set():
                if not go.is_set():
                    await asyncio.sleep(0.1)
                    continue
                method, path, body = expensive(rng)
                try:
                    answer = await client.request(method, path, json=body)
                    seen[str(answer.status_code)] += 1
                    if answer.status_code == 429:
                        await asyncio.sleep(SULK)
                except httpx.HTTPError as error:
                    seen[type(error).__name__] += 1
                    await asyncio.sleep(SULK)

    async def all_of_them() -> Counter[str]:
        seen: Counter[str] = Counter()
        await asyncio.gather(*(one(number, seen) for number in range(CLIENTS)))
        return seen

    answers.put(dict(asyncio.run(all_of_them())))


# ---- those who are measured ----------------------------------------------------------------------


@dataclass
class Felt:
    """What players and visitors felt, in one kind of round."""

    moves: list[float] = field(default_factory=list)
    home: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


async def play(server: Server, felt: list[Felt], number: int) -> None:
    """Play a game; what it feels goes to whatever round it is."""
    heard, rng = Heard(), random.Random(number)
    async with sit(server, "connect4", second="auto:level=1") as line:
        person = Person(line, heard, rng)
        legal = await person.my_turn()
        while True:
            await asyncio.sleep(rng.uniform(*PACE))
            legal = await person.move(legal)
            felt[-1].moves.append(heard.confirmed[-1])


async def visit(server: Server, felt: list[Felt]) -> None:
    """Open the home page, start a game and get a hint, each time as somebody new."""
    number = 0
    while True:
        number += 1
        async with httpx.AsyncClient(
            base_url=server.url, timeout=PATIENCE, trust_env=False
        ) as client:
            now, started = felt[-1], time.perf_counter()
            for path in ("/", "/api/kinds", "/api/games"):
                await client.get(path)
            now.home.append(time.perf_counter() - started)
            started = time.perf_counter()
            asked = {"game": BOARDS[number % len(BOARDS)], "second": "auto:level=1"}
            answer = await client.post("/api/games", json=asked)
            if answer.status_code == 201:
                now.games.append(time.perf_counter() - started)
            elif answer.status_code != 429:  # an address may start only a few games a minute
                now.faults.append(json.dumps(answer.json()))
            started = time.perf_counter()
            answer = await client.post("/api/hint", json={"game": "tictactoe", "moves": "b2"})
            now.hints.append(time.perf_counter() - started)
            if answer.status_code != 200:
                now.faults.append(json.dumps(answer.json()))
        await asyncio.sleep(VISIT)


async def turns(server: Server, go: Event, rounds: int, seconds: float) -> tuple[Felt, Felt]:
    """Let rounds with the load and without it take turns."""
    quiet, busy = Felt(), Felt()
    felt = [quiet]
    people = [asyncio.ensure_future(play(server, felt, n)) for n in range(PLAYERS)]
    people.append(asyncio.ensure_future(visit(server, felt)))
    for _ in range(rounds):
        for now in (quiet, busy):
            if now is busy:
                go.set()
                felt.append(Felt())  # the change itself belongs to nobody
                await asyncio.sleep(seconds / 5)
            else:
                go.clear()
                felt.append(Felt())
                await asyncio.sleep(seconds)
            felt.append(now)
            await asyncio.sleep(seconds)
    busy.faults += [repr(task.exception()) for task in people if task.done()]
    for task in people:
        task.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return quiet, busy


def starving(quick: bool) -> Iterator[Row]:
    """Measure players and visitors with the load and without it, then the end of the server."""
    for addresses in ADDRESSES:
        yield from _starving(addresses, 1 if quick else ROUNDS)


def _starving(addresses: int, rounds: int) -> Iterator[Row]:
    context = multiprocessing.get_context("spawn")
    go, end, answers = context.Event(), context.Event(), context.Queue()
    with serving() as server:
        server.settle()
        given = (server.url, addresses, go, end, answers)
        clients = context.Process(target=load, args=given, daemon=True)
        clients.start()
        quiet, busy = asyncio.run(turns(server, go, rounds, SECONDS))
        started = time.perf_counter()
        server.terminate()
        stopped = time.perf_counter() - started
        end.set()
        seen = answers.get(timeout=2 * PATIENCE)
        clients.join(PATIENCE)
    moves = [shares(felt.moves) for felt in (quiet, busy)]
    counts = ", ".join(f"{count} x {status}" for status, count in sorted(seen.items()))
    print(f"answers to {addresses} addresses: {counts}", file=sys.stderr)
    for name, felt in (("quiet", quiet), ("greedy", busy)):
        sizes = len(felt.moves), len(felt.home), len(felt.games), len(felt.hints)
        print(f"{name}: %d moves, %d home pages, %d games, %d hints" % sizes, file=sys.stderr)
    yield timed(f"a move confirmed, {PLAYERS} players, quiet, 95 % within", moves[0][95])
    yield timed(f"... with {CLIENTS} greedy clients from {addresses} addresses", moves[1][95])
    worse = Quantity(moves[1][95] / moves[0][95], "x")
    yield Row("... times the quiet figure", "", "", worse, at_most=3.0)
    yield timed("... half of them within, quiet", moves[0][50])
    yield timed("... half of them within, with greedy clients", moves[1][50])
    for what, calm, crowded, most in (
        ("the home page and its data", quiet.home, busy.home, 2.0),
        ("a new game", quiet.games, busy.games, 2.0),
        ("a hint", quiet.hints, busy.hints, 5.0),
    ):
        yield timed(f"{what}, quiet, the slowest", max(calm, default=inf))
        yield timed("... with greedy clients", max(crowded, default=inf), most)
    for fault in quiet.faults + busy.faults:
        print(fault, file=sys.stderr)
    faults = len(quiet.faults) + len(busy.faults)
    yield Row("faults", "", "", Quantity(faults, "faults"), at_most=0)
    yield timed("SIGTERM to the end of the server, with greedy clients", stopped, 5.0)


STARVING = Bench(
    "web-starving",
    "The web app under greedy clients",
    f"Like `web`, with {PLAYERS} players and a new visitor every {VISIT} s, in rounds of "
    f"{SECONDS:.0f} s with and without {CLIENTS} clients of a process of its own, which ask for "
    "boards that cannot be, imports, large puzzles and long searches as fast as they are answered.",
    "",
    starving,
    "websockets",
)
