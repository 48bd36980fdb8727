"""Make Way: claims, the end, texts, the paper's agent, words, pictures, saves."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import IllegalMove, InvalidMove, InvalidPosition, Position
from plywise.core.engine import unguarded
from plywise.core.scene import Line, Shape, marks_of, scene_of
from plywise.engines import make
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.textbook import Textbook
from plywise.games.makeway import agents, ways
from plywise.games.makeway.board import graph_of
from plywise.play.hints import hint
from plywise.play.records.files import SaveError
from plywise.play.records.game_record import HUMAN, GameRecord, Move
from plywise.play.records.saves import from_json, from_text, load, save, to_json, to_text
from plywise.play.session import Session
from plywise.views import draw_text, marked
from plywise.views.text import Terminal
from plywise.web.api.analysis import hint_json
from tests.oracle.makeway import short_wins

#     1 --- 3         a ladder: two ways from 0 to 5, and two rungs
#    / |     | \
#   0  |     |  5
#    \ |     | /
#     2 --- 4
LADDER = plywise.game("makeway:board=0/2_2/0_2/4_4/0_4/4_6/2:0-1_0-2_1-2_1-3_2-4_3-4_3-5_4-5")
#: 8 dots and 13 lines: a draw, although who joins them in the switching game wins moving first.
NEUTRAL = (
    "makeway:board=0/2_1/0_1/4_2/2_4/2_3/4_4/4_6/2:"
    "4-7_4-6_0-2_3-4_4-5_3-5_0-3_6-7_1-2_2-3_3-6_1-3_0-1"
)
GAME = plywise.game("makeway")


# ---- claims and the end ----------------------------------------------------------------------


def test_the_start() -> None:
    start = LADDER.start()
    assert start.legal == ("0-1", "0-2", "1-2", "1-3", "2-4", "3-4", "3-5", "4-5")
    assert (start.text, start.to_move) == ("8 x", 1)
    assert LADDER.max_plies == LADDER.max_moves == 8


def test_the_first_to_join_the_big_dots_wins() -> None:
    position = LADDER.position("0-1 0-2 1-3 2-4 3-5")
    assert (position.winner, position.reason) == (1, "the big dots are joined")
    second = LADDER.position("3-4 0-2 1-3 2-4 0-1 4-5")
    assert second.winner == 2


def test_lines_not_in_order_join_as_well() -> None:
    position = LADDER.position("3-5 0-2 0-1 2-4 1-3")
    assert position.winner == 1


def test_a_draw_as_soon_as_neither_can_join_them() -> None:
    #  x has both lines of the start, o both of the end, and five lines are left
    position = plywise.game(f"{LADDER.spec}_1-4").position("0-1 3-5 0-2")
    assert [int(cut) for cut in position.state.cut] == [0, 1]
    drawn = position.play("4-5")
    assert (drawn.winner, drawn.reason) == (0, "nobody can join the big dots any more")
    assert drawn.state.left == 5
    assert drawn.legal == ()


def test_one_side_cut_off_plays_on_for_a_draw() -> None:
    position = LADDER.position("0-1 1-2 0-2")
    assert [int(cut) for cut in position.state.cut] == [0, 1]
    assert not position.over
    assert position.game.rules.bounds(position.game.board, position.state) == (0, 1)
    drawn = position.play("3-5").play("1-3").play("4-5")
    assert (drawn.winner, drawn.reason) == (0, "nobody can join the big dots any more")
    assert len(drawn.moves) == 6


def test_a_full_board_is_a_draw_at_the_latest() -> None:
    rng = random.Random(4)
    game = plywise.game(NEUTRAL)
    ends = set()
    for _ in range(200):
        position = game.start()
        while not position.over:
            position = position.play(rng.choice(position.legal))
        ends.add(position.reason)
        assert position.state.left > 0 or position.winner or all(position.state.cut)
    assert "nobody can join the big dots any more" in ends
    assert "the big dots are joined" in ends


def test_moves_that_will_not_do() -> None:
    start = LADDER.start()
    assert start.code_of("3-1") == start.code_of("1-3")
    with pytest.raises(InvalidMove, match="write the two dots of a line, such as 3-17"):
        start.play("1")
    with pytest.raises(InvalidMove, match="there is no dot 6: the dots go from 0 to 5"):
        start.play("0-6")
    with pytest.raises(InvalidMove, match="no line joins 0 and 5: the lines from 0 go to 1 2"):
        start.play("0-5")
    with pytest.raises(IllegalMove, match="'1-0' is not legal here"):
        start.play("0-1").play("1-0")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8", "the side to move"),
        ("8 z", "the side to move"),
        ("7 x", "row 1 has 7 places, the board has 8 in all"),
        ("7y x", "row 1 is '7y'"),
        ("xo1xo1xo x", "both players have joined"),
    ],
)
def test_texts_that_are_no_position(text: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        LADDER.from_text(text)


def test_a_set_up_position_knows_who_is_cut_off_and_who_has_won() -> None:
    assert [int(cut) for cut in LADDER.from_text("oo6 x").state.cut] == [1, 0]
    assert LADDER.from_text("x2x2x1 o").winner == 1


# ---- searches --------------------------------------------------------------------------------


def test_the_neutral_example_is_a_draw() -> None:
    assert plywise.solve(plywise.game(NEUTRAL).start()).outcome == "draw"


def test_the_ladder_is_a_draw_and_with_one_line_more_a_win() -> None:
    assert plywise.solve(LADDER.start()).outcome == "draw"
    assert plywise.solve(plywise.game(f"{LADDER.spec}_1-4").start()).outcome == "win"


# ---- the paper's agent ----------------------------------------------------------------------


def series_value(position: Position, player: int, stage: int) -> float:
    """The paper's sum, by hand: series, their reach, the doubled ones, lengths in x."""
    b = position.game.board
    lines = [tuple(map(int, b.ends[line])) for line in ways.own_lines(b, position.state, player)]
    value = sum(abs(float(b.x[low] - b.x[high])) for low, high in lines)
    if stage == 1:
        return value
    series: list[set[int]] = []
    for line in lines:
        touched = [one for one in series if one & set(line)]
        series = [one for one in series if one not in touched] + [set(line).union(*touched)]
    last = int(b.dots) - 1
    start_pos = max([max(one) for one in series if 0 in one], default=0)
    end_pos = min([min(one) for one in series if last in one], default=last)
    if stage >= 4:
        start_pos, end_pos = start_pos - 2, end_pos + 2
    for one in series:
        low, high = min(one), max(one)
        reach = (high - low) ** (1.4 if stage >= 5 and one & {0, last} else 1.3)
        inside = start_pos <= low and high <= end_pos
        value += 2 * reach if stage >= 3 and inside else reach
    return value


@pytest.mark.parametrize("stage", range(1, 9))
def test_every_term_of_the_score(stage: int) -> None:
    rng = random.Random(5)
    game = plywise.game("makeway:dots=8,lines=14")
    score = agents.scoring(stage).function
    seen = set()
    for _ in range(60 if stage == 8 else 20):
        position = game.start()
        while not position.over:
            s = position.state
            cut = tuple(bool(side) for side in s.cut)
            seen.add(cut)
            mine, theirs = (series_value(position, player, stage) for player in range(2))
            want = (10 if stage >= 7 else 1) * mine - theirs
            if cut[1]:
                want += 100_000
            if cut[0]:
                want = -100_000 + (-5 * theirs if stage == 8 else want)
            assert score(game.board, s, 0) == pytest.approx(want)
            position = position.play(rng.choice(position.legal))
    assert seen == {(False, False), (True, False), (False, True)}


def test_every_stage_differs_from_the_one_before() -> None:
    """In some position of a few random games; stage 6 differs in what it plays."""
    rng = random.Random(6)
    told = {stage: agents.scoring(stage).function for stage in (1, 2, 3, 4, 5, 7, 8)}
    apart = set()
    for _ in range(10):
        position = plywise.game("makeway:dots=8,lines=14").start()
        while not position.over:
            values = [told[n](position.game.board, position.state, 0) for n in sorted(told)]
            apart |= {n for n, (a, b) in enumerate(itertools.pairwise(values)) if a != b}
            position = position.play(rng.choice(position.legal))
    assert apart == set(range(len(told) - 1))


def test_the_first_stage_takes_the_longest_line_and_does_not_secure_the_big_dots() -> None:
    position = GAME.start()
    b = GAME.board
    longest = max(range(int(b.lines)), key=lambda line: b.x[b.ends[line, 1]] - b.x[b.ends[line, 0]])
    first = make("seed:depth=1,stage=1", GAME)
    assert first.name == "seed:depth=1,stage=1"
    assert first.search(position).best == GAME.type.notation.move_text(b, longest)
    # Four turns without a line at a big dot: stage 6 takes one now, stage 5 goes on.
    dull = [text for text in position.legal if not {"0", "26"} & set(text.split("-"))]
    position = GAME.position(dull[::3][:8])
    due = agents.due_lines(position)
    assert due
    best = {stage: position.code_of(make(f"seed:depth=1,stage={stage}", GAME).search(position).best)
            for stage in (5, 6)}  # fmt: skip
    assert best[6] in due
    assert best[5] not in due


def test_it_wins_at_once_and_blocks() -> None:
    seed = make("seed", LADDER)
    assert seed.search(LADDER.position("0-1 0-2 1-3 2-4")).best == "3-5"
    assert seed.search(LADDER.position("3-4 0-2 1-2 2-4")).best == "4-5"


def test_a_win_counts_a_million_and_a_draw_nothing() -> None:
    """A win counts less the plies that it takes."""

    def value(position: Position, depth: int) -> float:
        search = unguarded(make("textbook:heuristic=seed", position.game))
        assert isinstance(search, Textbook)
        return search.run(position, depth, Run(NO_LIMITS)).value

    won = LADDER.position("0-1 0-2 1-3 2-4")
    assert value(won, 1) == value(won, 3) == 1_000_000 - 1
    drawn = plywise.game(NEUTRAL).start()
    assert value(drawn, 13) == 0


@pytest.mark.parametrize("number", range(6))
def test_it_secures_both_big_dots_within_five_turns(number: int) -> None:
    game = plywise.game(f"makeway:seed={number}")
    seed, rng = make("seed", game), random.Random(number)
    position = game.start()
    while len(position.moves) < 10:
        best = seed.search(position).best if position.turn == 0 else rng.choice(position.legal)
        assert best is not None
        position = position.play(best)
    own = {int(d) for line in ways.own_lines(game.board, position.state, 0)
           for d in game.board.ends[line]}  # fmt: skip
    assert {0, 26} <= own or position.state.cut[1]  # a decided game comes first


# ---- words -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_reasons_are_true() -> None:
    """Each kind is checked by playing it out."""
    rng = random.Random(6)
    told = set()
    for spec in ("makeway:dots=6,lines=12", "makeway:dots=10,lines=18", NEUTRAL):
        game = plywise.game(spec)
        give = game.type.words.reasons
        assert give is not None
        for _ in range(3):
            position = game.start()
            while not position.over:
                for move, text in zip(position.legal_codes, position.legal, strict=True):
                    for reason in give(game.board, position.state, move):
                        if not isinstance(reason, str):
                            continue  # a shape that shows what the words say
                        told.add(" ".join(reason.split()[:2]))
                        assert holds(position, text, reason), f"{position!r} {text}: {reason}"
                position = position.play(rng.choice(position.legal))
    assert told >= {
        "joins two", "takes the", "cuts the", "threatens to", "makes the", "leaves you",
        "leaves the", "two separate", "is your", "extends your", "ends the",
    }  # fmt: skip


def winning(position: Position, player: int) -> set[str]:
    """The free lines with which a player would win, were it his turn."""
    text = f"{position.text[:-1]}{'xo'[player]}"
    there = position.game.from_text(text)
    return {move for move in there.legal if there.play(move).winner == player + 1}


def holds(position: Position, move: str, reason: str) -> bool:
    me, other = position.turn, 1 - position.turn
    after = position.play(move)
    if reason == "joins the two big dots and wins":
        return after.winner == me + 1
    if reason.startswith("ends the game in a draw"):
        return after.winner == 0
    if reason == "takes the line that would win for the opponent":
        return move in winning(position, other)
    if reason.startswith("cuts the opponent off"):
        return bool(after.state.cut[other]) and not position.state.cut[other]
    if reason.startswith("threatens to win with"):
        lines = winning(after, me)
        return len(lines) > 0 and all(line in reason for line in lines)
    if reason.startswith("takes the line that would give the opponent two"):
        theirs = position.game.from_text(f"{position.text[:-1]}{'xo'[other]}").play(move)
        return len(winning(theirs, other)) > 1
    if reason.startswith("two separate sets of lines guarantee your connection"):
        assert ("unless the opponent wins first" in reason) != bool(after.state.cut[other])
        lines = reason[reason.index("(") + 1 : reason.index(")")]
        first, _, second = lines.partition(" and ")
        return " each" in lines or guarantee(after, me, [first.split(), second.split()])
    if reason.startswith("leaves the opponent too few lines to force a win"):
        return len(after.legal) > 7 or not switching(after, other)
    if reason == "joins two groups of your lines":
        before, now = (parts(one, me) for one in (position, after))
        return len(now) == len(before) - 1
    if reason == "extends your lines":
        return len(parts(position, me)) == len(parts(after, me))
    if reason.startswith("is your first line at"):
        return any(dot in move.split("-") for dot in ("0", str(int(position.game.board.dots) - 1)))
    return reason.startswith(("makes the opponent need", "leaves you"))  # the oracle's distances


def guarantee(position: Position, player: int, trees: list[list[str]]) -> bool:
    """Two trees of free lines, none in both, over the same parts, the big dots among them."""
    part = [int(at) for at in position.state.part[player, : int(position.game.board.dots)]]
    spanned = []
    for tree in trees:
        joined: dict[int, set[int]] = {}
        for line in tree:
            low, high = (part[int(dot)] for dot in line.split("-"))
            ends = [joined.get(at, {at}) for at in (low, high)]
            if ends[0] is ends[1] or low == high:
                return False
            both = ends[0] | ends[1]
            joined |= dict.fromkeys(both, both)
        spanned.append(set(joined))
        if any(each != spanned[-1] for each in joined.values()):
            return False
    separate = not set(trees[0]) & set(trees[1]) and {*trees[0], *trees[1]} <= set(position.legal)
    return separate and spanned[0] == spanned[1] >= {part[0], part[-1]}


def switching(position: Position, player: int) -> bool:
    """Does a player who begins join the big dots, if the other only cuts? By brute force."""
    lines = list(graph_of(position.game.board).lines)
    own = [int(position.state.own[each, 0]) for each in (player, 1 - player)]
    return short_wins(lines, int(position.game.board.dots) - 1, *own, short_moves=True)


def parts(position: Position, player: int) -> list[set[int]]:
    """The dots of a player's series."""
    found: dict[int, set[int]] = {}
    for dot in range(int(position.game.board.dots)):
        found.setdefault(int(position.state.part[player, dot]), set()).add(dot)
    return [dots for dots in found.values() if len(dots) > 1]


# ---- pictures --------------------------------------------------------------------------------


def test_threats_and_the_way_that_won_are_marked() -> None:
    scene = scene_of(LADDER.position("0-1 0-2 1-3 2-4"))
    threats = {shape.id for shape in scene.shapes if "threat" in shape.roles}
    assert threats == {"threat x 3-5", "threat o 4-5"}
    won = scene_of(LADDER.position("0-1 0-2 1-3 2-4 3-5"))
    assert {shape.id for shape in won.shapes if "winning" in shape.roles and shape.owner == 0} == {
        "line 0-1", "line 1-3", "line 3-5"
    }  # fmt: skip
    assert "has made way" in won.description


def test_trees_that_guarantee_the_connection_are_marked() -> None:
    def trees(shapes: Iterable[Shape]) -> list[list[str]]:
        found = [shape.id.split() for shape in shapes if shape.id.startswith("tree")]
        return [[line for _, which, line in found if which == number] for number in "12"]

    start = GAME.start()
    marks = marks_of(start, "0-6")
    assert guarantee(start.play("0-6"), 0, trees(marks))
    assert trees(marked(start, why=marks).shapes) == trees(marks)
    ladder = plywise.game(f"{LADDER.spec}_1-4").start()
    told = hint(ladder)
    assert guarantee(ladder.play(told.move), 0, trees(told.marks))
    assert hint_json(ladder, told)["marks"][0]["kind"] == "path"
    for which in trees(told.marks):
        assert any(" ".join(which) in reason for reason in told.why)
    assert marks_of(LADDER.start(), "1-2") == ()


def test_lines_of_no_more_use_are_dead() -> None:
    def dead(position: Position) -> set[str]:
        return {shape.id for shape in scene_of(position).shapes if "dead" in shape.roles}

    spur = plywise.game("makeway:board=0/0_2/2_2/4_4/0:0-1_0-3_1-2_1-3")
    assert dead(spur.start()) == {"line 1-2"}
    assert dead(LADDER.start()) == set()


def test_where_to_click() -> None:
    scene = scene_of(GAME.start())
    areas = {shape.id: shape for shape in scene.shapes if shape.roles == ("area",)}
    for target in scene.targets:
        area = areas[target.shapes[0]]
        assert isinstance(area, Line)
        assert target.at == pytest.approx(area.centre)


def test_boards_of_any_scale_fill_their_picture() -> None:
    wide = plywise.game("makeway:board=0/0_400/300_900/10:0-1_1-2")
    scene = scene_of(wide.start())
    assert 8 <= scene.size[0] <= 12


def test_the_terminal_draws_lines() -> None:
    scene = scene_of(LADDER.position("0-1 0-2"))
    plain = draw_text(scene)
    assert "xxx" in plain
    assert "ooo" in plain
    assert "..." in plain
    fine = draw_text(scene, Terminal(unicode=True, colours="truecolor", marks=True, width=60))
    assert any(0x2800 < ord(letter) < 0x2900 for letter in fine)
    pointed = draw_text(scene, Terminal(marks=True, width=60), cursor="1-3")
    assert "#" in pointed
    for place in (Terminal(), Terminal(marks=True, width=40, height=20)):
        assert all(len(line) <= (place.width or 78) for line in draw_text(scene, place).split("\n"))


# ---- saves -----------------------------------------------------------------------------------


def test_a_saved_game_holds_the_whole_board(tmp_path: Path) -> None:
    record = GameRecord("makeway:seed=7", (HUMAN, "seed"), moves=(Move("0-4"), Move("8-15")))
    save(record, tmp_path / "a.game")
    text = (tmp_path / "a.game").read_text()
    assert f"game    {plywise.game('makeway:seed=7').whole_spec}\n" in text
    assert load(tmp_path / "a.game") == record
    assert from_json(to_json(record)) == record
    assert to_json(record)["game"] == plywise.game("makeway:seed=7").whole_spec


def test_a_game_that_is_reopened_goes_on_in_the_same_way(tmp_path: Path) -> None:
    def played_on(record: GameRecord) -> tuple[str, ...]:
        with Session(record) as session:
            while session.result is None:
                session.think()
            return session.position.moves

    record = GameRecord("makeway:dots=8,seed=3", ("seed", "random"), moves=(Move("0-1"),), seed=5)
    save(record, tmp_path / "b.game")
    assert played_on(load(tmp_path / "b.game")) == played_on(record)


def test_a_damaged_board_in_a_save_is_refused_by_its_entry() -> None:
    record = GameRecord("makeway:dots=4,lines=8,seed=3", (HUMAN, HUMAN))
    text = to_text(record)
    for old, new, why in (
        (":0-1_", ":0-9_", r"line 2: board=.* lines\[0\] names dot 9"),
        ("_0-2_", "_0-1_", r"line 2: board=.* lines\[1\] repeats lines\[0\]: 0-1"),
        ("0/2.5_", "x_", r"line 2: board=.* dots\[0\] is 'x', not x/y"),
    ):
        assert old in text
        with pytest.raises(SaveError, match=why):
            from_text(text.replace(old, new, 1))


def test_files_named_in_a_save_are_not_for_servers() -> None:
    text = "plywise game 1\ngame makeway:file=/etc/hostname\nfirst human\nsecond human\nend\n"
    with pytest.raises(SaveError, match="names a file, and files are not allowed here"):
        from_text(text, files=False)
    data = {"plywise": 1, "game": "makeway:file=/etc/hostname", "players": ["human", "human"]}
    with pytest.raises(SaveError, match="names a file, and files are not allowed here"):
        from_json(data, files=False)


def test_states_are_small() -> None:
    """Searches copy one for every node."""
    assert np.zeros(1, GAME.type.state).nbytes <= 192
