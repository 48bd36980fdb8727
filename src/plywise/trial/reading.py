"""Reads the functions of a game without calling them: arguments, order, marks of @rule."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator
from operator import attrgetter
from types import FunctionType, ModuleType
from typing import Any

from plywise.core.game import Game
from plywise.errors import RulesError
from plywise.jit.blame import name_of, place_of, ships_with_plywise
from plywise.jit.kernels import is_rule

#: The arguments of each function that an author may give.
VERBS = {
    "setup": "b, s", "moves": "b, s, out", "play": "b, s, move", "turn": "b, s", "over": "b, s",
    "margin": "b, s", "key": "b, s", "evaluate": "b, s", "bounds": "b, s", "forced": "b, s, out",
    "promise": "b, s, move", "measures": "b, s, out",
}  # fmt: skip
OTHERS = {
    "sizes": "b", "scores": "b, s", "scene": "position", "notation.move_text": "b, move",
    "notation.read_move": "b, text", "notation.to_text": "b, s",
    "notation.from_text": "b, s, text", "notation.draw": "b, s", "words.reason": "b, s",
    "words.ending": "b, s", "words.reasons": "b, s, move", "strength.symmetries": "b",
}  # fmt: skip


def check_functions(game: Game) -> None:
    """Refuse functions with the wrong arguments, in the wrong order, or not marked @rule."""
    rules = game.rules
    given = {verb: getattr(rules, verb) for verb in VERBS if getattr(rules, verb) is not None}
    for verb, function in given.items():
        _check_callable(verb, function, VERBS[verb])
    _check_order(given)
    for verb, function in given.items():
        _check_arguments(verb, function, VERBS[verb])
    for path, arguments in OTHERS.items():
        function, name = attrgetter(path)(game.type), path.rpartition(".")[2]
        if function is not None:
            _check_callable(name, function, arguments)
            _check_arguments(name, function, arguments)
    views = {name: heuristic.function for name, heuristic in game.type.strength.heuristics.items()}
    for name, view in views.items():
        _check_arguments(f"heuristic {name}", view, "b, s, player")
    _check_marks({**given, **{f"heuristic {name}": view for name, view in views.items()}})


def _check_callable(name: str, function: Any, arguments: str) -> None:
    if not callable(function):
        raise RulesError(f"`{name}` is {function!r:.40}, not a function: write {name}({arguments})")


def _check_order(given: dict[str, Callable[..., Any]]) -> None:
    """Refuse a verb that is given a function with the name of another verb."""
    names = {verb: name_of(function) for verb, function in given.items()}
    for verb, name in names.items():
        if name not in VERBS or name == verb:
            continue
        if names.get(name) == name:
            what = f"Rules(...) has {name}() twice: it is `{name}` and `{verb}`"
        else:
            what = f"Rules(...) has its functions in the wrong order: `{verb}` is {name}()"
        right = "write Rules(setup=setup, moves=moves, ...)"
        raise RulesError(f"{what}{place_of(given[verb])}; {right}")


def _check_arguments(name: str, function: Callable[..., Any], arguments: str) -> None:
    try:
        inspect.signature(function).bind(*arguments.split(", "))
    except TypeError as error:
        has = ", ".join(inspect.signature(function).parameters)
        raise RulesError(
            f"`{name}` takes the arguments ({has}), but must take ({arguments}){place_of(function)}"
        ) from error
    except ValueError:  # a builtin without a signature
        return


def _check_marks(given: dict[str, Callable[..., Any]]) -> None:
    """Refuse rules, and functions that they call, that are not marked @rule."""
    for verb, function in given.items():
        if not is_rule(function) and isinstance(function, FunctionType):
            name = name_of(function)
            raise RulesError(
                f"`{verb}` is {name}(), which is not a rule: put @rule above it{place_of(function)}"
            )
    pending, seen = list(given.values()), set[int]()
    while pending:
        function = pending.pop()
        if id(function) in seen or not isinstance(function, FunctionType):
            continue
        seen.add(id(function))
        if ships_with_plywise(function) or _uses_numba(function):
            continue
        for name, called in _called_by(function):
            if not is_rule(called) and not ships_with_plywise(called):
                raise RulesError(
                    f"`{name}` is called from the rule `{name_of(function)}` but is not marked"
                    f" @rule{place_of(called)}"
                )
            pending.append(called)


def _called_by(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the plain functions that a function uses: globals, closures, parts of modules."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closed = {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
    thing: Any = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL":
            thing = function.__globals__.get(step.argval)
        elif step.opname == "LOAD_DEREF":
            thing = closed.get(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(thing, ModuleType):
            thing = getattr(thing, step.argval, None)
        else:
            thing = None
        if isinstance(thing, FunctionType) and not _is_library(thing):
            yield str(step.argval), thing


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _is_library(function: FunctionType) -> bool:
    """Return True for functions of NumPy and of Python itself, some of which compile."""
    file = function.__code__.co_filename
    return "site-packages" in file or function.__module__.partition(".")[0] in ("numpy", "math")


def _uses_numba(function: FunctionType) -> bool:
    """Return True if the author works with numba directly, and may mark functions in other ways."""
    values = function.__globals__.values()
    return any((getattr(value, "__name__", "") or "").startswith("numba") for value in values)
