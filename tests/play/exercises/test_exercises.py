"""Exercises: each has one answer, by two proofs; a run that stops goes on; nonsense is refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import plywise
from plywise.core.analysis import own_moves
from plywise.errors import SpecError
from plywise.jit.kernels import KernelFactory
from plywise.play.exercises import collecting
from plywise.play.exercises.checking import Checker
from plywise.play.exercises.collecting import Choice, collect, least_key
from plywise.play.exercises.exercise import (
    NAME,
    Exercise,
    read_exercises,
    replace_exercises,
    write_exercises,
)
from plywise.play.exercises.making import Maker
from tests.awkward import Awkward, every_awkward_game
from tests.oracle.minimax import margins, minimax
from tests.positions import endings

SPEC = "connect4:rows=5,cols=5"


@pytest.fixture(scope="module")
def game() -> plywise.Game:
    return plywise.game(SPEC)


@pytest.fixture(scope="module")
def some(game: plywise.Game, tmp_path_factory: pytest.TempPathFactory) -> tuple[Exercise, ...]:
    out = tmp_path_factory.mktemp("exercises") / NAME
    collect(game, 12, out, seed=3)
    found = read_exercises(out)
    assert {exercise.game for exercise in found} == {SPEC}
    return found


def test_exercises_are_what_they_say(game: plywise.Game, some: tuple[Exercise, ...]) -> None:
    checker = Checker(game)
    assert len({exercise.name for exercise in some}) == 12
    for exercise in some:
        assert checker.fault(exercise) is None
        assert 1 <= exercise.length <= 6
        assert 600 <= exercise.rating <= 2400
        assert exercise.answer not in exercise.refutations
        assert exercise.themes


def test_plain_minimax_agrees(game: plywise.Game, some: tuple[Exercise, ...]) -> None:
    """Every move, to the length of the exercise: nothing wins sooner, and nothing else wins."""
    minimax = plywise.engine("minimax", game)
    short = [each for each in some if each.goal == "win" and each.length <= 3]
    assert short
    for exercise in short:
        position = exercise.position(game)
        depth = len(exercise.line)
        found = minimax.search(position, plywise.Limits(depth=depth), lines=True)
        wins = [line.move for line in found.lines if line.outcome == "win"]
        assert wins == [exercise.answer]
        assert found.plies_to_end == depth


def other(exercise: Exercise) -> str:
    """Return a wrong move."""
    position = exercise.position(plywise.game(exercise.game))
    return next(move for move in position.legal if move != exercise.answer)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda e: replace(e, moves=(*e.moves, "9")), "cannot be played"),
        (lambda e: replace(e, line=("9", *e.line[1:])), "9 cannot be played"),
        (lambda e: replace(e, refutations={e.answer: ("1",)}), "moves that are not wrong"),
        (lambda e: replace(e, refutations={other(e): ()}), "is not refuted"),
        (lambda e: replace(e, refutations={other(e): ("9",)}), "9 cannot be played after"),
        (lambda e: replace(e, line=e.line[:-1]), "does not end with a win"),
        (lambda e: replace(e, length=e.length + 1), "plies, not"),
        (lambda e: replace(e, line=(*e.line[:1], "9")), "its line cannot be played"),
    ],
)
def test_every_fault_is_found(
    game: plywise.Game,
    some: tuple[Exercise, ...],
    change: Callable[[Exercise], Exercise],
    says: str,
) -> None:
    exercise = next(each for each in some if each.goal == "win" and each.length > 1)
    fault = Checker(game).fault(change(exercise))
    assert fault is not None
    assert says in fault


def test_a_wrong_answer_and_a_second_one_are_found(
    game: plywise.Game, some: tuple[Exercise, ...]
) -> None:
    exercise = next(each for each in some if each.goal == "win")
    wrong = other(exercise)
    swapped = replace(exercise, line=(wrong,), refutations={})
    assert Checker(game).fault(swapped) == f"{wrong} does not reach a win"
    drawn = next(each for each in some if each.goal == "draw")
    fault = Checker(game).fault(replace(drawn, goal="win"))
    assert fault == f"{drawn.answer} does not reach a win"


def test_a_line_that_is_not_the_shortest_is_found(
    game: plywise.Game, some: tuple[Exercise, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On so small a board no win can be put off, so the shortest one is made up here."""
    exercise = next(each for each in some if each.goal == "win" and each.length == 2)
    checker = Checker(game)
    assert checker.plies(exercise.position(game), 3) == 3
    monkeypatch.setattr(checker, "plies", lambda position, most: 1)
    assert checker.fault(exercise) == "the shortest win takes 1 plies"


def test_a_reply_that_gives_the_win_back_is_found(
    game: plywise.Game, some: tuple[Exercise, ...]
) -> None:
    """Among all replies to wrong moves, just those that keep the win out of reach pass."""
    checker, kept = Checker(game), 0
    exercise = next(each for each in some if each.goal == "win" and each.length == 2)
    position = exercise.position(game)
    wrong = other(exercise)
    after = position.play(wrong)
    for reply in after.legal:
        tried = replace(exercise, refutations={**exercise.refutations, wrong: (reply,)})
        wins = checker.reaches(after.play(reply), position.turn, "win")
        assert (checker.fault(tried) is not None) == wins
        kept += not wins
    assert 0 < kept < len(after.legal)


def test_a_run_that_was_stopped_goes_on(
    game: plywise.Game, some: tuple[Exercise, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / NAME
    played: list[int] = []
    of_game = Maker.of_game

    def stopping(self: Maker, number: int) -> list[Exercise]:
        played.append(number)
        if len(played) == 2:
            raise KeyboardInterrupt
        return of_game(self, number)

    monkeypatch.setattr(Maker, "of_game", stopping)
    with pytest.raises(KeyboardInterrupt):
        collect(game, 12, out, seed=3)
    assert not out.exists()
    part = next(tmp_path.iterdir())
    part.write_text(part.read_text() + '[{"moves": "1 2')  # cut off while writing
    collect(game, 12, out, seed=3)
    assert read_exercises(out) == some
    assert played[1:3] == [1, 1], "the games before it are not played again"
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


@pytest.mark.slow
def test_several_processes_make_the_same(
    game: plywise.Game, some: tuple[Exercise, ...], tmp_path: Path
) -> None:
    out = tmp_path / NAME
    collect(game, 12, out, seed=3, workers=2)
    assert read_exercises(out) == some


def test_another_seed_starts_anew(game: plywise.Game, tmp_path: Path) -> None:
    out = tmp_path / NAME
    part = tmp_path / f"{NAME}.part"
    part.write_text(json.dumps({"game": SPEC, "seed": 4}) + "\n[]\n")
    assert list(collecting._kept(part, SPEC, 3)) == []
    assert not part.exists()
    assert not out.exists()


def test_short_ones_do_not_crowd_out_the_others(
    game: plywise.Game, some: tuple[Exercise, ...]
) -> None:
    choice = Choice(game, 10)
    long = next(each for each in some if each.length > 1)
    short = next(each for each in some if each.length == 1)
    assert choice.take([short]) == [short]
    assert choice.take([short]) == [], "no position twice"
    choice = Choice(game, 10)
    choice.kinds[short.goal, 1] = choice.most
    assert choice.take([short, long]) == [long]


def test_a_mirror_image_is_the_same_position(
    game: plywise.Game, some: tuple[Exercise, ...]
) -> None:
    choice = Choice(game, 100)
    exercise = some[0]
    mirrored = replace(exercise, moves=tuple(str(6 - int(move)) for move in exercise.moves))
    assert mirrored.position(game).key != exercise.position(game).key
    assert least_key(mirrored.position(game)) == least_key(exercise.position(game))
    assert choice.take([exercise, mirrored]) == [exercise]


def test_a_game_with_few_exercises_comes_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "BARREN", 3)
    monkeypatch.setattr(Maker, "of_game", lambda self, number: [])
    with pytest.raises(SpecError, match="3 games of tictactoe have no exercises"):
        collect(plywise.game("tictactoe"), 50, tmp_path / NAME)
    assert list(tmp_path.iterdir()) == []


def test_another_seed_adds_to_a_file(
    game: plywise.Game, some: tuple[Exercise, ...], tmp_path: Path
) -> None:
    out = tmp_path / NAME
    write_exercises(out, some)
    assert collect(game, len(some) + 1, out, seed=4).made[: len(some)] == list(some)
    assert {each.name for each in some} < {each.name for each in read_exercises(out)}


def test_a_file_holds_several_boards(some: tuple[Exercise, ...], tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    write_exercises(path, some)
    small = [replace(each, game="connect4:rows=4,cols=4") for each in some[:2]]
    replace_exercises(path, small[0].game, small)
    assert read_exercises(path)[: len(some)] == some
    assert read_exercises(path)[len(some) :] == tuple(small)
    assert len({each.name for each in read_exercises(path)}) == len(some) + 2
    replace_exercises(path, small[0].game, small[:1])
    assert read_exercises(path) == (*some, small[0])


#: Without the time of day, which would be in the names of the tests.
packed = partial(gzip.compress, mtime=0)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"nonsense", "cannot be read"),
        (packed(b"nonsense"), "line 1 of"),
        (packed(b"[]\n"), "is not a file of exercises"),
        (packed(b'{"game": "connect4"}\n{"goal": "win", "line": ""}\n'), "line is empty"),
        (packed(b'{"game": "connect4"}\n{}\n'), "it has no goal"),
        (packed(b'{"game": "connect4"}\n[]\n'), "this is not an exercise"),
        (packed(b'{"game": "connect4"}\n{"goal": "loss"}\n'), "not win or draw"),
    ],
)
def test_a_file_of_nonsense_gets_one_line(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_exercises(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_game_of_points_has_them_too(tmp_path: Path) -> None:
    game = plywise.game("align:size=4")
    out = tmp_path / NAME
    made = collect(game, 2, out, seed=1)
    assert len(made.made) == 2
    checker = Checker(game)
    assert all(checker.fault(exercise) is None for exercise in made.made)


@pytest.mark.slow
@every_awkward_game
def test_exercises_of_awkward_games_are_what_they_say(
    awkward: Awkward, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is the only move that does what the task asks for, and takes as long."""
    monkeypatch.setattr(KernelFactory, "build", KernelFactory.plain)
    game = awkward.make()
    maker = Maker(game)
    monkeypatch.setattr(maker.grader, "graded", lambda exercise, **_: exercise)
    for position, known in endings(game, 10, 5, min(awkward.most, 60)):
        found = maker.examine(position) if len(position.legal) > 1 else None
        if found is None:
            continue
        each = margins(position, known)
        answer = each.pop(found.answer)
        task = found.task(game)
        if task == "find the only move that does not lose":
            assert answer == 0 > max(each.values()), (position, found)
            continue
        assert answer > 0 >= max(each.values()), (position, found)
        own = own_moves(position, found.line)
        asked = "win at once" if own == 1 else f"win in {own} moves"
        assert task == ("find the only move that wins" if game.points else asked)
        if not game.points:
            assert len(found.line) == minimax(position, known).plies, (position, found)


def test_the_task_is_the_goal() -> None:
    tictactoe, align = plywise.game("tictactoe"), plywise.game("align")
    win = Exercise("tictactoe", (), "win", 1, ("a1",))
    assert win.task(tictactoe) == "win at once"
    assert replace(win, length=3).task(tictactoe) == "win in 3 moves"
    assert win.task(align) == "find the only move that wins"
    for game in (tictactoe, align):
        assert replace(win, goal="draw").task(game) == "find the only move that does not lose"
