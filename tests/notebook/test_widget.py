"""The widget of a board: its script and style in one piece, and what a cell shows of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import plywise
from plywise.adapters.notebook.assets import _collect, script, style
from plywise.core.palette import INK
from plywise.errors import to_install

PACKAGE = Path(plywise.__file__).parent


def test_the_modules_are_those_of_the_page_and_each_comes_after_what_it_imports() -> None:
    found: dict[str, str] = {}
    _collect(PACKAGE / "adapters" / "notebook" / "widget.js", found, ())
    assert "web/static/js/board/board.js" in found
    known: set[str] = set()
    for name, text in found.items():
        imported = re.findall(r'from "plywise:([^"]+)"', text)
        assert set(imported) <= known, name
        assert not re.findall(r'from "\.', text), name
        assert "import(" not in text, name  # the loader links static imports only
        assert (PACKAGE / name).exists()
        known.add(name)


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    inside = PACKAGE / "adapters" / "notebook" / "widget.js"
    with pytest.raises(ImportError, match="imports itself"):
        _collect(inside, {}, (inside,))


def test_the_style_stays_in_the_shadow_tree() -> None:
    assert ":root" not in style(INK)
    assert ':host([data-theme="dark"]) .palette-ink' in style(INK)
    assert "@import" not in style(INK)


def test_nothing_is_loaded_from_elsewhere() -> None:
    addresses = set(re.findall(r"https?://[^\s\\\"'`)]+", script() + style(INK)))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_without_a_kernel_a_cell_shows_a_picture() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    board = plywise.board("tictactoe", moves="b2 a1")
    data, _ = board._repr_mimebundle_()
    assert data["image/svg+xml"] == board.position.svg()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert repr(board) == "<board of plywise.game('tictactoe').position('b2 a1')>"
    assert board.record.players == ("human", "auto")
    board.close()


@pytest.mark.slow
def test_without_the_extra_results_are_drawn_and_a_board_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import plywise\n"
        "plywise.solve(plywise.game('tictactoe').position('a1 b1 a2 b2'))._repr_html_()\n"
        "plywise.Match('tictactoe', 'a', 'b', 1)._repr_html_()\n"
        "print(sorted({'IPython', 'ipywidgets', 'traitlets', 'PIL'} & set(sys.modules)))\n"
        "try: plywise.board('tictactoe')\n"
        "except plywise.Unsupported as error: print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    nothing, words = found.stdout.splitlines()
    assert nothing == "[]"
    assert words == f"boards in notebooks need anywidget: {to_install('notebook')}"
