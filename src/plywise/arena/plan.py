"""The plan of a tournament: who plays, what, how often, and on which clock.

A plan is a TOML file, or a folder of agents with an `arena.toml` in it for settings and for agents
that are not in the folder. Everything that happens follows from the plan: the same one gives the
same games, if no agent looks at a clock.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from plywise.core.spec import Spec
from plywise.errors import SpecError, suggest
from plywise.games import EXAMPLE
from plywise.play.agents.program import MEMORY
from plywise.play.agents.zip_file import SUFFIX
from plywise.play.records.game_record import TimeControl

SETTINGS = "arena.toml"  #: the settings of a folder of agents
Format = Literal["round-robin", "gauntlet", "swiss", "ladder"]
FORMATS: tuple[Format, ...] = get_args(Format)
MOST_AGENTS = 1000
MOST_GAMES = 10_000  #: of one pairing


@dataclass(frozen=True)
class Entry:
    """One agent of a tournament."""

    name: str
    spec: str

    @property
    def digest(self) -> str:
        """What its file contains, so that an edit is noticed; empty for an engine."""
        spec = Spec.parse(self.spec)
        if not spec.is_file:
            return ""
        return hashlib.sha256(Path(spec.name).read_bytes()).hexdigest()[:16]


@dataclass(frozen=True)
class Plan:
    """Everything that decides which games are played, and how."""

    game: str
    agents: tuple[Entry, ...]
    format: Format = "round-robin"
    games: int = 2  #: of each pairing; each opening is played from both sides
    rounds: int = 0  #: of a Swiss tournament or a ladder; 0 for the usual number
    seed: int = 1
    time: str = ""  #: a clock, as `TimeControl` reads it; empty for none
    nodes: int = 0  #: for each move of an engine; 0 for no limit
    plies: int = 2  #: random moves of an opening
    openings: tuple[str, ...] = ()  #: openings to play instead of random ones
    memory: int = MEMORY  #: megabytes for each agent file or program
    folder: Path = field(default=Path(), compare=False)  #: where it was read from

    def __post_init__(self) -> None:
        if not self.game:
            raise SpecError(f'the plan does not say which game is played: add game = "{EXAMPLE}"')
        if not 2 <= len(self.agents) <= MOST_AGENTS:
            raise SpecError(f"a tournament has 2 to {MOST_AGENTS} agents, not {len(self.agents)}")
        if self.format not in FORMATS:
            raise SpecError(f"there is no format {self.format!r}: {suggest(self.format, FORMATS)}")
        if self.games < 2 or self.games % 2 or self.games > MOST_GAMES:
            raise SpecError(
                f"games must be an even number from 2 to {MOST_GAMES:,}, not {self.games}: each "
                "opening is played from both sides"
            )
        for name in ("rounds", "nodes", "plies", "seed"):
            if getattr(self, name) < 0:
                raise SpecError(f"{name} must not be negative")
        if self.memory < 1:
            raise SpecError(f"memory must be at least 1 megabyte, not {self.memory}")
        names = [entry.name for entry in self.agents]
        for name in names:
            if names.count(name) > 1:
                raise SpecError(f"two agents are called {name!r}: give each a name of its own")
        if self.time:
            TimeControl.parse(self.time)

    @property
    def clock(self) -> TimeControl | None:
        """The clock of each player."""
        return TimeControl.parse(self.time) if self.time else None

    @property
    def last_round(self) -> int:
        """How many rounds are played."""
        count = len(self.agents)
        if self.format == "round-robin":
            return count - 1 + count % 2
        if self.format == "gauntlet":
            return 1
        return self.rounds or (count - 1).bit_length() + (2 if self.format == "swiss" else 8)

    def number_of(self, name: str) -> int:
        """Return the number of the agent with this name; SpecError if there is none."""
        names = [entry.name for entry in self.agents]
        if name not in names:
            raise SpecError(f"there is no agent {name!r}: {suggest(name, names)}")
        return names.index(name)

    @property
    def files(self) -> list[Path]:
        """The files of agents."""
        specs = (Spec.parse(entry.spec) for entry in self.agents)
        return [Path(spec.name) for spec in specs if spec.is_file]

    @property
    def hidden(self) -> tuple[str, ...]:
        """The folders that agents must not see."""
        folders = {str(file.resolve().parent) for file in self.files}
        return tuple(sorted(folders | {str(self.folder.resolve())}))

    def to_json(self) -> dict[str, Any]:
        """Return what decides the games, as plain data: two runs of it give the same."""
        known: dict[str, Any] = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in ("agents", "folder", "openings")
        }
        known["openings"] = list(self.openings)
        known["agents"] = [[entry.name, entry.spec, entry.digest] for entry in self.agents]
        return known

    @classmethod
    def from_json(cls, text: str, agents: Sequence[Entry]) -> Plan:
        """Read the settings that `to_json` gave, written as JSON."""
        known = json.loads(text)
        return cls(**{**known, "openings": tuple(known["openings"]), "agents": tuple(agents)})


def read_plan(path: Path, given: Mapping[str, Any]) -> Plan:
    """Read a plan from a TOML file or a folder; what is given replaces what is written there."""
    if path.is_dir():
        settings = path / SETTINGS
        written = _read_toml(settings) if settings.exists() else {}
        more = written.get("agents", [])
        written["agents"] = [*_agents_in(path), *more] if isinstance(more, list) else more
        folder = path
    elif path.suffix == ".toml":
        written, folder = _read_toml(path), path.parent
    else:
        raise SpecError(f"{path} is neither a folder of agents nor a plan, such as class.toml")
    return _plan({**written, **given}, folder, str(path))


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SpecError(f"{file} is not TOML: {error}") from error


def _agents_in(folder: Path) -> list[dict[str, str]]:
    """The agents that lie in a folder: Python files, zip files and programs, by their names."""
    found = []
    for file in sorted(folder.iterdir()):
        if not file.is_file() or file.name.startswith((".", "_")):
            continue
        runs = os.access(file, os.X_OK) and file.suffix != ".toml"
        if file.suffix in (".py", SUFFIX) or runs:
            found.append({"name": file.stem, "spec": str(file)})
    return found


def _plan(written: dict[str, Any], folder: Path, where: str) -> Plan:
    """Check what was written; each problem is one line that names the place."""
    usual = {each.name: each.type for each in fields(Plan) if each.name != "folder"}
    for name in written:
        if name not in usual:
            raise SpecError(f"{where}: there is no setting {name!r}: {suggest(name, usual)}")
    agents = written.pop("agents", None)
    if not isinstance(agents, list):
        raise SpecError(f"{where}: agents must be a list, such as ['auto:level=3', './mine.py']")
    openings = written.pop("openings", ())
    if isinstance(openings, str):
        openings = read_openings(folder / openings)
    for name, value in written.items():
        kind = int if usual[name] == "int" else str
        if name == "time" and isinstance(value, int | float):
            written[name] = value = f"{value:g} a move"
        if not isinstance(value, kind) or isinstance(value, bool):
            what = "a whole number" if kind is int else "a text"
            raise SpecError(f"{where}: {name} must be {what}, not {value!r}")
    written.setdefault("game", "")
    entries = tuple(_entry(each, folder, where) for each in agents)
    return Plan(**written, agents=entries, openings=tuple(openings), folder=folder)


def _entry(written: object, folder: Path, where: str) -> Entry:
    known = {"spec": written} if isinstance(written, str) else written
    if not isinstance(known, dict) or not isinstance(known.get("spec"), str):
        raise SpecError(f"{where}: an agent is a spec, or a table with a name and a spec")
    spec = Spec.parse(known["spec"])
    if spec.is_file and not Path(spec.name).exists():
        spec = replace(spec, name=os.path.join(folder, spec.name))
    name = known.get("name", Path(spec.name).stem if spec.is_file else str(spec))
    if not isinstance(name, str) or not name.strip():
        raise SpecError(f"{where}: the name of an agent is a text, not {name!r}")
    return Entry(name, str(spec))


def read_openings(file: Path) -> list[str]:
    """Read a file of openings: the moves of one in each line; # starts a comment."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"the openings in {file} cannot be read: {error}") from error
    found = [line.partition("#")[0].strip() for line in lines]
    if not any(found):
        raise SpecError(f"there are no openings in {file}: write the moves of one in each line")
    return [line for line in found if line]
