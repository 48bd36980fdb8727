"""The results as one HTML file: standings, cross table, what went wrong, and every game to replay.

It needs no server and loads nothing. Boards are drawn as text, since every game can be drawn so; a
line of a board is stored once, however many positions have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from html import escape
from itertools import islice
from pathlib import Path

from plywise.arena.games import game_of
from plywise.arena.plan import Plan
from plywise.arena.results import Row
from plywise.arena.standings import Snapshot, Table

MOST_REPLAYS = 2000  #: games that can be replayed, the latest ones
NO_CHALLENGES = "None yet."
_PARTS = Path(__file__).with_name("page.html")
_STYLE = Path(__file__).with_name("tables.css")

Replay = Callable[[Row], str]  #: the cell with which a game is replayed


def page(found: Snapshot) -> str:
    """Return the page."""
    replayed = [*found.rows[-MOST_REPLAYS:], *found.challenges[-MOST_REPLAYS:]]
    number = {id(row): place for place, row in enumerate(replayed)}

    def replay(row: Row) -> str:
        place = number.get(id(row))
        return "" if place is None else f'<button data-game="{place}">replay</button>'

    filled = {
        "STYLE": _STYLE.read_text(encoding="utf-8"),
        **sections(found, replay),
        "REPLAYS": _script(replays(found.plan, replayed)),
    }
    text = _PARTS.read_text(encoding="utf-8")
    for name, part in filled.items():
        text = text.replace(f"<!-- {name} -->", part)
    return text


def sections(found: Snapshot, replay: Replay, most: int | None = None) -> dict[str, str]:
    """Return the parts of the page in HTML, which the web app shows too.

    `most` is the number of games that are listed, the latest ones; by default all.
    """
    plan, challenges = found.plan, found.challenges
    return {
        "TITLE": escape(f"{plan.game}, {len(plan.agents)} agents"),
        "FACTS": escape(_facts(plan, found.table)),
        "STANDINGS": _standings(found.table),
        "CROSS": _cross(found.table),
        "GAMES": _games(plan, found.rows, replay, most),
        "CHALLENGES": _games(plan, challenges, replay, most) if challenges else NO_CHALLENGES,
    }


def _facts(plan: Plan, table: Table) -> str:
    limits = [f"clock {plan.time}"] if plan.time else []
    limits += [f"{plan.nodes:,} nodes a move"] if plan.nodes else []
    played = f"{table.games:,} games, {plan.format}"
    return ", ".join([played, "each opening from both sides", *limits, f"random seed {plan.seed}"])


def _row(cells: Sequence[str], kind: str = "td", more: Collection[int] = ()) -> str:
    """A row of a table; the cells `more` are left out where there is no room for them."""
    classes = [' class="more"' if place in more else "" for place in range(len(cells))]
    written = (f"<{kind}{name}>{cell}</{kind}>" for name, cell in zip(classes, cells, strict=True))
    return f"<tr>{''.join(written)}</tr>"


def _table(kind: str, head: str, lines: Sequence[str]) -> str:
    body = "".join(lines)
    return f'<table class="{kind}"><thead>{head}</thead><tbody>{body}</tbody></table>'


def _standings(table: Table) -> str:
    names = ("", "agent", "rating", "95 %", "points", "games", "won", "drawn", "lost")
    more = range(5, 10)
    head = _row([*names, "slowest move", "forfeited"], "th", more)
    lines = []
    for each in table.standings:
        rated = ["", ""]
        if each.rating is not None:
            rated = [f"{each.rating:+.0f}", f"&plusmn;{each.error:.0f}"]
        wrong = escape(each.failed)
        if each.reason:
            wrong += f"<br><small>{escape(each.reason)}</small>"
        figures = (f"{each.points:g}", each.games, each.wins, each.draws, each.losses)
        name = escape(each.name)
        if each.spec != each.name:
            name += f'<br><small class="more">{escape(each.spec)}</small>'
        cells = [str(each.rank), name, *rated, *map(str, figures), f"{each.slowest:.3f} s"]
        lines.append(_row([*cells, wrong], more=more))
    return _table("standings", head, lines)


def _cross(table: Table) -> str:
    """The share of the points of each agent against each other, the best first."""
    places = range(1, len(table.standings) + 1)
    head = _row(["", *map(str, places)], "th")
    lines = []
    for each, shares in zip(table.standings, table.matrix, strict=True):
        lines.append(_row([f"{each.rank} {escape(each.name)}", *shares]))
    return _table("cross", head, lines)


def _games(plan: Plan, rows: Sequence[Row], replay: Replay, most: int | None) -> str:
    """The games, the latest first."""
    lines, more = [], (0, 5)
    for row in islice(reversed(rows), most):
        names = [escape(plan.agents[agent].name) for agent in (row.first, row.second)]
        result = ("&frac12; - &frac12;", "1 - 0", "0 - 1")[row.played.winner]
        why = escape(row.played.reason)
        cells = [str(row.round + 1), *names, result, replay(row), why]
        lines.append(_row(cells, more=more))
    head = _row(["round", "player 1", "player 2", "result", "", "why"], "th", more)
    return _table("games", head, lines)


def replays(plan: Plan, rows: Sequence[Row]) -> dict[str, object]:
    """The boards of games, move by move: numbers of lines, and these lines."""
    game = game_of(plan.game)
    lines: dict[str, int] = {}
    found = []
    for row in rows:
        frames = []
        moves = game.split_moves(row.played.moves)
        position = game.start()
        for number in range(len(moves) + 1):
            drawn = str(position).splitlines()
            frames.append([lines.setdefault(line, len(lines)) for line in drawn])
            if number < len(moves):
                position = position.play(moves[number])
        found.append({"moves": list(moves), "opening": row.played.plies, "frames": frames})
    return {"lines": list(lines), "games": found}


def _script(data: dict[str, object]) -> str:
    """JSON that can stand in a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
