"""The laws can fail: each catches a game made to break it, and names itself and the place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import GameType, Heuristic, games
from plywise.core.game import Record
from plywise.core.scene import Scene
from plywise.core.spec import Spec
from plywise.errors import InvalidPosition, RulesError
from plywise.games.snails.look import PALETTE as OTHER
from plywise.games.tictactoe import GAME
from plywise.games.tictactoe import rules as right
from plywise.testing import (
    LAWS,
    LawBroken,
    check_game,
    check_move_texts,
    check_moves,
    check_turn,
    explained,
    random_games,
    rules,
)
from tests.awkward.book_tree import book_tree
from tests.awkward.coins import COINS, coin_row
from tests.examples.peers import FOLDER as EXAMPLES
from tests.kinds import altered
from tests.trial.broken import RIGHT


def mutant(**verbs: Callable[..., Any]) -> GameType:
    """Tic-Tac-Toe with some of its verbs broken."""
    return replace(GAME, rules=replace(GAME.rules, **verbs))


calls = [0]  #: state that a rule must not have


def endless(b: Record, s: Record) -> bool:
    return bool(s.winner != 0)


def moves_twice(b: Record, s: Record, out: Record) -> int:
    count = right.moves(b, s, out)
    out[count - 1] = out[0]
    return count


def moves_unstable(b: Record, s: Record, out: Record) -> int:
    calls[0] += 1
    count = right.moves(b, s, out)
    if calls[0] % 2:
        out[:count] = out[:count][::-1].copy()
    return count


def moves_too_large(b: Record, s: Record, out: Record) -> int:
    count = right.moves(b, s, out)
    out[:count] += b.cells
    return count


def play_modulo(b: Record, s: Record, move: int) -> None:
    right.play(b, s, move % b.cells)


def margin_of_two(b: Record, s: Record) -> int:
    return 2 * right.margin(b, s)


def turn_from_one(b: Record, s: Record) -> int:
    return s.turn + 1


def setup_forgets_turn(b: Record, s: Record) -> None:
    turn = s.turn
    right.setup(b, s)
    s.turn = turn


def evaluate_writes(b: Record, s: Record) -> int:
    s.score += 1
    return right.evaluate(b, s)


def play_counts_calls(b: Record, s: Record, move: int) -> None:
    calls[0] += 1
    right.play(b, s, move)


def evaluate_by_calls(b: Record, s: Record) -> int:
    return calls[0]


def key_constant(b: Record, s: Record) -> Any:
    return b.hash[0, 0, 0]


def play_notes_last(b: Record, s: Record, move: int) -> None:
    right.play(b, s, move)
    s.marks[right.CELLS - 1] = move  # a cell that small boards do not use


def key_with_last(b: Record, s: Record) -> Any:
    return right.key(b, s) ^ np.uint64(int(s.marks[right.CELLS - 1]) << 40)


def key_without_turn(b: Record, s: Record) -> Any:
    return np.uint64(s.margin + 1000)


def no_bounds(b: Record, s: Record) -> tuple[int, int]:
    return 0, 0


def tempo(b: Record, s: Record) -> int:
    return right.evaluate(b, s) + 1


def corner(b: Record, s: Record) -> int:
    mark = int(s.marks[0])
    sign = 1 if mark == s.turn + 1 else -1
    return right.evaluate(b, s) + (sign if mark else 0)


@plywise.rule
def evaluate_global(b: Record, s: Record) -> int:
    return CHANGING


@plywise.rule
def view_global(b: Record, s: Record, player: int) -> float:
    return float(CHANGING)


@plywise.rule
def view_infinite(b: Record, s: Record, player: int) -> float:
    return float("inf")


CHANGING = 1  #: compiled code keeps the value it saw first


@plywise.rule
def forces_first(b: Record, s: Record, out: Record) -> int:
    right.moves(b, s, out)
    return 1


def from_text_without_turn(b: Record, s: Record, text: str) -> None:
    assert GAME.notation.from_text is not None
    GAME.notation.from_text(b, s, text)
    s.turn = 0


def with_heuristic(function: Callable[..., Any]) -> GameType:
    return altered(GAME, heuristics={"view": Heuristic(function)})


def with_scene(change: Callable[[Scene], Scene]) -> GameType:
    """Tic-Tac-Toe with a picture that is not as it should be."""
    return replace(GAME, scene=lambda position: change(GAME.scene(position)))


def all_played_on(scene: Scene, name: str) -> Scene:
    return replace(
        scene, targets=tuple(replace(target, shapes=(name,)) for target in scene.targets)
    )


BROKEN = [
    ("ends", mutant(over=endless), "no moves in a game that is not over"),
    ("ends", replace(GAME, sizes=lambda b: (b.cells, 4)), "max_plies is 4"),
    ("moves", mutant(moves=moves_twice), "appears twice"),
    ("moves", mutant(moves=moves_unstable), "asked twice"),
    ("moves", mutant(moves=moves_too_large, play=play_modulo), "are not within 0 .. 8"),
    ("facts", mutant(margin=margin_of_two), "the largest is 1"),
    ("turn", mutant(turn=turn_from_one), "the turn is 2"),
    ("setup", mutant(setup=setup_forgets_turn), "turn 0 became 1"),
    ("looking", mutant(evaluate=evaluate_writes), "'evaluate' changed the state"),
    ("copies", mutant(play=play_counts_calls, evaluate=evaluate_by_calls), "evaluation"),
    ("keys", mutant(key=key_constant), "the key of a different position"),
    ("keys", mutant(play=play_notes_last, key=key_with_last), "its key differs"),
    (
        "keys",
        replace(COINS, rules=replace(COINS.rules, key=key_without_turn)),
        "a different position",
    ),
    ("move texts", altered(GAME, move_text=lambda b, move: "a1"), "two are the same"),
    ("move texts", altered(GAME, read_move=lambda b, text: 8 - int(text[1])), "read as"),
    (
        "move texts",
        altered(GAME, move_text=lambda b, move: f"a {move}", read_move=None),
        "is split into",
    ),
    ("position texts", altered(GAME, from_text=from_text_without_turn), "became"),
    ("words", altered(GAME, reason=lambda b, s: ""), "not one line"),
    ("words", altered(GAME, draw=lambda b, s: ""), "draw gave no text"),
    ("words", altered(GAME, sample="z99"), "Words.sample: 'z99'"),
    ("words", replace(COINS, scores=lambda b, s: (0, 1000)), "but the margin is"),
    ("scenes", with_scene(lambda s: replace(s, targets=())), "the targets are []"),
    ("scenes", with_scene(lambda s: replace(s, targets=2 * s.targets)), "the legal moves"),
    ("scenes", with_scene(lambda s: all_played_on(s, "cell b2")), "('cell b2',) stands for both"),
    ("scenes", with_scene(lambda s: all_played_on(s, "no cell")), "must name one or two shapes"),
    ("scenes", with_scene(lambda s: replace(s, shapes=2 * s.shapes)), "ids are used twice"),
    ("scenes", with_scene(lambda s: replace(s, size=(2.0, 2.0))), "not inside the frame (2.0,"),
    ("scenes", with_scene(lambda s: replace(s, palette=OTHER)), "its game has 'ink'"),
    ("scenes", with_scene(lambda s: replace(s, title="\x00")), "not well-formed"),
    ("bounds", mutant(bounds=no_bounds), "but best play ends with"),
    ("evaluation", mutant(evaluate=tempo), "with the other player to move"),
    ("symmetry", mutant(evaluate=corner), "the estimate is"),
    (
        "symmetry",
        altered(GAME, symmetries=lambda b: [[0] * 9]),
        "symmetry 1 of 1 does not have every move once",
    ),
    (
        "symmetry",
        altered(GAME, symmetries=lambda b: [[1, 0, *range(2, 9)]]),
        "symmetry 1 and then symmetry 1 is not in the list",
    ),
    (
        "symmetry",
        altered(GAME, symmetries=lambda b: [list(range(9)), [1, 0, *range(2, 9)]]),
        "under symmetry 2 of 2",
    ),
    ("heuristics", with_heuristic(view_infinite), "not a finite number"),
    ("forced", mutant(forced=forces_first), "with forced moves alone"),
]


@pytest.mark.parametrize(
    ("law", "game", "words"), BROKEN, ids=[f"{law}-{words}" for law, _, words in BROKEN]
)
def test_catches_its_mutant(law: str, game: GameType, words: str) -> None:
    with pytest.raises(LawBroken) as caught:
        LAWS[law](random_games(game, games=20, seed=4))
    assert caught.value.law == law
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{game().spec} breaks the law {law!r}")


@pytest.mark.parametrize(
    ("law", "game"),
    [
        ("compiled", mutant(evaluate=evaluate_global)),
        ("heuristics", with_heuristic(view_global)),
    ],
)
def test_catches_rules_that_compile_to_something_else(
    law: str, game: GameType, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = random_games(game, games=2, seed=4)
    LAWS[law](sample)
    monkeypatch.setitem(globals(), "CHANGING", 2)
    with pytest.raises(LawBroken, match=r"2.* interpreted and .*1.* compiled"):
        LAWS[law](sample)


def test_every_law_has_a_mutant() -> None:
    assert {law for law, _, _ in BROKEN} | {"compiled"} == set(LAWS)


def test_every_law_is_explained() -> None:
    for law in LAWS:
        assert re.fullmatch(r"[A-Z`].{20,100}\.", explained(law)), law


@pytest.mark.parametrize(
    "key",
    [
        RIGHT.replace("range(b.cells):\n        word", "range(2, 7):\n        word"),
        RIGHT.replace("word * np.uint64(2)", "word * np.uint64(2**20)"),  # overflows
    ],
    ids=["without two cells", "overflows"],
)
def test_says_what_differs_between_two_positions_with_one_key(key: str) -> None:
    names: dict[str, Any] = {"__name__": "cell"}
    exec(compile(key, "<cell>", "exec"), names)
    words = r"has the key of a different position, .*: s\.marks\[\d\] is \d there and \d here"
    with np.errstate(over="ignore"), pytest.raises(LawBroken, match=words):
        LAWS["keys"](random_games(names["GAME"], games=20, seed=4))


@pytest.mark.parametrize("finished", [True, False])
def test_says_that_the_key_of_a_game_of_points_leaves_out_the_score(
    finished: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (EXAMPLES / "dots.py").read_text()
    names: dict[str, Any] = {"__name__": "cell"}
    key = "np.uint64(2 * (s.score[0] + 50 * s.score[1]) + s.turn)"
    assert key in text
    exec(compile(text.replace(key, "np.uint64(s.turn)"), "<cell>", "exec"), names)
    game = names["GAME"]
    sample = random_games(replace(game, rules=replace(game.rules, evaluate=None)), games=5)
    if not finished:  # then the same moves must be played to the end
        crowd = [position for position in rules._crowd(sample) if not position.over]
        monkeypatch.setattr(rules, "_crowd", lambda sample: crowd)
    words = r": s\.score\[0\] is .* the margin is .*; is s\.score missing from `key`, or wrong, or"
    with pytest.raises(LawBroken, match=words):
        LAWS["keys"](sample)


@plywise.rule
def key_as_float(b: Record, s: Record) -> Any:
    """A whole number when interpreted; compiled, its type must suit both branches."""
    word = 0.0 if b.cells < 0 else 0
    for cell in range(b.cells):
        word = word * 3 + s.marks[cell]
    return word * 2 + s.turn


def test_catches_a_key_that_is_a_float_when_compiled() -> None:
    game = mutant(key=key_as_float)
    words = r"line \d+ of test_laws.py, in `key_as_float`: it becomes a float when compiled"
    with pytest.raises(RulesError, match=words):
        LAWS["compiled"](random_games(game, games=2, seed=4))


def test_compiled_laws_are_left_out_on_request() -> None:
    told: list[str] = []
    skipped = check_game(GAME, games=2, compiled=False, on_law=told.append)
    assert set(skipped) == {"compiled", "bounds", "heuristics", "forced"}
    assert told == list(LAWS)
    bare = check_game(mutant(bounds=None), games=2, compiled=False)
    assert skipped["bounds"] == bare["compiled"] == "it needs compiled code"
    assert bare["bounds"] == "the game has no bounds"


def test_the_player_to_move_may_stand_anywhere_in_a_position_text() -> None:
    def first_word(b: Record, s: Record) -> str:
        assert GAME.notation.to_text is not None
        board, mover = GAME.notation.to_text(b, s).split()
        return f"{mover} {board}"

    def from_first(b: Record, s: Record, text: str) -> None:
        assert GAME.notation.from_text is not None
        mover, board = text.split()
        GAME.notation.from_text(b, s, f"{board} {mover}")

    game = altered(mutant(evaluate=tempo), to_text=first_word, from_text=from_first)
    with pytest.raises(LawBroken, match="with the other player to move"):
        LAWS["evaluation"](random_games(game, games=3))


def test_says_which_law_and_where() -> None:
    with pytest.raises(LawBroken) as caught:
        check_game(mutant(moves=moves_twice), games=3)
    broken = caught.value
    assert isinstance(broken, AssertionError)
    assert broken.law == "moves"
    assert str(broken).startswith("tictactoe breaks the law 'moves' at the start: a move appears")
    assert broken.position is not None
    assert broken.position.moves == ()


def test_names_the_moves_that_lead_there() -> None:
    with pytest.raises(LawBroken, match=r"tictactoe breaks the law 'turn' after '[abc][123]'"):
        check_turn(random_games(mutant(turn=turn_from_one)))


def test_a_rule_that_raises_breaks_a_law() -> None:
    def raises(b: Record, s: Record, move: int) -> int:
        raise KeyError("oh")

    with pytest.raises(LawBroken, match="the law 'looking': checking it raised KeyError"):
        check_game(mutant(promise=raises))
    with pytest.raises(LawBroken, match="'ends' at the start: playing on raised KeyError"):
        check_game(mutant(play=raises))


def test_a_game_with_the_least_there_is() -> None:
    skipped = check_game(book_tree(3, [3, 12, 8, 2, 4, 6, 14, 5, 2]), games=6)
    assert skipped == {
        "bounds": "the game has no bounds",
        "evaluation": "the game has no evaluation",
        "symmetry": "the game has no symmetries",
        "forced": "the game has no forced moves",
    }


@pytest.mark.parametrize("coins", [1, 8, 16])
def test_a_game_of_points_with_extra_turns(coins: int) -> None:
    assert set(check_game(coin_row(coins, seed=1), games=10)) == {
        "evaluation",
        "symmetry",
        "heuristics",
        "forced",
    }


def test_passes_over_what_cannot_be_swapped() -> None:
    def rigid(b: Record, s: Record, text: str) -> None:
        assert GAME.notation.from_text is not None
        GAME.notation.from_text(b, s, text)
        if s.filled % 2 != s.turn:
            raise ValueError("the count of marks says that the other moves")

    game = altered(GAME, from_text=rigid)
    with pytest.raises(InvalidPosition):
        game().from_text("3/3/3 o")
    reason = LAWS["evaluation"](random_games(game, games=3))
    assert reason == "no position can be set up with the other player to move"


def test_a_law_by_itself_takes_a_spec_a_type_or_a_game() -> None:
    for game in ("tictactoe", GAME, plywise.game("tictactoe")):
        check_moves(random_games(game, games=1, seed=5))


def test_same_seed_same_games() -> None:
    one, two, other = (random_games("connect4", 3, seed) for seed in (1, 1, 2))
    assert [game[-1] for game in one.games] == [game[-1] for game in two.games]
    assert [game[-1] for game in one.games] != [game[-1] for game in other.games]


def test_a_move_that_is_rare_is_read_too() -> None:
    """A pass is legal in few positions, and all of them are looked at for moves that are new."""
    kind = games.load(EXAMPLES / "othello.py")
    usual = kind.notation.read_move
    assert usual is not None

    def read(b: Record, text: str) -> int:
        if text.strip() == "pass":
            raise ValueError("write the name of a place")
        return usual(b, text)

    sample = random_games(altered(kind, read_move=read)(Spec.parse("othello:side=4")), 5, 1, 1)
    with pytest.raises(LawBroken, match=r"after '[a-d1-4 ]+': .*'pass' is not a move"):
        check_move_texts(sample)
