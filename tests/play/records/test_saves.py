"""Saved games: what is read is what was written, and what is wrong is named with its line."""

from __future__ import annotations

import json
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
from plywise.play.records.files import SaveError
from plywise.play.records.game_record import (
    Branch,
    Branches,
    GameRecord,
    Move,
    Result,
    TimeControl,
    follows,
    with_branch,
)
from plywise.play.records.saves import from_json, from_text, load, save, to_json, to_text
from tests.awkward import every_awkward_game

LONGEST = 400  #: moves of an awkward game; more only take time

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
branch
2. 3  ; better
3. 3
branch
6. 1
result  player 1 wins, resigned: player 2 resigned
end
"""
RECORD = GameRecord(
    "connect4",
    ("human", "auto:level=3"),
    time=TimeControl(total=300.0, increment=2.0),
    seed=7,
    notes=("a game among friends",),
    moves=(Move("4", 2.134), Move("4", 0.512, "why not"), Move("5")),
    undone=(Move("3", 1.0), Move("3")),
    result=Result(1, "resigned", "player 2 resigned"),
    branches=(
        Branch(1, (Move("3", note="better"), Move("3"))),
        Branch(5, (Move("1"),)),
    ),
)


def test_the_text_is_as_promised():
    assert to_text(RECORD) == TEXT
    assert from_text(TEXT) == RECORD


def test_the_least_there_can_be():
    text = "plywise game 1\ngame tictactoe\nfirst human\nsecond human\nend\n"
    assert from_text(text) == GameRecord("tictactoe", ("human", "human"))


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
    assert from_text(text.removeprefix("\ufeff")) == GameRecord(
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
        ("game    connect4", "game    connect4:rows=0", 3, "rows=0 is not valid"),
        ("game    connect4\n", "", 8, "'game' is missing before this line"),
        ("first   human\n", "", 8, "'first' is missing before this line"),
        ("first   human", "first", 4, "'first' needs a value"),
        ("first   human", "first   human:a=1", 4, "human takes no parameters"),
        ("second  auto:level=3", "first  auto", 5, "'first' is given twice"),
        ("second  auto:level=3", "secnd  auto", 5, "'secnd  auto' is neither a move nor a known "),
        ("clock   300 + 2", "clock   soon", 6, "'soon' is not a clock: write '7 a move'"),
        ("seed    7", "seed    x", 7, "'x' is not a seed"),
        ("seed    7", "start   hello", 9, "'hello' is not a position of connect4"),
        ("1. 4 ", "1. 9 ", 9, "'9' is not a move: write the number of a column"),
        ("2. 4 ", "3. 4 ", 10, "expected move 2, not move 3"),
        ("2. 4 ", "2. ", 10, "'2.  0.512 s  ; why not' is neither a move"),
        ("3. 5", "3. 5 3", 11, "'3. 5 3' is neither a move nor a known entry"),
        ("3. 5", "seed 5", 11, "'seed' is given twice"),
        ("3. 5", "start x", 11, "'start' must come before the moves"),
        (
            "result  player 1",
            "result  player 3",
            20,
            "'player 3 wins, resigned: player 2 resign",
        ),
        ("resigned:", "rules:", 20, "the rules do not end the game after these moves"),
        ("2. 3  ; better", "7. 3", 16, "a branch must begin with move 1 to 6, not move 7"),
        ("2. 3  ; better", "0. 3", 16, "a branch must begin with move 1 to 6, not move 0"),
        ("2. 3  ; better", "2. 9", 16, "'9' is not a move: write the number of a column"),
        ("2. 3  ; better", "2. 3  1 s", 16, "the moves of a branch have no time"),
        ("3. 3\nbranch", "4. 3\nbranch", 17, "expected move 3, not move 4"),
        ("6. 1\n", "", 19, "the branch before this line has no moves"),
        ("6. 1\n", "branch\n6. 1\n", 19, "the branch before this line has no moves"),
        ("6. 1\n", "6. 1\nundone\n", 20, "'undone' must come before the branches"),
        ("end\n", "branch\n", 21, "'branch' must come before the result"),
        ("end\n", "6. 3\n", 21, "a move cannot come after the result"),
        ("end\n", "", 21, "the file is incomplete: its last line must be 'end'"),
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
    with pytest.raises(SaveError, match="line 13: the moves lead to another result: player 1 wins"):
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
    rng = random.Random(draw(st.integers(0, 10**6)))
    position = plywise.game(game).start()
    start = None
    if draw(st.booleans()):
        position = position.play_code(rng.choice(position.legal_codes))
        start = position.text
        position = plywise.game(game).from_text(start)
    moves = []
    for _ in range(draw(st.integers(0, 20))):
        if position.over:
            break
        position = position.play_code(rng.choice(position.legal_codes))
        moves.append(Move(position.moves[-1], draw(st.integers(0, 10**6)) / 1000, draw(LINE)))
    kept = draw(st.integers(0, len(moves)))
    result = None
    if kept == len(moves) and position.over:
        result = Result.on_board(position)
    elif draw(st.booleans()):
        result = Result(draw(st.integers(0, 2)), "forfeit", draw(LINE.filter(bool)))
    return GameRecord(
        game,
        draw(st.tuples(*2 * [st.sampled_from(["human", "auto:level=2", "./me.py"])])),
        start,
        draw(CLOCKS),
        draw(st.integers(0, 2**31)),
        tuple(draw(st.lists(LINE, max_size=3))),
        tuple(moves[:kept]),
        tuple(moves[kept:]),
        result,
        draw_branches(draw, game, start, moves, rng),
    )


def draw_branches(draw, game, start, moves, rng):
    """A few lines off the main one, in normal form."""
    found: Branches = ()
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(moves)))
        position = (
            plywise.game(game).start() if start is None else plywise.game(game).from_text(start)
        )
        for move in moves[:at]:
            position = position.play(move.text)
        line = []
        for _ in range(draw(st.integers(1, 4))):
            if not position.over:
                position = position.play_code(rng.choice(position.legal_codes[:3]))
                line.append(Move(position.moves[-1], note=draw(LINE)))
        along = follows(moves, at, [move.text for move in line])
        found = with_branch(found, Branch(at + along, tuple(line[along:])))
    return found


@pytest.mark.slow
@given(records())
def test_every_record_makes_the_round_trip(record):
    assert from_text(to_text(record)) == record
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


@every_awkward_game
def test_awkward_games_make_the_round_trip(awkward, monkeypatch):
    """To the end, and with the result that the rules give."""
    game, rng = awkward.make(), random.Random(7)
    position = game.start()
    while not position.over and len(position.moves) < LONGEST:
        position = position.play_code(rng.choice(position.legal_codes))
    result = Result.on_board(position) if position.over else None
    moves = tuple(Move(text) for text in position.moves)
    record = GameRecord(game.spec, ("human", "human"), moves=moves, result=result)

    def make(spec):
        assert str(spec) == game.spec
        return game

    monkeypatch.setattr("plywise.games.make", make)  # most have no spec by which they are found
    again = from_text(to_text(record), make=make)
    assert again == record
    assert from_json(json.loads(json.dumps(to_json(record))), make=make) == record
    replayed = game.position([move.text for move in again.moves])
    assert (replayed, replayed.winner) == (position, position.winner)


def test_branches_are_read_as_they_would_be_kept():
    text = TEXT.replace("6. 1\n", "1. 4\n2. 3\n3. 3\n4. 1  ; longer\nbranch\n2. 3\nbranch\n1. 4\n")
    assert from_text(text).branches == (
        Branch(1, (Move("3", note="better"), Move("3"), Move("1", note="longer"))),
    )


def test_too_many_branches_are_refused(monkeypatch):
    monkeypatch.setattr("plywise.play.records.game_record.MAX_BRANCHES", 1)
    with pytest.raises(SaveError, match="line 20: a game can have at most 1 branches"):
        from_text(TEXT)


# ---- plain data ------------------------------------------------------------------------------

DATA = {
    "plywise": 1,
    "game": "connect4",
    "players": ["human", "auto:level=3"],
    "names": ["", ""],
    "offer": None,
    "start": None,
    "clock": "300 + 2",
    "seed": 7,
    "notes": ["a game among friends"],
    "moves": [
        {"text": "4", "seconds": 2.134, "note": ""},
        {"text": "4", "seconds": 0.512, "note": "why not"},
        {"text": "5", "seconds": 0.0, "note": ""},
    ],
    "undone": [
        {"text": "3", "seconds": 1.0, "note": ""},
        {"text": "3", "seconds": 0.0, "note": ""},
    ],
    "branches": [
        {
            "at": 1,
            "moves": [
                {"text": "3", "seconds": 0.0, "note": "better"},
                {"text": "3", "seconds": 0.0, "note": ""},
            ],
        },
        {"at": 5, "moves": [{"text": "1", "seconds": 0.0, "note": ""}]},
    ],
    "result": {"winner": 1, "how": "resigned", "reason": "player 2 resigned"},
}
SECONDS = "'seconds' must be a number from 0 to 1e9, not"


def test_the_data_are_as_promised():
    assert to_json(RECORD) == DATA
    assert from_json(DATA) == RECORD
    least = {"plywise": 1, "game": "tictactoe", "players": ["human", "human"]}
    assert from_json(least) == GameRecord("tictactoe", ("human", "human"))
    assert from_json({**least, "moves": [{"text": "A1"}]}).moves == (Move("a1"),)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"plywise": 2}, 'a saved game needs the entry "plywise": 1'),
        ({"game": None}, "'game' must be a string, not nothing"),
        ({"game": "conect4"}, "at 'game    conect4': there is no game 'conect4': did you mean"),
        ({"game": "connect4\nend"}, "at 'game    connect4 end': there is no game 'connect4 end'"),
        ({"players": ["human"]}, "a game has 2 players, not 1"),
        ({"players": "human"}, "'players' must be a list, not human"),
        ({"players": ["human", " "]}, "at 'second  ': 'second' needs a value"),
        ({"players": ["human", {}]}, "an entry of 'players' must be a string, not an object"),
        ({"start": "hello"}, "at '1. 4  2.134 s': 'hello' is not a position of connect4"),
        ({"clock": "soon"}, "'soon' is not a clock"),
        ({"seed": -1}, "'seed' must be a whole number, at least 0, not -1"),
        ({"seed": True}, "'seed' must be a whole number, at least 0, not True"),
        ({"sede": 1}, "the game has no 'sede': did you mean 'seed'?"),
        ({"notes": "hm"}, "'notes' must be a list, not hm"),
        ({"moves": [4]}, "an entry of 'moves' must be an object with text, seconds, note, not 4"),
        ({"moves": [{}]}, "an entry of 'moves' has no 'text'"),
        ({"moves": [{"text": "9"}]}, "at '1. 9': '9' is not a move: write the number of a column"),
        ({"moves": [{"text": "4  ; hm"}]}, "'4  ; hm' is not a move: moves have no spaces"),
        ({"moves": [{"text": "4", "seconds": float("nan")}]}, f"{SECONDS} nan"),
        ({"moves": [{"text": "4", "seconds": 10**400}]}, f"{SECONDS} 1000000"),
        ({"moves": [{"text": "4", "seconds": "1"}]}, f"{SECONDS} 1"),
        ({"branches": [{"at": 1}]}, "a branch needs at least one move"),
        ({"branches": [{"at": 1, "moves": []}]}, "a branch needs at least one move"),
        ({"branches": [{"at": 9, "moves": [{"text": "4"}]}]}, "at '10. 4': a branch must begin"),
        ({"result": {"winner": 3, "how": "time", "reason": "x"}}, "at 'result  player 3 wins"),
        ({"result": {"winner": 1, "how": "luck", "reason": "x"}}, "at 'result  player 1 wins"),
        ({"result": "won"}, "'result' must be an object with winner, how, reason, not won"),
    ],
)  # fmt: skip
def test_data_that_will_not_do(changes, complaint):
    with pytest.raises(SaveError) as caught:
        from_json({**DATA, **changes}, "mine")
    message = str(caught.value)
    assert message.startswith((f"mine: {complaint}", f"mine, {complaint}")), message
    assert "\n" not in message


@pytest.mark.parametrize("data", [None, 1, "x", [], [DATA], {}, {1: 2}])
def test_data_that_are_no_game(data):
    with pytest.raises(SaveError, match=r"^the game: the game [^\n]+$"):
        from_json(data)


def test_data_can_be_refused_files(tmp_path):
    for changes in ({"game": "./evil.py"}, {"players": ["human", "./evil.py"]}):
        with pytest.raises(SaveError, match="names a file, and files are not allowed here"):
            from_json({**DATA, **changes}, files=False)


def test_what_no_database_can_hold_is_not_read():
    record = from_json({**DATA, "notes": ["a\0b\ud800\nc"]})
    assert record.notes == ("a b\N{REPLACEMENT CHARACTER} c",)
    assert from_text(TEXT.replace("why not", "w\0h\ud800")).moves[1].note == (
        "w h\N{REPLACEMENT CHARACTER}"
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*DATA, "text", "seconds", "note", "at"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(changes=st.dictionaries(st.sampled_from(list(DATA)), JSON, min_size=1, max_size=3))
def test_garbled_data_are_read_or_refused_in_one_line(changes):
    complaint, record = "", None
    try:
        record = from_json({**DATA, **changes}, files=False)
    except SaveError as error:
        complaint = str(error)
    assert "\n" not in complaint
    assert record is None or from_text(to_text(record)) == record


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
    from plywise.play.records.saves import load, save

    file = Path(sys.argv[1])
    record = load(file)
    for seed in range(10**9):
        save(replace(record, seed=seed, notes=("x" * 10_000,) * 20), file)
        if seed == 5:
            print("going", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, pytest.param(8, marks=pytest.mark.long)])
def test_a_kill_in_the_middle_of_saving_never_leaves_a_broken_file(tmp_path, times):
    file = tmp_path / "game.txt"
    save(RECORD, file)
    rng = random.Random(1)
    for _ in range(times):
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), str(file)], stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"going\n"
        time.sleep(rng.uniform(0.0, 0.02))
        writer.kill()
        writer.communicate()
        assert load(file).moves == RECORD.moves
        assert load(file).seed >= 5


def test_the_module_shows_what_a_file_looks_like():
    from plywise.play.records import saves

    shown = textwrap.dedent(saves.__doc__.split("\n\n", 1)[1].rpartition("\n\n")[0])
    assert from_text(shown).moves[1].note == "a note about the move"
