"""Does a test that a row of docs/papers.md names exist, and does it assert what the row says?

`tests.txt` has every such test with what to look for in its code: the row, a TAB, the test, a TAB,
a piece of code without which it would not be about the row.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.docs.pages import ROOT

Function = ast.FunctionDef
LISTED = Path(__file__).with_name("tests.txt")
#: What asserts beside `assert`: a test that uses Playwright or expects an error.
ASSERTING = {"expect", "raises", "was_shown", "wait"}


def complaint(name: str) -> str | None:
    """Say what is wrong with a test that a row names, such as `tests/a.py::test_b`."""
    file, _, test = name.partition("::")
    if not (ROOT / file).is_file():
        return f"there is no file {file}"
    if not test:
        return f"{name} names no test: add ::test_..."
    known = _functions(file)
    if test not in known:
        return f"there is no {test} in {file}"
    if not test.startswith("test_"):
        return f"{test} is not a test"
    marks = {ast.unparse(each) for each in known[test].decorator_list}
    if "pytest.mark.long" in marks:
        return f"{test} runs only in `make long`"
    return None if _asserts(known[test], known) else f"{test} asserts nothing"


def source(name: str) -> str:
    """Return the code of a named test, and of the functions of its file that it calls."""
    file, _, test = name.partition("::")
    known, found, waiting = _functions(file), dict[str, str](), [test]
    while waiting:
        code = ast.unparse(known[waiting[0]])
        found[waiting.pop(0)] = code
        waiting += [other for other in known if f"{other}(" in code and other not in found]
    return "\n".join(found.values())


def asserts(check: Callable[..., Any]) -> bool:
    """True if a function asserts something."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(check)))
    return any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def listed() -> dict[tuple[str, str], str]:
    """Return what to look for in each test, by the row and the test."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {(told, test): code for told, test, code in rows}


@cache
def _functions(file: str) -> dict[str, Function]:
    """Return the functions of a file by their names."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, Function)}


def _asserts(function: Function, known: dict[str, Function], before: Iterable[str] = ()) -> bool:
    """True if a function asserts, itself or by another of its file."""
    nodes = list(ast.walk(function))
    if any(isinstance(node, ast.Assert) for node in nodes):
        return True
    calls = {_called(node) for node in nodes if isinstance(node, ast.Call)}
    others = (calls & set(known)) - {function.name, *before}
    return bool(calls & ASSERTING) or any(
        _asserts(known[other], known, (*before, function.name)) for other in others
    )


def _called(call: ast.Call) -> str:
    """Return the last name of what is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
