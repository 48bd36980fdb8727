"""The lock file, the lower bounds, and which environments there are."""

from __future__ import annotations

import re
import sys
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.environments import audit, matrix
from tests.environments.bounds import ROOT, TOOLS, closure, constraints, dependencies, lowest
from tests.environments.lock import HEADINGS, LOCK, RUNTIME, _found, runtime

BOTH = pytest.mark.parametrize("file", [RUNTIME, LOCK], ids=lambda file: file.name)


def locked(file: Path) -> dict[str, str]:
    """The versions in a lock."""
    pairs = re.findall(r"^([a-z0-9._-]+)==(\S+) \\$", file.read_text(), re.MULTILINE)
    return dict(pairs)


def test_every_dependency_is_locked_within_its_bounds() -> None:
    found = locked(RUNTIME) | locked(LOCK)
    for required in dependencies() + dependencies("dev"):
        version = found[canonicalize_name(required.name)]
        assert required.specifier.contains(version), f"{required}: run make lock"


@pytest.mark.slow  # the quick tests also run with other packages
def test_the_lock_for_running_has_what_plywise_needs_and_no_more() -> None:
    needed = closure(dependencies(), lambda name: requires(name) or ())
    here, known = {name: version(name) for name in needed}, locked(RUNTIME) | locked(LOCK)
    if any(known.get(name, found) != found for name, found in here.items()):
        pytest.skip("these are not the locked packages")
    assert locked(RUNTIME) == here, "run make lock"
    assert not needed & locked(LOCK).keys()


@BOTH
def test_every_locked_package_has_hashes(file: Path) -> None:
    heading = f"{HEADINGS[file]}\n"
    text = file.read_text()
    assert text.startswith(heading)
    each = r"[a-z0-9._-]+==[^\s\\]+( \\\n    --hash=sha256:[0-9a-f]{64})+"
    assert re.fullmatch(rf"{each}(\n{each})*", text.removeprefix(heading).rstrip("\n"))


@BOTH
def test_the_lock_says_nothing_about_where_it_was_made(file: Path) -> None:
    text = file.read_text()
    assert "://" not in text
    assert "/" not in re.sub(r"^#.*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("packages", "code"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0),
        ([{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": []}]}], 1),
        ([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "lost"}], 2),
    ],
)
def test_the_audit_does_not_call_a_package_safe_that_it_did_not_find(
    packages: list[dict[str, Any]], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.tell({"dependencies": packages}) == code
    said = capsys.readouterr().out
    assert ("b" in str(packages)) == ("1 of 2 packages cannot be looked up here: lost" in said)


def test_the_audit_says_in_one_line_that_it_has_found_no_database(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lost = [{"name": name, "skip_reason": "lost"} for name in "abc"]
    assert audit.tell({"dependencies": lost}) == 2
    assert capsys.readouterr().out == "audit: none of the 3 packages can be looked up here: lost\n"


def test_the_audit_asks_about_everything_that_is_locked() -> None:
    asked = list(map(str, audit.question()))
    for file in ROOT.glob("requirements*.lock"):
        assert ["--requirement", str(file)] == asked[(at := asked.index(str(file))) - 1 : at + 1]


def test_plywise_itself_is_not_locked() -> None:
    a_wheel = {"url": "x/a_b-1.0.whl", "archive_info": {"hashes": {"sha256": "e1"}}}
    a_folder = {"url": "file:///x", "dir_info": {}}
    report = {
        "install": [
            {"metadata": {"name": "plywise", "version": "0.1"}, "download_info": a_folder},
            {"metadata": {"name": "A_b", "version": "1.0"}, "download_info": a_wheel},
        ]
    }
    assert _found(report) == {"a-b": ("1.0", "a_b-1.0.whl", "e1")}


def test_what_plywise_needs_is_found_in_a_report_of_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    report = {
        "install": [
            {"metadata": {"name": "A.b", "requires_dist": ["c>=1", "d; extra == 'more'"]}},
            {"metadata": {"name": "c"}},
            {"metadata": {"name": "d"}},
        ]
    }
    needed = [Requirement("a-b>=1")]
    monkeypatch.setattr("tests.environments.lock.dependencies", lambda: needed)
    assert runtime(report) == {"a-b", "c"}


def test_the_lowest_versions_are_those_of_pyproject() -> None:
    lines = constraints().splitlines()
    assert len(lines) == len(dependencies())
    for line, required in zip(lines, dependencies(), strict=True):
        name, version = line.split("==")
        assert name == required.name
        assert required.specifier.contains(version)


@pytest.mark.parametrize("text", ["numpy", "numpy<3", "numpy==2.0"])
def test_a_dependency_needs_a_lower_bound(text: str) -> None:
    with pytest.raises(ValueError, match="lower bound"):
        lowest(Requirement(text))


def test_the_tools_are_dependencies_for_development() -> None:
    assert {each.name for each in dependencies("dev")} >= TOOLS


def test_the_matrix_has_the_lowest_versions_and_this_python() -> None:
    here = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    names = [each.name for each in matrix.environments()]
    assert here in names
    assert len(set(names)) == len(names)
