"""Machine functions for compiled code: memory prefetch, CPU time, copies and hashes of records."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

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


def register() -> None:
    """Tell numba how to compile these, and the hash of a state's fields."""
    _register_fetch()
    _register_clock()
    _register_copy()
    _register_hash()


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
    from numba.core import types
    from numba.extending import overload

    clock = _CLOCKS.get(sys.platform)
    read: Any = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))

    @overload(thread_nanoseconds)  # type: ignore[untyped-decorator]
    def compiled() -> Any:
        def nanoseconds() -> Any:
            parts = np.empty(2, np.int64)  # seconds, nanoseconds
            read(clock, parts.ctypes)
            return parts[0] * 1_000_000_000 + parts[1]

        def nothing() -> Any:
            return 0

        return nothing if clock is None else nanoseconds


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


def _register_hash() -> None:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.numpy_support import as_dtype

    word, bytewise = ir.IntType(64), ir.IntType(8).as_pointer()

    @overload(hash_fields, prefer_literal=True)  # type: ignore[untyped-decorator]
    def compiled(record: Any, names: Any) -> Any:
        if not isinstance(record, types.Record) or not isinstance(names, types.Literal):
            return None
        fields = [record.fields[name] for name in names.literal_value.split(",")]

        @intrinsic  # type: ignore[untyped-decorator]
        def hash_words(context: Any, state: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                start = builder.bitcast(args[0], bytewise)
                so_far = cgutils.alloca_once_value(builder, word(HASH_FIRST))
                read = cgutils.alloca_once(builder, word)

                def add(at: Any, size: int) -> None:
                    builder.store(word(0), read)
                    target, source = builder.bitcast(read, bytewise), builder.gep(start, [at])
                    cgutils.raw_memcpy(builder, target, source, word(size), 1)
                    value = builder.xor(builder.load(so_far), builder.load(read))
                    mixed = builder.mul(value, word(HASH_FACTOR))
                    builder.store(builder.xor(mixed, builder.lshr(mixed, word(32))), so_far)

                for field in fields:
                    whole, rest = divmod(as_dtype(field.type).itemsize, 8)
                    with cgutils.for_range(builder, word(whole)) as loop:
                        add(builder.add(word(field.offset), builder.mul(loop.index, word(8))), 8)
                    if rest:
                        add(word(field.offset + 8 * whole), rest)
                return builder.load(so_far)

            return types.uint64(state), generate

        def hash_now(record: Any, names: Any) -> Any:
            return hash_words(record)

        return hash_now
