"""Run the benchmarks: `python -m bench [NAME ...] [--quick] [--json]`."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from typing import Any

from bench import (
    align,
    andantino,
    cold,
    cold_page,
    connect4,
    connect4_answers,
    environments,
    exact,
    ladder,
    learned,
    levels,
    makeway,
    overhead,
    report,
    sampling,
    searches,
    slither,
    slither_tail,
    snails,
    snails_boards,
    sprt,
    startup,
    starving,
    walks,
    web,
)
from bench.measure import Bench, Row
from bench.servers import agreeing, kills, soak

BENCHES = (
    searches.OPENSPIEL,
    searches.HEX_BENCH,
    searches.EASYAI,
    sampling.MCTS,
    sampling.PLAYOUTS,
    environments.BATCH,
    environments.PETTINGZOO,
    sprt.SPRT,
    ladder.LADDER,
    learned.LEARN_CONNECT4,
    learned.LEARN_CLASSICS,
    learned.LEARNED,
    levels.LEVELS,
    overhead.OVERHEAD,
    searches.THREADS,
    startup.STARTUP,
    cold.COLD,
    cold_page.COLD_PAGE,
    exact.SOLVE,
    exact.PERFT,
    web.WEB,
    agreeing.AGREEING,
    soak.SOAKING,
    kills.KILLING,
    starving.STARVING,
    walks.WALKS_BENCH,
    connect4.CONNECT4,
    connect4.IDEAS_BENCH,
    connect4_answers.ANSWERS,
    snails.SNAILS,
    snails_boards.BOARDS,
    align.ALIGN,
    align.NEVER_WORSE,
    makeway.ORACLE,
    makeway.TYPES,
    makeway.FIRST,
    makeway.SECOND,
    andantino.ANDANTINO,
    slither.SPEED,
    slither.TECHNIQUES,
    slither.HARDER,
    slither_tail.TAIL,
)


def main() -> int:
    """Measure and print. The exit code is 0 even if targets are missed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [bench.name for bench in BENCHES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="less work, rough figures")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    given = parser.parse_args()
    for name in given.names:
        if name not in names:
            parser.error(f"unknown benchmark {name!r}: choose from {', '.join(names)}")
    try:
        usual = [bench.name for bench in BENCHES if not bench.only_named]
        run([bench for bench in BENCHES if bench.name in (given.names or usual)], given)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return 0


def run(benches: list[Bench], given: argparse.Namespace) -> None:
    """Run the benchmarks one after the other, and print each when it is done."""
    # With --json the tables are only progress and go to stderr.
    out = sys.stderr if given.json else sys.stdout

    def say(line: str) -> None:
        print(line, file=out, flush=True)

    where = report.machine()
    for line in report.heading(where, given.quick):
        say(line)
    all_rows: list[Row] = []
    results: list[dict[str, Any]] = []
    for bench in benches:
        for line in report.opening(bench):
            say(line)
        missing = bench.needs is not None and importlib.util.find_spec(bench.needs) is None
        rows = [] if missing else list(bench.rows(given.quick))
        for line in [f"  {report.MISSING}"] if missing else report.rows_table(bench, rows):
            say(line)
        all_rows += rows
        skipped = report.MISSING if missing else None
        plain = [row.to_json() for row in rows]
        results.append(
            {"name": bench.name, "against": bench.against, "skipped": skipped, "rows": plain}
        )
    say(f"\n{report.summary(all_rows)}")
    if given.json:
        print(json.dumps({"quick": given.quick, "machine": where, "benchmarks": results}))


if __name__ == "__main__":
    raise SystemExit(main())
