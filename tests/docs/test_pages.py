"""The documentation holds: examples run, links lead somewhere, tables say what the code says."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

import plywise
from plywise import engines, games
from plywise.cli import main
from plywise.testing import check_game
from tests.docs.pages import (
    DOCS,
    PAGES,
    ROOT,
    TUTORIALS,
    Block,
    anchors,
    blocks,
    kept_file,
    links,
    prose,
    the_game,
)
from tests.docs.tables import tables_of, written_anew

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
#: All but those that test_tutorials.py follows step by step.
OTHER_PAGES = [page for page in PAGES if TUTORIALS not in page.parents]
#: What differs from run to run (seconds), or as searches are improved (nodes, one of equal lines).
CHANGING = re.compile(
    r"(?<![\w.])[0-9][0-9,.]*(?= s\b)|(?<=per move: ).*|(?<=^line ).*", re.MULTILINE
)
#: The pages that show a complete game, and the file that it is saved as.
GAMES = {ROOT / "README.md": "nim.py", DOCS / "writing-a-game.md": "mygame.py"}


@pytest.fixture(autouse=True)
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples run in an empty folder; those of a page that shows a game run beside its file."""
    for page, name in GAMES.items():
        if page.name in request.node.name:
            monkeypatch.chdir(kept_file(name, the_game(page)).parent)
            return
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", OTHER_PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path) -> None:
    """What looks like a session is run as one; what does not must be Python at least."""
    session = [block for block in blocks(page, "python") if ">>>" in block.text]
    globals_: dict[str, object] = {}
    for block in session:
        test = doctest.DocTestParser().get_doctest(
            block.text, globals_, block.name, str(page), block.line - 1
        )
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        assert runner.run(test, clear_globs=False).failed == 0
        globals_.update(test.globs)
    for block in blocks(page, "python"):
        if block not in session:
            text = textwrap.dedent(block.text)
            ast.parse(f"f(\n{text})" if text.startswith("rules=") else text)


CONSOLES = [block for page in OTHER_PAGES for block in blocks(page, "console")]


def consoles(mark: pytest.MarkDecorator) -> pytest.MarkDecorator:
    """Every block of commands, those of the README without the mark."""
    cases = [
        pytest.param(block, marks=[] if block.name.startswith("README") else mark, id=block.name)
        for block in CONSOLES
    ]
    return pytest.mark.parametrize("block", cases)


@consoles(pytest.mark.slow)
def test_console_examples(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command of a block succeeds and prints what stands below it, if anything does."""
    for command, expected in examples(block):
        name, *arguments = shlex.split(command)
        assert name == "plywise"
        code = main(arguments)
        out, err = capsys.readouterr()
        assert code == 0, err
        compare(command, expected, out)


@pytest.mark.slow
@consoles(pytest.mark.long)
def test_console_examples_in_a_shell(block: Block) -> None:
    """The same, typed into a shell."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in examples(block):
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
        )
        assert done.returncode == 0, done.stderr
        compare(command, expected, done.stdout)


def compare(command: str, expected: str, out: str) -> None:
    """Fail if the page shows something else."""
    want, got = (CHANGING.sub("#", text) for text in (expected, out))
    if expected and not doctest.OutputChecker().check_output(want, got, FLAGS):
        pytest.fail(f"$ {command}\n{out}--- the page says:\n{expected}", pytrace=False)


def examples(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output it shows."""
    _, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def test_a_console_block_is_commands_and_output() -> None:
    block = Block(ROOT, 1, "console", "", "$ one\nout\nmore\n$ two\n")
    assert examples(block) == [("one", "out\nmore\n"), ("two", "")]
    assert all(block.text.startswith("$ ") for block in CONSOLES)


@EVERY_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name} links to {link}"


@EVERY_PAGE
def test_named_files_exist(page: Path) -> None:
    """`src/plywise/jit/cache.py` in the prose, and shorter names inside src/plywise."""
    for name in re.findall(r"`([\w./]+/[\w.]*)`", prose(page)):
        if name.startswith((".", "/")) or "NAME" in name:
            continue
        homes = (ROOT, ROOT / "src", ROOT / "src" / "plywise", ROOT / "docs")
        assert any((home / name).exists() for home in homes), f"{page.name} names {name}"


def test_extras_exist() -> None:
    """What pages and messages tell people to install is an extra of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = re.compile(r"""pip install "\.\[(\w+)\]"|to_install\(["'](\w+)["']\)""")
    code = [file for part in ("src", "bench", "examples") for file in (ROOT / part).rglob("*.py")]
    found = {}
    for file in [*PAGES, *code]:
        for match in asked.finditer(file.read_text(encoding="utf-8")):
            found[match[1] or match[2]] = file
    assert {"adapters", "ray"} < found.keys() <= project["optional-dependencies"].keys()


@EVERY_PAGE
def test_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"`[^`]+`", prose(page)) + [block.text for block in blocks(page, "sh")]
    for target in re.findall(r"\bmake ([a-z]+)\b", "\n".join(commands)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"


@EVERY_PAGE
def test_tables_say_what_the_code_says(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == written_anew(page), (
        f"{page.name} has gone stale: run `make figures`"
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", GAMES, ids=lambda page: page.name)
def test_the_games_shown_keep_every_law(page: Path) -> None:
    check_game(f"./{GAMES[page]}", games=10)


def test_every_game_and_engine_has_its_place() -> None:
    every_engine = {f"engine {name}" for name in engines.names(games.make("tictactoe"))}
    own = {f"engine {name}" for name in games.find("tictactoe").strength.agents}
    assert tables_of(DOCS / "engines.md") == {*every_engine - own, "levels"}
    for name in games.names():
        agents = games.find(name).strength.agents.items()
        told = {f"agent {name} {agent}" for agent, kind in agents if kind.parameters}
        wanted = {f"game {name}", f"perft {name}", *told}
        assert tables_of(DOCS / "games" / f"{name}.md") == wanted


def test_the_changelog_begins_with_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[?([0-9.]+)", changelog, re.MULTILINE)
    assert versions[0] == plywise.__version__
