"""Branches from the main line, kept free of duplicates.

A set of branches is in normal form: each really leaves the main line where it says, none is the
beginning of another, and lines that share a beginning share its notes. To draw them as a tree,
merge the shared beginnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plywise.play.records.game_record import Branch, Move

MAX_BRANCHES = 200  #: per game
MAX_BRANCH_MOVES = 5000  #: in all branches of a game together

Branches = tuple[Branch, ...]


def leave(line: Sequence[Move], at: int, texts: Sequence[str]) -> int:
    """Count how many of these moves, played after `at` moves, still follow the main line."""
    follows = 0
    for move, text in zip(line[at:], texts, strict=False):
        if move.text != text:
            break
        follows += 1
    return follows


def add(branches: Branches, new: Branch) -> Branches:
    """Add a line that has left the main line already.

    If one line is the beginning of another, only the longer one is kept, with the notes of both.
    """
    if not new.moves:
        return branches
    noted = list(new.moves)
    for branch in branches:
        for index in range(_shared(branch, new)):
            noted[index] = replace(noted[index], note=branch.moves[index].note or noted[index].note)
    new = replace(new, moves=tuple(noted))
    kept = [_with_notes_of(branch, new) for branch in branches]
    for index, branch in enumerate(kept):
        shared = _shared(branch, new)
        if shared == len(new.moves):
            return tuple(kept)
        if shared == len(branch.moves):
            kept[index] = new
            return tuple(kept)
    return (*kept, new)


def prune(branches: Branches, at: int, texts: tuple[str, ...]) -> Branches:
    """Remove the last of these moves and everything after it; what comes before it stays."""
    kept: Branches = ()
    for branch in branches:
        if branch.at == at and branch.texts[: len(texts)] == texts:
            branch = replace(branch, moves=branch.moves[: len(texts) - 1])
        kept = add(kept, branch)
    return kept


def note(branches: Branches, at: int, texts: tuple[str, ...], text: str) -> Branches:
    """Set the note of the last of these moves, in every line that has it."""
    index = len(texts) - 1
    return tuple(
        replace(
            branch,
            moves=(
                *branch.moves[:index],
                replace(branch.moves[index], note=text),
                *branch.moves[index + 1 :],
            ),
        )
        if branch.at == at and branch.texts[: len(texts)] == texts
        else branch
        for branch in branches
    )


def follow(branches: Branches, old: Sequence[Move], new: Sequence[Move]) -> Branches:
    """Return the branches after a new main line has replaced the old one.

    A branch from a position on both lines stays, without the moves that the new line plays too.
    """
    common = leave(old, 0, [move.text for move in new])
    kept: Branches = ()
    for branch in branches:
        if branch.at <= common:
            along = leave(new, branch.at, branch.texts)
            kept = add(kept, Branch(branch.at + along, branch.moves[along:]))
    return kept


def too_many(branches: Branches) -> str | None:
    """Return an error message if there are more than a game can have."""
    if len(branches) > MAX_BRANCHES:
        return f"a game can have at most {MAX_BRANCHES} branches: remove one first"
    if sum(len(branch.moves) for branch in branches) > MAX_BRANCH_MOVES:
        return f"branches can have at most {MAX_BRANCH_MOVES} moves in all: remove one first"
    return None


def _shared(one: Branch, two: Branch) -> int:
    """Count the moves that two lines have in common from their beginning."""
    return leave(one.moves, 0, two.texts) if one.at == two.at else 0


def _with_notes_of(branch: Branch, new: Branch) -> Branch:
    shared = _shared(branch, new)
    return (
        branch if shared == 0 else replace(branch, moves=new.moves[:shared] + branch.moves[shared:])
    )
