"""Completion in the shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


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
        (["match", "chess", "a"], [], ["alphabeta"]),
        (["nonsense", "x"], [], ["play"]),
    ],
)
def test_what_may_come_next(run, words, some, none):
    found = run("completion", "bash", "--", *words).out.splitlines()
    assert set(some) <= set(found)
    assert not set(none) & set(found)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(run, shell):
    script = run("completion", shell).out
    assert f"plywise completion {shell} --" in script
    assert script.splitlines()[-1].startswith("# ")


def test_an_unknown_shell(run):
    assert "there is no completion for 'cmd'" in run("completion", "cmd").complaint


@pytest.mark.slow
def test_bash_completes(tmp_path):
    """The script as bash runs it: the words so far, and the answers."""
    bin = Path(sys.executable).parent
    script = f"""
    PATH={bin}:$PATH
    eval "$(plywise completion bash)"
    COMP_WORDS=(plywise show tic)
    COMP_CWORD=2
    _plywise
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tictactoe"]
