"""The documentation site: it is built without a warning, no link is dead, it loads only itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import plywise
from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow

#: Pages that themes write for servers, with addresses from the root.
SERVED = {"404.html"}


class Page(HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.places: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        loaded = "src" if tag in ("script", "img", "iframe") else "href" if tag == "link" else ""
        if loaded in given and given.get("rel") != "canonical":
            self.loads.add(given[loaded])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = {file: Page(file) for file in site.rglob("*.html") if file.name not in SERVED}
    assert len(found) > 25
    return found


def dead(file: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    """The links of a page that lead nowhere on the site."""
    for link in page.links | page.loads:
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if target.is_dir():
            target /= "index.html"
        places = pages[target].places if target in pages else {unquote(parts.fragment)}
        if not target.exists() or (parts.fragment and unquote(parts.fragment) not in places):
            yield link


def test_no_link_is_dead(pages: dict[Path, Page]) -> None:
    found = {file.name: sorted(dead(file, page, pages)) for file, page in pages.items()}
    assert not {name: links for name, links in found.items() if links}


def test_it_loads_nothing_from_elsewhere(pages: dict[Path, Page]) -> None:
    for file, page in pages.items():
        assert not [link for link in page.loads if urlsplit(link).netloc], file.name


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (site / "api").glob("*.html"))
    headings = {line for line in text.replace("<", "\n<").splitlines() if "doc-object-name" in line}
    named = {line.rpartition(">")[2] for line in headings}
    missing = set(plywise.__all__) - named - {"__version__"}
    assert not missing
