"""`make mutants`: change the logic in many places, one at a time, and see which tests notice.

MUTANTS=work are 300 places drawn by a fixed seed: tests are written for those that survive.
MUTANTS=rate are 100 others, drawn from the hash of the commit: the rate that is reported. Stopped,
it goes on where it was. Survivors are listed in `survivors.txt`, each with the reason why it may.

Known tools do not fit: mutmut and mutatest replace functions while Python loads them, which numba
does not compile, and cosmic-ray runs the same tests for every place, with one cache.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tests.mutants.places import ROOT, Place, all_places, drawn
from tests.mutants.survivors import SURVIVORS, read, written
from tests.mutants.tree import QUICK, SLOW, Tests, Tree

FOLDER = ROOT / ".mutants"
WORK, RATE = 300, 100  #: how many places are drawn
ENOUGH = 0.9  #: the share of them that is to be killed
SECONDS = 60.0  #: of tests for one mutant, by what they take without it
#: It notices a search that finds the same with other nodes. It is slow, and comes last.
SIGNATURE = "tests/golden/test_signature.py"


@dataclass(frozen=True)
class Outcome:
    """How a mutant ended."""

    name: str
    killer: str  #: the test that noticed it, or ""
    seconds: float
    tests: str  #: a hash of the tests that ran


def main() -> int:
    """Run the mutants of a draw, print the rate by package, and write down the survivors."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("draw", choices=("work", "rate"), help="which places")
    parser.add_argument("--package", action="append", help="only the places of this package")
    parser.add_argument(
        "--commit", default="HEAD", help="which commit draws the places of the rate"
    )
    options = parser.parse_args()
    seed = "work" if options.draw == "work" else commit(options.commit)
    print(f"places drawn by {seed}")
    places = [each for each in draw(seed) if not options.package or each.package in options.package]
    tree = Tree(FOLDER)
    known = [tree.tests(name, QUICK) for name in tree.test_files()]
    for each in known:
        for failing in each.failing:
            print(f"fails without a mutant, and is left out: {failing}")
    outcomes = {}
    for number, place in enumerate(places, 1):
        outcome = outcomes[place] = tried(tree, place, known)
        ended = f"killed by {outcome.killer}" if outcome.killer else "SURVIVED"
        count = f"{number}/{len(places)}"
        print(f"{count:>7} {outcome.seconds:5.1f} s  {shown(place)}\n{'':17}{ended}", flush=True)
    survivors = [place for place, outcome in outcomes.items() if not outcome.killer]
    killed = [place for place, outcome in outcomes.items() if outcome.killer]
    SURVIVORS.write_text(written(kept(read(), survivors, killed)), encoding="utf-8")
    print(table(outcomes))
    print(*(f"survived: {shown(place)}" for place in survivors), sep="\n")
    return 0 if len(killed) >= ENOUGH * len(places) else 1


def commit(name: str) -> str:
    """Return the hash of a commit."""
    command = ["git", "rev-parse", "--verify", f"{name}^{{commit}}"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return found.stdout.strip()


def draw(seed: str) -> list[Place]:
    """Return the places of a draw; those of the rate are none of those that were worked on."""
    every = all_places()
    work = drawn(every, "work", WORK)
    return work if seed == "work" else drawn(set(every) - set(work), seed, RATE)


def shown(place: Place) -> str:
    """Return where a place is, and what changes."""
    return f"{place.file}:{place.line}: {place.code} [{place.change}]"


# ---- one mutant ----------------------------------------------------------------------------------


def tried(tree: Tree, place: Place, known: Sequence[Tests]) -> Outcome:
    """Run a mutant; a kill is kept, and a survivor is tried again when its tests have changed."""
    text = place.changed((tree.root / place.file).read_text(encoding="utf-8"))
    file = FOLDER / "results" / f"{sha256(f'{place.name} {text}'.encode()).hexdigest()[:20]}.json"
    first, rest = chosen(tree, place, known)
    names = [*(each.name for each in (*first, *rest, *beside(tree, place, known))), SIGNATURE]
    ran = sha256("".join(map(tree.digest, names)).encode()).hexdigest()
    if file.exists():
        before = Outcome(**json.loads(file.read_text()))
        if before.killer or before.tests == ran:
            return before
    function = f"{place.file} {place.function}"
    compiled = any(function in each.compiled for each in known)
    begun = time.monotonic()
    with tree.changed(place):
        killer = tree.killer(first, compiled) or tree.killer(rest, compiled)
    if not killer:  # what slow tests do is asked for here, without the mutant
        slow = slow_tests(tree, place, first, known)
        with tree.changed(place):
            killer = tree.killer(slow, compiled)
    outcome = Outcome(place.name, killer, time.monotonic() - begun, ran)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(asdict(outcome)))
    return outcome


def chosen(tree: Tree, place: Place, known: Sequence[Tests]) -> tuple[list[Tests], list[Tests]]:
    """Return the tests of the mirror file, or of its folder, and others that call the function.

    A place outside of functions is met by all that call something in its file.
    """
    function = f"{place.file} {place.function}"
    reaching = [each for each in known if function in each.reached]
    if not reaching:
        reaching = [
            each
            for each in known
            if any(name.startswith(f"{place.file} ") for name in each.reached)
        ]
    mirror = f"{folder_of(tree, place)}test_{Path(place.file).name}"
    folder = folder_of(tree, place)
    first = [each for each in known if each.name == mirror]
    if ">>>" in (tree.root / place.file).read_text(encoding="utf-8"):
        first.insert(0, tree.tests(place.file, QUICK))
    if not first:
        first = cheapest([each for each in reaching if each.name.startswith(folder)])
    reaching.sort(key=lambda each: not each.name.startswith(folder))
    return first, cheapest([each for each in reaching if each not in first])


def folder_of(tree: Tree, place: Place) -> str:
    """Return the folder of tests that mirrors that of the place, or the nearest one above it."""
    folder = Path("tests") / Path(place.file).relative_to("src/plywise").parent
    while not (tree.root / folder).is_dir():
        folder = folder.parent
    return f"{folder}/"


def beside(tree: Tree, place: Place, known: Sequence[Tests]) -> list[Tests]:
    """Return the tests of this folder itself."""
    folder = folder_of(tree, place)
    return [each for each in known if f"{Path(each.name).parent}/" == folder]


def slow_tests(
    tree: Tree, place: Place, first: Sequence[Tests], known: Sequence[Tests]
) -> list[Tests]:
    """Return slow tests for a place: of the mirror file, of its folder, and those of the nodes.

    Many start processes, so it is not known which functions they call.
    """
    names = dict.fromkeys(each.name for each in (*first, *beside(tree, place, known)))
    slow = [each for each in (tree.tests(name, SLOW) for name in names) if each.seconds]
    nodes = tree.tests(SIGNATURE, SLOW)
    found = cheapest(slow, 2 * SECONDS)
    if f"{place.file} {place.function}" in nodes.reached and nodes not in found:
        found.append(nodes)
    return found


def cheapest(tests: Iterable[Tests], most: float = SECONDS) -> list[Tests]:
    """Return the tests that take least, up to some seconds together."""
    found, seconds = [], 0.0
    for each in sorted(tests, key=lambda each: each.seconds):
        seconds += each.seconds
        if found and seconds > most:
            break
        found.append(each)
    return found


# ---- what is reported ----------------------------------------------------------------------------


def kept(
    reasons: dict[str, str], survivors: Iterable[Place], killed: Iterable[Place]
) -> dict[str, str]:
    """Return the list of survivors with those of this run; what was killed is no longer there."""
    gone = {place.name for place in killed}
    old = {name: reason for name, reason in reasons.items() if name not in gone}
    return {place.name: "" for place in survivors} | old


def table(outcomes: dict[Place, Outcome]) -> str:
    """Return the rate by package."""
    rows = [f"{'package':<10} {'places':>6} {'killed':>6} {'rate':>5}"]
    packages = sorted({place.package for place in outcomes})
    for package in [*packages, ""]:
        ended = [bool(o.killer) for p, o in outcomes.items() if package in ("", p.package)]
        rate = f"{100 * sum(ended) / len(ended):.0f} %"
        rows.append(f"{package or 'together':<10} {len(ended):>6} {sum(ended):>6} {rate:>5}")
    seconds = [outcome.seconds for outcome in outcomes.values()]
    each = f"{statistics.median(seconds):.1f} s for one mutant, {sum(seconds):.0f} s together"
    return "\n".join([*rows, each])


if __name__ == "__main__":
    sys.exit(main())
