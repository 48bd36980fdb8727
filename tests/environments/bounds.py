"""The dependencies as pyproject.toml names them, and the lowest versions that it allows."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
#: What the quick tests need of the extra `dev`; the rest is for lint, docs and browsers, or, like
#: schemathesis, needs newer versions of other packages than plywise does.
TOOLS = frozenset({"httpx", "hypothesis", "prometheus-client", "psycopg", "pytest", "pytest-xdist"})


def dependencies(extra: str | None = None) -> list[Requirement]:
    """The packages that plywise needs, or those of an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = project["dependencies"] if extra is None else project["optional-dependencies"][extra]
    return [Requirement(text) for text in texts]


def closure(
    required: Iterable[Requirement], requirements: Callable[[str], Iterable[str]]
) -> set[str]:
    """The names of packages, of all that these require here, and so on.

    >>> known = {"a": ["B.b[more]>=1", 'c; python_version < "3"'], "b-b": ["d; extra == 'more'"]}
    >>> sorted(closure([Requirement("a")], lambda name: known.get(name, ())))
    ['a', 'b-b', 'd']
    """
    found: set[tuple[str, str]] = set()
    waiting = [(each, extra) for each in required for extra in ("", *each.extras)]
    while waiting:
        package, wanted = waiting.pop()
        key = canonicalize_name(package.name), wanted
        if key in found:
            continue
        found.add(key)
        for text in requirements(key[0]):
            each = Requirement(text)
            if each.marker is None or each.marker.evaluate({"extra": wanted}):
                waiting += [(each, extra) for extra in ("", *each.extras)]
    return {name for name, _ in found}


def lowest(required: Requirement) -> str:
    """The lowest version that a requirement allows, as a constraint.

    >>> lowest(Requirement("numpy>=2.0"))
    'numpy==2.0'
    """
    bounds = [each.version for each in required.specifier if each.operator == ">="]
    if len(bounds) != 1:
        raise ValueError(f"{required} needs exactly one lower bound, such as {required.name}>=1.0")
    return f"{required.name}=={bounds[0]}"


def constraints() -> str:
    """A constraint file with the lowest versions of everything that plywise needs."""
    return "".join(f"{lowest(each)}\n" for each in dependencies())


def tools() -> list[str]:
    """What the quick tests need beyond plywise, in any version that is allowed."""
    return [str(each) for each in dependencies("dev") if each.name in TOOLS]
