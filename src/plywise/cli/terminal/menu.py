"""Multiple-choice questions: answered with arrow keys on a screen, by number in line mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plywise.cli.console import read_line, say
from plywise.cli.terminal.ink import Ink, cut, wrap
from plywise.errors import PlywiseError, SpecError

if TYPE_CHECKING:
    from plywise.cli.terminal.screen import Screen

Value = TypeVar("Value")


class Left(Exception):
    """The player left without answering."""


@dataclass(frozen=True)
class Item(Generic[Value]):
    """One answer: what to type, what is shown, and its value."""

    number: str
    label: str
    value: Value
    detail: str = ""
    names: tuple[str, ...] = ()  #: what may be typed in place of the number


@dataclass(frozen=True)
class Menu(Generic[Value]):
    """A question. `other` reads any other answer; it may refuse with a PlywiseError."""

    question: str
    items: tuple[Item[Value], ...]
    default: int = 0  #: the index of the item that Enter alone selects
    other: Callable[[str], Value] | None = None
    advice: str = ""  #: a line below the items
    intro: tuple[str, ...] = ()  #: lines above the question, such as rules

    def place(self, text: str) -> int | None:
        """Return the index of the item that was typed: its number, its label or another name."""
        for place, item in enumerate(self.items):
            if text.strip().lower() in (item.number, item.label.lower(), *item.names):
                return place
        return None

    def read(self, text: str) -> Value:
        """Return the value of what was typed; `quit` answers every question."""
        word = text.strip().lower()
        if word == "quit":
            raise Left
        place = self.place(word) if word else self.default
        if place is not None:
            return self.items[place].value
        if self.other is not None:
            return self.other(text.strip())
        numbers = ", ".join(item.number for item in self.items)
        raise SpecError(f"{text.strip()!r} is not one of the answers: type one of {numbers}")


#: Asks the question of a menu and returns one of its values.
Asker = Callable[[Menu[Any]], Any]


def ask_on_screen(screen: Screen, menu: Menu[Value]) -> Value:
    """Ask with arrow keys and Enter, or a number or name and Enter; Escape leaves."""
    at, typed, complaint = menu.default, "", ""
    while True:
        screen.draw(list(_frame(screen, menu, at, typed, complaint)))
        for key in screen.keys(None):
            complaint = ""
            if key.name in ("up", "backtab"):
                at = (at - 1) % len(menu.items)
            elif key.name in ("down", "tab"):
                at = (at + 1) % len(menu.items)
            elif key.name == "text":
                typed += key.text
                found = menu.place(typed)
                at = at if found is None else found
            elif key.name == "backspace":
                typed = typed[:-1]
            elif key.name == "ctrl-c":
                raise KeyboardInterrupt
            elif key.name in ("escape", "ctrl-d"):
                raise Left
            elif key.name == "enter":
                if not typed:
                    return menu.items[at].value
                try:
                    return menu.read(typed)
                except PlywiseError as error:
                    complaint, typed = str(error), ""


def _frame(screen: Screen, menu: Menu[Value], at: int, typed: str, complaint: str) -> Iterator[str]:
    place = screen.place
    ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
    arrow = "▸" if place.unicode else ">"
    widest = max(len(item.label) for item in menu.items)
    aside = 7 + widest + 2 + max(len(item.detail) for item in menu.items) <= columns
    blocks = []
    for number, item in enumerate(menu.items):
        here = number == at
        label = f" {arrow if here else ' '} {item.number:>2}  {item.label}"
        detail = f"  {item.detail}" if aside and item.detail else ""
        padded = label.ljust(7 + widest)
        block = [ink(padded, "bold reverse" if here else "bold") + ink(detail, "dim")]
        if not aside:
            block += [ink(f"       {line}", "dim") for line in wrap([item.detail], columns - 8)]
        blocks.append(block)
    yield ink(" plywise", "bold") + ink("  board games and puzzles", "dim")
    yield ""
    room = rows - 8
    intro = wrap(menu.intro, columns - 2)[: max(0, room - 1 - sum(map(len, blocks)))]
    if intro:
        yield from (f" {line}" for line in intro)
        yield ""
        room -= len(intro) + 1
    yield f" {menu.question}"
    yield ""
    first = at
    while first > 0 and sum(map(len, blocks[first - 1 : at + 1])) <= room:
        first -= 1
    shown = [line for block in blocks[first:] for line in block][:room]
    yield from shown
    yield ""
    if complaint:
        yield ink(f" {cut(complaint, columns - 1)}", "red")
    else:
        yield ink(f" {cut(menu.advice, columns - 1)}", "dim")
    if typed:
        yield f" > {typed}{ink(' ', 'reverse')}"
    else:
        keys = "↑ ↓" if place.unicode else "up, down"
        yield ink(cut(f" {keys} and Enter, or type; Esc leaves", columns), "dim")


def ask_in_lines(menu: Menu[Value]) -> Value:
    """Ask in line mode; an empty line selects the answer marked with *."""
    for told in (*menu.intro, "") if menu.intro else ():
        say(told)
    say(menu.question)
    for place, item in enumerate(menu.items):
        star = "*" if place == menu.default else " "
        say(f"{star}{item.number:>3}  {item.label}{f': {item.detail}' if item.detail else ''}")
    while True:
        line = read_line()
        if line is None:
            raise Left
        try:
            return menu.read(line)
        except PlywiseError as error:
            say(str(error))
