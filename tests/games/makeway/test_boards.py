"""Boards of Make Way: random, in a word, in a file; what cannot be is refused by its entry."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plywise
from plywise import SpecError, Stop
from plywise.core.analysis import Cancelled, cancellable
from plywise.games.makeway.board import graph_of
from plywise.games.makeway.generate import Wanted, generate
from plywise.games.makeway.graph import (
    Graph,
    GraphError,
    Place,
    from_json,
    from_word,
    read,
    to_json,
    to_word,
    write,
)
from tests.cost import cost, slowness

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

SQUARE = Graph(((0, 3), (2, 1), (2, 5), (4, 3)), ((0, 1), (0, 2), (1, 3), (2, 3)))
USUAL = Wanted.usual(25)


# ---- random ----------------------------------------------------------------------------------


def degrees_between(graph: Graph, one: tuple[int, int], other: tuple[int, int], dot: int) -> float:
    """The angle of two lines at a dot that they share."""

    def direction(line: tuple[int, int]) -> float:
        (x, y), (far_x, far_y) = graph.dots[dot], graph.dots[sum(line) - dot]
        return math.atan2(far_y - y, far_x - x)

    turn = abs(direction(one) - direction(other))
    return math.degrees(min(turn, 2 * math.pi - turn))


def distance(dot: Place, start: Place, end: Place) -> float:
    """How far a dot is from a line; beyond its ends, it is clear of it."""
    (x, y), (ax, ay), (bx, by) = dot, start, end
    length = math.dist(start, end)
    if not 0 < (x - ax) * (bx - ax) + (y - ay) * (by - ay) < length**2:
        return math.inf
    return abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length


def check(graph: Graph, dots: int, low: int, high: int) -> None:
    """Everything that the rules say of a board, found out in another way than it was made."""
    end = dots + 1
    assert len(graph.dots) == dots + 2
    assert low <= len(graph.lines) <= high
    assert [x for x, _ in graph.dots] == sorted(x for x, _ in graph.dots)
    for (x, y), (far_x, far_y) in combinations(graph.dots, 2):
        assert max(abs(x - far_x), abs(y - far_y)) >= 2 - 1e-9
    beside: dict[int, set[int]] = {dot: set() for dot in range(end + 1)}
    for a, b in graph.lines:
        assert a < b
        assert b not in beside[a]
        beside[a].add(b)
        beside[b].add(a)
    assert end not in beside[0]
    assert min(len(near) for near in beside.values()) >= 2
    assert max(sum(far > dot for far in near) for dot, near in beside.items()) <= 4
    reached, waiting = {0}, [0]
    while waiting:
        fresh = beside[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    assert reached == set(range(end + 1))
    for a, b in graph.lines:
        assert math.dist(graph.dots[a], graph.dots[b]) <= 8.5 + 1e-9
        for dot in set(range(end + 1)) - {a, b}:
            assert distance(graph.dots[dot], graph.dots[a], graph.dots[b]) >= 0.6 - 1e-9
    for one, other in combinations(graph.lines, 2):
        for dot in set(one) & set(other):
            assert degrees_between(graph, one, other, dot) >= 13.99


@given(st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_usual_boards(seed: int) -> None:
    check(generate(USUAL, seed), 25, 70, 80)


@pytest.mark.parametrize("seed", range(12))
def test_every_quarter_has_its_share(seed: int) -> None:
    """Some upright and some level line leave 6 or 7 of the 25 small dots in each quarter."""
    small = generate(USUAL, seed).dots[1:-1]

    def quarters(across: float, down: float) -> list[int]:
        count = Counter((x > across, y > down) for x, y in small)
        return sorted(count.values())

    places = ((x, y) for x, _ in small for _, y in small)
    assert any(quarters(x, y) == [6, 6, 6, 7] for x, y in places)


def test_every_dot_lists_its_lines() -> None:
    board = plywise.game("makeway").board
    lines = [tuple(map(int, ends)) for ends in board.ends[: board.lines]]
    for dot in range(int(board.dots)):
        slots = range(int(board.first[dot]), int(board.first[dot + 1]))
        listed = {int(board.by[slot]): int(board.near[slot]) for slot in slots}
        assert listed == {
            line: low + high - dot for line, (low, high) in enumerate(lines) if dot in (low, high)
        }


@pytest.mark.long
def test_hundreds_of_usual_boards() -> None:
    boards = [generate(USUAL, seed) for seed in range(200)]
    for board in boards:
        check(board, 25, 70, 80)
    assert {len(board.lines) for board in boards} == set(range(70, 81))
    assert len(set(boards)) == 200


def check_size(dots: int, seed: int) -> None:
    wanted = Wanted.usual(dots)
    check(generate(wanted, seed), dots, wanted.low, wanted.high)


@given(st.integers(3, 30), st.integers(0, 10**9))
@example(62, 1)
@settings(max_examples=10, deadline=None)
def test_boards_of_many_sizes(dots: int, seed: int) -> None:
    check_size(dots, seed)


@pytest.mark.long
@given(st.integers(3, 62), st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_boards_of_every_size(dots: int, seed: int) -> None:
    check_size(dots, seed)


@given(st.integers(30, 65), st.integers(0, 10**9))
@settings(max_examples=15, deadline=None)
def test_thin_boards_have_as_many_lines_as_asked_for(lines: int, seed: int) -> None:
    check(generate(Wanted(25, lines, lines), seed), 25, lines, lines)


def test_the_same_seed_is_the_same_board_on_every_machine() -> None:
    word = to_word(generate(Wanted(4, 8, 8), 3))
    assert word == ("0/2.5_2/0.7_2.1/4.6_4.4/5.6_6.7/1.9_8.7/3.4:0-1_0-2_1-2_1-4_2-3_3-4_3-5_4-5")
    assert generate(USUAL, 7) == generate(USUAL, 7) != generate(USUAL, 8)


def boards_as_they_were() -> list[tuple[str, str]]:
    lines = Path(__file__).with_name("boards.txt").read_text().splitlines()
    return [(line.rpartition(" ")[0], line.rpartition(" ")[2]) for line in lines if line[0] != "#"]


def test_boards_are_the_same_for_ever() -> None:
    """Saved games name their boards by these numbers."""
    for wish, digest in boards_as_they_were():
        dots, lines, seed = wish.split()
        spec = f"makeway:dots={dots},lines={lines},seed={seed}".replace("lines=-,", "")
        try:
            word = to_word(graph_of(plywise.game(spec).board))
        except SpecError:
            assert digest == "-", spec
        else:
            assert hashlib.sha256(word.encode()).hexdigest()[:16] == digest, spec


@pytest.mark.parametrize(
    "spec", ["dots=62,lines=5", "dots=62,lines=66", "dots=42,lines=44,seed=13", "dots=31,lines=124"]
)
def test_a_board_that_cannot_be_is_refused_within_a_second_of_the_processor(spec: str) -> None:
    """The first of these took five minutes."""

    def refuse() -> None:
        with pytest.raises(SpecError, match=r"works$"):
            plywise.game(f"makeway:{spec}")

    assert cost(refuse) < slowness()


def test_a_board_is_not_made_for_somebody_who_has_gone() -> None:
    """It takes up to a second: a server must not go on with it."""
    stop = Stop()
    with cancellable(stop):
        generate(Wanted.usual(25), 1)
        stop.set()
        with pytest.raises(Cancelled):
            generate(Wanted.usual(25), 1)


@given(st.integers(3, 62), st.integers(5, 128), st.integers(0, 10**9))
@example(62, 5, 1)
@example(62, 128, 1)
@example(3, 128, 1)
@settings(max_examples=15, deadline=None)
def test_what_a_refusal_offers_works(dots: int, lines: int, seed: int) -> None:
    try:
        generate(Wanted(dots, lines, lines), seed)
    except SpecError as refusal:
        offered = int(str(refusal).removesuffix(" works").rpartition("=")[2])
        check(generate(Wanted(dots, offered, offered), seed), dots, offered, offered)


# ---- specs -----------------------------------------------------------------------------------


def test_specs_of_random_boards() -> None:
    game = plywise.game("makeway:dots=10,seed=3")
    assert game.spec == "makeway:dots=10,seed=3"
    assert int(game.board.dots) == 12
    assert len(plywise.game("makeway:lines=45").start().legal) == 45


def test_a_board_in_a_word_is_its_own_spec() -> None:
    game = plywise.game(f"makeway:board={to_word(SQUARE)}")
    assert game.spec == "makeway:board=0/3_2/1_2/5_4/3:0-1_0-2_1-3_2-3"
    assert plywise.game(game.spec) == game
    assert graph_of(game.board) == SQUARE
    assert game.start().legal == ("0-1", "0-2", "1-3", "2-3")


def test_the_whole_spec_holds_the_board_and_is_called_by_its_seed() -> None:
    game = plywise.game("makeway:seed=7")
    assert game.whole_spec.startswith("makeway:seed=7,board=")
    assert plywise.game(game.whole_spec) == game


def test_a_board_that_its_seed_does_not_give_any_more_is_kept_as_it_is() -> None:
    """As it would be if boards were made in another way one day."""
    game = plywise.game(f"makeway:seed=7,board={to_word(SQUARE)}")
    assert game.spec == f"makeway:board={to_word(SQUARE)}"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("makeway:dots=2", "dots=2 is not valid"),
        ("makeway:dots=63", "dots=63 is not valid"),
        ("makeway:lines=129", "lines=129 is not valid"),
        ("makeway:dots=10,lines=90", "lines=[0-9]+ works"),
        ("makeway:board=here", "write dots as x/y_x/y"),
        ("makeway:board=0/0_1/1", "write dots as x/y_x/y"),
        ("makeway:board=0/0_x/1:0-1", r"dots\[1\] is 'x/1', not x/y"),
        ("makeway:board=0/0_nan/1:0-1", r"dots\[1\] is 'nan/1'"),
        ("makeway:board=0/0_1/1:0-1_0", r"lines\[1\] is '0', not two dots"),
        ("makeway:board=0/0_1/1:0-2", r"lines\[0\] names dot 2, but the dots go from 0 to 1"),
        ("makeway:board=0/0_1/1_2/2:0-1", "no path leads from dot 0 to dot 2, the end"),
        ("makeway:file=nowhere.json", "nowhere.json cannot be read: No such file"),
        ("makeway:file=a.json,seed=3", "file and seed cannot be combined"),
    ],
)
def test_specs_that_will_not_do(spec: str, why: str) -> None:
    with pytest.raises(SpecError, match=why) as refused:
        plywise.game(spec)
    assert "\n" not in str(refused.value)


# ---- files -----------------------------------------------------------------------------------


def test_files_make_the_round_trip(tmp_path: Path) -> None:
    board = generate(USUAL, 5)
    write(board, tmp_path / "board.json")
    assert read(tmp_path / "board.json") == board
    game = plywise.game(f"makeway:file={tmp_path / 'board.json'}")
    assert graph_of(game.board) == board
    assert game.spec == f"makeway:board={to_word(board)}"
    write(SQUARE, tmp_path / "square.json")
    own = plywise.game(f"makeway:file={tmp_path / 'square.json'}")
    assert own.spec == f"makeway:board={to_word(SQUARE)}"


@given(st.integers(0, 10**9), st.integers(3, 20))
@settings(max_examples=15, deadline=None)
def test_words_and_json_make_the_round_trip(seed: int, dots: int) -> None:
    board = generate(Wanted.usual(dots), seed)
    assert from_word(to_word(board)) == board
    assert from_json(to_json(board)) == board


def test_a_file_may_say_lines_in_any_order() -> None:
    board = from_json('{"lines": [[3, 2], [2, 0], [3, 1], [1, 0]], "dots": '
                      '[[0, 3], [2, 1], [2, 5], [4, 3.0000001]]}')  # fmt: skip
    assert board == SQUARE


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"lines": [[0, 1], [0, 4]]}, r"lines\[1\] names dot 4, but the dots go from 0 to 3"),
        ({"lines": [[0, 1], [-1, 2]]}, r"lines\[1\] names dot -1"),
        ({"lines": [[0, 1], [1, 3], [1, 0]]}, r"lines\[2\] repeats lines\[0\]: 0-1"),
        ({"lines": [[0, 1], [2, 2]]}, r"lines\[1\] joins dot 2 to itself"),
        ({"lines": [[0, 1], [2, 3]]}, "no path leads from dot 0 to dot 3, the end"),
        ({"lines": []}, "lines has 0 entries: a board has 1 to 128 lines"),
        ({"lines": [[0, 1.0]]}, r"lines\[0\] is \[0, 1.0\], not two dots"),
        ({"lines": [[0, 1, 2]]}, r"lines\[0\] is \[0, 1, 2\], not two dots"),
        ({"lines": [[True, 2]]}, r"lines\[0\] is \[true, 2\], not two dots"),
        ({"lines": {"0": 1}}, '"lines" is missing or not a list'),
        ({"dots": [[0, 0]]}, "dots has 1 entries: a board has 2 to 64 dots"),
        ({"dots": [[0, 3], [2, 1], "c", [4, 3]]}, r'dots\[2\] is "c", not two numbers'),
        ({"dots": [[0, 3], [2, 1], [1e9, 0], [4, 3]]}, r"dots\[2\] is \[1000000000.0, 0\]"),
        ({"dots": [[0, 3], [2, 1], [10**400, 0], [4, 3]]}, r"dots\[2\] is "),
        ({"dots": [[0, 3], [2, 1], [2, 1], [4, 3]]}, r"dots\[2\] has the same place as dots\[1\]"),
        ({"color": "red"}, "unknown entry 'color': a board has"),
    ],
)
def test_files_that_will_not_do(change: dict[str, object], why: str, tmp_path: Path) -> None:
    data = json.loads(to_json(SQUARE)) | change
    file = tmp_path / "board.json"
    file.write_text(json.dumps(data))
    with pytest.raises(SpecError, match=why) as refused:
        plywise.game(f"makeway:file={file}")
    assert str(refused.value).startswith(f"{file}: ")


@pytest.mark.parametrize("text", ["", "[]", "{", "3", '{"dots": []}', "[" * 50_000])
def test_what_is_no_board_at_all(text: str) -> None:
    with pytest.raises(GraphError):
        from_json(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "long.json").write_text(" " * 70_000)
    for name, why in (("bytes.json", "is not a text file"), ("long.json", "more than 64000")):
        with pytest.raises(SpecError, match=why):
            plywise.game(f"makeway:file={tmp_path / name}")
