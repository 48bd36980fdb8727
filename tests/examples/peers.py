"""The examples beside OpenSpiel: how its actions are written in our notation, game by game.

OpenSpiel counts rows from the top, and sometimes the other player begins; `Peer.text` turns one of
its actions into the text of our move.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plywise

FOLDER = Path(__file__).parents[2] / "examples"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: The points of Nine Men's Morris, row by row from the top.
MORRIS = re.findall("..", "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1")


@dataclass(frozen=True)
class Peer:
    """A game of OpenSpiel, and how its actions are written in ours."""

    load: str  #: the game with its parameters
    text: Callable[[Any, int], str]  #: (state, action) -> the text of our move
    spec: str = ""  #: parameters of ours
    #: True if OpenSpiel may end a game that has repeated a position, which our state cannot know
    repeats: bool = False


def cell(number: int, cols: int, rows: int = 0) -> str:
    """Name a cell; counted from the top if the number of rows is given."""
    row, col = divmod(number, cols)
    return f"{LETTERS[col]}{rows - row if rows else row + 1}"


def written(state: Any, action: int) -> str:
    """Return what OpenSpiel writes, without signs."""
    return str(re.sub("[-x*]", "", state.action_to_string(action)))


def upside_down(text: str, rows: int) -> str:
    """Mirror the rows of a move such as a7a6."""
    return re.sub("[0-9]+", lambda row: str(rows + 1 - int(row[0])), text)


def othello(state: Any, action: int) -> str:
    return "pass" if action == 64 else cell(action, 8, 8)


def breakthrough(state: Any, action: int) -> str:
    return upside_down(written(state, action), 8)


def dots(state: Any, action: int) -> str:
    """Name a line of 4 x 4 dots by its box, as `dot_board` does; OpenSpiel's row 0 is the top."""
    kind, row, col = re.findall("([hv]),([0-9]+),([0-9]+)", state.action_to_string(action))[0]
    high = 4 - int(row) if kind == "h" else 3 - int(row)
    return f"{LETTERS[int(col)]}{high}{'-' if kind == 'h' else '|'}"


def kalah(state: Any, action: int) -> str:
    """OpenSpiel's pits run counterclockwise from 1; ours too, f2 is the sixth after the store."""
    return f"{'abcdef'[action - 1]}1" if action < 7 else f"{'fedcba'[action - 8]}2"


def morris(state: Any, action: int) -> str:
    if action < 24:
        return MORRIS[action]
    return "".join(MORRIS[point] for point in divmod(action - 24, 24))


def gomoku(state: Any, action: int) -> str:
    return cell(action, 15)


PEERS = {
    "othello": Peer("othello", othello),
    "breakthrough": Peer("breakthrough", breakthrough),
    "hex": Peer("hex(board_size=5)", lambda state, action: cell(action, 5), "size=5"),
    "dots": Peer("dots_and_boxes(num_rows=3,num_cols=3)", dots),
    "kalah": Peer("mancala", kalah),
    "morris": Peer("nine_mens_morris", morris),
    "gomoku": Peer("mnk(m=15,n=15,k=5)", gomoku),
    "amazons": Peer("amazons(board_size=6)", lambda state, action: cell(action, 6, 6)),
    "clobber": Peer("clobber", written),
    "loa": Peer("lines_of_action(max_game_length=200)", written, repeats=True),
    "checkers": Peer("checkers", written),
}


def compare(name: str, plies: int, seed: int = 1) -> int:
    """Play random games in both until this many plies were compared; return the plies."""
    import pyspiel

    peer, rng, done = PEERS[name], random.Random(seed), 0
    game = plywise.game(f"{FOLDER / name}.py:{peer.spec}".rstrip(":"))
    theirs = pyspiel.load_game(peer.load)
    while done < plies:
        position, state = game.start(), theirs.new_initial_state()
        boards = {str(position)}
        while not state.is_terminal():
            found = dict(_turns(peer, state))
            assert set(position.legal) == set(found), (position.moves, position)
            assert position.turn == state.current_player(), position.moves
            move = rng.choice(sorted(found))
            position = position.play(move)
            for action in found[move]:
                state.apply_action(action)
            done += 1
            if peer.repeats and str(position) in boards:
                break
            boards.add(str(position))
        else:
            assert position.over, position.moves
            margin = position.margin
            assert margin is not None
            assert (margin > 0) - (margin < 0) == state.returns()[0], position.moves
    return done


def _turns(peer: Peer, state: Any) -> Iterator[tuple[str, list[int]]]:
    """Yield our moves with OpenSpiel's actions: one, or two for an amazon and where it goes."""
    for action in state.legal_actions():
        text = peer.text(state, action)
        if " From " not in state.action_to_string(action):
            yield text, [action]
            continue
        after = state.child(action)
        for goal in after.legal_actions():
            yield text + peer.text(after, goal), [action, goal]
