"""A net: its weights in whole numbers, what it is for, its file, and which net a game has."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core import files
from plywise.core.game import Game, Rules
from plywise.core.spec import format_spec
from plywise.engines.hooks import Stage
from plywise.engines.net.inputs import Array, Inputs, Sight
from plywise.engines.net.verbs import (
    FINE,
    LANES,
    UNITS,
    board_type,
    net_rules,
    packed,
    state_type,
    widen,
)
from plywise.errors import SpecError, Unsupported

FORMAT = 1
LARGEST = 300_000  #: bytes of a file
#: The arrays of a file and their types: those of its inputs, then the weights.
_INPUTS = {"patterns": "i2", "families": "i4", "below": "i2"}
WEIGHTS = {
    "rows": "i2",
    "bias": "i4",
    "inner": "i2",
    "inner_bias": "i4",
    "outer": "i4",
    "outer_bias": "i4",
    "gauges": "i4",  # only in the file of a net with measures
}
_MOST_BYTES = 1 << 28  #: of an array that is read: more is not a net

LEARNED = "learned"  #: in place of a file: the net that `auto` uses
NONE = "no"  #: ... and none at all
NET = f"a learned evaluation: its file, or {LEARNED!r} for the one that auto uses"
_PLAIN = str.maketrans({":": "-", ",": "-", "=": ""})
EXPERT_NET = f"a learned evaluation: its file, or {NONE!r}; by default the best there is"


@dataclass(frozen=True, eq=False)
class Net:
    """The weights for one board of a game.

    Attributes:
        game: what it was learned for.
        inputs: what it looks at.
        weights: the arrays, by name.
        about: how it was learned, in plain data.
        added: it is added to the game's own evaluation, and does not replace it.
    """

    game: Game
    inputs: Inputs
    weights: Mapping[str, Array]
    about: Mapping[str, Any] = field(default_factory=dict)
    added: bool = False

    def __str__(self) -> str:
        return str(self.about.get("name", "net"))

    @property
    def hidden(self) -> int:
        """The units of the second layer."""
        return int(self.weights["outer"].shape[1])

    # ---- use -----------------------------------------------------------------------------------

    def stage(self, rules: Rules) -> Stage:
        """Return what a search needs to play by these rules with this net."""
        inputs, points = self.inputs, self.game.points
        read = sight(self.game).read if inputs.cells else None
        known = net_rules(
            rules, read, inputs.codes, inputs.playable, points, self.added, inputs.measures
        )
        return Stage(known, self.boards, self.state, self.lift)

    @cached_property
    def state(self) -> np.dtype[Any]:
        """The type of states."""
        return state_type(self.game.type.state, self.inputs)

    @cached_property
    def boards(self) -> Array:
        """The board record with the weights."""
        inputs = self.inputs
        kind = board_type(self.game.type.board, inputs, self.hidden)
        boards = widen(self.game.boards, kind)
        b = boards[0]
        b["net_gain"] = self.game.type.strength.scale / math.atanh(0.5) / FINE
        b["net_margin"], b["net_places"] = self.game.max_margin, inputs.cells
        if inputs.cells:
            b["net_below"] = inputs.below
            b["net_count"], b["net_which"], b["net_worth"] = inputs.uses
            b["net_first"] = inputs.first[inputs.uses[1]]
        for name, array in self.weights.items():
            if array.size:
                b[f"net_{name}"] = _as_read(name, array)
        boards.flags.writeable = False
        return boards

    def lift(self, states: Array) -> Array:
        """Return states with what the net has seen: an empty board."""
        return widen(states, self.state)

    # ---- the file ------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the file."""
        about = {**self.about, "format": FORMAT, "game": spec_of(self.game)}
        about |= {"cells": self.inputs.cells, "codes": self.inputs.codes}
        about |= {"playable": self.inputs.playable, "added": self.added}
        about |= {"measures": self.inputs.measures}
        arrays: dict[str, Any] = {
            name: getattr(self.inputs, name).astype(kind) for name, kind in _INPUTS.items()
        }
        arrays |= {name: self.weights[name].astype(kind) for name, kind in WEIGHTS.items()}
        if not self.inputs.measures:
            del arrays["gauges"]
        out = io.BytesIO()
        np.savez_compressed(out, about=np.array(json.dumps(about)), **arrays)
        return out.getvalue()

    @classmethod
    def load(cls, file: Path, game: Game) -> Net:
        """Read a file; SpecError if it is not a net for this game and board."""
        try:
            with np.load(file, allow_pickle=False) as arrays:
                names = [name for name in WEIGHTS if name != "gauges" or name in arrays]
                found = {name: _array(arrays, name) for name in ("about", *_INPUTS, *names)}
            about = json.loads(str(found.pop("about")))
            made_for, version = about["game"], about["format"]
        except OSError as error:
            reason = error.strerror or "it cannot be read"
            raise SpecError(f"net {str(file)!r} cannot be used: {reason}") from error
        except files.UNREADABLE as error:
            raise SpecError(f"{str(file)!r} is not a net: `plywise learn` makes one") from error
        if version != FORMAT:
            raise SpecError(f"{str(file)!r} has format {version!r}: this version reads {FORMAT}")
        wanted = spec_of(game)
        if not about.get("cells"):  # without patterns it fits every board
            made_for, wanted = str(made_for).split(":")[0], game.name
        if made_for != wanted:
            raise SpecError(f"{str(file)!r} is a net for {made_for}, not for {wanted}")
        try:
            return cls._made(game, about, found)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SpecError(f"{str(file)!r} is a damaged net: learn it again") from error

    @classmethod
    def _made(cls, game: Game, about: dict[str, Any], found: dict[str, Array]) -> Net:
        """Put a net together; ValueError if its parts do not fit, since kernels check nothing."""
        cells, codes, playable = (int(about[name]) for name in ("cells", "codes", "playable"))
        patterns, families, below = (found[name] for name in _INPUTS)
        if cells:
            seen = sight(game)
            if (cells, codes) != (seen.cells, seen.codes) or not 0 <= playable < codes:
                raise ValueError("another board")
        measures = int(about.get("measures", 0))
        inputs = Inputs(cells, codes, patterns, families, below, playable, measures)
        inputs.check()
        if not measures:
            found["gauges"] = np.zeros((0, UNITS), np.int32)
        weights = {name: found[name] for name in WEIGHTS}
        hidden = weights["outer"].shape[1]
        fits = shapes(inputs, hidden)
        misfit = any(weights[name].shape != wanted for name, wanted in fits.items())
        if misfit or hidden % 2 or weights["rows"][inputs.first].any():
            raise ValueError("the arrays do not fit together")
        return cls(game, inputs, weights, about, bool(about.get("added", False)))


def shapes(inputs: Inputs, hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the weights; most are there twice, for each player to move."""
    return {
        "rows": (inputs.rows, UNITS),
        "bias": (2, UNITS),
        "inner": (2, UNITS, hidden),
        "inner_bias": (2, hidden),
        "outer": (2, hidden),
        "outer_bias": (2,),
        "gauges": (inputs.measures, UNITS),
    }


def _as_read(name: str, array: Array) -> Array:
    """Return an array as the rules read it."""
    if name == "rows":
        return packed(array, LANES)
    if name == "inner":
        return packed(array, 2).swapaxes(1, 2)
    return packed(array, 2) if name in ("inner_bias", "gauges") else array


def _array(arrays: Any, name: str) -> Array:
    """Return an array of a file, with the type it must have."""
    found: Array = arrays[name]
    wanted = {**_INPUTS, **WEIGHTS}.get(name)
    if found.nbytes > _MOST_BYTES or (wanted is not None and found.dtype != np.dtype(wanted)):
        raise ValueError(name)
    return found


@lru_cache(maxsize=64)
def spec_of(game: Game) -> str:
    """Return the shortest spec of this board, whatever file the game came from.

    Parameters without which the rules see the same board are left out.
    """
    kind, given = game.type, dict(game.params)
    boards = _seen_by_rules(game)
    for each in kind.parameters:
        fewer = {**given, each.name: each.default}
        with suppress(Exception):  # some boards need a parameter
            if (_seen_by_rules(Game(kind, fewer)) == boards).all():
                given = fewer
    return format_spec(game.name, Game(kind, given).changed)


def _seen_by_rules(game: Game) -> Array:
    """Return the board record without what only its look reads."""
    boards = game.boards.copy()
    for name in () if game.type.look is None else game.type.look.own_fields(game.type):
        boards[name] = 0
    return boards


def sight(game: Game) -> Sight:
    """Return what a net sees of a game."""
    look = game.type.look
    if look is None:
        raise Unsupported(f"a net cannot see {game.name}: give it a look")
    return look.sight(game)


# ---- the net of a game: given, learned here, or shipped with it ----------------------------------


def staged(game: Game, rules: Rules, net: str | Net | None) -> Stage:
    """Return the rules with a net, or as they are without one."""
    if net is None or net == NONE:
        return Stage(rules, game.boards, game.type.state)
    return (net if isinstance(net, Net) else named(net, game)).stage(rules)


def named(text: str, game: Game) -> Net:
    """Return the net of a file, or the one that a game has."""
    if text != LEARNED:
        return _read(Path(text), game)
    found = net_of(game)
    if found is None:
        raise SpecError(f"{game.spec} has no net yet: `plywise learn {game.spec}` makes one")
    return found


def usual(text: str | None, game: Game) -> Net | None:
    """Return the net that an expert uses: the game's own, if nothing else is said."""
    if text == NONE:
        return None
    return net_of(game) if text is None else named(text, game)


def net_of(game: Game) -> Net | None:
    """Return the net that a game has, or None."""
    file = file_of(game)
    return None if file is None else _read(file, game)


def file_of(game: Game) -> Path | None:
    """Return the file of the net that was learned here, else of the one that ships with the game.

    One that lost against what was there before is not taken, and neither is one that was learned
    for another board under the same name.
    """
    for file in (learned_file(game), shipped_file(game)):
        if file is not None and file.exists():
            with suppress(SpecError):
                if _read(file, game).about.get("better", True):
                    return file
    return None


def shipped_file(game: Game) -> Path | None:
    """Return where the net of a board would be among those that ship with a game."""
    folder = game.type.folder
    return None if folder is None else folder / "nets" / _name(game)


def learned_file(game: Game) -> Path:
    """Return where `plywise learn` keeps the net of a board."""
    return files.data_folder() / "nets" / _name(game)


def _name(game: Game) -> str:
    """Return the name of a file, without what has a meaning in a spec: connect4-rows7-cols8.npz."""
    return f"{spec_of(game).translate(_PLAIN)}.npz"


def _read(file: Path, game: Game) -> Net:
    """Read a file, or take it from memory if it has not changed."""
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        changed = 0
    return _load(file, game, changed)


@lru_cache(maxsize=16)
def _load(file: Path, game: Game, changed: int) -> Net:
    return Net.load(file, game)
