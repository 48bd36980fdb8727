"""Numba's errors in one line: the function, its line, the cause in a sentence.

When an author's rules do not compile, numba explains that in dozens of lines about its own
insides. The full text stays behind it, as the cause of the exception.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from plywise.errors import RulesError, suggest
from plywise.jit.blame import name_of, ships_with_plywise, written_place
from plywise.jit.cache import reach

_STEP = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\)\n")
_PLACE = re.compile(r'File "([^"]+)", line ([0-9]+)')
#: What numba calls the types that authors use.
_TYPES = (
    (r"u?int[0-9]*|Literal\[int\].*", "a whole number"),
    (r"float[0-9]*", "a float"),
    (r"bool|Literal\[bool\].*", "a truth value"),
    (r"unicode_type|Literal\[str\].*", "a text"),
    (r"none", "None"),
    (r"(nested)?array\(.*", "an array"),
    (r"U?n?i?Tuple.*", "a tuple"),
    (r"list\(.*|reflected list.*", "a list"),
    (r"Record.*", "a record"),
)
FLOAT_KEY = r"def checked_key"  #: where `guards` lets a key that is a float fail
_LISTS = "lists do not compile in rules: write into an array of the state"
#: A piece of numba's text, and the sentence for it.
_CAUSES: tuple[tuple[str, str], ...] = (
    (
        FLOAT_KEY,
        "it becomes a float when compiled: in arithmetic with 64-bit words, write every number as"
        " np.uint64(...)",
    ),
    (
        r"Untyped global name '(\w+)':\s+Cannot determine Numba type of <class 'function'>",
        "`{0}` is called from a rule but is not marked @rule",
    ),
    (
        r"Untyped global name '(\w+)':\s+Cannot determine Numba type of <class 'builtin",
        "`{0}` cannot be used in a rule",
    ),
    (
        r"Untyped global name '(\w+)':\s+Cannot determine Numba type of <class '(?:\w+\.)*(\w+)'>",
        "`{0}` is a {1}, and rules can use only numbers, NumPy arrays and other rules",
    ),
    (r"NameError: name '(\w+)' is not defined", "`{0}` is not defined"),
    (r"imprecise type: (?:list|set)\(", _LISTS),
    (r"list\.append for", _LISTS),
    (r"imprecise type: Dict", "dictionaries do not compile in rules: use an array"),
    (r"use of yield in a closure", "generator expressions do not compile: write a loop"),
    (r"Exception matching is limited", "`except` with a type does not compile: test before"),
    (r"'with \(context manager\)", "`with` does not compile in rules"),
    (r"compiler re-entrant|self-recursion|recursion", "a rule must not call itself: write a loop"),
    (
        r"unify return type from the following types: (.+)",
        "it returns different types, {0}: return the same type everywhere",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\$?\w+)[.\d]*'",
        "{2} is sometimes {0} and sometimes {1}: give it one type",
    ),
    (
        r"No implementation of function Function\(<[\w-]+ function (\w+)>\)[^>]*>>> \w+\((.*)\)",
        "`{0}` does not work in rules with {1}",
    ),
)


def explaining(compile: Callable[..., Any], verbs: Sequence[Callable[..., Any]]) -> Any:
    """Return the same step of numba, whose errors are RulesErrors."""

    def compile_or_explain(*given: Any, **options: Any) -> Any:
        try:
            return compile(*given, **options)
        except Exception as error:
            raise RulesError(translated(error, verbs, given)) from error

    return compile_or_explain


def translated(
    error: Exception, verbs: Sequence[Callable[..., Any]], given: Iterable[Any] = ()
) -> str:
    """Return what an error of numba means, in one line.

    `given` are the arguments of the kernel: their records say which fields there are.
    """
    functions = [each for each in reach(verbs).functions if not ships_with_plywise(each)]
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, KeyError | AttributeError):
        return _no_attribute(error, functions, given)
    cause = _STEP.split(text)[-1]
    where = _where(cause, functions) or _where(text, functions) or _where(_spot(error), functions)
    if re.search(FLOAT_KEY, cause):
        where = next(_inside(verbs, "checked_key"), where)
    undefined = re.search(r"NameError: name '(\w+)'", cause)
    if undefined is not None:
        where = next(_uses(undefined[1], functions), where)
    return f"{where}{_sentence(cause)}"


def _spot(error: Exception) -> str:
    """Return the place that some errors have besides their text, as numba writes it."""
    spot = getattr(error, "loc", None)
    return "" if spot is None else f'File "{spot.filename}", line {spot.line}'


def _sentence(cause: str) -> str:
    for pattern, words in _CAUSES:
        found = re.search(pattern, cause)
        if found is not None:
            return words.format(*(_named(group) for group in found.groups()))
    line = " ".join(cause.strip().partition("\n")[0].split())
    return f"the rules do not compile: {line}"


def _named(text: str) -> str:
    """Name a variable, or types in plain words."""
    if text.startswith("$"):
        return "a value"  # it has no name of its own
    if re.fullmatch(r"\w+", text) and not re.fullmatch(r"u?int\d+|float\d+|bool|none", text):
        return text
    parts = re.findall(
        r"(?:\w+=)?((?:[^,()\[\]]|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])+)", text
    )
    names = [_type_name(part.strip()) for part in parts if part.strip()]
    return " and ".join(dict.fromkeys(names)) or text


def _type_name(text: str) -> str:
    return next((words for kind, words in _TYPES if re.fullmatch(kind, text)), text)


def _where(text: str, functions: Sequence[FunctionType]) -> str:
    """Return the innermost place in an author's file that a text names, and its function."""
    for file, line in _PLACE.findall(text):
        for function in functions:
            code = function.__code__
            lines = [each for _, _, each in code.co_lines() if each is not None]
            inside = code.co_firstlineno <= int(line) <= max(lines, default=0)
            if Path(code.co_filename).name == Path(file).name and inside:
                place = written_place(code.co_filename, int(line))
                return f"{place}, in `{name_of(function)}`: "
    return ""


def _inside(verbs: Sequence[Callable[..., Any]], guard: str) -> Iterator[str]:
    """Yield the first line and the name of the function inside a guard."""
    for verb in verbs:
        if isinstance(verb, FunctionType) and verb.__name__ == guard and verb.__closure__:
            function = verb.__closure__[0].cell_contents
            code = function.__code__
            place = written_place(code.co_filename, code.co_firstlineno)
            yield f"{place}, in `{name_of(function)}`: "


def _no_attribute(error: Exception, functions: Sequence[FunctionType], given: Iterable[Any]) -> str:
    """Describe a field or a function that does not exist."""
    name = str(error.args[0]) if isinstance(error, KeyError) else str(getattr(error, "name", ""))
    where = next(_uses(name, functions), "")
    if isinstance(error, AttributeError):
        return f"{where}{error}"
    fields = sorted({field for record in _records(given) for field in record.names or ()})
    return f"{where}there is no field {name!r}: {suggest(name, fields)}"


def _uses(name: str, functions: Sequence[FunctionType]) -> Iterator[str]:
    """Yield the places where functions use an attribute or a global name."""
    for function in functions:
        for step in dis.get_instructions(function):
            named = step.opname.endswith(("_ATTR", "_METHOD", "_GLOBAL")) and step.argval == name
            if named and step.positions is not None:
                line = step.positions.lineno or function.__code__.co_firstlineno
                place = written_place(function.__code__.co_filename, line)
                yield f"{place}, in `{name_of(function)}`: "


def _records(given: Iterable[Any]) -> Iterator[np.dtype[Any]]:
    """Yield the record types of boards and states among the arguments of a kernel."""
    for each in given:
        if isinstance(each, tuple):
            yield from _records(each)
        elif isinstance(each, np.ndarray) and each.dtype.type.__name__ == "Record":
            yield each.dtype
