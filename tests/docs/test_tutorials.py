"""The tutorials hold: every step of each is taken as it is written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import TUTORIALS, anchors, links_in
from tests.docs.tutorials import (
    NOTEBOOKS,
    PAGES,
    Walk,
    alike,
    code_cells,
    outputs,
    workplace,
    written,
)

EVERY_NOTEBOOK = pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)


def read(notebook: Path) -> Any:
    return json.loads(notebook.read_text(encoding="utf-8"))


def text_of(output: dict[str, Any]) -> str:
    """What is printed, or what a value looks like in plain text."""
    return "".join(output.get("text") or output["data"]["text/plain"])


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_followed(page: Path) -> None:
    walk = Walk(page)
    text = walk.follow()
    assert not walk.wrong, "\n".join(walk.wrong)
    assert text == walk.source


@pytest.mark.slow
@EVERY_NOTEBOOK
def test_a_notebook_shows_what_its_cells_give(file: Path) -> None:
    """What is printed, and what is drawn in so far as there is a drawing."""
    notebook = read(file)
    found = outputs(notebook, workplace(file))
    for cell, now in zip(code_cells(notebook), found, strict=True):
        shown = cell["outputs"]
        source = "".join(cell["source"])
        assert [list(each.get("data", ())) for each in shown] == [
            list(each.get("data", ())) for each in now
        ], source
        for one, two in zip(shown, now, strict=True):
            stored, printed = (text_of(each) for each in (one, two))
            same = alike(stored, printed)
            assert same, f"{source}\n--- prints\n{printed}--- {file.name} shows\n{stored}"


@EVERY_NOTEBOOK
def test_a_notebook_is_one_that_others_can_read(file: Path) -> None:
    notebook = read(file)
    assert file.read_text(encoding="utf-8") == written(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    names = [cell["id"] for cell in notebook["cells"]]
    assert len(set(names)) == len(names)
    numbers = [cell["execution_count"] for cell in code_cells(notebook)]
    assert numbers == list(range(1, len(numbers) + 1))


@EVERY_NOTEBOOK
def test_links_of_a_notebook_lead_somewhere(file: Path) -> None:
    for cell in read(file)["cells"]:
        for link in links_in("".join(cell["source"])) if cell["cell_type"] == "markdown" else ():
            name, _, anchor = link.partition("#")
            target = (file.parent / name).resolve()
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_every_tutorial_is_on_the_first_page() -> None:
    told = set(links_in((TUTORIALS / "index.md").read_text(encoding="utf-8")))
    assert {file.name for file in (*PAGES, *NOTEBOOKS)} - {"index.md"} <= told


def test_what_a_page_says_wrongly_is_found(tmp_path: Path) -> None:
    page = tmp_path / "wrong-page.md"
    session = "```python\n>>> 1 + 1\n3\n\n```\n"
    file = "<!-- into one.py -->\n```python\nX = 1\n```\n"
    whole = "<!-- whole one.py -->\n```python\nX = 2\n```\n"
    page.write_text(session + file + whole, encoding="utf-8")
    walk = Walk(page)
    walk.follow()
    assert len(walk.wrong) == 2
    assert "wrong-page.md:2:" in walk.wrong[0]
    assert "one.py is another file by now" in walk.wrong[1]


def test_the_first_game_is_short() -> None:
    walk = Walk(TUTORIALS / "first-game.md")
    (whole,) = re.findall(r"<!-- whole clobber.py -->\n```python\n(.*?)```", walk.source, re.DOTALL)
    assert sum(bool(line) for line in whole.splitlines()) < 60
    assert max(map(len, whole.splitlines())) <= 100
