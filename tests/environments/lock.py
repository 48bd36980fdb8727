"""`make lock`: write the exact packages that `make` installs.

`requirements.lock` has what plywise needs to run, for `make play`; `requirements-dev.lock` begins
with it and has the rest. The versions are those that pip chooses now, and the hashes those of all
their files, so that the locks are good for other platforms too. Where the files come from is not
part of them.
"""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

from tests.environments.bounds import ROOT, closure, dependencies

RUNTIME = ROOT / "requirements.lock"
LOCK = ROOT / "requirements-dev.lock"
HEADINGS = {
    RUNTIME: "# The packages that plywise needs to run. Written by `make lock`; do not edit.\n",
    LOCK: "# The packages that plywise is developed with. Written by `make lock`; do not edit.\n"
    f"--requirement {RUNTIME.name}\n",
}
PATIENCE = 60.0  #: seconds for a page of the index

Hashes = dict[str, str]  #: of files, by name


def resolve() -> dict[str, Any]:
    """What pip would install for plywise and its extra `dev`: its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        more = ["--dry-run", "--ignore-installed", "--report", report, f"{ROOT}[dev]"]
        subprocess.run([*pip, *more], check=True)
        found: dict[str, Any] = json.loads(report.read_text())
        return found


def runtime(report: dict[str, Any]) -> set[str]:
    """The packages of a report that plywise needs to run."""
    metadata = [each["metadata"] for each in report["install"]]
    known = {canonicalize_name(each["name"]): each.get("requires_dist", ()) for each in metadata}
    return closure(dependencies(), known.__getitem__)


def _found(report: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """The packages of a report without plywise itself: name -> version, file, hash."""
    found = {}
    for each in report["install"]:
        info = each["download_info"]
        if "archive_info" not in info:
            continue  # a folder
        name, version = each["metadata"]["name"], each["metadata"]["version"]
        file = info["url"].rpartition("/")[2]
        found[canonicalize_name(name)] = version, file, info["archive_info"]["hashes"]["sha256"]
    return dict(sorted(found.items()))


class _Links(HTMLParser):
    """The files on a page of an index, with their hashes."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes: Hashes = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link with a hash."""
        url, part = urldefrag(dict(attrs).get("href") or "")
        if tag == "a" and part.startswith("sha256="):
            self.hashes[url.rpartition("/")[2]] = part.removeprefix("sha256=")


def indexes() -> list[str]:
    """The indexes that pip uses here."""
    from pip._internal.models.index import PyPI  # pip's own default

    pip = [sys.executable, "-m", "pip", "config", "get"]
    found = []
    for key, usual in (("global.index-url", PyPI.simple_url), ("global.extra-index-url", "")):
        done = subprocess.run([*pip, key], capture_output=True, text=True, check=False)
        variable = "PIP_" + key.partition(".")[2].replace("-", "_").upper()
        found += os.environ.get(variable, done.stdout.strip() or usual).split()
    return found


def listed(name: str) -> Hashes:
    """The hashes of all files of a package in the indexes that can be reached."""
    found: Hashes = {}
    certificates = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    for index in indexes():
        page = urljoin(f"{index.rstrip('/')}/", f"{name}/")
        if page.startswith("file:"):
            page += "index.html"
        asked = urllib.request.Request(page, headers={"Accept": "text/html"})
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE, context=certificates) as answer:
                links = _Links()
                links.feed(answer.read().decode())
        except OSError:
            continue  # one of them has it, or pip would not have found it
        found |= links.hashes
    return found


def of_version(files: Iterable[str], version: str) -> list[str]:
    """Those files that belong to a version.

    >>> of_version(["a-1.0-py3-none-any.whl", "a-1.0.tar.gz", "a-1.0.1.tar.gz"], "1.0")
    ['a-1.0-py3-none-any.whl', 'a-1.0.tar.gz']
    """
    return [file for file in files if _version(file) == Version(version)]


def _version(file: str) -> Version | None:
    try:
        if file.endswith(".whl"):
            return parse_wheel_filename(file)[1]
        return parse_sdist_filename(file)[1]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None


def entry(name: str, version: str, hashes: Iterable[str]) -> str:
    """The lines of one package.

    >>> print(entry("a", "1.0", ["f2", "e1"]))
    a==1.0 \\
        --hash=sha256:e1 \\
        --hash=sha256:f2
    """
    lines = [f"{name}=={version}", *(f"    --hash=sha256:{each}" for each in sorted(set(hashes)))]
    return " \\\n".join(lines)


def write(file: Path, entries: Iterable[str]) -> None:
    """Write one of the two files."""
    file.write_text("\n".join([HEADINGS[file], *entries]) + "\n")
    print(f"wrote {file.name}")


def main() -> int:
    """Write the locks."""
    report = resolve()
    entries: dict[str, str] = {}
    for name, (version, file, digest) in _found(report).items():
        known = {file: digest, **listed(name)}
        entries[name] = entry(name, version, (known[each] for each in of_version(known, version)))
        print(f"{name} {version}", file=sys.stderr)
    needed = runtime(report)
    write(RUNTIME, (text for name, text in entries.items() if name in needed))
    write(LOCK, (text for name, text in entries.items() if name not in needed))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
