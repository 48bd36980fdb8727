"""`backup` and `restore`: copy all games of a server to a file, and back into a database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import as_json, note, working
from plywise.cli.inputs import Database, Json

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.", show_default=False)]


def backup(
    file: BackupFile,
    db: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    json: Json = False,
) -> Iterator[str]:
    """Copy all games of the web app to a file, also while it is running."""
    from plywise.play.records.backup import back_up
    from plywise.play.records.store import Store

    store = Store(db, new=False)
    try:
        with working(f"backing up {store.name}"):
            done = back_up(store, file, force=force)
    finally:
        store.close()
    if json:
        yield as_json({"file": str(file), "games": done.games, "bytes": file.stat().st_size})
    else:
        yield f"{_count(done.games)} from {store.name} to {file}"


def restore(
    file: BackupFile,
    db: Database = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace all games that are in the database.")
    ] = False,
    json: Json = False,
) -> Iterator[str]:
    """Put the games of a backup into a database, all or none."""
    from plywise.play.records import backup
    from plywise.play.records.store import Store

    with working(f"reading {file}"):
        backup.check(file)  # before a database is created for it
    store = Store(db)
    try:
        with working(f"restoring {store.name}"):
            done = backup.restore(file, store, force=force)
    finally:
        store.close()
    for what in done.left_out:
        note(f"left out: {what}")
    if json:
        yield as_json({"file": str(file), "games": done.games, "left_out": list(done.left_out)})
    else:
        yield f"{_count(done.games)} from {file} to {store.name}"


def _count(games: int) -> str:
    return f"{games} game" if games == 1 else f"{games} games"
