"""What every type of puzzle has to keep, held against the registered ones and the example."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plywise import Parameter, puzzles
from plywise.core.files import load_module
from plywise.core.puzzle import NO_MARKS, Mark, Marks, PuzzleType, followed
from plywise.core.scene import Scene, shifted
from plywise.errors import InvalidMove, InvalidPosition, SpecError
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.puzzles import read_source
from plywise.views.guide import sample_solution
from tests.docs.pages import ROOT

TAKUZU: PuzzleType = load_module(ROOT / "examples" / "takuzu" / "takuzu.py", "puzzle").PUZZLE
TYPES = [*(puzzles.find(name) for name in puzzles.names()), TAKUZU]
EVERY = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)


@EVERY
def test_the_usual_puzzle_has_one_solution(kind: PuzzleType) -> None:
    puzzle, states = kind.read(kind.default)
    assert len(states) == len(kind.places(puzzle))
    assert not any(states)
    assert kind.fault(puzzle, states) is not None
    found = kind.solve(puzzle, None)
    assert found.status == "unique"
    assert found.solution is not None
    assert kind.fault(puzzle, found.solution) is None


@EVERY
def test_a_puzzle_in_one_word_is_the_same_puzzle(kind: PuzzleType) -> None:
    puzzle, _ = kind.read(kind.default)
    word = kind.identify(puzzle)
    assert word.startswith(f"{kind.name}/")
    assert not set(word) & set(" \n")
    assert kind.read(word)[0] == puzzle
    with pytest.raises(InvalidPosition):
        kind.read("no puzzle at all")


@EVERY
def test_every_move_has_a_text_and_is_read_again(kind: PuzzleType) -> None:
    puzzle, _ = kind.read(kind.default)
    for place, name in enumerate(kind.places(puzzle)):
        assert kind.place(puzzle, name) == place
        for state in range(1, len(kind.marks) + 1):
            assert kind.read_move(puzzle, kind.move_text(puzzle, place, state)) == (place, state)
    with pytest.raises(InvalidMove):
        kind.read_move(puzzle, "nowhere")


@EVERY
def test_the_places_are_the_targets_of_the_picture(kind: PuzzleType) -> None:
    puzzle, states = kind.read(kind.default)
    scene = kind.scene(puzzle, states, NO_MARKS)
    assert [target.move for target in scene.targets] == list(kind.places(puzzle))
    known = {shape.id for shape in scene.shapes}
    assert len(known) == len(scene.shapes)
    assert {name for target in scene.targets for name in target.shapes} <= known
    everything = Marks(new=frozenset([0]), wrong=frozenset([1]))
    kind.scene(puzzle, bytes([1, 1, *states[2:]]), everything)


@EVERY
def test_marks_are_drawn_within_their_place(kind: PuzzleType) -> None:
    puzzle, states = kind.read(kind.default)
    targets = kind.scene(puzzle, states, NO_MARKS).targets
    for state in range(1, len(kind.marks) + 1):
        everywhere = kind.drawn(puzzle, bytes([state]) * len(states))
        assert sorted(everywhere) == list(range(len(states)))
        for place, target in enumerate(targets):
            one = bytes(state if place == each else 0 for each in range(len(states)))
            assert kind.drawn(puzzle, one) == {place: everywhere[place]}
            for shape in everywhere[place]:
                x, y = shape.centre
                assert abs(x - target.at[0]) < 0.01
                assert abs(y - target.at[1]) < 0.01


@EVERY
def test_hints_lead_to_the_solution(kind: PuzzleType) -> None:
    """From a mistake, which the first hint names, to the end; a check agrees on the way."""
    puzzle, _ = kind.read(kind.default)
    solution = kind.solve(puzzle, None).solution
    assert solution is not None
    attempt = Attempt(kind, puzzle).change([(0, 1 if solution[0] != 1 else 2)])
    assert puzzle_help.check(kind, puzzle, attempt.states).wrong == (0,)
    kinds = []
    while not attempt.solved:
        found = puzzle_help.hint(kind, puzzle, attempt.states)
        assert all(found.steps)
        assert found.changes
        assert puzzle_help.area(kind.scene(puzzle, attempt.states, NO_MARKS), found) is not None
        kinds.append(found.kind)
        attempt = attempt.change(found.changes)
        assert puzzle_help.check(kind, puzzle, attempt.states).wrong == ()
    assert kinds[0] == "mistake"
    assert set(kinds[1:]) == {"step"}
    assert puzzle_help.hint(kind, puzzle, attempt.states).kind == "solved"


@EVERY
def test_the_computer_solves_the_usual_puzzle_from_any_board(kind: PuzzleType) -> None:
    puzzle, _ = kind.read(kind.default)
    found = puzzle_help.solve(kind, puzzle)
    assert found.solution is not None
    assert found.words.startswith("The only solution, found in ")
    assert kind.needed(puzzle, found.solution) == found.solution
    begun = Attempt(kind, puzzle).change([(0, 2), (1, 1)])
    solved = begun.solve(found.solution, found.seconds)
    assert solved.states == found.solution
    assert (solved.solved, solved.by_computer is None) == (True, False)
    assert solved.undo() == replace(begun, undone=solved.moves[-1:])
    assert solved.undo().redo() == solved
    empty = Attempt(kind, puzzle)
    for move in kind.moves_of(puzzle, found.solution):
        empty = empty.play(move)
    assert empty.solved
    assert empty.by_computer is None
    with pytest.raises(SpecError, match="already solved"):
        solved.solve(found.solution, 0.0)


@EVERY
@pytest.mark.parametrize("seed", [1, 2])
def test_new_puzzles_have_one_solution(kind: PuzzleType, seed: int) -> None:
    assert kind.generate is not None
    small = {p.name: 4 if p.kind is int else p.default for p in kind.parameters}
    made, again = (kind.generate(seed, None, **small) for _ in range(2))
    assert made == again
    assert kind.solve(made.puzzle, None).status == "unique"


@EVERY
def test_the_sample_solves_the_usual_puzzle(kind: PuzzleType) -> None:
    attempt = Attempt(kind, kind.read(kind.default)[0])
    sample = sample_solution(kind)
    for move in sample:
        attempt = attempt.play(move)
    assert attempt.solved or not sample
    assert attempt.solved == (kind is not TAKUZU)


def test_letters_and_names_may_look_alike() -> None:
    """The longest letter counts, and capitals do not matter."""
    marks = (Mark("one", "1"), Mark("ten", "10"), Mark("a cross", "X"))
    kind = replace(TAKUZU, marks=marks, places=lambda p: [n.upper() for n in TAKUZU.places(p)])
    puzzle, _ = kind.read(kind.default)
    for state in (1, 2, 3):
        assert kind.read_move(puzzle, kind.move_text(puzzle, 0, state)) == (0, state)
    assert kind.read_move(puzzle, "x a1") == (0, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"marks": ()}, "has 0 marks: a puzzle can have 1 to 9"),
        ({"marks": tuple(Mark(str(k), str(k)) for k in range(10))}, "has 10 marks"),
        ({"parameters": (Parameter("seed", 1),)}, "that name is reserved"),
    ],
)
def test_what_no_type_can_be(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        replace(TAKUZU, **change)


def test_a_mark_is_drawn_in_the_middle_of_its_place() -> None:
    def aside(puzzle: Any, states: bytes, marks: Marks) -> Scene:
        scene = TAKUZU.scene(puzzle, states, marks)
        moved = (shifted(s, 0.1, 0) if s.id == "digit a1" else s for s in scene.shapes)
        return replace(scene, shapes=tuple(moved))

    kind = replace(TAKUZU, scene=aside)
    puzzle, states = kind.read(kind.default)
    with pytest.raises(SpecError, match="'digit a1' of a mark is not in the middle"):
        kind.drawn(puzzle, bytes([1, *states[1:]]))


def test_marks_are_listed_as_one_draws_them() -> None:
    #  a - b - c     d - e      f - g
    #                           |   |
    #                           h - i
    ends = {0: "bc", 1: "ab", 2: "de", 3: "fg", 4: "hi", 5: "fh", 6: "gi"}
    found = followed({line: (one, two) for line, (one, two) in ends.items()})
    assert found == (0, 1, 2, 3, 6, 4, 5)
    slither = puzzles.find("slither")
    puzzle, _ = slither.read("33")
    loop = ["1 1 t", "1 2 t", "1 2 r", "1 2 b", "1 1 b", "1 1 l"]
    solution = slither.solve(puzzle, None).solution
    assert solution is not None
    crosses = ["x 1 2 l"]
    assert slither.moves_of(puzzle, solution) == [*loop, *crosses]
    digits, _ = TAKUZU.read("0.../..../..../....")
    assert TAKUZU.order(digits, bytes([1, 2] * 7 + [1])) == tuple(range(15))


def test_what_is_said_of_a_puzzle() -> None:
    slither = puzzles.find("slither")
    for text, heading, facts in (
        ("33", "Slither 1 x 2", "2 clues"),
        ("3.", "Slither 1 x 2", "1 clue"),
    ):
        puzzle, _ = slither.read(text)
        assert (slither.heading(puzzle), slither.facts(puzzle)) == (heading, facts)
    puzzle, _ = TAKUZU.read("0./..")
    assert (TAKUZU.heading(puzzle), TAKUZU.facts(puzzle)) == ("Takuzu 2 x 2", "")
    assert replace(TAKUZU, name="light_up", size=None).heading(puzzle) == "Light up"


def test_what_is_beside_a_definition_is_found() -> None:
    slither = puzzles.find("slither")
    puzzle, states = slither.read("33")
    assert puzzles.writers(slither)["Rows of clues"](puzzle, states) == "33"
    tasks = puzzles.warmup(slither)
    assert tasks is not None
    assert "solve" in dict(tasks())
    assert slither.guide is not None
    assert slither.guide.name == "guide.md"
    assert (puzzles.writers(TAKUZU), puzzles.warmup(TAKUZU), TAKUZU.guide) == ({}, None, None)


def test_a_puzzle_that_is_full_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="nothing to fill in"):
        read_source(TAKUZU, "01/10")
    with pytest.raises(InvalidMove, match="'a1' is not a place"):
        TAKUZU.place(("01", "10"), "a1")


def test_a_puzzle_that_takes_too_long_is_not_judged() -> None:
    blank = ("." * 12,) * 12
    nothing = bytes(144)
    found = puzzle_help.check(TAKUZU, blank, nothing, seconds=0.0)
    assert found.words == "This puzzle is too hard to check here."
    assert puzzle_help.solve(TAKUZU, blank, 0.0).words.startswith("No solution was found in ")
    assert puzzle_help.hint(TAKUZU, blank, nothing, seconds=0.0).kind == "no solution"
