"""Files that end with a checksum, so that one cut off by a crash or a full disk is noticed."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

_CHECKSUM = hashlib.sha256
_LENGTH = _CHECKSUM().digest_size


def seal(data: bytes) -> bytes:
    """Return data with its checksum."""
    return data + _CHECKSUM(data).digest()


def read_sealed(path: Path) -> bytes:
    """Return a file without its checksum; remove one that is damaged, and raise an OSError."""
    content = path.read_bytes()
    data, checksum = content[:-_LENGTH], content[-_LENGTH:]
    if _CHECKSUM(data).digest() != checksum:
        with suppress(OSError):
            path.unlink()
        raise OSError(f"{path} is damaged")
    return data


def write_sealed(path: Path, data: bytes) -> None:
    """Write a file with a checksum; whoever reads it meanwhile finds the old one or none."""
    number, name = tempfile.mkstemp(dir=path.parent)
    try:
        with open(number, "wb") as file:
            file.write(seal(data))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
