"""Searches that play any game, and the registry of their names.

An agent's name is looked up among the game's own agents first, then here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from plywise.core.engine import Engine, enough_memory, guarded
from plywise.core.game import AgentType, Game, need_game
from plywise.core.spec import Spec, Value, bind, changed
from plywise.errors import SpecError, suggest
from plywise.trial import ensure_tried

#: name -> where its AgentType is; imported on first use
_ENGINES = {
    "alphabeta": "alphabeta:ALPHABETA",
    "auto": "auto:AUTO",
    "mcts": "mcts:MCTS",
    "minimax": "textbook:MINIMAX",
    "proof": "proof:PROOF",
    "random": "random:RANDOM",
    "textbook": "textbook:TEXTBOOK",
}


_listeners: list[Callable[[str], None]] = []


def on_choice(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call `listener(words)` when `auto` has found out which engine plays a game best.

    Returns a function that stops this.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def announce(words: str) -> None:
    """Tell the listeners about a choice."""
    for listener in list(_listeners):
        listener(words)


def names(game: Game) -> tuple[str, ...]:
    """Return the names of all agents that can play a game."""
    return tuple(sorted({*_ENGINES, *game.type.strength.agents}))


def find(name: str, game: Game) -> AgentType:
    """Return the agent type of that name, the game's own first."""
    if name in game.type.strength.agents:
        return game.type.strength.agents[name]
    if name not in _ENGINES:
        raise SpecError(f"there is no agent {name!r} for {game.name}: {suggest(name, names(game))}")
    module, attribute = _ENGINES[name].split(":")
    agent = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    assert isinstance(agent, AgentType)
    return agent


def make(spec: str | Spec, game: Game, **options: Value) -> Engine:
    """Make an agent for a game from its spec.

    Parameters can be part of the text, as in `alphabeta:depth=8`, or options, as in
    `plywise.engine("alphabeta", game, depth=8)`.
    """
    need_game(game, "engine")
    ensure_tried(game)
    parsed = Spec.of(spec, options)
    agent = find(parsed.name, game)
    given = bind(parsed, agent.parameters, parsed.name)
    with enough_memory(str(parsed)):
        engine = agent.build(game, **given)
    shortest = Spec.of(Spec(parsed.name), changed(given, agent.parameters))
    return guarded(engine, game, make, shortest, game)
