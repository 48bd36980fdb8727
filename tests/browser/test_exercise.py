"""Exercises: wrong tries are refuted on the board, right ones counted; daily ones, timed runs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import plywise
from plywise.play.exercises.exercise import (
    Exercise,
    exercises_file,
    read_exercises,
    reason,
)
from tests.browser import steps
from tests.browser.conftest import Complaints, Person

pytestmark = pytest.mark.slow

GAME = "connect4"
EVERY = read_exercises(exercises_file(plywise.game(GAME).type))
LONG = next(each for each in EVERY if each.goal == "win" and each.length == 3)


def control(page: Page, name: str) -> Locator:
    tools = page.get_by_role("toolbar", name="Exercise", exact=True)
    return tools.get_by_role("button", name=name, exact=True)


def column(page: Page, move: str) -> Locator:
    return steps.board(page).get_by_role("button", name=f"play {move}", exact=True)


def shown(page: Page) -> Exercise:
    name = page.evaluate("new URL(location.href).searchParams.get('e')")
    return next(each for each in EVERY if each.name == name)


def wrong_of(exercise: Exercise) -> str:
    legal = exercise.position(plywise.game(GAME)).legal
    return next(move for move in legal if move != exercise.answer)


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('exercises')"))[GAME]
    return found


def test_a_wrong_try_is_refuted_and_a_right_one_counts(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Connect-4 exercises").click()
    expect(page.get_by_role("heading", name="Connect-4", level=1)).to_be_visible()
    page.goto(f"/exercises/{GAME}?e={LONG.name}")
    expect(page.get_by_text("win in 3 moves", exact=False).first).to_be_visible()
    mover = LONG.position(plywise.game(GAME)).turn + 1
    expect(page.locator(f".status-text .stone.player-{mover}")).to_be_visible()
    column(page, wrong_of(LONG)).click()
    expect(page.get_by_text(f"{wrong_of(LONG)} does not win.").first).to_be_visible()
    after = len(LONG.moves) + 1 + len(LONG.refutation(wrong_of(LONG)))
    expect(steps.stones(page)).to_have_count(after)
    control(page, "Retry").click()
    expect(steps.stones(page)).to_have_count(len(LONG.moves))
    column(page, LONG.answer).click()
    expect(page.get_by_text("Right, in the end.").first).to_be_visible()
    expect(steps.stones(page)).to_have_count(len(LONG.moves) + len(LONG.line))
    assert kept(page)["seen"] == [LONG.name]
    assert kept(page)["solved"] == 0
    lost = kept(page)["rating"]
    assert lost < 1000
    control(page, "Next").click()
    expect(page).not_to_have_url(re.compile(LONG.name))
    another = shown(page)
    column(page, another.answer).click()
    expect(page.get_by_text("Right.", exact=True).first).to_be_visible()
    assert kept(page)["solved"] == 1
    assert kept(page)["rating"] > lost


def test_by_keyboard_and_with_the_answer(page: Page) -> None:
    page.goto(f"/exercises/{GAME}?e={LONG.name}")
    expect(steps.stones(page)).to_have_count(len(LONG.moves))
    page.keyboard.press("s")
    expect(page.get_by_text(f"The answer is {LONG.answer}.").first).to_be_visible()
    expect(steps.stones(page)).to_have_count(len(LONG.moves) + len(LONG.line))
    expect(control(page, "Answer")).to_be_disabled()
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(LONG.name))
    expect(control(page, "Answer")).to_be_enabled()


def test_the_exercise_of_the_day_is_the_same_for_everybody(page: Page, person: Person) -> None:
    other = person()
    tasks = []
    for each in (page, other):
        each.goto(f"/exercises/{GAME}?daily")
        expect(each.get_by_text("exercise of the day").first).to_be_visible()
        tasks.append(steps.board(each).inner_html())
    assert tasks[0] == tasks[1]
    day = page.evaluate(
        "import('/static/js/room/training.js').then(({dayOf}) => dayOf(new Date()))"
    )
    name = page.evaluate(f"fetch('/api/exercises/{GAME}/day/{day}').then((found) => found.json())")[
        "daily"
    ]
    exercise = next(each for each in EVERY if each.name == name)
    column(page, exercise.answer).click()
    expect(page.get_by_text("1 day in a row").first).to_be_visible()
    assert kept(page)["daily"] == {"day": day, "streak": 1}
    assert page.evaluate(STREAK) == [1, 2, 2, 1, 1, 0]


#: Days in a row after the daily exercise of some days, the last one looked at two days later.
STREAK = """async () => {
    const { Training } = await import("/static/js/room/training.js");
    const some = new Training("streak", { getItem: () => null, setItem: () => {} });
    const days = ["2026-02-28", "2026-03-01", "2026-03-01", "2026-03-03"];
    const found = days.map((day) => (some.countDaily(day), some.streak(day)));
    return [...found, some.streak("2026-03-04"), some.streak("2026-03-05")];
}"""


def test_three_mistakes_end_a_timed_run(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"/exercises/{GAME}")
    expect(steps.stones(page).first).to_be_visible()
    control(page, "Timed").click()
    expect(page.get_by_text("3 of 3 lives left")).to_be_visible()
    names = {each.name: each for each in EVERY}
    for left in ("2 of 3 lives left", "1 of 3 lives left", None):
        expect(steps.board(page).get_by_role("button").first).to_be_visible()
        exercise = next(names[name] for name in reversed(asked) if name in names)
        column(page, wrong_of(exercise)).click()
        if left is not None:
            expect(page.get_by_text(left)).to_be_visible()
            expect(page.get_by_text("does not win").or_(page.get_by_text("loses"))).to_have_count(0)
    expect(page.get_by_text("Three mistakes. You solved 0.").first).to_be_visible()
    control(page, "Timed").click()
    expect(page.get_by_text("3 of 3 lives left")).to_be_visible()
    exercise = next(names[name] for name in reversed(asked) if name in names)
    assert 650 < exercise.rating < 750, "a run begins with easy ones"
    column(page, exercise.answer).click()
    expect(page.get_by_text("1 solved")).to_be_visible()
    page.evaluate("const now = Date.now; Date.now = () => now() + 180_000")
    expect(page.get_by_text("Time is up. You solved 1: your best so far.").first).to_be_visible()
    assert kept(page)["best"] == 1


@pytest.mark.parametrize("size", [(360, 740), pytest.param((390, 844), marks=pytest.mark.long)])
def test_on_a_phone_the_task_and_the_verdict_are_in_sight(
    person: Person, size: tuple[int, int]
) -> None:
    phone = person(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    phone.goto(f"/exercises/{GAME}?e={LONG.name}")
    expect(phone.get_by_text("win in 3 moves", exact=False).first).to_be_in_viewport()
    column(phone, wrong_of(LONG)).tap()
    verdict = phone.get_by_text("does not win.", exact=False).first
    expect(verdict).to_be_in_viewport()
    expect(control(phone, "Retry")).to_be_in_viewport()


def test_without_the_server_wrong_tries_are_still_refuted(
    page: Page, complaints: Complaints
) -> None:
    """Everything that a try needs came with the exercise, and with those saved for the day."""
    complaints.expect("Failed to load resource|ERR_")
    page.goto(f"/exercises/{GAME}?e={LONG.name}")
    expect(steps.stones(page)).to_have_count(len(LONG.moves))
    page.get_by_role("button", name="Save for offline").click()
    expect(page.get_by_role("button", name="50 exercises saved")).to_be_visible()
    page.context.set_offline(True)
    try:
        wrong = wrong_of(LONG)
        column(page, wrong).click()
        expect(steps.stones(page)).to_have_count(len(LONG.moves) + 1 + len(LONG.refutation(wrong)))
        control(page, "Next").click()
        expect(page).not_to_have_url(re.compile(LONG.name))
        another = shown(page)
        column(page, another.answer).click()
        expect(page.get_by_text("Right.", exact=True).first).to_be_visible()
        expect(steps.stones(page)).to_have_count(len(another.moves) + len(another.line))
    finally:
        page.context.set_offline(False)


def test_filters_leave_what_they_say(page: Page) -> None:
    page.goto(f"/exercises/{GAME}")
    filters = page.get_by_role("group", name="Filter")
    filters.get_by_label("Length").select_option("2")
    filters.get_by_label("Theme").select_option("by force")
    left = [each for each in EVERY if each.length == 2 and "by force" in each.themes]
    expect(filters.get_by_text(f"{len(left):,} exercises")).to_be_visible()
    for _ in range(2):
        expect(page.get_by_text("win in 2 moves").first).to_be_visible()
        assert shown(page) in left
        control(page, "Next").click()
    filters.get_by_label("Rating").select_option("easy")
    easy = [each for each in left if each.rating < 800]
    expect(filters.get_by_text(f"{len(easy):,} exercises")).to_be_visible()
    expect(page.get_by_text(re.compile(r"rating [67]\d\d$"))).to_be_visible()
    page.reload()
    expect(page.get_by_label("Length")).to_have_value("2")


def test_a_solution_says_why(page: Page) -> None:
    page.goto(f"/exercises/{GAME}?e={LONG.name}")
    column(page, LONG.answer).click()
    why = reason(LONG, plywise.game(GAME))
    expect(page.get_by_text(f"{LONG.answer}: {why}.").first).to_be_visible()
    expect(page.get_by_text(LONG.themes[0]).first).to_be_visible()


@pytest.mark.long  # the server looks at each position for a second: too little on a busy machine
def test_your_own_mistakes_can_be_practised(page: Page, complaints: Complaints) -> None:
    """After a review: the position before the blunder, until the better move is found.

    From then on it needs no server.
    """
    complaints.expect("Failed to load resource|ERR_")
    holding = min((each for each in EVERY if each.goal == "draw"), key=lambda each: len(each.moves))
    played = wrong_of(holding)
    page.goto(f"/board?game={GAME}&moves={''.join(holding.moves)}{played}")
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("button", name="Practise my mistakes").click()
    expect(page).to_have_url(re.compile("mistakes"))
    expect(page.get_by_text("your mistake").first).to_be_visible()
    saved = json.loads(page.evaluate("localStorage.getItem('mistakes')"))[GAME]
    blunder = next(each for each in saved if each["moves"] == list(holding.moves))
    assert (blunder["answer"], blunder["played"]) == (holding.answer, played)
    only = "kept => localStorage.setItem('mistakes', JSON.stringify(kept))"
    page.evaluate(only, {GAME: [blunder]})
    page.reload()
    expect(page.get_by_text(f"(you played {played})").first).to_be_visible()
    page.context.set_offline(True)
    try:
        column(page, played).click()
        verdict = re.compile(f"{played} (is not the best|loses)")
        expect(page.get_by_text(verdict).first).to_be_visible()
        refuted = len(holding.moves) + 1 + len(blunder["refutations"][played])
        expect(steps.stones(page)).to_have_count(refuted)
        control(page, "Retry").click()
        column(page, holding.answer).click()
        expect(page.get_by_text("Right, in the end.").first).to_be_visible()
    finally:
        page.context.set_offline(False)
    page.goto(f"/exercises/{GAME}")
    again = page.get_by_role("link", name="Practise my mistakes (1)")
    expect(again).to_be_visible()  # not solved at the first try, so it is still there
