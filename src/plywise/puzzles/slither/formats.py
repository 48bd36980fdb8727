"""Read and write puzzles in the text formats that people exchange.

text      `..2.0`, one row per line; `-`, `_`, `?` and spaces also mean "no clue"; `/` ends a row
lisp      `((3 3) (NIL NIL))`, the lists of the paper
puzzlink  `https://puzz.link/p?slither/COLS/ROWS/body`; read from `slither/` on
loopy     `COLSxROWSt0:body`, Loopy's game ID; digits are clues, `a` to `z` are 1 to 26 blanks
task      the body of a Loopy ID without the size, as used by puzzle-loop.com
pzprv3    a file that also has the lines and crosses drawn so far
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import chain
from string import ascii_lowercase
from typing import NoReturn, TypeVar

from plywise.errors import InvalidPosition, SpecError, suggest
from plywise.puzzles.slither.grid import (
    CROSS,
    LINE,
    MOST_DOTS,
    NO_CLUE,
    UNKNOWN,
    Clues,
    Drawing,
    Puzzle,
)

DEFAULT = "..2.0\n232.2\n21..3\n.12.3\n.2...\n"  #: the paper's own puzzle

_CLUE_OR_DOT = "a clue 0 to 4, or '.' for none"
_EXPECTED = "rows such as '..2.0', a puzz.link address, a Loopy ID, Lisp lists or a pzprv3 file"
_STATES = {"0": UNKNOWN, "1": LINE, "-1": CROSS}

#: What each letter or word of a format stands for: a clue, cells without one, or both.
_BLANK: Clues = (NO_CLUE,)
_DIGITS: dict[str, Clues] = {str(clue): (clue,) for clue in range(5)}
_TEXT = {**_DIGITS, **dict.fromkeys(".-_? ", _BLANK)}
_LISP = {**_DIGITS, "NIL": _BLANK, "?": _BLANK}
_LOOPY = _DIGITS | {letter: n * _BLANK for n, letter in enumerate(ascii_lowercase, 1)}
_PUZZLINK = {
    ".": _BLANK,
    **{f"{clue + 5 * n:x}": (clue, *n * _BLANK) for clue in range(5) for n in range(3)},
    **{letter: n * _BLANK for n, letter in enumerate(ascii_lowercase[6:], 1)},
}

Cells = TypeVar("Cells", str, list[str])


def read(text: str) -> Puzzle:
    """Read a puzzle in any of the formats.

    >>> print(read("slither/5/5/h7023722b8178cg"))
    ..2.0
    232.2
    21..3
    .12.3
    .2...
    """
    return read_drawing(text).puzzle


def read_drawing(text: str) -> Drawing:
    """Read a puzzle with what is drawn on it; only a pzprv3 file has lines and crosses."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    bare = text.strip()
    if not bare and text.strip("\n") == "":
        raise InvalidPosition(
            "line 1, column 1: the text is empty; expected a puzzle, such as rows of 0 to 4 and '.'"
        )
    if bare.startswith("pzprv3"):
        return _read_pzprv3(text)
    if bare.startswith("("):
        reader = _read_lisp
    elif "slither" in bare or "://" in bare:
        reader = _read_puzzlink
    elif re.match(r"\d+\s*[xX]", bare):
        reader = _read_loopy
    elif bare and not re.search("[0-4.?_-]", bare) and not _blank(bare):
        _wrong(text, 0, f"this is not a puzzle; expected {_EXPECTED}")
    elif re.fullmatch(r"[0-9a-z]*[a-z][0-9a-z]*", bare):
        reader = _read_task
    else:
        reader = _read_text
    return Drawing.empty(reader(text))


def write(puzzle: Puzzle | Drawing, format: str) -> str:
    """Write a puzzle in one of the formats, with a newline at the end."""
    drawing = puzzle if isinstance(puzzle, Drawing) else Drawing.empty(puzzle)
    if format not in FORMATS:
        raise SpecError(f"there is no format {format!r}: {suggest(format, FORMATS)}")
    return FORMATS[format](drawing) + "\n"


def _blank(text: str) -> bool:
    """Return True for letters that stand for the blanks of a square without clues."""
    known = re.fullmatch(r"[a-z]+", text) is not None
    return known and math.isqrt(count := sum(map(ord, text)) - 96 * len(text)) ** 2 == count


# ---- errors --------------------------------------------------------------------------------


def _wrong(text: str, at: int, what: str) -> NoReturn:
    """Raise an error that says where the text is wrong, and what was expected."""
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    raise InvalidPosition(f"line {line}, column {column}: {what}")


def _size(text: str, at: int, rows: int, cols: int) -> None:
    if rows < 1 or cols < 1 or (rows + 1) * (cols + 1) > MOST_DOTS:
        _wrong(text, at, f"{rows} rows of {cols} cells; expected 1 x 1 to 127 x 127")


def _clues(text: str, at: int, word: str, known: Mapping[str, Clues], expected: str) -> Clues:
    """Return the cells that a letter or word stands for."""
    if word not in known:
        _wrong(text, at, f"found {word!r}; expected {expected}")
    return known[word]


def _of_rows(text: str, rows: list[list[int]]) -> Puzzle:
    """Return the puzzle with these rows, all of one length."""
    cols = len(rows[0]) if rows else 0
    _size(text, 0, len(rows), cols)
    return Puzzle(len(rows), cols, tuple(chain(*rows)))


def _in_rows(cells: Cells, cols: int) -> list[Cells]:
    return [cells[at : at + cols] for at in range(0, len(cells), cols)]


def _letters(puzzle: Puzzle) -> str:
    """Return all clues, with a dot for a cell without one."""
    return "".join("." if clue == NO_CLUE else str(clue) for clue in puzzle.clues)


# ---- plain text ----------------------------------------------------------------------------


def _read_text(text: str) -> Puzzle:
    # If spaces are cells, an editor may have stripped those at the end of a line.
    inside = any(" " in row.strip() for row in re.split(r"[\n/]", text))
    spaced = inside or (" " in text and not any(letter in text for letter in ".-_?"))
    rows: list[list[int]] = []
    places: list[int] = []
    at = 0
    for row in re.split(r"[\n/]", text):
        if row.strip() or (spaced and row):
            body = row if spaced else row.strip()
            start = at + row.index(body)
            cells = enumerate(body, start)
            known = (_clues(text, k, letter, _TEXT, _CLUE_OR_DOT) for k, letter in cells)
            rows.append(list(chain(*known)))
            places.append(start)
        elif rows and text[at:].strip():
            _wrong(text, at, f"an empty row; expected {len(rows[0])} cells")
        at += len(row) + 1
    width = max(map(len, rows), default=0)
    for row, place in zip(rows, places, strict=True):
        if spaced:
            row += [NO_CLUE] * (width - len(row))
        elif len(row) != len(rows[0]):
            at = place + min(len(row), len(rows[0]))
            what = f"a row of {len(row)} cells; expected {len(rows[0])}, as in the first row"
            _wrong(text, at, what)
    return _of_rows(text, rows)


def _write_text(drawing: Drawing) -> str:
    return "\n".join(_in_rows(_letters(drawing.puzzle), drawing.puzzle.cols))


# ---- the paper's lists --------------------------------------------------------------------


def _read_lisp(text: str) -> Puzzle:
    rows: list[list[int]] = []
    depth = 0
    for token in re.finditer(r"[()]|[^\s()]+", text):
        word, at = token[0], token.start()
        if word == "(":
            depth += 1
            if depth > 2:
                _wrong(text, at, "found '(' inside a row; expected NIL or a clue 0 to 4")
            if depth == 2:
                rows.append([])
        elif word == ")":
            depth -= 1
            if depth < 0:
                _wrong(text, at, "found ')'; expected the end of the text")
            if depth == 1 and len(rows[-1]) != len(rows[0]):
                _wrong(text, at, f"a row of {len(rows[-1])} cells; expected {len(rows[0])}")
            if depth == 0 and text[token.end() :].strip():
                _wrong(text, token.end(), "text after the last ')'; expected the end of the text")
        elif depth != 2:
            _wrong(text, at, f"found {word!r}; expected '(' before a row")
        else:
            word = "NIL" if word.upper() == "NIL" else word
            rows[-1] += _clues(text, at, word, _LISP, "NIL or a clue 0 to 4")
    if depth:
        _wrong(text, len(text.rstrip()), f"the text ends; expected {depth} more ')'")
    return _of_rows(text, rows)


def _write_lisp(drawing: Drawing) -> str:
    words = ["NIL" if letter == "." else letter for letter in _letters(drawing.puzzle)]
    rows = (f"({' '.join(row)})" for row in _in_rows(words, drawing.puzzle.cols))
    return f"({' '.join(rows)})"


# ---- puzz.link -----------------------------------------------------------------------------


def _read_puzzlink(text: str) -> Puzzle:
    start = text.find("slither")
    head = re.compile(r"slither(?:link)?/(?:v:/)?(\d{1,4})/(\d{1,4})/").match(text, max(start, 0))
    if start < 0:
        place = len(text) - len(text.lstrip())
        _wrong(text, place, "not the address of a Slither puzzle; expected slither/COLS/ROWS/...")
    if head is None:
        place = max(start, len(text) - len(text.lstrip()))
        _wrong(text, place, "expected slither/COLS/ROWS/ and the clues")
    cols, rows = int(head[1]), int(head[2])
    _size(text, head.start(1), rows, cols)
    clues: list[int] = []
    end = head.end() + len(text[head.end() :].rstrip().partition("/")[0])
    for at in range(head.end(), end):
        # The blanks of the last letter may run past the last cell; the extra ones are dropped.
        if len(clues) >= rows * cols:
            _wrong(text, at, f"found {text[at]!r}; expected the end after {rows * cols} cells")
        clues += _clues(text, at, text[at], _PUZZLINK, "0-9, a-e, g-z or '.'")
    if len(clues) < rows * cols:
        _wrong(text, end, f"{len(clues)} cells; expected {rows * cols}")
    return Puzzle(rows, cols, tuple(clues[: rows * cols]))


def _write_puzzlink(drawing: Drawing) -> str:
    puzzle = drawing.puzzle
    letters = _letters(puzzle)

    def shorten(run: re.Match[str]) -> str:
        if run[0][0] == ".":
            return ascii_lowercase[5 + len(run[0])]
        # Blanks after the last cell do no harm: they are dropped again.
        blanks = 2 if run.end() == len(letters) else len(run[0]) - 1
        return f"{int(run[0][0]) + 5 * blanks:x}"

    body = re.sub(r"[0-4]\.{0,2}|\.{1,20}", shorten, letters)
    return f"https://puzz.link/p?slither/{puzzle.cols}/{puzzle.rows}/{body}"


# ---- Loopy and puzzle-loop -----------------------------------------------------------------


def _read_loopy(text: str) -> Puzzle:
    head = re.compile(r"\s*(\d{1,4})\s*[xX]\s*(\d{1,4})(t\d+)?(d[a-z])?:").match(text)
    if head is None:
        _wrong(text, len(text) - len(text.lstrip()), "expected COLSxROWSt0: and the clues")
    if head[3] not in (None, "t0"):
        _wrong(text, head.start(3), f"grid type {head[3]}; expected t0, the square grid")
    cols, rows = int(head[1]), int(head[2])
    _size(text, head.start(1), rows, cols)
    clues = _body(text, head.end())
    if len(clues) != rows * cols:
        _wrong(text, len(text.rstrip()), f"{len(clues)} cells; expected {rows * cols}")
    return Puzzle(rows, cols, tuple(clues))


def _read_task(text: str) -> Puzzle:
    clues = _body(text, len(text) - len(text.lstrip()))
    side = round(len(clues) ** 0.5)
    rows, cols = (30, 25) if len(clues) == 750 else (side, side)  # sizes of puzzle-loop.com
    if rows * cols != len(clues):
        what = f"{len(clues)} cells do not make a square; expected a size first, such as 5x7:"
        _wrong(text, 0, what)
    _size(text, 0, rows, cols)
    return Puzzle(rows, cols, tuple(clues))


def _body(text: str, start: int) -> list[int]:
    clues: list[int] = []
    for at in range(start, len(text.rstrip())):
        clues += _clues(text, at, text[at], _LOOPY, "a clue 0 to 4, or a-z for 1 to 26 blanks")
    return clues


def _write_body(puzzle: Puzzle) -> str:
    letters = _letters(puzzle)
    return re.sub(r"\.{1,26}", lambda run: ascii_lowercase[len(run[0]) - 1], letters)


def _write_loopy(drawing: Drawing) -> str:
    puzzle = drawing.puzzle
    return f"{puzzle.cols}x{puzzle.rows}t0:{_write_body(puzzle)}"


def _write_task(drawing: Drawing) -> str:
    """Write the task, without a size if a reader can work it out."""
    puzzle = drawing.puzzle
    known = puzzle.rows == puzzle.cols or (puzzle.rows, puzzle.cols) == (30, 25)
    body = _write_body(puzzle)
    bare = known and not body.isdigit()  # digits alone would be read as plain text
    return body if bare else f"{puzzle.cols}x{puzzle.rows}:{body}"


# ---- pzprv3 --------------------------------------------------------------------------------


def _read_pzprv3(text: str) -> Drawing:
    """Read a pzprv3 file; rows end with a newline or a slash."""
    words = ((word[0], word.start()) for word in re.finditer(r"[^\s/]+", text))

    def take(expected: str, pattern: str) -> tuple[str, int]:
        """Return the next word and where it is."""
        word, at = next(words, ("", len(text.rstrip())))
        if not word:
            _wrong(text, at, f"the text ends; expected {expected}")
        if re.fullmatch(pattern, word) is None:
            _wrong(text, at, f"found {word!r}; expected {expected}")
        return word, at

    for name in ("pzprv3", "slither"):
        take(repr(name), f"{name}(?:link)?")
    rows = int(take("the number of rows", "[0-9]{1,4}")[0])
    word, at = take("the number of columns", "[0-9]{1,4}")
    cols = int(word)
    _size(text, at, rows, cols)
    clues = [take(_CLUE_OR_DOT, "[0-4.-]")[0] for _ in range(rows * cols)]
    puzzle = Puzzle(rows, cols, tuple(chain(*map(_TEXT.__getitem__, clues))))
    drawn = list(words)
    if not drawn:
        return Drawing.empty(puzzle)
    # First the vertical lines, row by row, then the horizontal ones.
    order = [puzzle.down(row, col) for row in range(rows) for col in range(cols + 1)]
    order += range((rows + 1) * cols)
    states = bytearray(puzzle.lines)
    for line, (word, at) in zip(order, drawn, strict=False):
        if word not in _STATES:
            _wrong(text, at, f"found {word!r}; expected 0, 1 (a line) or -1 (a cross)")
        states[line] = _STATES[word]
    if len(drawn) != puzzle.lines:
        at = drawn[puzzle.lines][1] if len(drawn) > puzzle.lines else len(text.rstrip())
        _wrong(text, at, f"{len(drawn)} line states; expected {puzzle.lines}")
    return Drawing(puzzle, bytes(states))


def _write_pzprv3(drawing: Drawing) -> str:
    puzzle = drawing.puzzle
    across = (puzzle.rows + 1) * puzzle.cols

    names = {state: name for name, state in _STATES.items()}
    states = [names[state] for state in drawing.states]
    lines = [
        *_in_rows(_letters(puzzle), puzzle.cols),
        *_in_rows(states[across:], puzzle.cols + 1),
        *_in_rows(states[:across], puzzle.cols),
    ]
    head = ["pzprv3", "slither", str(puzzle.rows), str(puzzle.cols)]
    return "\n".join([*head, *(" ".join(line) for line in lines)])


FORMATS: dict[str, Callable[[Drawing], str]] = {
    "text": _write_text,
    "lisp": _write_lisp,
    "puzzlink": _write_puzzlink,
    "loopy": _write_loopy,
    "task": _write_task,
    "pzprv3": _write_pzprv3,
}


def _sharing(format: str) -> Callable[[Puzzle, bytes], str]:
    return lambda puzzle, states: write(Drawing(puzzle, states), format).rstrip("\n")


#: What a player can share a puzzle as, by the names that players know.
WRITERS = {
    "puzz.link": _sharing("puzzlink"),
    "Rows of clues": _sharing("text"),
    "Loopy ID": _sharing("loopy"),
    "puzzle-loop.com task": _sharing("task"),
    "pzprv3, with what is drawn": _sharing("pzprv3"),
    "Lisp lists": _sharing("lisp"),
}
