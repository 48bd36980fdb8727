"""An agent in a zip file: one Python file with `get_move`, and modules and data beside it.

It is unpacked into a folder of its own, named by what the zip file contains, in `.unpacked` beside
the zip file. A zip file may come from anybody, so nothing in it is believed: names that lead out
of the folder, links and special files are refused, and so is what is too large or too many, by the
bytes that really come out and not by what the file says of itself.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from plywise.core.files import UNREADABLE
from plywise.errors import SpecError

SUFFIX = ".zip"
FOLDER = ".unpacked"
MOST_PACKED = 20 << 20  #: bytes of a zip file
MOST_BYTES = 100 << 20  #: ... of all that it contains
MOST_FILES = 1000
LONGEST = 200  #: characters of a name in it, with its folders
USUAL = ("agent.py", "main.py")  #: the agent, if there are several Python files
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE = 1 << 16
_IGNORED = ("__MACOSX", "__pycache__")  #: what systems add by themselves


def unpacked(file: Path) -> Path:
    """Return the agent file of a zip file, which is unpacked the first time."""
    try:
        size = file.stat().st_size
        if size > MOST_PACKED:
            raise _refusal(file, f"it has {size:,} bytes (limit {MOST_PACKED:,})")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        folder = file.resolve().parent / FOLDER / f"{file.stem}-{digest}"
        if not folder.is_dir():
            _unpack(file, folder)
    except OSError as error:
        raise _refusal(file, error.strerror or str(error)) from error
    return _agent_in(folder, file)


def own_folder(file: Path) -> Path | None:
    """Return the folder into which a zip file with this file was unpacked, if it was."""
    for folder in file.parents:
        if folder.parent.name == FOLDER:
            return folder
    return None


def _refusal(file: Path, why: str) -> SpecError:
    return SpecError(f"{file.name} cannot be used: {why}")


def _unpack(file: Path, folder: Path) -> None:
    """Write all files to a new folder, and give it its name when it is complete."""
    folder.parent.mkdir(exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=folder.parent, prefix="part-"))
    try:
        with zipfile.ZipFile(file) as packed:
            _write(file, packed, part)
        part.chmod(0o755)
        try:
            part.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was faster
                raise
    except SpecError:
        raise
    except UNREADABLE as error:
        raise _refusal(file, f"it is not a zip file that can be read ({error})") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write(file: Path, packed: zipfile.ZipFile, part: Path) -> None:
    entries = [each for each in packed.infolist() if not _ignored(each.filename)]
    if len(entries) > MOST_FILES:
        raise _refusal(file, f"it has {len(entries):,} files (limit {MOST_FILES:,})")
    left = MOST_BYTES
    for entry in entries:
        _check(file, entry)
        target = part / entry.filename
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(entry) as source, open(target, "xb") as written:
            while piece := source.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise _refusal(file, f"it contains more than {MOST_BYTES:,} bytes")
                written.write(piece)
        target.chmod(0o444)


def _check(file: Path, entry: zipfile.ZipInfo) -> None:
    """Refuse what is not a plain file or folder inside the zip file's own folder."""
    name, mode = entry.filename, entry.external_attr >> 16
    shown = repr(name[:60])
    if len(name) > LONGEST:
        raise _refusal(file, f"the name {shown}... is longer than {LONGEST} characters")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or any(each in name for each in "\\:\0"):
        raise _refusal(file, f"the name {shown} leads out of its folder")
    if stat.S_ISLNK(mode):
        raise _refusal(file, f"{shown} is a link: put the file itself into it")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _refusal(file, f"{shown} is not a plain file")
    if entry.flag_bits & 1:
        raise _refusal(file, f"{shown} is encrypted")
    if entry.compress_type not in _METHODS:  # others can ask for gigabytes of memory
        raise _refusal(file, f"{shown} is packed in an unusual way: use plain zip (deflate)")


def _ignored(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part in _IGNORED for part in parts) or (bool(parts) and parts[-1] == ".DS_Store")


def _agent_in(folder: Path, file: Path) -> Path:
    """Find the agent: in the folder, or in the one folder that is all it has."""
    while True:
        inside = sorted(folder.iterdir())
        if len(inside) != 1 or not inside[0].is_dir():
            break
        folder = inside[0]
    found = [each for each in inside if each.suffix == ".py" and not each.name.startswith("_")]
    named = [each for each in found if each.name in (*USUAL, f"{file.stem}.py")]
    if len(found) == 1 or len(named) == 1:
        return (named or found)[0]
    if not found:
        raise _refusal(file, "there is no Python file in it")
    names = ", ".join(each.name for each in found[:4]) + (", ..." if len(found) > 4 else "")
    raise _refusal(file, f"which of {names} is the agent? Call it {USUAL[0]}")
