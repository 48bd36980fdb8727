"""What pages say that programs know: `make figures` writes it, tests fail while it differs.

It stands between `<!-- KIND: NAME -->` and `<!-- end -->`. A `table` is what the code says, or
`tests/golden/perft.txt`, which tests count again; for what was measured, `figure`, `result` and
`results`, see `figures.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.__main__ import BENCHES
from bench.learned import SHIPPED

import plywise
from plywise import engines, games
from plywise.core.spec import Parameter, format_value
from plywise.engines.auto import FULL, PEOPLE
from plywise.engines.net import Net
from plywise.engines.net.weights import shipped_file
from tests.docs.figures import figure, result_table, results_of, table
from tests.docs.pages import PAGES
from tests.golden.perft import perft_table

MARKED = re.compile(
    r"(?<!`)(<!-- (?P<kind>table|figure|results?)(?:: (?P<name>[^\n]+?))? -->)"
    r"(?P<text>.*?)(<!-- end -->)",
    re.DOTALL,
)


def parameters(of: Sequence[Parameter]) -> str:
    """What a game or an agent can be told."""
    head = ["parameter", "what it is", "what it may be", "default"]
    return table(head, [_row(parameter) for parameter in of])


def _row(parameter: Parameter) -> list[str]:
    default = "" if parameter.default is None else f"`{format_value(parameter.default)}`"
    return [f"`{parameter.name}`", parameter.help, parameter.allowed, default]


def engine_parameters(name: str) -> str:
    """Of an engine that plays every game."""
    return parameters(engines.find(name, plywise.game("tictactoe")).parameters)


def game_parameters(name: str) -> str:
    """Of a game."""
    return parameters(games.find(name).parameters)


def agent_parameters(name: str) -> str:
    """Of a game's own agent: `connect4 seed`."""
    game, agent = name.split()
    return parameters(games.find(game).strength.agents[agent].parameters)


def game_list(_: str) -> str:
    """Every game with the rules in one sentence; the name leads to its page."""
    kinds = [games.find(name) for name in games.names()]
    rows = [[f"[`{kind.name}`](docs/games/{kind.name}.md)", kind.words.summary] for kind in kinds]
    return table(["game", "in one sentence"], rows)


def perft(game: str) -> str:
    """How many ways there are to play the first moves of a game, on its usual board."""
    (counts,) = (row.counts for row in perft_table() if row[:2] == (game, ""))
    ways = {str(moves): f"{count:,}" for moves, count in enumerate(counts, 1) if count}
    return table(["moves", *ways], [["ways to play them", *ways.values()]])


def engine_list(_: str) -> str:
    """Every engine that plays all games."""
    game = plywise.game("tictactoe")
    names = [name for name in engines.names(game) if name not in game.type.strength.agents]
    rows = [
        [f"[`{name}`](docs/engines.md#{name})", engines.find(name, game).help] for name in names
    ]
    return table(["engine", "what it does"], rows)


def commands(_: str) -> str:
    """Every command of an installed plywise with the first line of its help."""
    from plywise.cli.app import app

    rows = []
    for command in app.registered_commands:
        assert command.callback is not None
        if not command.callback.__module__.startswith("plywise."):
            continue
        name = command.name or command.callback.__name__
        rows.append([f"`plywise {name}`", (command.callback.__doc__ or "").partition("\n")[0]])
    return table(["command", "what it does"], rows)


def levels(_: str) -> str:
    """What makes a level of `auto` below the full one."""
    rows = [
        [
            *(str(level), f"{person.depth} plies", f"{person.nodes:,}"),
            *(f"{person.overlooks:.1%}", f"{person.freedom:g}"),
        ]
        for level, person in enumerate(PEOPLE, 1)
    ]
    head = ["level", "looks ahead", "positions at most", "overlooks the answer", "freedom"]
    return table(head, [*rows, [str(FULL), *["as far as its time goes"] * 2, "never", "none"]])


def benchmarks(_: str) -> str:
    """Every benchmark, and how it measures."""
    rows = []
    for bench in BENCHES:
        only = " Only if named." if bench.only_named else ""
        rows.append([f"`{bench.name}`", bench.title, bench.method + only])
    return table(["name", "what is measured", "how"], rows)


def nets(_: str) -> str:
    """Every net that ships, and how its file says that it was learned."""
    rows = []
    for shipped in SHIPPED:
        game = plywise.game(shipped.spec)
        file = shipped_file(game)
        assert file is not None
        about = Net.load(file, game).about
        chosen = about["settings"]
        options = [f"--deeper {chosen['deeper']}"] if chosen["deeper"] > chosen["depth"] else []
        options += [f"--random {chosen['random']}"]
        options += ["--added"] if chosen.get("added") else []
        options += [] if chosen.get("patterns", True) else ["--no-patterns"]
        took = [f"{about['seconds'] / 60:.0f}", f"{about['positions']:,}"]
        rows.append([f"`{game.spec}`", f"`{' '.join(options)}`", *took])
    return table(["net for", "learned with", "minutes", "positions"], rows)


TABLES: dict[str, Callable[[str], str]] = {
    "engine": engine_parameters,
    "game": game_parameters,
    "agent": agent_parameters,
    "games": game_list,
    "perft": perft,
    "engines": engine_list,
    "commands": commands,
    "levels": levels,
    "benchmarks": benchmarks,
    "nets": nets,
}


def code_table(what: str) -> str:
    """A table of what the code says."""
    kind, _, name = what.partition(" ")
    return "\n" + TABLES[kind](name)


FILLERS = {"table": code_table, "figure": figure, "result": result_table}


def written_anew(page: Path) -> str:
    """A page with everything between marks as it should be."""
    text = page.read_text(encoding="utf-8")

    def fill(match: re.Match[str]) -> str:
        try:
            if match["kind"] == "results":
                return match[1] + results_of(text) + match[5]
            return match[1] + FILLERS[match["kind"]](match["name"]) + match[5]
        except (KeyError, LookupError, ValueError) as error:
            raise ValueError(f"{page.name}: {match[1]}: {error}") from error

    return MARKED.sub(fill, text)


def tables_of(page: Path) -> set[str]:
    """The names of the tables that a page has."""
    marks = MARKED.finditer(page.read_text(encoding="utf-8"))
    return {match["name"] for match in marks if match["kind"] == "table"}


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(written_anew(each), encoding="utf-8")
