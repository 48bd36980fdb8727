"""`make audit`: look up the locked packages in the database of known vulnerabilities.

The exit code is 0 if there are none, 1 if there are some, and 2 if the database, or the program
that asks it, cannot be reached.
"""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path
from typing import Any

from tests.environments.lock import HEADINGS
from tests.environments.matrix import FOLDER

PLACE = FOLDER / "audit"  #: a small environment of its own
UNKNOWN = 2  #: the exit code if nothing can be said


def tool() -> bool:
    """Install pip-audit, unless it is there; True if it is there now."""
    program = PLACE / "bin" / "pip-audit"
    if not program.is_file():
        venv.create(PLACE, with_pip=True, clear=True)
        pip = [PLACE / "bin" / "python", "-m", "pip", "install", "--quiet", "pip-audit"]
        subprocess.run(pip, capture_output=True, check=False)
    return program.is_file()


def findings(report: dict[str, Any]) -> list[str]:
    """One line for each vulnerability in a report of pip-audit.

    >>> found = {"id": "X-1", "fix_versions": ["1.1"]}
    >>> findings({"dependencies": [{"name": "a", "version": "1.0", "vulns": [found]}]})
    ['a 1.0: X-1, fixed in 1.1']
    """
    lines = []
    for package in report["dependencies"]:
        for found in package.get("vulns", ()):
            fixed = ", ".join(found["fix_versions"])
            words = f", fixed in {fixed}" if fixed else ""
            lines.append(f"{package['name']} {package['version']}: {found['id']}{words}")
    return lines


def question() -> list[str | Path]:
    """The command that asks about all that is locked."""
    command: list[str | Path] = [PLACE / "bin" / "pip-audit", "--disable-pip", "--require-hashes"]
    for lock in HEADINGS:  # one names the other, but pip-audit does not follow that
        command += ["--requirement", lock]
    return [*command, "--format", "json", "--progress-spinner", "off"]


def main() -> int:
    """Ask, and say what is known."""
    if not tool():
        print("audit: pip-audit cannot be installed here, so nothing was looked up")
        return UNKNOWN
    done = subprocess.run(question(), capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"audit: the database cannot be reached, so nothing was looked up: {reason}")
        return UNKNOWN
    return tell(report)


def tell(report: dict[str, Any]) -> int:
    """Say what a report of pip-audit has found, and return the exit code."""
    lines, packages = findings(report), report["dependencies"]
    for line in lines:
        print(line)
    skipped = [package for package in packages if "skip_reason" in package]
    known = len(packages) - len(skipped)
    if skipped:  # pip-audit itself counts these as harmless
        reason = skipped[0]["skip_reason"]
        many = f"{len(skipped)} of" if known else "none of the"
        cannot = "cannot" if known else "can"
        print(f"audit: {many} {len(packages)} packages {cannot} be looked up here: {reason}")
    if known:
        print(f"audit: {len(lines)} known vulnerabilities in {known} packages")
    return 1 if lines else UNKNOWN if skipped else 0


if __name__ == "__main__":
    raise SystemExit(main())
