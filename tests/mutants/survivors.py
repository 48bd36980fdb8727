"""The list of mutants that no test notices, each with the reason why that is right."""

from __future__ import annotations

from pathlib import Path

SURVIVORS = Path(__file__).with_suffix(".txt")
HEAD = """\
# Mutants that survived, and why each may: the file and the function, the line, [what became what],
# and below it the reason. `make mutants` adds and removes entries; the reasons are written by hand.
"""


def read(text: str | None = None) -> dict[str, str]:
    """Return the reasons by the names of the places."""
    if text is None:
        text = SURVIVORS.read_text(encoding="utf-8") if SURVIVORS.exists() else ""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("    "):
            found[name] = f"{found[name]} {line.strip()}".strip()
        elif line.strip() and not line.startswith("#"):
            name = line
            found[name] = ""
    return found


def written(reasons: dict[str, str]) -> str:
    """Write the list."""
    entries = [f"\n{name}\n    {reason}".rstrip() for name, reason in sorted(reasons.items())]
    return "\n".join([HEAD.rstrip(), *entries, ""])
