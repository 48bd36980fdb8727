"""How hard an exercise is said to be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from plywise.play.exercises.exercise import EASIEST, HARDEST
from plywise.play.exercises.making import Grader


def level(overlooks: float) -> Any:
    """A level that finds the answer with the chance that a look is made of."""
    person = SimpleNamespace(overlooks=overlooks)
    return SimpleNamespace(person=person, chances=lambda chance: {"a1": chance})


@pytest.mark.parametrize(
    ("looks", "missed"),
    [
        ((1.0, 1.0, 1.0), 0.0),  # the first glance, and what each of two levels sees
        ((0.0, 0.0, 0.0), 1.0),
        ((0.0, 1.0, 1.0), (0.25 + 0.5) / 2),  # it is overlooked and never seen then
        ((0.5, 0.5, 0.0), (0.5 + 0.75) / 2),
    ],
)
def test_the_rating_is_how_likely_the_levels_are_to_miss_the_answer(
    looks: tuple[float, ...], missed: float
) -> None:
    grader: Any = SimpleNamespace(levels=[level(0.25), level(0.5)])
    seen: Any = [SimpleNamespace(lines=chance) for chance in looks]
    expected = EASIEST + (HARDEST - EASIEST) * missed
    assert Grader.rating(grader, "a1", seen) == round(expected)
