"""Where the logic can be changed by one token or statement, and the choice of some of these places.

A change is found in the syntax tree and made in the text, so that a mutant differs from its file in
nothing else. Not changed are texts, annotations, decorators, `__repr__`, assertions, what an error
or a log says, and constants of a module: those are settings, and a test of one would repeat it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SOURCES = Path("src/plywise")

_COMPARED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
_COMPUTED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: (r"\*\*", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
    ast.BitXor: (r"\^", "&"),
}
_OPPOSITE = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
#: Calls whose two arguments mean the same in any order, or that fail at once in the other one.
_NOT_SWAPPED = {
    *("max", "min", "maximum", "minimum", "union", "common"),
    *("isinstance", "issubclass", "getattr", "setattr", "hasattr"),
}
_SPOKEN = {"debug", "info", "warning", "exception", "warn", "warn_once"}


class Place(NamedTuple):
    """A change that can be made to a file."""

    file: str  #: from the root of the project
    function: str  #: such as `Session.undo`; empty outside of functions
    line: int  #: counted from 1
    code: str  #: the text of this line
    before: str
    after: str
    start: int  #: where `before` is in the file, in characters
    count: int  #: how many places before it in the function have all of this in common

    @property
    def name(self) -> str:
        """What names this place as long as its line stays as it is, wherever the line goes."""
        again = f" #{self.count + 1}" if self.count else ""
        return f"{self.file} {self.function}{again}: {self.code} [{self.change}]"

    @property
    def change(self) -> str:
        """What becomes what, on one line."""
        return f"{_short(self.before)} -> {_short(self.after)}"

    @property
    def package(self) -> str:
        """The package of plywise that the file belongs to."""
        parts = Path(self.file).relative_to(SOURCES).parts
        return parts[0] if len(parts) > 1 else "."

    def changed(self, text: str) -> str:
        """Return the text of the file with the change made."""
        end = self.start + len(self.before)
        assert text[self.start : end] == self.before, f"{self.name} is not there"
        return text[: self.start] + self.after + text[end:]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:40]} ... {line[-15:]}"


def all_places(root: Path = ROOT) -> list[Place]:
    """Return every place in the sources."""
    files = sorted((root / SOURCES).rglob("*.py"))
    return [place for file in files for place in places(root, file.relative_to(root).as_posix())]


def places(root: Path, file: str) -> list[Place]:
    """Return every place in a file."""
    text = (root / file).read_text(encoding="utf-8")
    return _Finder(file, text).found()


def drawn(found: Iterable[Place], seed: str, count: int) -> list[Place]:
    """Draw places at random; the same ones as long as their lines stay, whatever else changes."""

    def rank(place: Place) -> bytes:
        return hashlib.sha256(f"{seed} {place.name}".encode()).digest()

    return sorted(found, key=rank)[:count]


class _Finder(ast.NodeVisitor):
    """Collects the places of one file."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._text = file, text
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._names: list[str] = []
        self._functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self._places: list[Place] = []
        self._counts = Counter[tuple[str, ...]]()

    def found(self) -> list[Place]:
        self.visit(ast.parse(self._text))
        return self._places

    # ---- what is passed over ----

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Visit the defaults and the body of a function."""
        if node.name == "__repr__":
            return
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        self._names.append(node.name)
        self._functions.append(node)
        self._body(node.body)
        self._functions.pop()
        self._names.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Visit the body of a class."""
        self._names.append(node.name)
        self._body(node.body)
        self._names.pop()

    def _body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Visit the value alone."""
        if node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts as they are."""

    visit_Assert = visit_Import = visit_ImportFrom = visit_JoinedStr  # noqa: N815

    # ---- statements ----

    def visit_If(self, node: ast.If) -> None:
        """Negate the condition, but for `if TYPE_CHECKING`."""
        if "TYPE_CHECKING" not in self._source(node.test):
            self._negate(node.test)
            self.generic_visit(node)

    def visit_While(self, node: ast.While | ast.IfExp) -> None:
        """Negate the condition."""
        self._negate(node.test)
        self.generic_visit(node)

    visit_IfExp = visit_While  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Negate the conditions."""
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """Return something else."""
        value = node.value
        if value is None:
            return
        kind = ast.unparse(self._functions[-1].returns) if self._functions[-1].returns else ""
        source = self._source(value)
        if isinstance(value, ast.Compare | ast.Constant) and len(getattr(value, "ops", "1")) == 1:
            pass  # these have their own changes
        elif kind == "bool":
            self._replace(value, f"not ({source})")
        elif kind in ("int", "float"):
            self._replace(value, f"({source}) + 1")
        elif not (isinstance(value, ast.Name) and value.id == "NotImplemented"):
            self._replace(value, "None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Leave out a call."""
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call) and _called(call) not in _SPOKEN:
            self._replace(node, "pass")
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Leave out an assignment to a part of something: without a name nothing would run."""
        inside = self._functions and isinstance(node.targets[0], ast.Attribute | ast.Subscript)
        if inside:
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Leave out the statement, or compute something else."""
        self._replace(node, "pass")
        self._between(node.target, node.value, *_COMPUTED.get(type(node.op), ("", "")))
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave out the statement."""
        if node.exc is not None and self._functions:
            self._replace(node, "pass")

    def visit_Continue(self, node: ast.Continue | ast.Break | ast.Delete) -> None:
        """Leave out the statement."""
        self._replace(node, "pass")

    visit_Break = visit_Delete = visit_Continue  # noqa: N815

    # ---- expressions ----

    def visit_Compare(self, node: ast.Compare) -> None:
        """Compare otherwise."""
        left = node.left
        for kind, right in zip(node.ops, node.comparators, strict=True):
            self._between(left, right, *_COMPARED[type(kind)])
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Compute something else: not a text from its pattern, nor a union of types."""
        text = isinstance(node.left, ast.Constant | ast.JoinedStr) and isinstance(
            getattr(node.left, "value", ""), str
        )
        if type(node.op) in _COMPUTED and not text and self._functions:
            self._between(node.left, node.right, *_COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Write `or` for `and`."""
        words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, *words)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Leave out `not`."""
        if isinstance(node.op, ast.Not):
            self._replace(node, f"({self._source(node.operand)})")
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Name the argument that a constant is for."""
        if isinstance(node.value, ast.Constant):
            self._replace_constant(node, node.value, f"{node.arg}=")
        else:
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Take the next number, or the other truth value."""
        self._replace_constant(node, node, "")

    def _replace_constant(
        self, node: ast.expr | ast.keyword, constant: ast.Constant, before: str
    ) -> None:
        value = constant.value
        if isinstance(value, bool):
            self._replace(node, f"{before}{not value}")
        elif isinstance(value, int | float) and self._names:
            after = value * 2 if isinstance(value, float) and value else value + 1
            self._replace(node, f"{before}{after!r}")

    def visit_Call(self, node: ast.Call) -> None:
        """Swap the first two arguments."""
        name = _called(node)
        if name in _SPOKEN:
            return
        types = {"cast": node.args[:1], "isinstance": node.args[1:]}.get(name, [])
        sources = [self._source(each) for each in node.args[:2]]
        starred = any(isinstance(each, ast.Starred) for each in node.args[:2])
        if len(set(sources)) == 2 and not starred and name not in {*_NOT_SWAPPED, "cast"}:
            first, second = node.args[:2]
            start, end = self._range(first)[0], self._range(second)[1]
            gap = self._text[self._range(first)[1] : self._range(second)[0]]
            self._add(start, self._text[start:end], f"{sources[1]}{gap}{sources[0]}")
        for child in ast.iter_child_nodes(node):
            if child not in types:
                self.visit(child)

    # ---- how a place is noted ----

    def _negate(self, test: ast.expr) -> None:
        simple = isinstance(test, ast.Compare) and isinstance(test.ops[0], _OPPOSITE)
        if not (simple or isinstance(test, ast.UnaryOp | ast.Constant)):
            self._replace(test, f"not ({self._source(test)})")

    def _replace(self, node: ast.expr | ast.stmt | ast.keyword, after: str) -> None:
        self._add(self._range(node)[0], self._source(node), after)

    def _between(self, left: ast.expr, right: ast.expr, before: str, after: str) -> None:
        """Replace the operator that stands between two expressions."""
        start, end = self._range(left)[1], self._range(right)[0]
        gap = re.sub(r"#.*", lambda each: " " * len(each[0]), self._text[start:end])
        found = re.search(before, gap) if before else None
        if found:
            self._add(start + found.start(), found[0], after)

    def _add(self, start: int, before: str, after: str) -> None:
        line = self._text.count("\n", 0, start) + 1
        code = self._lines[line - 1].strip()
        function = ".".join(self._names)
        alike = (self._file, function, code, before, after)
        self._places.append(Place(*alike[:2], line, *alike[2:], start, self._counts[alike]))
        self._counts[alike] += 1

    def _source(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        start, end = self._range(node)
        return self._text[start:end]

    def _range(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Return where a node begins and ends; `ast` counts bytes of a line."""

        def at(line: int, column: int) -> int:
            before = self._lines[line - 1].encode()[:column].decode()
            return self._starts[line - 1] + len(before)

        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)


def _called(call: ast.Call) -> str:
    """Return the last name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
