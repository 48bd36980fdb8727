"""The one grammar of names with parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plywise
from plywise import Parameter, SpecError
from plywise.core.spec import Spec, bind, format_spec
from tests.core.refusals import one_line

WORD = st.text("abcdefghijklmnopqrstuvwxyz_0123456789", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "name", "given_"),
    [
        ("connect4", "connect4", {}),
        ("  connect4  ", "connect4", {}),
        ("align:size=4,checkerboard=yes", "align", {"size": "4", "checkerboard": "yes"}),
        (" a : b = c , d = e ", "a", {"b": "c", "d": "e"}),
        ("./my game.py:depth=3", "./my game.py", {"depth": "3"}),
        ("C:\\games\\mine.py", "C:\\games\\mine.py", {}),
        ("C:/games/mine.py:depth=3", "C:/games/mine.py", {"depth": "3"}),
        ("makeway:file=a=b", "makeway", {"file": "a=b"}),
    ],
)
def test_taken_apart(text: str, name: str, given_: dict[str, str]) -> None:
    assert Spec.parse(text) == Spec(name, given_)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no name"),
        (":depth=3", "has no name"),
        ("alphabeta:", "is not key=value"),
        ("alphabeta:depth", "is not key=value"),
        ("alphabeta:depth=", "is not key=value"),
        ("alphabeta:=3", "is not key=value"),
        ("alphabeta:depth=3,", "is not key=value"),
        ("alphabeta:depth=3,depth=4", "given twice"),
    ],
)
def test_what_cannot_be_taken_apart(text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Spec.parse(text)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        spec = Spec.parse(text)
    except SpecError as error:
        one_line(error)
    else:
        assert Spec.parse(str(spec)) == spec


@given(WORD, st.dictionaries(WORD, WORD, max_size=4))
def test_round_trip(name: str, given_: dict[str, str]) -> None:
    assert Spec.parse(format_spec(name, given_)) == Spec(name, given_)


@given(st.text() | st.from_regex(r"[a-z0-9./\\:=,]{0,20}", fullmatch=True))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    try:
        game = plywise.game(text)
    except SpecError as error:
        one_line(error)
    else:
        assert plywise.game(game.spec) == game


@pytest.mark.parametrize(
    "text",
    [
        "./none.py",
        "/",
        "\0/",
        "a\0.py",
        "x\n/y",
        "no\nsuch",
        "tictactoe:rows=3\n4",
        "tictactoe:a\n=1",
    ],
)
def test_odd_names_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        plywise.game(text)
    one_line(caught.value)


@given(
    st.sampled_from(["tictactoe", "connect4"]),
    st.dictionaries(st.sampled_from(["rows", "cols", "k"]), st.integers(-3, 70), max_size=3),
)
def test_any_size_is_a_game_or_refused(name: str, sizes: dict[str, int]) -> None:
    spec = format_spec(name, sizes)
    try:
        game = plywise.game(spec)
    except SpecError as error:
        one_line(error)
        return
    assert plywise.game(game.spec) == game
    assert hash(plywise.game(game.spec)) == hash(game)
    assert game.start().legal


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (Parameter("n", 3), "12", 12),
        (Parameter("n", int), "12", 12),
        (Parameter("t", 0.5), "2", 2.0),
        (Parameter("b", False), "YES", True),
        (Parameter("b", True), "off", False),
        (Parameter("w", "rules", choices=("rules", "promise")), "promise", "promise"),
    ],
)
def test_values(parameter: Parameter, text: str, value: object) -> None:
    assert parameter.read(text) == value
    assert type(parameter.read(text)) is type(value)


@pytest.mark.parametrize(
    ("parameter", "text", "allowed"),
    [
        (Parameter("n", 3, low=1, high=5), "6", "a whole number from 1 to 5"),
        (Parameter("n", 3, low=1), "0", "a whole number, at least 1"),
        (Parameter("n", 3), "3.5", "a whole number"),
        (Parameter("n", 3), "three", "a whole number"),
        (Parameter("n", 3), "9" * 5000, "a whole number"),
        (Parameter("t", 0.5), "nan", "a number"),
        (Parameter("t", 0.5), "inf", "a number"),
        (Parameter("b", False), "maybe", "yes or no"),
        (Parameter("w", "rules", choices=("rules", "promise")), "x", "one of rules, promise"),
    ],
)
def test_values_refused(parameter: Parameter, text: str, allowed: str) -> None:
    with pytest.raises(SpecError) as caught:
        parameter.read(text)
    assert str(caught.value).endswith(f"is not valid: {parameter.name} must be {allowed}")


@given(st.text(), st.sampled_from([1, 0.5, True, "word"]))
def test_any_value_is_read_or_refused(text: str, default: int | float | bool | str) -> None:
    try:
        value = Parameter("p", default, low=None, high=None).read(text)
    except SpecError:
        return
    assert type(value) is type(default)


def test_unknown_parameters_are_named_with_the_nearest() -> None:
    with pytest.raises(SpecError, match=r"auto has no parameter 'lvl': did you mean 'level'\?"):
        bind(Spec("auto", {"lvl": "3"}), [Parameter("level", 10)], "auto")
    with pytest.raises(SpecError, match="it takes none"):
        bind(Spec("book", {"x": "3"}), [], "book")
