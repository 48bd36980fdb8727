"""Lines beside the main line: how they are kept so that none says what another says already.

Kept in order, a set of branches is in normal form: each truly leaves the main line where it says,
none is the beginning of another, and lines that share a beginning share its notes. Whoever draws
them as a tree merges the beginnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plywise.play.records.game_record import Branch, Move

MAX_BRANCHES = 200  #: lines of one game
MAX_BRANCH_MOVES = 5000  #: moves of all of them together

Branches = tuple[Branch, ...]


def leave(line: Sequence[Move], at: int, texts: Sequence[str]) -> int:
    """How many of these moves, tried after `at` moves of the main line, still follow it."""
    follows = 0
    for move, text in zip(line[at:], texts, strict=False):
        if move.text != text:
            break
        follows += 1
    return follows


def add(branches: Branches, new: Branch) -> Branches:
    """One line more, which has left the main line already.

    A beginning of another line adds only its notes; the longer one takes the place of the other.
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
    """Cut these moves, the last of them and whatever follows it; what came before it stays."""
    kept: Branches = ()
    for branch in branches:
        if branch.at == at and branch.texts[: len(texts)] == texts:
            branch = replace(branch, moves=branch.moves[: len(texts) - 1])
        kept = add(kept, branch)
    return kept


def note(branches: Branches, at: int, texts: tuple[str, ...], text: str) -> Branches:
    """Say something about the last of these moves, in every line that has it."""
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
    """The branches when another main line takes the place of the old one.

    A branch from a place that is on both lines stays, less what the new line plays as well.
    """
    common = leave(old, 0, [move.text for move in new])
    kept: Branches = ()
    for branch in branches:
        if branch.at <= common:
            along = leave(new, branch.at, branch.texts)
            kept = add(kept, Branch(branch.at + along, branch.moves[along:]))
    return kept


def too_many(branches: Branches) -> str | None:
    """What to say if there are more than a game can have."""
    if len(branches) > MAX_BRANCHES:
        return f"a game has {MAX_BRANCHES} branches at the most: remove one first"
    if sum(len(branch.moves) for branch in branches) > MAX_BRANCH_MOVES:
        return f"the branches have {MAX_BRANCH_MOVES} moves at the most: remove one first"
    return None


def _shared(one: Branch, two: Branch) -> int:
    """How many moves two lines have in common from their beginning."""
    return leave(one.moves, 0, two.texts) if one.at == two.at else 0


def _with_notes_of(branch: Branch, new: Branch) -> Branch:
    shared = _shared(branch, new)
    return (
        branch if shared == 0 else replace(branch, moves=new.moves[:shared] + branch.moves[shared:])
    )
