"""The tutorials, followed step by step: `python -m tests.docs.tutorials` writes their outputs anew.

A page is followed from top to bottom. What is between `>>>` prompts is typed into Python, console
blocks are run as commands. A comment above a block says when it belongs into a file:

    <!-- into game.py -->           the block is added to the file
    <!-- whole game.py -->          the block is the whole file, as it should be by now
    <!-- wrong.py from game.py -->  a copy of the file with one function replaced by the block

A page may go on with a file that another one has built, `whole`. What is typed into a puzzle that
a `sh` block has opened, and what is to be seen then, are blocks of text:

    <!-- typed -->                  moves and commands, a line each
    <!-- shown -->                  the last lines on the screen

In a notebook the code cells are run in their order, in one namespace.
"""

from __future__ import annotations

import ast
import doctest
import io
import json
import linecache
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from plywise.cli import main
from tests.docs.pages import TUTORIALS, kept_file

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
#: What differs from run to run (seconds), or as searches are improved (nodes, one of equal lines).
CHANGING = re.compile(
    r"(?<![\w.])[0-9][0-9,.]*(?= (?:nodes|s|ms)\b)|(?<=per move: ).*|(?<=\bline )[^(\n]*"
    r"|(?<=seconds=)[0-9.e-]+"
)
PAGES = sorted(TUTORIALS.glob("*.md"))
NOTEBOOKS = sorted(TUTORIALS.glob("*.ipynb"))

_BLOCK = re.compile(
    r"(?:^<!-- (?P<role>[^\n]+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def alike(expected: str, got: str, flags: int = FLAGS) -> bool:
    """Is it the same output, apart from what may differ?"""
    want, have = (CHANGING.sub("#", text) for text in (expected, got))
    return doctest.OutputChecker().check_output(want, have, flags)


@contextmanager
def captured(typed: str = "") -> Iterator[io.StringIO]:
    """What is printed, by commands too; `typed` is what they read."""
    out = io.StringIO()
    before = sys.stdin, sys.__stdout__
    sys.stdin, sys.__stdout__ = io.StringIO(typed), out  # type: ignore[misc, assignment]
    try:
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            yield out
    finally:
        sys.stdin, sys.__stdout__ = before  # type: ignore[misc]


@contextmanager
def own_data() -> Iterator[None]:
    """Unfinished games are kept in a folder that goes again."""
    before = os.environ.get("PLYWISE_DATA")
    with TemporaryDirectory() as folder:
        os.environ["PLYWISE_DATA"] = folder
        try:
            yield
        finally:
            os.environ.pop("PLYWISE_DATA")
            if before is not None:
                os.environ["PLYWISE_DATA"] = before


# ---- pages ---------------------------------------------------------------------------------


class Checker(doctest.OutputChecker):
    """Compares sessions as commands are compared."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Is it the same, apart from what may differ?"""
        return alike(want, got)


class Walk:
    """A page that is followed; `wrong` says what did not come out as it says."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.folder = kept_file(f"tutorials/{page.stem}/README", page.name).parent
        self.source = page.read_text(encoding="utf-8")
        self.files = dict(_borrowed(self.source))
        self.latest = ""  #: the file that was added to last
        self.names: dict[str, Any] = {}
        self.puzzle, self.typed = "", ""  #: the command that opened it, and what was typed into it
        self.wrong: list[str] = []

    def follow(self) -> str:
        """Follow it to the end; returns the page with the outputs of its commands as they are."""
        with own_data(), chdir(self.folder):
            return _BLOCK.sub(self._block, self.source)

    def _block(self, match: re.Match[str]) -> str:
        role, text = match["role"] or "", match["text"]
        line = self.source.count("\n", 0, match.start("text")) + 1
        opened = re.search(r"^plywise \w+ play \S+$", text, re.MULTILINE)
        if role == "typed":
            self.typed += text
        elif role == "shown":
            return match[0].replace(text, self._shown(text, line))
        elif role:
            self._file(role, text, line)
        elif match["language"] == "sh" and opened:
            self.puzzle, self.typed = opened[0], ""
        elif match["language"] == "console":
            return match[0].replace(text, self._console(text, line))
        elif match["language"] == "python" and ">>>" in text:
            self._session(text, line)
        elif match["language"] == "python":
            exec(compile(text, f"{self.page}:{line}", "exec"), self.names)
        return match[0]

    def _file(self, role: str, text: str, line: int) -> None:
        action, _, name = role.rpartition(" ")
        if action == "into":
            before = self.files.get(name)
            self.files[name] = text if before is None else f"{before}\n\n{text}"
            self.latest, self.names = name, {}
        elif action == "whole":
            self._expect(self.files[name] == text, line, f"{name} is another file by now")
        else:
            head = text[: text.index("(")]  # `@rule`, `def play`
            parts = self.files[name].split("\n\n\n")
            (old,) = [number for number, part in enumerate(parts) if part.startswith(head)]
            parts[old] = text.rstrip("\n")
            self.files[action.removesuffix(" from")] = "\n\n\n".join(parts)

    def _session(self, text: str, line: int) -> None:
        """As after `python -i FILE`, where there is a file."""
        self._save()
        if not self.names and self.latest:
            file = self.folder / self.latest
            exec(compile(self.files[self.latest], str(file), "exec"), self.names)
        test = doctest.DocTestParser().get_doctest(
            text, self.names, self.page.name, str(self.page), line - 1
        )
        report = io.StringIO()
        runner = doctest.DocTestRunner(Checker(), optionflags=FLAGS)
        runner.run(test, out=report.write, clear_globs=False)
        self.names.update(test.globs)
        self._expect(not report.getvalue(), line, report.getvalue())

    def _console(self, text: str, line: int) -> str:
        """Every command succeeds and prints what is shown below it, if anything is."""
        self._save()
        written = ""
        _, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
        for part in parts:
            command, _, shown = part.partition("\n")
            printed = self.command(command, line)
            fine = not shown or alike(shown, printed)
            self._expect(fine, line, f"$ {command}\n{printed}--- the page says:\n{shown}")
            written += f"$ {command}\n{shown if fine else printed}"
        return written

    def command(self, command: str, line: int = 0) -> str:
        """What a command prints: `plywise ...`, or `printf '...' | plywise ...`."""
        typed = ""
        words = shlex.split(command)
        if words[0] == "printf":
            typed = words[1].replace("\\n", "\n")
            words = words[words.index("|") + 1 :]
        assert words[0] == "plywise", command
        with captured(typed) as out:
            code = main(words[1:])
        self._expect(code == 0, line, f"{command} ended with {code}")
        return out.getvalue()

    def _shown(self, text: str, line: int) -> str:
        """The last lines of a puzzle after all that was typed, without the farewell."""
        with own_data(), captured(self.typed) as out:
            main(shlex.split(self.puzzle)[1:])
        lines = [each.rstrip() for each in out.getvalue().splitlines() if each[:6] != "Kept: "]
        end = "".join(f"{each}\n" for each in lines[-text.count("\n") :])
        fine = alike(text, end, doctest.ELLIPSIS)  # blanks are part of a board
        self._expect(fine, line, f"shown is\n{end}--- the page says:\n{text}")
        return text if fine else end

    def _save(self) -> None:
        """Write the files, those that have changed."""
        for name, text in self.files.items():
            kept_file(f"tutorials/{self.page.stem}/{name}", text)

    def _expect(self, fine: bool, line: int, why: str) -> None:
        if not fine:
            self.wrong.append(f"{self.page.name}:{line}: {why}")


def _borrowed(source: str) -> Iterator[tuple[str, str]]:
    """The files that a page uses and another page has built."""
    for page in PAGES:
        for match in _BLOCK.finditer(page.read_text(encoding="utf-8")):
            name = (match["role"] or "").removeprefix("whole ")
            if (
                match["role"] == f"whole {name}"
                and f"./{name}" in source
                and match[0] not in source
            ):
                yield name, match["text"]


# ---- notebooks -----------------------------------------------------------------------------


def outputs(notebook: dict[str, Any], folder: Path) -> list[list[dict[str, Any]]]:
    """What each code cell prints and shows, as a notebook writes it down."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    with own_data(), chdir(folder):
        for number, cell in enumerate(code_cells(notebook), 1):
            found.append(_run("".join(cell["source"]), number, names))
    return found


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells with code, in their order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _run(source: str, number: int, names: dict[str, Any]) -> list[dict[str, Any]]:
    if source.startswith("%%writefile "):  # the only magic there is
        name, _, text = source.removeprefix("%%writefile ").partition("\n")
        verb = "Overwriting" if Path(name).exists() else "Writing"
        Path(name).write_text(text + "\n", encoding="utf-8")
        return [_stream(f"{verb} {name}\n")]
    # As notebooks do: compiled rules are kept under what was typed.
    place = f"<cell {number} of {Path.cwd().name}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    body = ast.parse(source).body
    last: ast.expr | None = None
    if body and isinstance(body[-1], ast.Expr):
        last = body[-1].value
        body.pop()
    with captured() as out:
        exec(compile(ast.Module(body, []), place, "exec"), names)
        value = None
        if last is not None:
            value = eval(compile(ast.Expression(last), place, "eval"), names)
    found = [_stream(out.getvalue())] if out.getvalue() else []
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_svg_"):
            data = {"image/svg+xml": _lines(value._repr_svg_()), **data}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": _lines(value._repr_html_()), **data}
        if hasattr(value, "_repr_mimebundle_"):  # a board: without a kernel it is a picture
            data = {"image/svg+xml": _lines(value._repr_mimebundle_()[0]["image/svg+xml"]), **data}
        found.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return found


def _stream(text: str) -> dict[str, Any]:
    return {"name": "stdout", "output_type": "stream", "text": _lines(text)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def run_again(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The notebook with every output as it is now."""
    for number, (cell, found) in enumerate(
        zip(code_cells(notebook), outputs(notebook, folder), strict=True), 1
    ):
        cell["outputs"], cell["execution_count"] = found, number
    return notebook


def workplace(notebook: Path) -> Path:
    """An empty folder to run a notebook in, always the same."""
    folder = kept_file(f"tutorials/{notebook.stem}/README", notebook.name).parent
    for file in folder.iterdir():
        if file.suffix == ".py":
            file.unlink()
    return folder


def written(notebook: dict[str, Any]) -> str:
    """The text of a notebook's file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


# ---- pictures ------------------------------------------------------------------------------

PICTURES = TUTORIALS.parent / "pictures" / "tutorials"
FIRST, SECOND = ".3.3/31../32../....", "23.3/.1../3.3./3..."  #: the puzzles of slither-by-hand.md
#: A picture, its puzzle, and which of the steps to the solution it shows; 0 is the puzzle alone.
STEPS = {
    "slither-start": (FIRST, 0),
    "slither-corner": (FIRST, 1),
    "slither-side-by-side": (FIRST, 2),
    "slither-diagonal": (FIRST, 3),
    "slither-dot": (FIRST, 6),
    "slither-loop": (FIRST, 24),
    "slither-sides": (SECOND, 11),
    "slither-pair": (SECOND, 25),
}


def picture(name: str) -> str:
    """A step to the solution of a puzzle, as SVG."""
    from plywise.puzzles import slither
    from plywise.puzzles.slither.scene import scene
    from plywise.views import draw_svg

    text, number = STEPS[name]
    puzzle = slither.read(text)
    if number == 0:
        return draw_svg(scene(slither.Drawing.empty(puzzle)))
    step = slither.solve(puzzle).steps[number - 1]
    return draw_svg(scene(step.after, step.marks))


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in STEPS:
        (PICTURES / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    for each in PAGES:
        walk = Walk(each)
        each.write_text(walk.follow(), encoding="utf-8")
        for problem in walk.wrong:
            print(problem)
    for each in NOTEBOOKS:
        text = each.read_text(encoding="utf-8")
        each.write_text(written(run_again(json.loads(text), workplace(each))), encoding="utf-8")
