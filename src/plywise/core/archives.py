"""Zip files, of which `.npz` files are a kind: what reading a damaged one raises."""

from __future__ import annotations

import zipfile
import zlib

#: Anything else that a library raises is not the file's fault.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
)
