"""The scripts and styles of a board in one piece: those of the web app, and the few files here.

A widget is one script. Its modules are the files of the web app as they are: the script makes each
of them into a module of its own, those that others import first.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from plywise.core.palette import Palettes
from plywise.views.css import draw_css

_PACKAGE = Path(__file__).parents[2]
_STATIC = _PACKAGE / "web" / "static"
_WIDGET = Path(__file__).parent / "widget.js"
#: The sheets of static/style that a board needs, in their order; the colours come after the second.
_SHEETS = ("base", "controls", "board", "game", "panels", "analysis", "review")
_IMPORT = re.compile(r'(?<=\bfrom ")\.[^"]+(?=";)')
_ROOT = re.compile(r":root((?:\[[^\]]*\]|:not\([^)]*\))*)")

_LOADER = """\
const urls = new Map();
for (const [name, text] of %s) {
  const linked = text.replace(/(?<=\\bfrom ")plywise:([^"]+)/g, (_, other) => urls.get(other));
  urls.set(name, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
}
const { render } = await import(urls.get("%s"));
for (const url of urls.values()) URL.revokeObjectURL(url);
export default { render };
"""


@cache
def script() -> str:
    """Return the script of the widget with all modules in it."""
    found: dict[str, str] = {}
    _collect(_WIDGET, found, ())
    sources = json.dumps(list(found.items()), ensure_ascii=False).replace("</", "<\\/")
    return _LOADER % (sources, _name(_WIDGET))


def _collect(file: Path, found: dict[str, str], above: tuple[Path, ...]) -> None:
    """Add a module, and before it all that it imports; they must not import each other."""
    if file in above:
        raise ImportError(f"{_name(file)} imports itself through {_name(above[-1])}")
    if _name(file) in found:
        return
    text = file.read_text(encoding="utf-8")
    for path in _IMPORT.findall(text):
        _collect((file.parent / path).resolve(), found, (*above, file))

    def named(match: re.Match[str]) -> str:
        return f"plywise:{_name((file.parent / match[0]).resolve())}"

    found[_name(file)] = _IMPORT.sub(named, text) + f"\n//# sourceURL=plywise/{_name(file)}\n"


def _name(file: Path) -> str:
    return file.relative_to(_PACKAGE).as_posix()


@cache
def style(palettes: Palettes) -> str:
    """Return the style sheet of a board with these colours, for its shadow tree."""
    sheets = [(_STATIC / "style" / f"{name}.css").read_text(encoding="utf-8") for name in _SHEETS]
    own = _WIDGET.with_suffix(".css").read_text(encoding="utf-8")
    whole = "\n".join([*sheets[:2], draw_css([palettes]), *sheets[2:]])
    hosted = _ROOT.sub(lambda match: f":host({match[1]})" if match[1] else ":host", whole)
    return f"{hosted}\n{own}"
