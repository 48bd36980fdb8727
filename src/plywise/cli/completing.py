"""Completion in the shell: what may come next on the command line.

`plywise completion bash` prints a script, which asks `plywise completion bash -- WORDS` for the
words that fit. Where nothing fits, the shell offers files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

#: How each shell asks, and what it does with the answer.
SCRIPTS = {
    "bash": """\
_plywise() {
    local IFS=$'\\n'
    COMPREPLY=($(plywise completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _plywise plywise
""",
    "zsh": """\
#compdef plywise
_plywise() {
    local -a found
    found=("${(@f)$(plywise completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _plywise plywise
""",
    "fish": """\
function __plywise
    plywise completion fish -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete --command plywise --arguments '(__plywise)'
""",
}
#: Where to put it, in a comment at the end of the script.
PLACES = {
    "bash": '~/.bashrc: eval "$(plywise completion bash)"',
    "zsh": '~/.zshrc, after compinit: eval "$(plywise completion zsh)"',
    "fish": "plywise completion fish > ~/.config/fish/completions/plywise.fish",
}
GAMES, AGENTS = ("GAME",), ("A", "B")  #: how commands name what they take


def fitting(command: Any, words: Sequence[str]) -> list[str]:
    """Return what the last word may become, given the words before it."""
    *before, part = words or [""]
    command, given = _command(command, before)
    if part.startswith("-"):
        found: Iterable[str] = (name for param in command.params for name in param.opts)
        return [name for name in found if name.startswith(part) and name.startswith("-")]
    return sorted(value for value in _values(command, given) if value.startswith(part))


def _command(command: Any, words: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the command that the words lead to, and the words after its name."""
    for at, word in enumerate(words):
        _load(command)
        known = getattr(command, "commands", {})
        if word not in known:
            return command, list(words[at:])
        command = known[word]
    _load(command)
    return command, []


def _load(command: Any) -> None:
    """Import the commands of a game or a puzzle, which are found only when they are needed."""
    if hasattr(command, "load"):
        command.load()


def _values(command: Any, given: Sequence[str]) -> Iterable[str]:
    """Return what can stand after the words that a command has got so far."""
    options = {name: param for param in command.params for name in param.opts if name[:1] == "-"}
    last = options.get(given[-1]) if given else None
    if last is not None and not getattr(last, "is_flag", False):
        return _of(last, given)
    if getattr(command, "commands", None):
        return [] if given else list(command.commands)
    count, skip = 0, False
    for word in given:
        option = options.get(word)
        if not skip and not word.startswith("-"):
            count += 1
        skip = option is not None and not getattr(option, "is_flag", False)
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    return _of(arguments[count], given) if count < len(arguments) else []


def _of(param: Any, given: Sequence[str]) -> Iterable[str]:
    """Return the values of a parameter: games, or the agents of the game that is named before."""
    from plywise import engines, games
    from plywise.errors import PlywiseError

    kinds = (param.metavar or "").strip("[].").split("|")
    if any(kind in GAMES for kind in kinds):
        return games.names()
    if any(kind in AGENTS for kind in kinds):
        for word in given:
            with suppress(PlywiseError):
                return engines.names(games.make(word))
    return ()
