"""`python -m lab.papers.results NAME`: run a report, and keep what it prints as `NAME.json`.

All options of `plywise report` may follow. Everything that runs has to be committed.
"""

from __future__ import annotations

import io
import json
import os
import platform
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab.papers.results import FOLDER
from plywise.cli import main as plywise

ROOT = Path(__file__).parents[3]


def commit() -> str:
    """Return the commit that is checked out; refuse one with changes, which nobody could repeat."""
    changed = ["status", "--porcelain", "--", "src", "lab", f":!{FOLDER.relative_to(ROOT)}"]
    if git(*changed):
        raise SystemExit("src or lab has changes: commit them before you measure")
    return git("rev-parse", "HEAD")


def git(*words: str) -> str:
    """Return what a git command prints about this checkout."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """Return what matters for the times: the processor, its cores, and how busy they are."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }


def keep(words: list[str], folder: Path = FOLDER) -> Path:
    """Run `plywise report` with these words, and write what it prints, unless it fails."""
    found: dict[str, Any] = {
        "command": shlex.join(["plywise", "report", *words]),
        "commit": commit(),
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = plywise(["report", *words, "--json"])
    if code:
        raise SystemExit(code)
    found["report"] = json.loads(printed.getvalue())
    file = folder / f"{words[0].partition(':')[0]}.json"
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    print(f"wrote {keep(sys.argv[1:]).relative_to(ROOT)}")
