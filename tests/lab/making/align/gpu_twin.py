"""A stand-in for CuPy: NumPy's arrays, and kernels compiled for the processor by g++."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from lab.making.align.layers import SOURCE

TWIN = Path(__file__).with_name("layers_twin.cpp")
MEMORY = 1 << 30
COMPILER = shutil.which("g++")


class DeviceArray(np.ndarray):  # type: ignore[type-arg]
    """An array that can be brought home."""

    def get(self) -> Any:
        return np.array(self)


class Device:
    """A processor in the part of a GPU."""

    mem_info = MEMORY, MEMORY

    def synchronize(self) -> None:
        """It never runs ahead."""


class RawModule:
    """The kernels of a source, which is layers.cu."""

    def __init__(self, code: str, options: Sequence[str]) -> None:
        assert code == SOURCE.read_text()
        assert COMPILER is not None
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "twin.so"
            flags = ["-O2", "-w", "-shared", "-fPIC", f"-I{SOURCE.parent}", *options]
            subprocess.run([COMPILER, *flags, "-o", library, TWIN], check=True)
            self.library = ctypes.CDLL(str(library))

    def get_function(self, name: str) -> Any:
        function = getattr(self.library, f"run_{name}")

        def call(grid: tuple[int], block: tuple[int], arguments: Sequence[Any]) -> None:
            function(ctypes.c_ulonglong(grid[0]), *map(_argument, arguments))

        return call


def _argument(given: Any) -> Any:
    if isinstance(given, DeviceArray):
        assert given.flags.c_contiguous
        return ctypes.c_void_p(given.ctypes.data)
    return ctypes.c_ulonglong(int(given))


def asarray(given: Any) -> Any:
    return np.ascontiguousarray(given).view(DeviceArray)


def empty(count: int, kind: Any) -> Any:
    return np.empty(count, kind).view(DeviceArray)


def zeros(count: int, kind: Any) -> Any:
    return np.zeros(count, kind).view(DeviceArray)


def concatenate(parts: Any) -> Any:
    return np.concatenate(parts).view(DeviceArray)


cuda = SimpleNamespace(Device=Device)
