"""Rules and kernels: from plain Python functions to cached machine code."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any, TypeVar

import numpy as np

from plywise.core import rules as core_rules
from plywise.core.rules import Record, Rules, Verb
from plywise.errors import RulesError, SpecError
from plywise.jit import defaults, machine
from plywise.jit.background import is_quiet, undisturbed
from plywise.jit.blame import ships_with_plywise
from plywise.jit.cache import INLINED, cache_folder, check_files, debugs, not_kept, reach
from plywise.jit.translation import explaining

Function = TypeVar("Function", bound=Callable[..., Any])
Kernel = Callable[..., Any]

_unregistered: list[Callable[..., Any]] = []
_rules: set[Callable[..., Any]] = set()
_lock = threading.RLock()
_listeners: list[Callable[[str], None]] = []


def rule(function: Function) -> Function:
    """Mark a function that runs as it is and compiles inside a kernel, with the same result."""
    with _lock:
        if function not in _rules:
            _unregistered.append(function)
            _rules.add(function)
    return function


def is_rule(function: Callable[..., Any]) -> bool:
    """Return True if a function is marked as a rule, or a key of fields."""
    return function in _rules or hasattr(function, "fields")


#: The default for each verb that a game does not have.
DEFAULTS: dict[str, Callable[..., Any]] = {verb.__name__: rule(verb) for verb in defaults.VERBS}
rule(core_rules.turn)


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call `listener(name)` whenever a kernel is compiled; return a function that stops this."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


class KernelFactory:
    """A function that takes verbs by name and returns a loop over them.

    The loop must be a plain, non-recursive function: otherwise numba does not find it again on
    disk. Every parameter of the factory is a verb of `Rules` or a keyword argument of `build`.
    """

    def __init__(self, factory: Callable[..., Kernel]) -> None:
        self.factory = factory
        self.needs = tuple(inspect.signature(factory).parameters)
        self.built: dict[tuple[Callable[..., Any], ...], Kernel] = {}
        self.inside: dict[tuple[Callable[..., Any], ...], Kernel] = {}
        self.__doc__ = factory.__doc__

    def build(self, rules: Rules | None = None, **extra: Callable[..., Any]) -> Kernel:
        """Return the compiled loop for these rules; the same object for the same rules.

        A loop that uses no verbs, such as that of a puzzle, needs no rules.
        """
        verbs = tuple(extra.get(need) or _verb(rules, need) for need in self.needs)
        for need, verb in zip(self.needs, verbs, strict=True):
            if verb not in _rules:
                raise SpecError(
                    f"{need} is {verb.__name__}(), which is not a rule: put @rule above it"
                )
        if verbs not in self.built:
            undisturbed(lambda: self._build(verbs))
        return self.built[verbs]

    def _build(self, verbs: tuple[Callable[..., Any], ...]) -> None:
        with _lock:
            if verbs not in self.built:
                safe = tuple(map(guarded, self.needs, verbs))
                self.built[verbs] = _compile(self.factory(*safe), safe)

    def inner(self, rules: Rules | None = None, **extra: Callable[..., Any]) -> Kernel:
        """Return the loop as a rule, to be called from another kernel; the same for same rules."""
        verbs = tuple(extra.get(need) or _verb(rules, need) for need in self.needs)
        with _lock:
            if verbs not in self.inside:
                self.inside[verbs] = rule(self.factory(*map(guarded, self.needs, verbs)))
            return self.inside[verbs]

    def plain(self, rules: Rules | None = None, **extra: Callable[..., Any]) -> Kernel:
        """Return the same loop, interpreted, for tests, debuggers and first answers."""
        verbs = [extra.get(need) or _verb(rules, need) for need in self.needs]
        loop = self.factory(*map(_wide, self.needs, verbs))

        @wraps(loop)
        def interpreted(*given: Any) -> Any:
            with np.errstate(over="ignore"):  # compiled words overflow silently
                return loop(*given)

        return interpreted


def kernel(factory: Callable[..., Kernel]) -> KernelFactory:
    """Mark a kernel factory."""
    return KernelFactory(factory)


def _verb(rules: Rules | None, name: str) -> Callable[..., Any]:
    verb: Callable[..., Any] | None = getattr(rules, name, None)
    if verb is not None and hasattr(verb, "fields"):
        rule(verb)  # a key that `core.rules` made
    return verb or DEFAULTS[name]


def _wide(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb that counts as compiled code does: in 64 bits, however small a field was."""
    if name == "bounds":
        return lambda *given: tuple(map(int, verb(*given)))
    if name in ("margin", "evaluate"):
        return lambda *given: int(verb(*given))
    return verb


@cache
def guarded(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb of an author with a check of what it returns, if a wrong answer would crash.

    An impossible number of moves raises a RulesError; a key that is a float does not compile.
    """
    makers: dict[str, Callable[[Verb], Verb]] = {
        "moves": partial(_checked_list, least=1),
        "forced": partial(_checked_list, least=0),
        "key": _checked_key,
    }
    own = ships_with_plywise(verb) or name not in makers
    return verb if own else rule(makers[name](verb))


def _compile(loop: Kernel, verbs: tuple[Callable[..., Any], ...]) -> Kernel:
    """Compile a loop with numba, cached in a folder named after all of its sources."""
    import numba
    from numba.extending import register_jitable

    _prepare()
    # Rules are called from kernels only: without entries for Python and C they compile faster.
    entries = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    while _unregistered:
        function = _unregistered.pop()
        short = len(function.__code__.co_code) <= INLINED
        register_jitable(**entries, forceinline=short)(function)
    if debugs():  # an option of the loop alone would not reach the rules in it
        numba.config.BOUNDSCHECK = 1
    own = all(map(ships_with_plywise, reach(verbs).functions))
    folder = cache_folder([loop, *verbs])
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        compiled: Any = numba.njit(cache=folder is not None, nogil=True)(loop)
    finally:
        numba.config.CACHE_DIR = before
    check_files(compiled, [loop, *verbs], partial(not_kept, verbs))
    if hasattr(compiled, "_compile_for_args"):  # else nothing is compiled
        by_numba = compiled._compile_for_args
        if not own:
            by_numba = explaining(by_numba, verbs)
        compiled._compile_for_args = lambda *given, **options: undisturbed(
            lambda: by_numba(*given, **options)
        )
    return compiled  # type: ignore[no-any-return]


@cache
def _prepare() -> None:
    """Tell numba of our functions, and the listeners whenever it really compiles (no cache hit)."""
    from numba.core import event

    machine.register()

    class Compiling(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            name = event.data["dispatcher"].py_func.__name__
            for listener in () if is_quiet() else _listeners:
                listener(name)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Compiling())


# ---- guards --------------------------------------------------------------------------------------

# Compiled code checks no index. To keep a mistake in an author's rules from damaging the process,
# the arrays that rules write moves into have room to spare around them, and the number of moves
# that an author's rules return is checked before it is used. Shipped games are left to the tests.

SPARE = 1 << 14  #: bytes of unused memory before and after an array
_NO_BITS = np.uint64(0)
_WRONG = (
    "`moves` found no move in a position that is not over, or more moves than max_moves:"
    " `over` must return True in such a position, or sizes a larger number"
)


def roomy(shape: int | tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """Return an array of zeros with unused memory before and after it.

    >>> roomy((2, 3), np.int32).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    memory = np.zeros(size + 2 * SPARE, np.uint8)
    return np.ndarray(shape, kind, memory.data, SPARE)


def _checked_list(moves: Verb, least: int) -> Verb:
    def checked_list(b: Record, s: Record, out: Record) -> Any:
        count = moves(b, s, out)
        # One comparison: a number below the least becomes a large one.
        if np.uint64(count - least) > np.uint64(out.size - least):
            raise RulesError(_WRONG)
        return count

    return checked_list


def _checked_key(key: Verb) -> Verb:
    def checked_key(b: Record, s: Record) -> Any:
        return key(b, s) | _NO_BITS  # floats have no bits: `translation` knows this line

    return checked_key
