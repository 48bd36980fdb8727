"""Asking for memory before it is needed: a hint that compiles to one instruction."""

from __future__ import annotations

from typing import Any


def fetch_ahead(table: Any, index: Any) -> None:
    """Have a word of a table brought near, for a look at it soon. Nothing when interpreted."""


def register() -> None:
    """Tell numba what `fetch_ahead` compiles to."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(context: Any, table: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, args[0])
            byte = ir.IntType(8).as_pointer()
            number = ir.IntType(32)
            hint = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.VoidType(), [byte, number, number, number]),
                "llvm.prefetch.p0",
            )
            address = builder.bitcast(builder.gep(array.data, [args[1]]), byte)
            builder.call(hint, [address, number(0), number(3), number(1)])  # to read, and keep
            return context.get_dummy_value()

        return types.void(table, index), generate

    @overload(fetch_ahead)  # type: ignore[untyped-decorator]
    def compiled(table: Any, index: Any) -> Any:
        def fetch(table: Any, index: Any) -> None:
            prefetch(table, index)

        return fetch
