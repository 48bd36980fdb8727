"""`plywise backup` and `plywise restore`, and what is left when they are killed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from plywise.play.records.backup import back_up, restore
from plywise.play.records.game_record import GameRecord
from plywise.play.records.store import Store

PEOPLE = GameRecord("tictactoe", ("human", "human"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.backup"


def test_the_commands(run: Any, tmp_path: Path, file: Path) -> None:
    one, two = (f"sqlite:///{tmp_path / name}" for name in ("one.db", "two.db"))
    store = Store(one)
    id = store.add(PEOPLE, "anne").id
    done = run("backup", str(file), "--db", one)
    assert done.out == f"1 game from {tmp_path / 'one.db'} to {file}\n"
    assert run("backup", str(file), "--db", one).complaint.endswith("replace it with --force")
    assert run("backup", str(file), "--db", one, "--force").out == done.out
    assert run("restore", str(file), "--db", two).out.startswith("1 game from ")
    other = Store(two)
    assert other.get(id) == store.get(id)
    assert "holds games already" in run("restore", str(file), "--db", two).complaint
    assert run("restore", str(file), "--db", two, "--force").out.startswith("1 game from ")
    store.close()
    other.close()


def test_a_backup_of_nothing_is_refused(run: Any, tmp_path: Path, file: Path) -> None:
    missing = tmp_path / "typo.db"
    said = run("backup", str(file), "--db", f"sqlite:///{missing}").complaint
    assert said == f"{missing} does not exist: name another database with --db"
    assert not missing.exists()
    sqlite3.connect(tmp_path / "empty.db").close()
    (tmp_path / "empty.db").touch()
    said = run("backup", str(file), "--db", f"sqlite:///{tmp_path / 'empty.db'}").complaint
    assert said.endswith("empty.db has no games of plywise: name another database with --db")
    assert not file.exists()


def test_a_bad_backup_creates_no_database(run: Any, tmp_path: Path, file: Path) -> None:
    file.write_text("nonsense")
    database = tmp_path / "new.db"
    assert "not a backup" in run("restore", str(file), "--db", f"sqlite:///{database}").complaint
    assert not database.exists()
    said = run("restore", str(tmp_path / "none"), "--db", f"sqlite:///{database}").complaint
    assert said == f"{tmp_path / 'none'}: No such file or directory"


KILLED = """
    import os, sys
    from plywise.play.records import backup

    def die(*given):
        before(*given)
        os._exit(9)

    before = getattr(backup, sys.argv[1])
    setattr(backup, sys.argv[1], die)
    from plywise.cli import main
    main(sys.argv[2:])
"""


def killed(where: str, *arguments: str) -> None:
    """Run a command that is killed after a function of `backup` was called."""
    command = [sys.executable, "-c", textwrap.dedent(KILLED), where, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a killed process is another thing elsewhere")
def test_a_kill_leaves_the_old_backup_and_the_old_games(url: str, file: Path) -> None:
    store = Store(url)
    old = store.add(PEOPLE, "anne")
    back_up(store, file)
    before = file.read_bytes()
    late = store.add(PEOPLE, "anne")
    killed("_written", "backup", str(file), "--db", url, "--force")
    assert file.read_bytes() == before
    killed("_insert", "restore", str(file), "--db", url, "--force")
    assert [store.get(each.id) for each in (old, late)] == [old, late]
    assert restore(file, store, force=True).games == 1
    store.close()
