"""Completion in the shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def complete(run, monkeypatch):
    """Ask as bash does, with Typer's variables; the last word is being typed."""

    def ask(*words):
        monkeypatch.setenv("_PLYWISE_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["plywise", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return run().out.splitlines()

    return ask


@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ([""], ["play", "serve", "match", "connect4", "slither"], []),
        (["an"], ["analyze"], ["play"]),
        (["analyze", "co"], ["connect4"], ["tictactoe"]),
        (["match", "connect4", "al"], ["alphabeta"], ["auto"]),
        (["match", "connect4", "--seed", "3", "random", "a"], ["auto", "alphabeta"], []),
        (["match", "connect4", "--js"], ["--json"], []),
        (["play", "tictactoe", "--first", "s"], ["seed"], []),
        (["slither", "gen"], ["generate"], ["play"]),
        (["slither", "generate", "--sy"], ["--symmetry"], []),
        (["warmup", "connect4", "ti"], ["tictactoe"], ["connect4"]),
        (["arena", "class", "--game=al"], ["align"], ["andantino"]),
        (["grade", "connect4", "random", "auto:level=3", "exp"], ["expert"], ["random"]),
        (["analyze", "align", "--agent=se"], ["seed"], []),
        (["match", "chess", "a"], [], ["alphabeta"]),
        (["play", "--first", "a"], [], ["alphabeta"]),
        (["nonsense", "x"], [], ["play"]),
    ],
)
def test_what_may_come_next(complete, words, some, none):
    found = complete(*words)
    assert set(some) <= set(found)
    assert not set(none) & set(found)


def test_a_game_file_that_prints(complete, file):
    """Only names are answers, whatever the file does."""
    text = Path("examples/domineering.py").read_text(encoding="utf-8")
    game = file("mine.py", f"{text}\nprint('alas')\nprint('alphabet')\n")
    assert complete("match", game, "al") == ["alphabeta"]
    assert complete("match", file("broken.py", "raise SystemExit(3)"), "al") == [""]


@pytest.mark.slow
def test_bash_completes():
    """The script as bash runs it: the words so far, and the answers."""
    bin = Path(sys.executable).parent
    script = f"""
    PATH={bin}:$PATH
    eval "$(plywise --show-completion)"
    COMP_WORDS=(plywise show tic)
    COMP_CWORD=2
    _plywise_completion plywise
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tictactoe"]
