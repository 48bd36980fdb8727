"""One small correct game, and the mistakes that authors make in it.

Each mistake is a replacement in the text of the game, and the words that its message must have.
"""

from __future__ import annotations

from typing import NamedTuple

#: Treblecross: mark an empty cell of a row; whoever completes three in a row wins.
RIGHT = '''"""Treblecross: mark an empty cell; whoever completes three in a row wins."""

import numpy as np

from plywise import GameType, Notation, Parameter, Rules, rule

CELLS = 7
BOARD = [("cells", "i8")]
STATE = [("marks", "i1", CELLS), ("turn", "i8")]


def prepare(b, cells):
    b.cells = cells


@rule
def setup(b, s):
    for cell in range(b.cells):
        s.marks[cell] = 0
    s.turn = 0


@rule
def moves(b, s, out):
    n = 0
    for cell in range(b.cells):
        if s.marks[cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def play(b, s, move):
    s.marks[move] = 1
    s.turn = 1 - s.turn


@rule
def turn(b, s):
    return s.turn


@rule
def three(b, s, cell):
    return s.marks[cell] + s.marks[cell + 1] + s.marks[cell + 2] == 3


@rule
def over(b, s):
    for cell in range(b.cells - 2):
        if three(b, s, cell):
            return True
    return False


@rule
def margin(b, s):
    return 1 if s.turn == 1 else -1


@rule
def key(b, s):
    word = np.uint64(s.turn)
    for cell in range(b.cells):
        word = word * np.uint64(2) + np.uint64(s.marks[cell])
    return word


NOTATION = Notation(
    move_text=lambda b, move: str(move + 1),
    draw=lambda b, s: "".join(".x"[mark] for mark in s.marks[: b.cells]),
)
GAME = GameType(
    name="treblecross",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("cells", 7, low=3, high=7),),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, turn, key),
    sizes=lambda b: (b.cells, b.cells),
    notation=NOTATION,
)
'''


class Mistake(NamedTuple):
    """A mistake: a piece of the text, what stands there instead, and words of the message."""

    old: str
    new: str
    words: str


_RULES = "Rules(setup, moves, play, over, margin, turn, key)"
_THREE = "s.marks[cell] + s.marks[cell + 1] + s.marks[cell + 2]"
_DRAW = 'draw=lambda b, s: "".join(".x"[mark] for mark in s.marks[: b.cells])'

MISTAKES = {
    # ---- moves
    "no moves, but not over": Mistake(
        "if three(b, s, cell):",
        "if three(b, s, cell) and cell > 9:",
        "there are no moves, but the game is not over: `over` must return True there, or `moves`"
        " write a pass (line 50 of broken.py)",
    ),
    "too few moves in sizes": Mistake(
        "lambda b: (b.cells, b.cells)",
        "lambda b: (4, b.cells)",
        "`moves` writes more than 4 moves into out: the first number that sizes returns, max_moves,"
        " is too small (line 28 of broken.py)",
    ),
    "a move number beyond sizes": Mistake(
        "out[n] = cell",
        "out[n] = 10 * cell",
        "wrote the move 10, but moves are numbers from 0 to 6",
    ),
    "a negative move": Mistake(
        "out[n] = cell", "out[n] = cell - 1", "wrote the move -1, but moves are numbers from 0 to 6"
    ),
    "a move not written": Mistake(
        "            out[n] = cell\n", "", "but wrote nothing into out[0]"
    ),
    "a move twice": Mistake("out[n] = cell", "out[n] = 0", "`moves` wrote the move 0 twice"),
    "moves without return": Mistake(
        "    return n\n", "", "`moves` returned nothing (None): it must return the number of moves"
    ),
    "moves as a list": Mistake(
        "    return n\n",
        "    return [0]\n",
        "`moves` returned the list [0]: it must return the number",
    ),
    "moves as a truth value": Mistake(
        "    return n\n", "    return True\n", "`moves` returned True"
    ),
    "moves as a float": Mistake("    return n\n", "    return n / 1\n", "`moves` returned 7.0"),
    "moves as a generator": Mistake(
        "            out[n] = cell\n", "            yield cell\n", "`moves` returned a generator"
    ),
    "more moves than written": Mistake(
        "    return n\n", "    return 99\n", "`moves` returned 99, but there can be 0 to 7 moves"
    ),
    # ---- the other verbs
    "a measure too many": Mistake(
        _RULES,
        f"{_RULES[:-1]}, measures=rule(lambda b, s, out: out.put(16, 1)))",
        "with index 16, but the array has 16 places",
    ),
    "wrong arguments": Mistake(
        "def moves(b, s, out)",
        "def moves(b, s)",
        "`moves` takes the arguments (b, s), but must take (b, s, out) (line 24 of broken.py)",
    ),
    "a third player": Mistake(
        "    return s.turn\n", "    return s.turn + 1\n", "`turn` returned 2"
    ),
    "turn as a float": Mistake(
        "    return s.turn\n", "    return s.turn / 1\n", "`turn` returned 0.0"
    ),
    "the turn never changes": Mistake(
        "    s.turn = 1 - s.turn\n",
        "",
        "`play` never gives player 2 the turn: change the turn in it",
    ),
    "a game without end": Mistake(
        "    s.marks[move] = 1\n", "", "a game is not over after 7 moves, but sizes says"
    ),
    "too few plies in sizes": Mistake(
        "lambda b: (b.cells, b.cells)",
        "lambda b: (b.cells, 2)",
        "a game is not over after 2 moves, but sizes says that it lasts at most 2",
    ),
    "margin is None": Mistake(
        "    return 1 if s.turn == 1 else -1\n",
        "    s.turn == 1\n",
        "`margin` returned nothing (None)",
    ),
    "margin too large": Mistake(
        "return 1 if s.turn == 1 else -1",
        "return 5 if s.turn == 1 else -5",
        "the largest margin is 1: set points=",
    ),
    "over is None": Mistake(
        "    return False\n", "", "`over` returned nothing (None): it must return True or False"
    ),
    "a negative key": Mistake(
        "    return word\n", "    return -1 - int(word)\n", "which is negative"
    ),
    "a float key": Mistake("+ np.uint64(s.marks[cell])", "+ s.marks[cell]", "`key` returned 0.0"),
    "a key that overflows": Mistake(
        "    return word\n", "    return (int(word) + 1) << 70\n", "which does not fit into 64 bits"
    ),
    "a key that loses its first cells": Mistake(
        "word * np.uint64(2)",
        "word * np.uint64(2**20)",
        "`key` returned the same number after '7451' as after '745', but s.marks[0] is 0 there"
        " and 1 here, s.turn is 1 there and 0 here, the player to move is 2 there and 1 here, the"
        " number of moves is 4 there and 3 here: is s.marks or s.turn missing from `key`, or wrong,"
        " or does `key` overflow? (line 63 of broken.py)",
    ),
    "one verb twice": Mistake(
        _RULES,
        "Rules(setup, moves, play, over, turn, turn, key)",
        "Rules(...) has turn() twice: it is `turn` and `margin` (line 40 of broken.py)",
    ),
    "setup and play swapped": Mistake(
        _RULES,
        "Rules(play, moves, setup, turn, over, margin, key)",
        "Rules(...) has its functions in the wrong order: `setup` is play() (line 34 of",
    ),
    "two verbs swapped": Mistake(
        _RULES,
        "Rules(setup, moves, play, margin, over, turn, key)",
        "Rules(...) has its functions in the wrong order: `over` is margin() (line 58 of",
    ),
    "an index outside": Mistake(
        "range(b.cells - 2)",
        "range(b.cells)",
        "`three` uses s.marks[cell + 2] with index 7, but the array has 7 places"
        " (line 46 of broken.py)",
    ),
    "an index outside in a function of the kit": Mistake(
        "    n = 0\n    for",
        "    return __import__('plywise.kit.cells').kit.cells.list_empty(s.marks, 8, out)\n    for",
        "`moves` uses s.marks in `list_empty` with index 7, but the array has 7 places (line 25",
    ),
    "setup leaves a field": Mistake(
        "    s.turn = 0\n", "", "`setup` does not set s.turn: it must write the start position"
    ),
    "the board is changed": Mistake(
        "    s.marks[move] = 1\n",
        "    s.marks[move] = 1\n    b.cells -= 1\n",
        "`play` changes the board record b, which never changes: use the state s (line 36",
    ),
    "the state is changed by a question": Mistake(
        "    return s.turn\n",
        "    s.turn = 0\n    return s.turn\n",
        "`turn` changes the state s, but only `setup` and `play` may do that (line 41",
    ),
    "a field misspelt": Mistake(
        "return s.turn\n", "return s.trun\n", "the state has no field 'trun': did you mean 'turn'?"
    ),
    "a field misspelt in an assignment": Mistake(
        "s.turn = 1 - s.turn", "s.trun = 1 - s.turn", "the state has no field 'trun'"
    ),
    "a loop without end": Mistake(
        "    n = 0\n    for",
        "    n = 0\n    while n == 0: n = 0\n    for",
        "`moves` did not return within 3 s: is there a loop without end? (line 26 of broken.py)",
    ),
    "a rule that raises": Mistake(
        _THREE, f"1 // (s.marks[cell] - s.marks[cell]) + {_THREE}", "`three` divides by zero"
    ),
    "a helper that is not a rule": Mistake(
        "@rule\ndef three",
        "def three",
        "`three` is called from the rule `over` but is not marked @rule (line 44 of broken.py)",
    ),
    "a verb that is not a rule": Mistake(
        "@rule\ndef turn", "def turn", "`turn` is turn(), which is not a rule: put @rule above it"
    ),
    # ---- the GameType
    "state is not a list of fields": Mistake(
        "state=STATE", 'state="marks"', "the state of treblecross is 'marks': it must be a list"
    ),
    "sizes is not a function": Mistake(
        "sizes=lambda b: (b.cells, b.cells)", "sizes=(7, 7)", "is (7, 7), not a function"
    ),
    "sizes is one number": Mistake(
        "lambda b: (b.cells, b.cells)", "lambda b: 7", "sizes of treblecross returned 7: it must"
    ),
    "a field that cannot be": Mistake(
        '("turn", "i8")]',
        '("turn", "i8"), ("view", "i8")]',
        "has a field 'view', which rules could",
    ),
    "draw is no text": Mistake(_DRAW, "draw=lambda b, s: [1]", "`draw` returned the list [1]"),
    "draw with other arguments": Mistake(_DRAW, "draw=lambda s: ''", "must take (b, s)"),
    "move_text is no text": Mistake("str(move + 1)", "move + 1", "`move_text` returned 1: it must"),
    "two moves with one text": Mistake(
        "str(move + 1)", "str(move // 2)", "wrote '0' for two moves"
    ),
    "scores of the wrong type": Mistake(
        "notation=NOTATION",
        "notation=NOTATION, scores=lambda b, s: 3",
        "`scores` returned 3: it must return two whole numbers",
    ),
    # ---- the look
    "a look without its field": Mistake(
        "notation=NOTATION",
        "look=__import__('plywise.kit').kit.Look(__import__('plywise.kit').kit.square_board(1, 7),"
        " 'cells')",
        "the look of treblecross shows the field 'cells', but the state has marks, turn",
    ),
    "a look that leaves the board": Mistake(
        "notation=NOTATION",
        "look=__import__('plywise.kit').kit.Look(__import__('plywise.kit').kit.square_board(1, 7),"
        " 'marks', path=lambda b, move: [move, move + 1])",
        "move 6 points to place 7, but the places are 0 to 6",
    ),
}


def broken(name: str) -> str:
    """Return the text of the game with one mistake in it."""
    mistake = MISTAKES[name]
    assert RIGHT.count(mistake.old) == 1, f"{name}: {RIGHT.count(mistake.old)} places"
    return RIGHT.replace(mistake.old, mistake.new)
