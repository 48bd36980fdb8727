"""How long a trial of rules goes on."""

from __future__ import annotations

import pytest

import plywise
from plywise.trial import playing
from plywise.trial.calls import Watch
from plywise.trial.playing import Trial


def games_of(spec: str) -> tuple[int, int]:
    """How many games and positions a trial has."""
    played = []

    class Counting(Trial):
        def play_game(self) -> list[int]:
            played.append(line := super().play_game())
            return line

    trial = Counting(plywise.game(spec), Watch(60.0))
    trial.run()
    return len(played), trial.seen


def test_a_trial_ends_after_some_games_some_positions_or_some_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(playing, "SECONDS", 1000.0)
    games, seen = games_of("tictactoe")
    assert games == playing.GAMES
    assert seen < playing.POSITIONS
    games, seen = games_of("tictactoe:rows=9,cols=9,k=9")
    assert 1 < games < playing.GAMES
    assert seen >= playing.POSITIONS
    monkeypatch.setattr(playing, "SECONDS", 0.0)
    assert games_of("tictactoe")[0] == 1
