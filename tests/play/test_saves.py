"""Saved games: what is read is what was written, and what is wrong is named with its line."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plywise
from plywise.play.record import Move, Record, Result, TimeControl
from plywise.play.saves import SaveError, from_text, load, save, to_text

TEXT = """\
plywise game 1
; a game among friends
game    connect4
first   human
second  auto:level=3
clock   300 + 2
seed    7

1. 4  2.134 s
2. 4  0.512 s  ; why not
3. 5
undone
4. 3  1.000 s
5. 3
result  player 1 wins, resigned: player 2 resigned
end
"""
RECORD = Record(
    "connect4",
    ("human", "auto:level=3"),
    time=TimeControl(total=300.0, increment=2.0),
    seed=7,
    notes=("a game among friends",),
    moves=(Move("4", 2.134), Move("4", 0.512, "why not"), Move("5")),
    undone=(Move("3", 1.0), Move("3")),
    result=Result(1, "resigned", "player 2 resigned"),
)


def test_the_text_is_as_promised():
    assert to_text(RECORD) == TEXT
    assert from_text(TEXT) == RECORD


def test_the_least_there_can_be():
    text = "plywise game 1\ngame tictactoe\nfirst human\nsecond human\nend\n"
    assert from_text(text) == Record("tictactoe", ("human", "human"))


def test_people_may_write_more_freely():
    text = """\ufeffplywise game 1\r
    ;first note\r
    second\tauto
    game tictactoe
    first   ./me.py
    start 2x/1x1/o2 o
    ; second note

    1.   A3   3 s ;hm
    ; third
    end
    what follows is not read"""
    assert from_text(text.removeprefix("\ufeff")) == Record(
        "tictactoe",
        ("./me.py", "auto"),
        start="2x/1x1/o2 o",
        notes=("first note", "second note", "third"),
        moves=(Move("a3", 3.0, "hm"),),
    )


def test_a_finished_game_knows_its_result_without_being_told():
    text = TEXT[: TEXT.index("clock")] + "".join(
        f"{number}. {move}\n" for number, move in enumerate("1212121", 1)
    )
    result = Result(1, "rules", "four in a line")
    assert from_text(f"{text}end").result == result
    assert from_text(f"{text}result  {result}\nend").result == result


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        ("plywise game 1", "plywise game 2", 1, "a saved game begins with 'plywise game 1', not"),
        ("game    connect4", "game    conect4", 3, "there is no game 'conect4': did you mean"),
        ("game    connect4", "game    connect4:rows=0", 3, "rows=0 will not do"),
        ("game    connect4\n", "", 8, "there is no 'game' before this line"),
        ("first   human\n", "", 8, "there is no 'first' before this line"),
        ("first   human", "first", 4, "nothing is said after 'first'"),
        ("first   human", "first   human:a=1", 4, "human takes no parameters"),
        ("second  auto:level=3", "first  auto", 5, "'first' is given a second time"),
        ("second  auto:level=3", "secnd  auto", 5, "'secnd  auto' is neither a move nor a known "),
        ("clock   300 + 2", "clock   soon", 6, "'soon' is no clock: write '7 a move'"),
        ("seed    7", "seed    x", 7, "'x' is no seed"),
        ("seed    7", "start   hello", 9, "'hello' is no position of connect4"),
        ("1. 4 ", "1. 9 ", 9, "'9' is no move: write the number of a column"),
        ("2. 4 ", "3. 4 ", 10, "move 3 stands where move 2 should"),
        ("2. 4 ", "2. ", 10, "'2.  0.512 s  ; why not' is neither a move"),
        ("3. 5", "3. 5 3", 11, "'3. 5 3' is neither a move nor a known entry"),
        ("3. 5", "seed 5", 11, "'seed' is given a second time"),
        ("3. 5", "start x", 11, "'start' must stand before the moves"),
        ("result  player 1", "result  player 3", 15, "write it as 'player 1 wins, resigned: ...'"),
        ("resigned:", "rules:", 15, "the rules do not end the game after these moves"),
        ("end\n", "6. 3\n", 16, "a move after the result"),
        ("end\n", "", 16, "the file stops here without a last line 'end': it is cut short"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, complaint):
    assert TEXT.count(old) >= 1
    with pytest.raises(SaveError) as caught:
        from_text(TEXT.replace(old, new, 1), "mine.txt")
    assert str(caught.value).startswith(f"mine.txt, line {line}: {complaint}")
    assert "\n" not in str(caught.value)


def test_a_result_that_contradicts_the_moves():
    text = TEXT[: TEXT.index("clock")] + "".join(
        f"{number}. {move}\n" for number, move in enumerate("1212121", 1)
    )
    with pytest.raises(SaveError, match="line 13: the moves end the game otherwise: player 1 wins"):
        from_text(f"{text}result  player 2 wins, rules: four in a line\nend\n")
    with pytest.raises(SaveError, match=r"line 13: '3' cannot be played: the game is over"):
        from_text(f"{text}8. 3\nend\n")


@pytest.mark.parametrize("key", ["game", "first", "second"])
def test_files_can_be_refused(tmp_path, key):
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(tmp_path / 'trace')!r}, 'w')", encoding="utf-8")
    lines = [f"{key}  {file}" if line.startswith(key) else line for line in TEXT.splitlines()]
    with pytest.raises(SaveError, match="names a file, and files are not allowed here"):
        from_text("\n".join(lines), files=False)
    assert not (tmp_path / "trace").exists()


@given(cut=st.integers(0, len(TEXT) - 2))
def test_every_truncation_is_noticed(cut):
    with pytest.raises(SaveError, match=r"^the game, line [0-9]+: [^\n]+$"):
        from_text(TEXT[:cut])


@given(
    place=st.integers(0, len(TEXT)),
    length=st.integers(0, 20),
    junk=st.text(max_size=12) | st.sampled_from(["\n", "9", "1. ", "; ", "undone\n", "end\n"]),
)
@example(place=TEXT.index("7\n"), length=1, junk="9" * 12)
def test_garbled_files_are_read_or_refused_in_one_line(place, length, junk):
    text = TEXT[:place] + junk + TEXT[place + length :]
    complaint, record = "", None
    try:
        record = from_text(text)
    except SaveError as error:
        complaint = str(error)
    assert "\n" not in complaint
    assert record is None or from_text(to_text(record)) == record


LINE = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30).map(
    lambda text: " ".join(text.split())
)
CLOCKS = st.none() | st.builds(
    lambda kind, one, two: TimeControl(move=one / 8) if kind else TimeControl(None, one / 8, two),
    st.booleans(), st.integers(0, 8000), st.integers(0, 60),
)  # fmt: skip


@st.composite
def records(draw):
    game = draw(st.sampled_from(["tictactoe", "connect4:rows=4,cols=5", "tictactoe:rows=5,k=4"]))
    lot = random.Random(draw(st.integers(0, 10**6)))
    position = plywise.game(game).start()
    start = None
    if draw(st.booleans()):
        position = position.after(lot.choice(position.codes))
        start = position.text
        position = plywise.game(game).from_text(start)
    moves = []
    for _ in range(draw(st.integers(0, 20))):
        if position.over:
            break
        position = position.after(lot.choice(position.codes))
        moves.append(Move(position.moves[-1], draw(st.integers(0, 10**6)) / 1000, draw(LINE)))
    kept = draw(st.integers(0, len(moves)))
    result = None
    if kept == len(moves) and position.over:
        result = Result.on_board(position)
    elif draw(st.booleans()):
        result = Result(draw(st.integers(0, 2)), "forfeit", draw(LINE.filter(bool)))
    return Record(
        game,
        draw(st.tuples(*2 * [st.sampled_from(["human", "auto:level=2", "./me.py"])])),
        start,
        draw(CLOCKS),
        draw(st.integers(0, 2**31)),
        tuple(draw(st.lists(LINE, max_size=3))),
        tuple(moves[:kept]),
        tuple(moves[kept:]),
        result,
    )


@given(records())
def test_every_record_makes_the_round_trip(record):
    assert from_text(to_text(record)) == record


# ---- files -----------------------------------------------------------------------------------


def test_a_file_makes_the_round_trip_and_nothing_lies_beside_it(tmp_path):
    file = tmp_path / "game.txt"
    save(RECORD, file)
    save(replace(RECORD, seed=8), file)
    assert load(file) == replace(RECORD, seed=8)
    assert os.listdir(tmp_path) == ["game.txt"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "games").mkdir()
    link, file = tmp_path / "link.txt", tmp_path / "games" / "game.txt"
    link.symlink_to(file)
    save(RECORD, link)
    assert link.is_symlink()
    assert load(file) == RECORD


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot be read: No such file"),
        (b"\x89PNG\xff\xfe", "is not a text file: "),
        (b"", "line 1: a saved game begins with "),
        (b"\0" * 4096, "line 1: a saved game begins with "),
    ],
)
def test_files_that_hold_no_game(tmp_path, content, complaint):
    file = tmp_path / "game.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SaveError, match=f"game.txt,? {complaint}") as caught:
        load(file)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written_leaves_the_old_game(tmp_path):
    file = tmp_path / "game.txt"
    save(RECORD, file)
    with pytest.raises(SaveError, match="cannot be written: "):
        save(RECORD, tmp_path / "nowhere" / "game.txt")
    with pytest.raises(SaveError, match="cannot be written: "):
        save(RECORD, tmp_path)
    with pytest.raises(ValueError, match="format code"):
        save(replace(RECORD, moves=(Move("4", "?"),)), file)  # a fault of ours, while writing
    assert load(file) == RECORD
    assert os.listdir(tmp_path) == ["game.txt"]


WRITER = """
    import sys
    from dataclasses import replace
    from pathlib import Path
    from plywise.play.saves import load, save

    file = Path(sys.argv[1])
    record = load(file)
    for seed in range(10**9):
        save(replace(record, seed=seed, notes=("x" * 10_000,) * 20), file)
        if seed == 5:
            print("going", flush=True)
"""


@pytest.mark.slow
def test_a_kill_in_the_middle_of_saving_never_leaves_a_broken_file(tmp_path):
    file = tmp_path / "game.txt"
    save(RECORD, file)
    lot = random.Random(1)
    for _ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), str(file)], stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"going\n"
        time.sleep(lot.uniform(0.0, 0.02))
        writer.kill()
        writer.communicate()
        assert load(file).moves == RECORD.moves
        assert load(file).seed >= 5


def test_the_module_shows_what_a_file_looks_like():
    from plywise.play import saves

    shown = textwrap.dedent(saves.__doc__.split("\n\n", 1)[1].rpartition("\n\n")[0])
    assert from_text(shown).moves[1].note == "a note about the move"
