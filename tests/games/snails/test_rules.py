"""Snails: the examples of the rules, stuck snails, every way to end, texts, agents, words."""

from __future__ import annotations

import random
import re

import pytest

import plywise
from lab.papers.snails.figures import codes
from plywise import IllegalMove, InvalidMove, InvalidPosition, Position
from plywise.core.scene import scene_of
from plywise.engines import make
from plywise.games.snails.reach import reach
from plywise.games.snails.rules import EVERY
from plywise.kit.cells import cell_text
from plywise.kit.words import number_word
from tests.oracle.snails import Snails

GAME = plywise.game("snails")


def at(position: Position, player: int) -> str:
    """Where a snail is."""
    return cell_text(int(position.state.at[player]), int(position.game.board.cols))


# ---- moves -----------------------------------------------------------------------------------


def test_the_start() -> None:
    start = GAME.start()
    assert (at(start, 0), at(start, 1)) == ("a1", "h8")
    assert start.scores == (1, 1)
    assert start.legal == ("u", "r")
    assert start.text == "7O/8/8/8/8/8/8/X7 0 x"


def test_steps_and_slides_of_player_1_alone() -> None:
    """The other goes down and back up meanwhile: its cells are not in the way."""
    position = GAME.position("rd rd rd")
    assert (at(position, 0), position.scores) == ("d1", (4, 4))
    position = position.play("l").play("u")
    assert (at(position, 0), position.scores) == ("a1", (4, 4))
    position = position.play("r").play("d")
    assert (at(position, 0), position.scores) == ("d1", (4, 4))
    position = position.play("r")
    assert (at(position, 0), position.scores) == ("e1", (5, 4))


def test_a_slide_has_no_stops_on_the_way() -> None:
    #  2 . . . . . . . .
    #  1 X x x x x . . .   c2 cannot be reached in one slide; a2 is beside
    position = GAME.from_text("7O/8/8/8/8/8/8/Xxxxx3 0 x")
    assert position.legal == ("u", "r")
    assert at(position.play("r"), 0) == "e1"
    claimed = position.play("u")
    assert (at(claimed, 0), claimed.scores) == ("a2", (6, 1))


def test_a_slide_ends_before_the_other() -> None:
    #  1 X x x O o x .   the other's snail and its trail end the run
    position = plywise.game("snails:rows=4,cols=7").from_text("7/7/7/XxxOox1 0 x")
    assert at(position.play("r"), 0) == "c1"
    assert position.play("r").play("u").legal == ("u", "l")


def test_no_way_off_the_board_or_over_the_other() -> None:
    #  2 o . . .
    #  1 X O . .   nothing but the other's cells beside: stuck
    position = plywise.game("snails:rows=4,cols=4").from_text("4/4/o3/XO2 0 x")
    assert position.to_move == 2
    assert position.legal == ("u", "r")
    with pytest.raises(IllegalMove, match="'d' is not legal here: the legal moves are u r"):
        GAME.start().play("d")
    with pytest.raises(InvalidMove, match="write a direction: u, r, d or l"):
        GAME.start().play("x")


# ---- stuck -----------------------------------------------------------------------------------


def test_a_stuck_snail_is_skipped() -> None:
    #  4 . . . .
    #  3 . . . .
    #  2 o o . .
    #  1 x X O .   player 2 goes on alone
    position = plywise.game("snails:rows=4,cols=4").from_text("4/4/oo2/xXO1 0 x")
    assert position.to_move == 2
    after = position.play("r")
    assert after.to_move == 2
    assert after.play("u").to_move == 2


def test_slides_alone_can_set_a_snail_free() -> None:
    #  4 o o o o
    #  3 x x x o   from a1 up to a3, right to c3, and d3 is not free but c2 is
    #  2 x o . .
    #  1 X O . .
    position = plywise.game("snails:rows=4,cols=4").from_text("oooo/xxxo/xo2/XO2 0 x")
    assert not position.state.stuck[0]
    assert position.legal == ("u",)


def test_a_cell_beside_the_middle_of_a_run_is_out_of_reach() -> None:
    #  4 o o o o o
    #  3 o o . o o   c3 is beside c2, where no slide stops
    #  2 x x x x X
    #  1 o o o o O
    position = plywise.game("snails:rows=4,cols=5").from_text("ooooo/oo1oo/xxxxX/ooooO 0 x")
    assert position.state.stuck[0]


def test_a_slide_can_shut_the_own_snail_in() -> None:
    #  4 . . . . O
    #  3 . . . . o
    #  2 o x o . .   b3 can be claimed from b2 alone, and no slide from a1 or c1 stops on b1
    #  1 x X x o .
    position = plywise.game("snails:rows=4,cols=5").from_text("4O/4o/oxo2/xXxo1 0 x")
    assert not position.play("u").state.stuck[0]
    for move in "lr":
        slid = position.play(move)
        assert slid.state.stuck[0]
        assert slid.to_move == 2
        assert slid.play("l").to_move == 2


# ---- the end ---------------------------------------------------------------------------------


def test_more_than_half() -> None:
    #  4 x x x .
    #  3 x x x o
    #  2 x X . o   c2 is the ninth of sixteen
    #  1 o o O o
    position = plywise.game("snails:rows=4,cols=4").from_text("xxx1/xxxo/xX1o/ooOo 0 x")
    assert not position.over
    won = position.play("r")
    assert (won.winner, won.reason) == (1, "9 cells to 6, more than half of the board")


def test_a_lead_beyond_all_empty_cells() -> None:
    #  4 O o # .
    #  3 o # # .
    #  2 # # x x
    #  1 x x x X   six to three, and two are empty
    position = plywise.game("snails:rows=4,cols=4").from_text("Oo#1/o##1/##xx/xxxX 0 o")
    assert (position.winner, position.reason) == (1, "6 cells to 3, and 2 left")


def test_both_stuck_with_as_many_cells() -> None:
    #  4 x x o O
    #  3 x x o o
    #  2 x x o o
    #  1 X # # o
    position = plywise.game("snails:rows=4,cols=4").from_text("xxoO/xxoo/xxoo/X##o 0 x")
    assert (position.winner, position.reason) == (0, "7 cells to 7, both snails are stuck")


def test_twenty_plies_without_a_claim() -> None:
    position = GAME.position("rl")
    for _ in range(5):
        for move in ("l", "r", "r", "l"):
            assert not position.over
            position = position.play(move)
    assert position.over
    assert (position.winner, position.reason) == (0, "2 cells to 2, 20 moves without a claim")


def test_a_claim_starts_the_count_again() -> None:
    position = GAME.from_text("6Oo/8/8/8/8/8/8/xX6 19 x")
    assert position.play("u").state.quiet == 0
    assert position.play("l").over


# ---- territory -------------------------------------------------------------------------------


def test_territory_is_shared_out_after_a_move() -> None:
    #  4 . . O o o      b4 cuts the board in two: a4 is player 1's, all the rest player 2's
    #  3 x X o . .
    #  2 o o o . .
    #  1 . . . . .
    position = plywise.game("snails:rows=4,cols=5,territory=yes").from_text("2Ooo/xXo2/ooo2/5 0 x")
    after = position.play("u")
    assert after.text == "xXOoo/xxooo/ooooo/ooooo 0 o"
    assert (after.scores, after.winner) == ((4, 16), 2)
    plain = plywise.game("snails:rows=4,cols=5").from_text(position.text).play("u")
    assert plain.scores == (3, 7)


def test_cells_that_nobody_reaches_become_walls() -> None:
    #  4 O . . . .
    #  3 o o o o o
    #  2 x x x x X   c1 is beside the middle of the run
    #  1 . o . o .
    position = plywise.game("snails:rows=4,cols=5,territory=yes").from_text(
        "O4/ooooo/xxxxX/1o1o1 0 x"
    )
    after = position.play("d")
    assert after.text == "Ooooo/ooooo/xxxxx/xo#oX 0 o"
    assert after.scores == (7, 12)


# ---- texts -----------------------------------------------------------------------------------


def test_the_codes_of_the_paper() -> None:
    game = plywise.game("snails:rows=4,cols=5")
    #  4 . . O o .
    #  1 x X . # #
    position = game.from_text("2Oo1/5/5/xX1## 0 x")
    assert codes(game.board, position.state) == [
        [0, 0, 22, 2, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [1, 11, 0, -1, -1],
    ]
    start = codes(GAME.board, GAME.start().state)  # the paper's board(1, 8) and board(8, 1)
    assert (start[0][7], start[7][0]) == (22, 11)
    assert sum(map(sum, start)) == 33


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("7O/8/8/8/8/8/8/X7 x", "the moves since the last claim"),
        ("7O/8/8/8/8/8/8/X7 21 x", "'21', not 0 to 20"),
        ("7O/8/8/8/8/8/8/X7 0 z", "the side to move"),
        ("7O/8/8/8/8/8/X7 0 x", "this board has 8 rows, not 7"),
        ("7O/8/8/8/8/8/8/X6 0 x", "row 1 has 7 places"),
        ("7O/8/8/8/8/8/8/8 0 x", "there must be one snail X"),
        ("6OO/8/8/8/8/8/8/X7 0 x", "there must be one snail O, not 2"),
        ("7O/8/8/8/8/8/8/Y7 0 x", "row 1 is 'Y7'"),
    ],
)
def test_texts_that_are_no_position(text: str, why: str) -> None:
    with pytest.raises(InvalidPosition, match=why):
        GAME.from_text(text)


@pytest.mark.parametrize("rows", [3, 13])
def test_sides(rows: int) -> None:
    with pytest.raises(plywise.SpecError):
        plywise.game(f"snails:rows={rows}")


# ---- what the engines rely on ----------------------------------------------------------------


def test_nothing_outside_the_reach_is_ever_claimed() -> None:
    """`bounds` rests on this: later slides lead nowhere that could not be got to before."""
    rng = random.Random(7)
    for spec in ("snails:rows=5,cols=6", "snails:rows=4,cols=7,territory=yes"):
        game = plywise.game(spec)
        for _ in range(4):
            position = game.start()
            within: list[set[int]] = [set(range(int(game.board.cells)))] * 2
            while not position.over:
                for player in range(2):
                    words = reach(game.board, position.state, player, EVERY)
                    cells = {
                        64 * w + i for w in range(3) for i in range(64) if int(words[w]) >> i & 1
                    }
                    assert cells <= within[player]
                    within[player] = cells
                position = position.play(rng.choice(position.legal))


def test_the_mirror_image_has_the_same_key() -> None:
    swap = dict(zip("urdl", "ruld", strict=True))
    moves = "ruulrdrdur"
    position = GAME.start()
    mirrored = GAME.start()
    for move in moves:
        if move in position.legal:
            position, mirrored = position.play(move), mirrored.play(swap[move])
            assert position.key == mirrored.key
    #  The plies without a claim are part of the future.
    texts = [f"6Oo/8/8/8/8/8/8/xX6 {quiet} x" for quiet in (0, 3)]
    assert GAME.from_text(texts[0]).key != GAME.from_text(texts[1]).key


# ---- agents ----------------------------------------------------------------------------------


def middle_games(count: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = GAME.start()
        for _ in range(rng.randrange(30)):
            if not position.over:
                position = position.play(rng.choice(position.legal))
        if not position.over:
            found.append(position)
    return found


def reference_of(position: Position) -> Snails:
    reference = Snails(8, 8)
    for move in position.moves:
        reference = reference.play(move)
    return reference


def count_in_time(reference: Snails, player: str) -> int:
    """Score, and empty cells reached in no more moves than the other."""
    other = "o" if player == "x" else "x"
    mine = reference.distances(player, reference.snail[player])
    theirs = reference.distances(other, reference.snail[other])
    reached = [c for c in reference.empty() if c in mine and mine[c] <= theirs.get(c, 999)]
    return reference.score(player) + len(reached)


def test_astar_plays_the_best_child() -> None:
    agent = make("astar", GAME)
    for position in middle_games(6, seed=5):
        reference = reference_of(position)
        analysis = agent.search(position, lines=True)
        children = {move: reference.play(move) for move in position.legal}
        counts = {m: count_in_time(child, reference.mover) for m, child in children.items()}
        assert {line.move: line.score for line in analysis.lines} == counts
        if len(set(counts.values())) == 1:
            scores = {m: child.score(reference.mover) for m, child in children.items()}
            assert scores[analysis.best or ""] == max(scores.values())
        else:
            assert counts[analysis.best or ""] == max(counts.values())


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("7o/6Oo/8/8/8/8/x7/X7 0 x", "r"),  # 'u' counts as much, but only slides
        ("2Oooooo/2ooooo1/8/8/xXxx4/xxxx4/x7/x7 0 x", "u"),  # so do 'r' and 'l'
    ],
)
def test_among_equal_counts_the_higher_score_decides(text: str, best: str) -> None:
    position = GAME.from_text(text)
    found = make("astar", GAME).search(position, lines=True)
    counts = {line.move: line.score for line in found.lines}
    equal = [move for move, count in counts.items() if count == max(counts.values())]
    own = {move: (position.play(move).scores or (0, 0))[0] for move in equal}
    assert [move for move in equal if own[move] == max(own.values())] == [best]
    assert len(equal) > 1
    assert found.best == best


def test_leaves_are_those_of_the_report() -> None:
    for position in middle_games(6, seed=6):
        reference = reference_of(position)
        game, state = position.game, position.state
        for player, letter in enumerate("xo"):
            view = game.heuristic("minimax-astar").function(game.board, state, player)
            assert view == count_in_time(reference, letter)
            (col, row), (other_col, other_row) = (
                reference.snail[letter],
                reference.snail["ox"[player]],
            )
            away = (abs(col - other_col) + abs(row - other_row)) ** 0.5
            view = game.heuristic("euclid").function(game.board, state, player)
            assert view == pytest.approx(reference.score(letter) - away)


@pytest.mark.parametrize("name", ["euclid", "minimax-astar"])
@pytest.mark.parametrize("depth", [1, 3])
def test_they_play_the_moves_of_plain_minimax(name: str, depth: int) -> None:
    agent = make(f"{name}:depth={depth}", GAME)
    plain = make(f"minimax:heuristic={name},depth={depth}", GAME)
    assert agent.name == f"{name}:depth={depth}"
    for position in middle_games(8, seed=7):
        one, two = agent.search(position), plain.search(position)
        assert (one.best, one.score) == (two.best, two.score)


# ---- pictures and words ----------------------------------------------------------------------


def test_a_slide_is_played_on_the_whole_run() -> None:
    position = GAME.from_text("7O/8/8/8/8/8/8/xxxX4 0 x")
    scene = scene_of(position)
    run = next(shape for shape in scene.shapes if shape.id == "way l")
    left, top, right, bottom = run.box
    assert right - left > 2.5
    assert bottom - top < 1
    target = next(target for target in scene.targets if target.move == "l")
    cells = {shape.id: shape.centre for shape in scene.shapes}
    assert target.at == cells["cell a1"]
    assert scene.hub == cells["cell d1"]


def test_what_moved_is_one_motion() -> None:
    scene = scene_of(GAME.position("rdrdl"))
    assert scene.motion is not None
    assert scene.motion.kind == "slide"
    assert scene.motion.shapes[0] == "snail x"
    cells = {shape.id: shape.centre for shape in scene.shapes}
    assert (scene.motion.start, scene.motion.end) == (cells["cell c1"], cells["cell a1"])


def test_land_and_lost_cells_are_marked() -> None:
    #  4 O . . . .   row 4 is player 2's alone
    #  3 o o o o o
    #  2 x x x x X
    #  1 . o . o .   a1 and e1 are player 1's, c1 is nobody's
    game = plywise.game("snails:rows=4,cols=5")
    scene = scene_of(game.from_text("O4/ooooo/xxxxX/1o1o1 0 x"))
    marked = {
        shape.id: shape.owner for shape in scene.shapes if shape.id.startswith(("land", "dead"))
    }
    land = {f"land {cell}": 1 for cell in ("b4", "c4", "d4", "e4")}
    assert marked == {**land, "land a1": 0, "land e1": 0, "dead c1": None}


def words_for(position: Position, move: str) -> list[str]:
    reasons = position.game.type.words.reasons
    assert reasons is not None
    return list(reasons(position.game.board, position.state, position.code_of(move)))


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("xxx1/xxxo/xX1o/ooOo 0 x", "r", ["wins at once, 9 cells to 6"]),
        #  4 . . . .        the step to c2 leaves player 2 nothing
        #  3 x x x x
        #  2 x X . o
        #  1 . . # O
        (
            "4/xxxx/xX1o/2#O 0 x",
            "r",
            ["traps the opponent for good, with six empty cells left for you"],
        ),
        #  4 . . . O        only b3 holds the two apart
        #  3 x X . #
        #  2 # # # #
        #  1 . . . .
        ("2oO/xX##/####/4 0 x", "u", ["traps the opponent for good"]),
    ],
)
def test_words_for_the_weightiest(text: str, move: str, words: list[str]) -> None:
    position = plywise.game("snails:rows=4,cols=4").from_text(text)
    found = words_for(position, move)
    assert [each[: len(word)] for each, word in zip(found, words, strict=False)] == words


def test_words_for_the_move_itself() -> None:
    position = GAME.from_text("7O/8/8/8/8/8/8/xxxX4 0 x")
    assert words_for(position, "l")[-1] == "slides to a1, next to a2"
    assert words_for(position, "u")[-1] == "claims d2"


@pytest.mark.slow
@pytest.mark.parametrize("games", [4, pytest.param(6, marks=pytest.mark.long)])
def test_every_word_is_true(games: int) -> None:
    """Each kind of reason against the slow reference, which knows only moves and distances."""
    rng = random.Random(9)
    game = plywise.game("snails:rows=4,cols=5")
    seen: set[str] = set()
    for _ in range(games):
        position, reference = game.start(), Snails(4, 5)
        while not position.over:
            me = reference.mover
            other = "o" if me == "x" else "x"
            before = within(reference, other)
            for move in position.legal:
                after = reference.play(move)
                mine, theirs = within(after, me), within(after, other)
                for words in words_for(position, move):
                    kind = re.sub(r"\b(\d+|[a-z]\d)\b.*| empty cell.*", "", words).rstrip(":, ")
                    kind = " ".join(kind.split()[:2])
                    seen.add(kind)
                    if kind == "wins at":
                        assert after.over()
                        assert after.score(me) > after.score(other)
                    elif kind == "traps the":
                        assert after.stuck(other)
                        assert not reference.stuck(other)
                        assert f"{number_word(len(mine))} empty cell" in words
                    elif kind == "splits the":
                        assert not mine & theirs
                        assert within(reference, me) & before
                        assert f"{number_word(len(mine))} empty cell" in words
                        assert words.endswith(f"{number_word(len(theirs))} for the opponent")
                    elif kind.startswith("puts"):
                        lost = (before & after.empty()) - theirs
                        assert f"puts {number_word(len(lost))} empty cell" in words
                    elif kind.startswith("keeps"):
                        rivals = [reference.play(m) for m in position.legal if m != move]
                        assert all(len(within(rival, me)) < len(mine) for rival in rivals)
            move = rng.choice(position.legal)
            position, reference = position.play(move), reference.play(move)
    assert {"wins at", "traps the", "splits the", "reaches more"} <= seen


def within(reference: Snails, player: str) -> set[tuple[int, int]]:
    """The empty cells that a snail can get to."""
    known = reference.distances(player, reference.snail[player])
    return set(known) & reference.empty()
