"""Machine functions for compiled code: memory prefetch, CPU time, copies and hashes of records."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from plywise.core.game import Record, Verb
from plywise.core.rules import HASH_FACTOR, HASH_FIRST, hash_fields

#: The id of the thread's CPU-time clock, on systems with `clock_gettime`.
_CLOCKS = {"linux": 3, "darwin": 16}
#: Names that begin with this are in front of a state's own fields: they are an engine's.
ENGINES = "net_"


def fetch_ahead(table: Any, index: Any) -> None:
    """Prefetch a word of a table that will be read soon. Does nothing when interpreted."""


def thread_nanoseconds() -> int:
    """Return the CPU time of this thread; 0 in compiled code without `clock_gettime`."""
    return time.thread_time_ns()


def copy_own(state: Any, source: Any) -> None:
    """Copy a state's own fields from another, without what an engine keeps in front of them.

    For searches that never evaluate: with a net, its part of a state is the larger one.
    """
    for name in source.dtype.names:
        if not name.startswith(ENGINES):
            state[name] = source[name]


@cache
def key_rule(fields: tuple[str, ...]) -> Verb:
    """Return a rule `key` over these fields, to be compiled; see `register_hash`."""

    def hashed(state: Any) -> Any:
        return hash_fields(state, fields)

    def key(b: Record, s: Record) -> Any:
        return hashed(s)

    _hashes.append((hashed, fields))
    return key


#: Functions that hash the fields of a state, and of which numba has not been told.
_hashes: list[tuple[Callable[..., Any], tuple[str, ...]]] = []


def register() -> None:
    """Tell numba how to compile these."""
    _register_fetch()
    _register_clock()
    _register_copy()


def register_hashes() -> None:
    """Tell numba how to compile the hashes of fields that were made since the last call."""
    while _hashes:
        _register_hash(*_hashes.pop())


def _register_fetch() -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(context: Any, table: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, args[0])
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            address = builder.bitcast(builder.gep(array.data, [args[1]]), byte)
            builder.call(hint, [address, number(0), number(3), number(1)])  # to read, and keep
            return context.get_dummy_value()

        return types.void(table, index), generate

    @overload(fetch_ahead)  # type: ignore[untyped-decorator]
    def compiled(table: Any, index: Any) -> Any:
        def fetch(table: Any, index: Any) -> None:
            prefetch(table, index)

        return fetch


def _register_clock() -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    clock = _CLOCKS.get(sys.platform)

    @intrinsic  # type: ignore[untyped-decorator]
    def read(context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            number, word = ir.IntType(32), ir.IntType(64)
            if clock is None:
                return word(0)
            kind = ir.FunctionType(number, [number, word.as_pointer()])
            function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            parts = cgutils.alloca_once(builder, word, size=2)  # seconds, nanoseconds
            builder.call(function, [number(clock), parts])
            seconds = builder.load(parts)
            rest = builder.load(builder.gep(parts, [number(1)]))
            return builder.add(builder.mul(seconds, word(10**9)), rest)

        return types.int64(), generate

    @overload(thread_nanoseconds)  # type: ignore[untyped-decorator]
    def compiled() -> Any:
        def nanoseconds() -> Any:
            return read()

        return nanoseconds


def _register_copy() -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic  # type: ignore[untyped-decorator]
    def copy(context: Any, state: Any, source: Any) -> Any:
        own = [field for name, field in state.fields.items() if not name.startswith(ENGINES)]
        first = min(field.offset for field in own)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(64)
            there, here = (
                builder.gep(builder.bitcast(record, byte), [number(first)]) for record in args
            )
            cgutils.raw_memcpy(builder, there, here, number(state.size - first), 1)
            return context.get_dummy_value()

        return types.void(state, source), generate

    @overload(copy_own)  # type: ignore[untyped-decorator]
    def compiled(state: Any, source: Any) -> Any:
        if not isinstance(state, types.Record) or state != source:
            return None

        def copied(state: Any, source: Any) -> None:
            copy(state, source)

        return copied


def _register_hash(hashed: Callable[..., Any], fields: tuple[str, ...]) -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.numpy_support import as_dtype

    word, byte = ir.IntType(64), ir.IntType(8)

    @intrinsic  # type: ignore[untyped-decorator]
    def hash_words(context: Any, state: Any) -> Any:
        spans = [(state.fields[name].offset, as_dtype(state.fields[name].type)) for name in fields]

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            start = builder.bitcast(args[0], byte.as_pointer())
            so_far = cgutils.alloca_once_value(builder, word(HASH_FIRST))

            def read(at: Any, width: int) -> Any:
                kind = ir.IntType(8 * width)
                address = builder.bitcast(builder.gep(start, [at]), kind.as_pointer())
                loaded = builder.load(address, align=1)
                return loaded if width == 8 else builder.zext(loaded, word)

            def add(value: Any) -> None:
                mixed = builder.mul(builder.xor(builder.load(so_far), value), word(HASH_FACTOR))
                builder.store(builder.xor(mixed, builder.lshr(mixed, word(32))), so_far)

            for offset, kind in spans:
                whole, rest = divmod(kind.itemsize, 8)
                with cgutils.for_range(builder, word(whole)) as loop:
                    add(read(builder.add(word(offset), builder.mul(loop.index, word(8))), 8))
                if rest:
                    value, at = word(0), offset + 8 * whole
                    for width in (4, 2, 1):
                        if rest & width:
                            part = read(word(at), width)
                            shift = word(8 * (at - offset - 8 * whole))
                            value = builder.or_(value, builder.shl(part, shift))
                            at += width
                    add(value)
            return builder.load(so_far)

        return types.uint64(state), generate

    @overload(hashed)  # type: ignore[untyped-decorator]
    def compiled(state: Any) -> Any:
        if not isinstance(state, types.Record):
            return None

        def hash_now(state: Any) -> Any:
            return hash_words(state)

        return hash_now
