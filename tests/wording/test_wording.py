"""The check of wording finds what it is for, and nothing else."""

from __future__ import annotations

import pytest

from tests.wording.__main__ import banned, phrases, search, search_names

STRANGE = [
    "More cells win, and as many are a draw.",
    "Wins and losses need it not.",
    "only who began a game can remove it",
    "do='x' is nothing that can be done",
    "too large: 65536 bytes will do",
    "The same seed gives the same lots.",
    "Is it somebody who is waited for?",
    "What has brackets is the last move.",
    "the board is drawn by lot",
    "rows (3 unless given)",
    "'z9' is no move",
    "rows=99 will not do",
    "Plain text. Who would stand well enough after doing nothing is not searched to the end.",
    "a comment that goes over\n    # the end of a line is\n    # no comment",
    "pip install plywise    # Python 3.11 or newer",
    "RUN pip install --upgrade torch plywise",
    "with `pip install 'plywise[ray]'`",
    "For the others, install `plywise[adapters]`.",
]
PLAIN = [
    "The player with more cells wins; equal counts are a draw.",
    "Wins and losses do not need it.",
    "only the player who started a game can delete it",
    "unknown command 'x'",
    "request body too large (limit 65,536 bytes)",
    "The same seed repeats the same random choices.",
    "True if this player is human.",
    "The last move is shown in brackets.",
    "There is no game 'chess'.",
    "This is no longer needed, and is no better than before.",
    "There are no moves left. Who moves first?",
    "Whoever takes the last stone wins.",
    'run `pip install ".[ray]"` in a clone of plywise',
    "/opt/plywise/bin/pip install . ./examples/takuzu    # in a clone of plywise",
    "RUN pip install /plywise torch; plywise serve",
]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_words_are_found(text: str) -> None:
    assert list(search(text, phrases()))


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_pass(text: str) -> None:
    assert not list(search(text, phrases()))


def test_a_place_is_named_by_its_line() -> None:
    (found,) = search("one\ntwo\nthis is\nno move", phrases(), "a.md")
    assert str(found) == "a.md:3: 'is no': write 'is not a'"


@pytest.mark.parametrize(
    ("code", "file", "names"),
    [
        ("lot = 1  # a lot of lots\nlots = lot", "a.py", ["lot", "lots"]),
        ("class DrawsLots: ...", "a.py", ["DrawsLots"]),
        ("word_by_lot(LOT, 'lot')", "a.py", ["word_by_lot", "LOT"]),
        ("slot, plot, allot = lottery", "a.py", []),
        ("const { seed: lot } = lots; // lot\nslotOf('lot')", "a.js", ["lot", "lots"]),
        ("", "a/by_lot.py", ["by_lot.py"]),
        ("", "lot/a.py", []),
    ],
)
def test_names_that_tell_nothing_are_found(code: str, file: str, names: list[str]) -> None:
    assert [found.text for found in search_names(code, banned(), file)] == names


def test_a_name_with_capitals_is_a_whole_one() -> None:
    known = {"Opened": "OpenGame"}
    assert not list(search_names("opened = ItIsOpened = OPENED", known, "a.py"))
    (found,) = search_names("\nclass Opened: ...", known, "a.py")
    assert str(found) == "a.py:2: 'Opened': write 'OpenGame'"
