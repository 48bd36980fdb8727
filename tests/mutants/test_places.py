"""Where changes are found, what they become, and which of them are drawn."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.places import all_places, drawn, places
from tests.mutants.survivors import read, written

FILE = "src/plywise/sums.py"


def changes(tmp_path: Path, text: str) -> list[str]:
    """The changes of a file, each of which still parses and differs in one place."""
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    found = places(tmp_path, FILE)
    for place in found:
        ast.parse(place.changed(text))
        assert place.changed(text) != text
        assert text.splitlines()[place.line - 1].strip() == place.code
    return [place.change for place in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if a < b: call()", ["a < b -> not (a < b)", "< -> <=", "call() -> pass"]),
        ("if a == b: a()", ["== -> !=", "a() -> pass"]),
        ("if a not in b: a()", ["not in -> in", "a() -> pass"]),
        ("if not a: a()", ["not a -> (a)", "a() -> pass"]),
        ("x = a and b or c", ["or -> and", "and -> or"]),
        ("x = a * b", ["* -> //"]),
        ("x = (a  # plus +\n     ) + b", ["+ -> -"]),
        ("x = 1", ["1 -> 2"]),
        ("x = 0.5", ["0.5 -> 1.0"]),
        ("x = True", ["True -> False"]),
        ("x += 1", ["x += 1 -> pass", "+ -> -", "1 -> 2"]),
        ("a.x = b", ["a.x = b -> pass"]),
        ("x = f(a, b)", ["a, b -> b, a"]),
        ("x = max(a, b)", []),
        ("x = f(a=True, b=1)", ["a=True -> a=False", "b=1 -> b=2"]),
        ("x = [y for y in a if y]", ["y -> not (y)"]),
        ("raise ValueError(a + 1)", ["raise ValueError(a + 1) -> pass"]),
        ("log.warning('no', a + 1)", []),
        ("assert a < b", []),
        ("x = 'text' % a", []),
        ("x = f'{a + 1}'", []),
        ("x: int | None = a", []),
        ("x = cast(int | None, a)", []),
    ],
)
def test_what_a_line_becomes(tmp_path: Path, line: str, expected: list[str]) -> None:
    body = "\n".join(f"    {each}" for each in line.splitlines())
    assert changes(tmp_path, f"def f(a, b, c):\n{body}\n") == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("bool", "f(a) -> not (f(a))"),
        ("int", "f(a) -> (f(a)) + 1"),
        ("str", "f(a) -> None"),
    ],
)
def test_what_is_returned_instead(tmp_path: Path, kind: str, expected: str) -> None:
    text = f"def f(a) -> {kind}:\n    return f(a)\n"
    assert changes(tmp_path, text) == [expected]


def test_settings_decorators_and_what_is_only_for_people_stay(tmp_path: Path) -> None:
    text = (
        "LIMIT = 5\n"
        "if TYPE_CHECKING:\n    call()\n"
        "@cache(1)\ndef f(a: Literal[1]) -> Literal[2]: ...\n"
        "class A:\n    def __repr__(self):\n        return str(self.x + 1)\n"
    )
    assert changes(tmp_path, text) == []


def test_a_line_with_letters_of_several_bytes_is_changed_in_the_right_place(
    tmp_path: Path,
) -> None:
    assert changes(tmp_path, 'def f(a, b):\n    x = "±½", a < b\n') == ["< -> <="]


def test_alike_places_of_a_function_have_names_of_their_own(tmp_path: Path) -> None:
    changes(tmp_path, "def f(a, b):\n    call(a)\n    call(a)\n    x = a + a + a\n")
    found = [place.name for place in places(tmp_path, FILE)]
    assert len(set(found)) == len(found) == 4


def test_the_draw_stays_when_other_lines_come_and_go(tmp_path: Path) -> None:
    file = tmp_path / FILE
    lines = [f"    x{number} = a + b" for number in range(40)]
    changes(tmp_path, "\n".join(["def f(a, b):", *lines, ""]))
    before = drawn(places(tmp_path, FILE), "seed", 10)
    text = "\n".join(["y = 1", "def f(a, b):", "    call()", *lines, ""])
    file.write_text(text, encoding="utf-8")
    after = drawn(places(tmp_path, FILE), "seed", 11)
    assert len({each.name for each in before} & {each.name for each in after}) >= 9
    assert drawn(places(tmp_path, FILE), "another", 10) != before


def test_a_file_says_why_each_mutant_may_survive() -> None:
    """A survivor that is no longer there is not listed, and none is without a reason."""
    listed = read()
    there = {place.name for place in all_places()}
    assert set(listed) <= there
    assert [name for name, reason in listed.items() if not reason] == []


def test_the_list_is_read_as_it_is_written() -> None:
    listed = read("# head\n\na: b [< -> <=]\n    Only\n    speed.\n\nc: d [1 -> 2]\n")
    assert listed == {"a: b [< -> <=]": "Only speed.", "c: d [1 -> 2]": ""}
    assert read(written(listed)) == listed
