"""Figures in pages, from the files of `lab.results`.

In a sentence, `<!-- figure: NAME PATH -->12<!-- end -->` quotes one figure. PATH leads to it: keys,
numbers of items, and `key=value` for the item of a list that has this value, with `/` between them.
`... over PATH` divides by a second one of the same file. `... as WAY` says how to write it; without
it a share, a mean, a quantity of a benchmark or a number is written as usual.

Between `<!-- result: NAME PART -->` and `<!-- end -->` stands a whole table: see `PARTS`. Behind
`PART with OTHER` it may take more from a second result.
`<!-- results -->` lists all results that a page quotes. What was measured before one of its
sources changed is followed by a dagger.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from bench.measure import Quantity

from lab import results
from lab.papers.report.pages import duration

DAGGER = "\N{DAGGER}"
Rows = Iterable[Sequence[str]]


# ---- one figure ----------------------------------------------------------------------------


def find(found: Any, path: str) -> Any:
    """Follow a path.

    >>> find({"rows": [{"depth": 1, "nodes": 3}, {"depth": 2, "nodes": 7}]}, "rows/depth=2/nodes")
    7
    >>> find([5, 6], "-1")
    6
    """
    for step in path.split("/"):
        key, is_choice, value = step.partition("=")
        if isinstance(found, dict):
            if step not in found:
                raise LookupError(f"no {step!r} in {path}: choose from {', '.join(found)}")
            found = found[step]
        elif is_choice:
            chosen = [each for each in found if str(each.get(key)) == value]
            if len(chosen) != 1:
                raise LookupError(f"{len(chosen)} items have {step} in {path}")
            found = chosen[0]
        else:
            found = found[int(step)]
    return found


def written(figure: Any, way: str = "") -> str:
    """Write a figure in one of the `WAYS`, or as its kind is usually written.

    >>> written(12345), written({"points": 3, "count": 4, "share": 0.75, "low": 0.3, "high": 0.95})
    ('12,345', '75 % (30 to 95)')
    >>> written(7.71, "times"), written(1926.6, "times"), written(0.0123, "duration")
    ('7.7', '1,927', '12 ms')
    """
    if way:
        return WAYS[way](figure)
    if isinstance(figure, dict) and "share" in figure:
        return f"{figure['share'] * 100:.0f} % ({_ends(figure, 100)})"
    if isinstance(figure, dict) and "mean" in figure:
        return f"{_even(figure['mean'])} ({_even(figure['low'])} to {_even(figure['high'])})"
    if isinstance(figure, dict) and "amount" in figure:
        return quantity(figure)
    if isinstance(figure, float):
        return f"{figure:.3g}"
    return f"{figure:,}" if isinstance(figure, int) else str(figure)


def quantity(figure: dict[str, Any] | str) -> str:
    """Write what a benchmark measured."""
    return figure if isinstance(figure, str) else str(Quantity(**figure)).strip()


def times(ratio: float) -> str:
    """Write how many times as much: two digits of what is less than one."""
    if ratio >= 9.95:
        return f"{ratio:,.0f}"
    return f"{ratio:.1f}" if ratio >= 0.95 else f"{ratio:.2g}"


def _even(number: float) -> str:
    """Write a number with one digit after the point, and never -0.0."""
    return f"{round(number, 1) + 0.0:.1f}"


def _ends(share: dict[str, float], factor: float) -> str:
    return f"{share['low'] * factor:.0f} to {share['high'] * factor:.0f}"


WAYS: dict[str, Callable[[Any], str]] = {
    "percent": lambda share: (
        f"{(share['share'] if isinstance(share, dict) else share) * 100:.0f} %"
    ),
    "amount": lambda quantity: written(quantity["amount"]),
    "mean": lambda mean: f"{mean['mean']:.1f}",
    "points": lambda share: f"{share['points']:,.0f}",
    "times": times,
    "duration": duration,
    "rounded": lambda number: f"{number:,.0f}",
    "million": lambda number: f"{number / 1e6:.3g} million",
    "median": lambda runs: duration(statistics.median(each["seconds"] for each in runs)),
    "kilobytes": lambda number: f"{number / 1e3:,.0f} kB",
    "saved": lambda ratio: f"{(1 - ratio) * 100:.0f} %",
}


def figure(what: str) -> str:
    """Write what a marker asks for: `NAME PATH [over PATH] [as WAY]`."""
    match = re.fullmatch(r"(\S+) (.+?)(?: over (.+?))?(?: as (\w+))?", what)
    if match is None:
        raise ValueError(f"give NAME PATH, not {what!r}")
    name, path, over, way = match.groups()
    result = results.read(name)
    value = find(result["found"], path)
    if over:
        value, way = value / find(result["found"], over), way or "times"
    return written(value, way or "") + marked(result)


def marked(result: dict[str, Any]) -> str:
    """Return what follows a figure: a dagger if its sources have changed since."""
    return DAGGER if results.changed(result) else ""


# ---- whole tables --------------------------------------------------------------------------


def table(head: Sequence[str], rows: Rows) -> str:
    """Return a table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def result_table(what: str) -> str:
    """Return a table from a result: `NAME PART [WORDS] [with OTHER]`."""
    match = re.fullmatch(r"(\S+) (\S+) ?(.*?)(?: ?\bwith (\S+))?", what)
    if match is None:
        raise ValueError(f"give NAME PART, not {what!r}")
    name, part, words, other = match.groups()
    used = [results.read(each) for each in (name, other) if each]
    head, *rows = PARTS[part](used[0]["found"], words, *(each["found"] for each in used[1:]))
    if mark := max(map(marked, used)):
        head = [head[0] + f" {mark}".rstrip(), *head[1:]]
    return "\n" + table(head, rows) + "\n"


def agents(found: dict[str, Any], words: str) -> Iterator[Sequence[str]]:
    """All agents of a report, the best first; but for `alone`, with shares against each other."""
    ranked = [] if words == "alone" else [each["agent"] for each in found["agents"]]
    numbers = [str(place) for place in range(1, len(ranked) + 1)]
    yield ["", "agent", "share of points (95 %)", "rating", "time a move", *numbers]
    for place, each in enumerate(found["agents"], 1):
        rating = f"{each['rating']:+.0f} +-{each['rating_error']:.0f}"
        shares = [_against(found["matches"], each["agent"], other) for other in ranked]
        time = duration(each["seconds_median"])
        yield [str(place), f"`{each['agent']}`", written(_share(each)), rating, time, *shares]


def _share(each: dict[str, Any]) -> dict[str, float]:
    return {"share": each["score"], "low": each["score_low"], "high": each["score_high"]}


def _against(matches: list[dict[str, Any]], one: str, other: str) -> str:
    for match in matches:
        if {one, other} == {match["a"], match["b"]} and one != other:
            share = match["score"] if match["a"] == one else 1 - match["score"]
            return f"{share * 100:.0f}"
    return ""


def pairs(found: dict[str, Any], agent: str) -> Iterator[Sequence[str]]:
    """The matches of one agent of a report; all without a name."""
    rows = [turned(match, agent) for match in found["matches"]]
    chosen = [each for each in rows if each["a"] == agent or not agent]
    points = any(each["lead"] for each in chosen)
    first = [f"`{agent}` against"] if agent else ["agent", "against"]
    lead = ["lead in points (95 %)"] if points else []
    yield [*first, "won", "drawn", "lost", "share (95 %)", *lead]
    for each in chosen:
        names = [f"`{each['b']}`"] if agent else [f"`{each['a']}`", f"`{each['b']}`"]
        counts = [str(each[key]) for key in ("wins", "draws", "losses")]
        leads = [_signed(each["lead"])] if points else []
        yield [*names, *counts, written(_share(each)), *leads]


def claim(
    found: dict[str, Any], words: str, more: dict[str, Any] | None = None
) -> Iterator[Sequence[str]]:
    """The pairs of a claim by its number, each with its verdict; games of a second result first."""
    reports = [each for each in (more, found) if each is not None]
    rows = [
        next(row for each in reports if (row := _pair(each, *pair)))
        for pair in found["claims"][int(words)]["pairs"]
    ]
    points = any(each["lead"] for each, _ in rows)
    lead = ["lead in points (95 %)"] if points else []
    yield ["agent", "against", "games", "share (95 %)", *lead, "better", "time a move, both"]
    for each, seconds in rows:
        leads = [_signed(each["lead"])] if points else []
        yield [
            *(f"`{each['a']}`", f"`{each['b']}`", str(each["games"]), written(_share(each))),
            *(*leads, _verdict(each), " and ".join(map(duration, seconds))),
        ]


def _pair(
    report: dict[str, Any], one: str, other: str
) -> tuple[dict[str, Any], list[float]] | None:
    """Return a match from the side of the first, and the seconds a move of both, if they played."""
    for match in report["matches"]:
        if {match["a"], match["b"]} == {one, other}:
            seconds = {each["agent"]: each["seconds_median"] for each in report["agents"]}
            return turned(match, one), [seconds[one], seconds[other]]
    return None


def _verdict(match: dict[str, Any]) -> str:
    """Say whether the first of two is better: by its lead in points, or else by its share."""
    even, found = (0, match["lead"]) if match["lead"] else (0.5, _share(match))
    return "yes" if found["low"] > even else "no" if found["high"] < even else "undecided"


def turned(match: dict[str, Any], agent: str) -> dict[str, Any]:
    """Return a match from the side of an agent."""
    if match["b"] != agent:
        return match
    lead = match["lead"]
    if lead:
        lead = {**lead, "mean": -lead["mean"], "low": -lead["high"], "high": -lead["low"]}
    score, low, high = (1 - share for share in _share(match).values())
    return {
        **match, "a": match["b"], "b": match["a"], "wins": match["losses"], "lead": lead,
        "losses": match["wins"], "score": score, "score_low": high, "score_high": low,
    }  # fmt: skip


def _signed(mean: dict[str, float]) -> str:
    return ("+" if mean["mean"] > 0 else "") + written(mean)


def comparison(found: dict[str, Any], words: str) -> Iterator[Sequence[str]]:
    """A comparison by its number: nodes of each series; with `both` the time, too, or `time` alone.

    With `time` every series has the same nodes, which stand there once.
    """
    number, _, shown = words.partition(" ")
    compared = found["comparisons"][int(number)]
    series, axis, published = compared["series"], compared["axis"], compared["published"]
    labels = [each["label"] for each in series]
    counted = ["nodes"] if shown == "time" else [f"{label}, nodes" for label in labels]
    timed = [f"{label}, time" for label in labels if shown]
    ratios = [f"{label}, times as {'long' if shown == 'time' else 'many'}" for label in labels[1:]]
    yield [axis, *(["the paper"] if published else []), *counted, *timed, *ratios]
    of = "seconds" if shown == "time" else "nodes"
    for efforts in zip(*(each["steps"] for each in series), strict=True):
        first, *others = efforts
        at = str(first[axis])
        yield [
            *(at, *([published.get(at, "")] if published else [])),
            *(f"{each['nodes']:,}" for each in efforts[: len(counted)]),
            *(duration(each["seconds"]) for each in efforts if shown),
            *(times(each[of] / first[of]) for each in others),
        ]


AGENTS = {"agent", "opponent"}  #: columns of these


def own_table(found: dict[str, Any], words: str) -> Iterator[Sequence[str]]:
    """A table of the plan by its number; the columns after `without`, with `;`, are left out."""
    number, _, without = words.partition(" without ")
    rows = found["tables"][int(number)]["rows"]
    left_out = without.split("; ")
    kept = [key for key in rows[0] if key not in left_out]
    yield [_titled(key, rows[0][key]) for key in kept]
    for row in rows:
        yield [f"`{row[key]}`" if key in AGENTS else _cell(row[key]) for key in kept]


def across(found: dict[str, Any], words: str) -> Iterator[Sequence[str]]:
    """Tables of the plan with the same cases, by their numbers: a row for the shares of each."""
    chosen = [found["tables"][int(number)] for number in words.split()]
    cases = [next(iter(row.values())) for row in chosen[0]["rows"]]
    yield ["share of points (95 %)", *map(_cell, cases)]
    for each in chosen:
        shares = [list(row.values())[1] for row in each["rows"]]
        yield [each["title"], *map(written, shares)]


def _titled(key: str, cell: Any) -> str:
    return f"{key} (95 %)" if isinstance(cell, dict) else key


def _cell(cell: Any) -> str:
    text = written(cell)
    return (
        f"`{text}`" if isinstance(cell, str) and re.fullmatch(r"[\w-]+:[\w=,.-]+", text) else text
    )


def bench_rows(found: dict[str, Any], name: str) -> Iterator[Sequence[str]]:
    """The rows of a benchmark, of several with its name; columns of nothing are left out."""
    bench = find(found, f"benchmarks/name={name}" if name else "benchmarks/0")
    lines = [["", "plywise", bench["against"], "result", "target"]]
    for row in bench["rows"]:
        figures = (quantity(row[key]) for key in ("plywise", "against", "result"))
        lines.append([row["what"], *figures, _target(row)])
    filled = [column for column in zip(*lines, strict=True) if any(column[1:])]
    yield from zip(*filled, strict=True)


def _target(row: dict[str, Any]) -> str:
    for key, words in (("at_least", "at least"), ("at_most", "at most")):
        if row[key] is not None:
            verdict = "" if row["met"] in (True, None) else ", missed"
            return f"{words} {Quantity(row[key], row['result']['unit'])}{verdict}"
    return ""


def puzzle_steps(found: dict[str, Any], words: str) -> Iterator[Sequence[str]]:
    """The median steps of a comparison of ways to solve a puzzle, by its number."""
    compared = found["comparisons"][int(words)]
    ways = {way: found["ways"][way] for way in compared["ways"] if _counts(found["ways"][way])}
    sizes = list(dict.fromkeys(size for way in ways.values() for size in way))
    yield ["", *(size.replace("x", " x ") for size in sizes)]
    for way, solved in ways.items():
        yield [f"`{way}`", *(_median(solved.get(size)) for size in sizes)]


def _counts(solved: dict[str, list[dict[str, Any]]]) -> bool:
    return any(each["steps"] for size in solved.values() for each in size)


def _median(solved: list[dict[str, Any]] | None) -> str:
    """Return the median steps, or how many were solved if that was not all."""
    if solved is None:
        return ""
    done = sum(each["finished"] for each in solved)
    if done < len(solved):
        return f"({done})"
    return f"{sorted(each['steps'] for each in solved)[len(solved) // 2]:,}"


def verdicts(found: dict[str, Any], _: str) -> Iterator[Sequence[str]]:
    """Every claim of a paper with what the report says of it."""
    yield ["the paper says", "measured"]
    parts = ("claims", "comparisons", "tables")
    for each in (each for part in parts for each in found.get(part, ())):
        if each["verdict"] and (said := each.get("words", each.get("claim"))):
            yield [f"*{said}*", each["verdict"]]


PARTS: dict[str, Callable[..., Iterator[Sequence[str]]]] = {
    "agents": agents,
    "pairs": pairs,
    "claim": claim,
    "across": across,
    "comparison": comparison,
    "table": own_table,
    "rows": bench_rows,
    "steps": puzzle_steps,
    "verdicts": verdicts,
}


# ---- where they come from ------------------------------------------------------------------

_QUOTED = re.compile(r"<!-- (?:figure|result): (\S+) (?:[^>]*\bwith (\S+) -->)?")


def results_of(text: str) -> str:
    """Return the list of all results that a page quotes."""
    names = sorted({name for found in _QUOTED.findall(text) for name in found if name})
    rows = [_origin(name, results.read(name)) for name in names]
    head = ["result", "command", "measured", "machine"]
    note = (
        f"{DAGGER} Its sources have changed since.\n\n"
        if any(DAGGER in row[2] for row in rows)
        else ""
    )
    return "\n" + table(head, rows) + "\n" + note


def _origin(name: str, result: dict[str, Any]) -> list[str]:
    where = result["machine"]
    machine = f"{where['cores']} cores, {where['processor']}, load {where['load']}"
    measured = f"{result['date']}, {result['commit'][:8]}{marked(result)}"
    return [f"`{name}`", f"`{result['command']}`", measured, machine]
