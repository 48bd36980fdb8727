"""The syntax in which games and agents are named: `name:key=value,key=value`.

A `Spec` is the parsed text; a `Parameter` says which values a key may have; `bind` checks a spec
against its parameters. A name is found among what is `registered`, what has a name is pickled by
it, and what never changes is not copied.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pickle import PicklingError
from types import MappingProxyType
from typing import Any, Self

from plywise.errors import SpecError, suggest

Value = int | float | bool | str | None

#: Parameters of games and agents that name a file, by convention.
FILES = frozenset({"file", "net"})

_YES = {"yes": True, "true": True, "on": True, "1": True}
_NO = {"no": False, "false": False, "off": False, "0": False}
_KINDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "a word"}


@dataclass(frozen=True)
class Spec:
    """A name and the parameters written after it, still as text.

    >>> Spec.parse("tictactoe:rows=4,cols=4,k=3")
    Spec(name='tictactoe', given={'rows': '4', 'cols': '4', 'k': '3'})
    >>> str(Spec.parse(" alphabeta:depth = 6 "))
    'alphabeta:depth=6'
    """

    name: str
    given: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Parse a spec."""
        text = text.strip()
        name, colon, rest = text.partition(":")
        if len(name) == 1 and rest[:1] in ("\\", "/"):  # a drive letter: C:\games\mine.py
            tail, colon, rest = rest.partition(":")
            name = f"{name}:{tail}"
        name = name.strip()
        if not name:
            raise SpecError(f"{text!r} has no name: write name or name:key=value,key=value")
        given: dict[str, str] = {}
        for item in rest.split(",") if colon else ():
            key, equals, value = (part.strip() for part in item.partition("="))
            if not (key and equals and value):
                raise SpecError(f"{item.strip()!r} in {text!r} is not key=value")
            if key in given:
                raise SpecError(f"{key!r} is given twice in {text!r}")
            given[key] = value
        return cls(name, given)

    @classmethod
    def of(cls, spec: str | Spec, options: Mapping[str, Value]) -> Spec:
        """Return a spec, or its text, with options added as Python values; None is left out.

        >>> str(Spec.of("connect4:rows=7", {"cols": 8}))
        'connect4:rows=7,cols=8'
        """
        parsed = cls.parse(spec) if isinstance(spec, str) else spec
        given = {key: format_value(value) for key, value in options.items() if value is not None}
        for key in given.keys() & parsed.given.keys():
            raise SpecError(f"{key!r} is given twice: in {str(parsed)!r} and as {key}={given[key]}")
        return cls(parsed.name, {**parsed.given, **given})

    @property
    def is_file(self) -> bool:
        """True if the name is a Python file and not a registered name."""
        return self.name.endswith(".py") or "/" in self.name or "\\" in self.name

    @property
    def reads_file(self) -> bool:
        """True if it reads a file, because its name or one of its parameters is a file."""
        return self.is_file or bool(FILES & set(self.given))

    def __str__(self) -> str:
        return format_spec(self.name, self.given)


def format_spec(name: str, params: Mapping[str, Value]) -> str:
    """Write a spec; parameters that are None are left out.

    >>> format_spec("align", {"size": 4, "checkerboard": True, "seed": None})
    'align:size=4,checkerboard=yes'
    """
    parts = [f"{key}={format_value(value)}" for key, value in params.items() if value is not None]
    return f"{name}:{','.join(parts)}" if parts else name


def format_value(value: Value) -> str:
    """Write a value as in a spec."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Parameter:
    """One key of a spec, and the values that it may have.

    Attributes:
        name: the key.
        default: the value if the key is left out; or its type alone (int, float, bool or str), if
            leaving it out means None.
        help: what it means, in a few words.
        low: the smallest number.
        high: the largest number.
        choices: the texts that are allowed; empty for any.
        kind: the type of its values, which follows from the default.
    """

    name: str
    default: Any = None
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    kind: type = field(init=False, default=str)

    def __post_init__(self) -> None:
        if isinstance(self.default, type):
            object.__setattr__(self, "kind", self.default)
            object.__setattr__(self, "default", None)
        elif self.default is not None:
            object.__setattr__(self, "kind", type(self.default))

    def read(self, text: str) -> Value:
        """Return the value of a text, or raise a `SpecError` that says what is allowed.

        >>> Parameter("level", 10, low=1, high=10).read("3")
        3
        """
        value = self._convert(text)
        in_range = True
        if isinstance(value, int | float) and not isinstance(value, bool):
            above = self.low is None or value >= self.low
            in_range = above and (self.high is None or value <= self.high)
        if value is None or not in_range or (self.choices and value not in self.choices):
            shown = text if text.isprintable() else repr(text)
            raise SpecError(f"{self.name}={shown} is not valid: {self.name} must be {self.allowed}")
        return value

    def _convert(self, text: str) -> Value:
        if self.kind is bool:
            word = text.lower()
            return _YES[word] if word in _YES else _NO.get(word)
        if self.kind is str:
            return text
        if not text.isascii() or "_" in text:  # Python would read 1_000 and other scripts' digits
            return None
        try:
            value = self.kind(text)
        except ValueError:
            return None
        return value if value == value and abs(value) != float("inf") else None

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = _KINDS.get(self.kind, self.kind.__name__)
        if self.low is not None and self.high is not None:
            return f"{words} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{words}, at least {self.low:g}"
        return words


def bind(spec: Spec, parameters: Sequence[Parameter], what: str) -> Mapping[str, Value]:
    """Check a spec against the parameters of `what`, and fill in the defaults.

    >>> bind(Spec.parse("auto:level=3"), [Parameter("level", 10), Parameter("seed", 0)], "auto")
    mappingproxy({'level': 3, 'seed': 0})
    """
    known = {parameter.name: parameter for parameter in parameters}
    for key in spec.given:
        if key not in known:
            hint = suggest(key, known) if known else "it takes none"
            raise SpecError(f"{what} has no parameter {key!r}: {hint}")
    values: dict[str, Value] = {name: parameter.default for name, parameter in known.items()}
    for key, text in spec.given.items():
        values[key] = known[key].read(text)
    return MappingProxyType(values)


def changed(values: Mapping[str, Value], parameters: Sequence[Parameter]) -> dict[str, Value]:
    """Return the values that are not the defaults of their parameters."""
    defaults = {parameter.name: parameter.default for parameter in parameters}
    return {name: value for name, value in values.items() if value != defaults[name]}


@cache
def registered(package: str) -> Mapping[str, EntryPoint]:
    """Return what has a name in a package: its own folders, and what other packages register.

    These name our package as the group of their entry points; to find them, the metadata of every
    package is read.
    """
    folders = pkgutil.iter_modules(import_module(package).__path__)
    names = [each.name for each in folders if each.ispkg]
    own = [EntryPoint(name, f"{package}.{name}", package) for name in names]
    return {each.name: each for each in (*own, *entry_points(group=package))}


def are_own(package: str) -> bool:
    """Return True if no other package registers anything in this one."""
    return all(each.value.startswith(f"{package}.") for each in registered(package).values())


class Immutable:
    """Something in which nothing ever changes: its copies are itself."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, seen: object) -> Self:
        return self


def variable_of(thing: object, modules: Iterable[str], what: str) -> tuple[Any, ...]:
    """Return how a pickle finds a thing with functions in it: as a variable of its module."""
    for module in modules:
        for name, value in vars(sys.modules[module]).items() if module in sys.modules else ():
            if value is thing:
                return _variable, (module, name)
    raise PicklingError(
        f"{what} cannot be pickled: it must be registered, or a variable of the module that"
        " defines its functions"
    )


def _variable(module: str, name: str) -> Any:
    return getattr(import_module(module), name)
