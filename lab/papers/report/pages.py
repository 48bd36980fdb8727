"""A report as text tables, and as one picture of charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from lab.papers.report.charts import Bar, Cell, Field, bars_panel, matrix_panel
from lab.papers.report.curves import Curve, Panel, Plot, curves_panel, page
from lab.papers.report.plans import Claim, Effort
from lab.papers.report.results import Filled, Measured, Report, Standing
from plywise.cli.console import table
from plywise.core.scene import Scene
from plywise.kit.words import counted
from plywise.play.match import Match
from plywise.play.statistics import Mean, Share
from plywise.views.html import framed, picture
from plywise.views.html import heading as html_heading

TIMES = "\N{MULTIPLICATION SIGN}"


def heading(report: Report) -> tuple[str, str]:
    """Return the title and how it was measured."""
    kind = report.game.type
    name = kind.title or kind.name
    plain = report.game.spec == kind.name
    title = f"{name}: {report.title}" if plain else f"{report.game.spec}: {report.title}"
    if not report.games:
        return title, f"random seed {report.seed}"
    opening = f"each opening of {report.opening_plies} random moves"
    return title, (
        f"{counted(report.played, 'game')}, {report.games} per pair, {opening} from both sides, "
        f"seed {report.seed}"
    )


# ---- tables --------------------------------------------------------------------------------


def report_text(report: Report) -> Iterator[str]:
    """Write the whole report as tables."""
    yield from heading(report)
    standings = report.standings()
    if report.played:
        yield ""
        yield from table(_standings(standings))
        yield ""
        yield "points of the row against the column, in %"
        yield from table(_matrix(report, [standing.agent for standing in standings]))
        yield ""
        yield from table(_pairs(report))
        yield from _forfeits(report)
    for claim in report.claims:
        if lines := list(_claim(report, claim)):
            yield ""
            yield f'"{claim.words}"'
            yield from lines
            yield f"  verdict: {report.verdict(claim)}"
    for measured in report.measured:
        if measured.efforts:
            yield ""
            yield from _measured(measured)
    for filled in report.tables:
        if filled.rows:
            yield ""
            yield from _filled(filled)


def _standings(standings: list[Standing]) -> list[list[str]]:
    rows = [
        [
            *("", "agent", "points", "games", "share", "95 %", "rating"),
            *("time per move", "95th percentile"),
        ]
    ]
    for place, one in enumerate(standings, 1):
        rating, error = one.rating or (0.0, 0.0)
        rows.append(
            [
                str(place),
                one.agent,
                f"{one.points:g}",
                str(one.games),
                "?" if one.share is None else f"{one.share:.0%}",
                _interval(*one.interval) if one.interval else "?",
                f"{rating:+.0f} +-{error:.0f}" if one.rating else "?",
                *(map(duration, one.seconds) if one.seconds else "??"),
            ]
        )
    return rows


def _matrix(report: Report, agents: list[str]) -> list[list[str]]:
    rows = [["", "", *(str(place) for place in range(1, len(agents) + 1))]]
    for place, one in enumerate(agents, 1):
        shares = []
        for other in agents:
            match = report.against(one, other)
            shares.append("-" if match is None else f"{100 * (match.score or 0):.0f}")
        rows.append([str(place), one, *shares])
    return rows


def _pairs(report: Report) -> list[list[str]]:
    lead = ["lead"] if report.game.points else []
    rows = [["pair", "", "won", "drawn", "lost", "share", "95 %", "Elo", "95 %", *lead]]
    for match in report.matches.values():
        elo, low, high = match.elo
        counts = [str(count) for count in (match.wins, match.draws, match.losses)]
        share = f"{match.score or 0:.0%}", _interval(*match.interval)
        row = [match.a, match.b, *counts, *share, _signed(elo), _ends(low, high)]
        rows.append([*row, str(match.lead or "?")] if lead else row)
    return rows


def _forfeits(report: Report) -> Iterator[str]:
    reasons = Counter(
        (match.a if forfeit.by == "a" else match.b, forfeit.reason)
        for match in report.matches.values()
        for forfeit in match.forfeits
    )
    for (agent, reason), count in reasons.items():
        yield f"{agent} forfeited {counted(count, 'game')}: {reason}"


def _claim(report: Report, claim: Claim) -> Iterator[str]:
    """Compare a claim with the games of its pairs."""
    times = {standing.agent: standing.seconds for standing in report.standings()}
    for better, worse in claim.pairs:
        match = report.against(better, worse)
        if match is None:
            continue
        spent = [duration(seconds[0]) for one in (better, worse) if (seconds := times[one])]
        lead = f", a lead of {match.lead} points" if match.lead else ""
        yield (
            f"  measured: {better} against {worse} {match.score or 0:.0%} "
            f"({_interval(*match.interval)}){lead}, {' and '.join(spent)} per move"
        )


def _measured(measured: Measured) -> Iterator[str]:
    compared = measured.comparison
    yield f'{compared.title}: "{compared.claim}"'
    positions = counted(len(measured.positions), "position")
    yield f"nodes and seconds over {positions}, best time of three"
    first, *others = (series.label for series in compared.series)
    paper = ["the paper"] if compared.published else []
    head = [compared.axis, *paper, f"nodes, {first}", "seconds"]
    for label in others:
        head += [f"nodes, {label}", "seconds", "nodes x", "time x", "same move"]
    rows = [head]
    for step, (basis, *efforts) in measured.efforts.items():
        published = [compared.published.get(step, "")] if compared.published else []
        row = [str(step), *published, f"{basis.nodes:,}", f"{basis.seconds:.4f}"]
        for effort, (_, nodes, seconds) in zip(efforts, measured.ratios(step), strict=True):
            row += [f"{effort.nodes:,}", f"{effort.seconds:.4f}", _times(nodes), _times(seconds)]
            row.append(f"{effort.same} of {len(measured.positions)}")
        rows.append(row)
    yield from table(rows)
    if measured.left_out:
        steps = ", ".join(map(str, measured.left_out))
        yield f"skipped, as it would take too long: {compared.axis} {steps}"
    if measured.verdict:
        yield f"verdict: {measured.verdict}"


def _filled(filled: Filled) -> Iterator[str]:
    shown = filled.table
    yield f'{shown.title}: "{shown.claim}"' if shown.claim else shown.title
    rows = [list(map(_written, row)) for row in filled.rows]
    yield from table([list(shown.columns), *rows])
    if filled.verdict:
        yield f"verdict: {filled.verdict}"


# ---- picture -------------------------------------------------------------------------------


def report_scene(report: Report) -> Scene:
    """Draw the whole report as charts on one page."""
    title, subtitle = heading(report)
    panels = [*_games_panels(report), *map(_curves, filter(_drawable, report.measured))]
    panels += [_bars(filled) for filled in report.tables if filled.table.drawn and filled.rows]
    return page(title, subtitle, panels, text="\n".join(report_text(report)))


def _games_panels(report: Report) -> Iterator[Panel]:
    standings = report.standings()
    if not report.played:
        return
    agents = [standing.agent for standing in standings]
    cells = [[_cell(report.against(one, other)) for other in agents] for one in agents]
    yield matrix_panel(
        "Who beats whom",
        "points of the row against the column in %, and "
        + ("its mean lead" if report.game.points else "games won - drawn - lost"),
        agents,
        cells,
    )
    yield bars_panel(
        "How well, and how fast",
        "bars: share of points, 95 % interval; dots: median move, line to the 95th percentile",
        agents,
        [
            Field("share of points", [_share(one) for one in standings], "share", _percent),
            Field("time per move", [_time(one) for one in standings], "log", _micro),
        ],
    )


def _cell(match: Match | None) -> Cell | None:
    if match is None or match.score is None:
        return None
    counts = f"{match.wins} - {match.draws} - {match.losses}"
    return Cell(match.score, f"{match.lead.value:+.1f}" if match.lead else counts)


def _share(standing: Standing) -> Bar | None:
    if standing.share is None or standing.interval is None:
        return None
    return Bar(standing.share, *standing.interval, f"{standing.share:.0%}")


def _time(standing: Standing) -> Bar | None:
    if standing.seconds is None:
        return None
    median, most = standing.seconds
    return Bar(median, median, most, _micro(median))


def _drawable(measured: Measured) -> bool:
    return bool(measured.efforts)


def _curves(measured: Measured) -> Panel:
    compared = measured.comparison
    count = len(measured.positions)

    labels = [series.label for series in compared.series]
    steps = list(measured.efforts)

    def means(figure: int) -> list[list[float]]:
        """Return the mean nodes or seconds of a search, for each series and step."""
        sums = [[_figures(effort)[figure] for effort in measured.efforts[step]] for step in steps]
        return [[total / count for total in column] for column in zip(*sums, strict=True)]

    def curves(figure: int) -> list[Curve]:
        return [Curve(*each) for each in zip(labels, means(figure), strict=True)]

    def ratios(figure: int) -> list[Curve]:
        basis, *others = means(figure)
        found = [Curve(labels[0], [1.0] * len(steps))]
        for label, values in zip(labels[1:], others, strict=True):
            times = [value / one if one else 1.0 for value, one in zip(values, basis, strict=True)]
            found.append(Curve(label, times, [_short(each) for each in times]))
        return found

    return curves_panel(
        compared.title[:1].upper() + compared.title[1:],
        f'"{compared.claim}"\nmeasured on {counted(count, "position")}, mean per search',
        compared.axis,
        [str(step) for step in steps],
        [
            Plot("nodes", curves(0), "log", _count),
            Plot("time", curves(1), "log", _micro),
            Plot(f"nodes, relative to {labels[0]}", ratios(0), "even", "{:g}".format),
            Plot(f"time, relative to {labels[0]}", ratios(1), "even", "{:g}".format),
        ],
    )


def _bars(filled: Filled) -> Panel:
    shown = filled.table

    def bar(cell: object) -> Bar | None:
        if isinstance(cell, Share):
            return Bar(cell.value, *cell.interval, f"{cell.value:.0%}")
        if isinstance(cell, Mean):
            return Bar(cell.value, *cell.interval, f"{cell.value:.1f}")
        if isinstance(cell, (int, float)):
            return Bar(cell, cell, cell, _written(cell) if cell == int(cell) else f"{cell:.4g}")
        return None

    fields = []
    for column, scale in shown.drawn.items():
        place = shown.columns.index(column)
        bars = [bar(row[place]) for row in filled.rows]
        fields.append(Field(column, bars, scale, _percent if scale == "share" else _count))
    said = [f'"{shown.claim}"' if shown.claim else "", filled.verdict or ""]
    return bars_panel(
        shown.title[:1].upper() + shown.title[1:],
        "\n".join(filter(None, said)) or shown.columns[0],
        [str(row[0]) for row in filled.rows],
        fields,
    )


def _figures(effort: Effort) -> tuple[float, float]:
    return effort.nodes, effort.seconds


# ---- figures -------------------------------------------------------------------------------


def duration(seconds: float) -> str:
    """Format a time in the unit that suits it.

    >>> [duration(seconds) for seconds in (0, 2e-6, 0.0123, 0.5, 75)]
    ['0', '2 us', '12 ms', '500 ms', '75 s']
    """
    if seconds == 0:
        return "0"
    for unit, factor in (("us", 1e6), ("ms", 1e3)):
        if seconds * factor < 999.5:
            figure = seconds * factor
            return f"{figure:.0f} {unit}" if figure >= 9.95 else f"{figure:.2g} {unit}"
    return f"{seconds:.0f} s" if seconds >= 9.95 else f"{seconds:.2g} s"


def _micro(seconds: float) -> str:
    """Format a time with the proper letter for micro, for pictures."""
    return duration(seconds).replace("us", "µs")


def _count(nodes: float) -> str:
    """Format a large number in a few letters: `20 M`."""
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if nodes >= factor:
            return f"{nodes / factor:g} {unit}"
    return f"{nodes:g}"


def _short(ratio: float) -> str:
    figure = f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"
    return f"{figure}{TIMES}"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.0f} to {100 * high:.0f}"


def _signed(elo: float | None) -> str:
    return "?" if elo is None else f"{elo:+.0f}"


def _ends(low: float | None, high: float | None) -> str:
    return f"{_signed(low)} to {_signed(high)}"


def _written(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


# ---- a notebook ----------------------------------------------------------------------------


def report_html(report: Report) -> str:
    """Draw a report as charts; its figures are in the text below them."""
    text = escape("\n".join(report_text(report)))
    figures = f"<details><summary>figures</summary><pre>{text}</pre></details>"
    drawn = html_heading("nothing measured yet") if report.empty else picture(report_scene(report))
    return framed(drawn, figures)
