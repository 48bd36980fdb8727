"""A solution as a film: its steps for any page, and a page of its own that needs no server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any

from plywise.core.palette import INK
from plywise.core.puzzle import ExplainedStep
from plywise.puzzles.slither import scene
from plywise.puzzles.slither.grid import Puzzle
from plywise.puzzles.slither.logic.steps import Step, explain
from plywise.puzzles.slither.logic.study import IN

FONT = "system-ui, sans-serif"
MOST_BECAUSE = 60  #: lines that are marked as reasons; of more, none is


def film(puzzle: Puzzle, seconds: float | None) -> Iterator[ExplainedStep]:
    """Explain the solution step by step; what is tried out for a conclusion comes before it."""
    for step in explain(puzzle, time_limit=seconds):
        changes: dict[int, int] = {}
        touched: set[int] = set()  # lines of the trial before
        for number, trial in enumerate(step.trials, 1):
            changes |= {line: step.before.states[line] for line in touched}
            changes |= dict(trial.assumed)
            touched = {line for line, _ in trial.assumed}
            sides = {cell: 0 if side == IN else 1 for cell, side in trial.sides}
            for inner in trial.steps:
                lead = "If so: " if step.chain else f"Way {number}: "
                frame = _picture(inner, lead, tuple(changes.items()), sides)
                yield replace(frame, because=frame.because | touched - frame.found)
                touched |= {line for line, _ in inner.new}
                changes = {}
        changes |= {line: step.before.states[line] for line in touched}
        yield _picture(step, "", tuple(changes.items()), {})


def _picture(
    step: Step, before: str, changes: tuple[tuple[int, int], ...], sides: Mapping[int, int]
) -> ExplainedStep:
    marks = replace(step.marks, sides={**sides, **step.marks.sides})
    return ExplainedStep(
        before + step.technique.title,
        tuple(filter(None, (step.words, _conclusion(step)))),
        (*changes, *step.new),
        frozenset(line for line, _ in step.new),
        frozenset(_because(step)),
        scene.highlights(step.before.puzzle, marks),
    )


def _conclusion(step: Step) -> str:
    return f"So {step.conclusion}." if step.conclusion else ""


def _because(step: Step) -> list[int]:
    return sorted(step.because) if len(step.because) <= MOST_BECAUSE else []


def page(puzzle: Puzzle, steps: list[Step], verdict: str, theme: Any) -> str:
    """Write the page; `theme` has the colours, like those in `plywise.views.theme`."""
    ink = INK.under(theme.name)
    names = {
        "page": theme.page,
        "text": theme.text,
        "muted": theme.muted,
        "line": ink.players[1].ink,
        "cross": theme.dead,
        "new": theme.best,
        "because": theme.threat,
        "cell": ink.last,
        "inside": ink.players[0].trail,
        "outside": ink.players[1].trail,
    }
    data = {
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "clues": list(puzzle.clues),
        "steps": [_plain(step) for step in steps],
    }
    variables = "".join(f"--{name}: {colour}; " for name, colour in names.items())
    return _PAGE.format(
        title=escape(f"Slither {puzzle.rows} x {puzzle.cols}"),
        verdict=escape(verdict),
        variables=variables,
        font=FONT,
        # `</` would end the script; with a backslash it means the same in JSON.
        data=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
        script=_SCRIPT,
    )


def _plain(step: Step) -> dict[str, Any]:
    """Return what the page needs to know about a step, including what is tried out for it."""
    return {
        "title": step.technique.title,
        "words": step.words,
        "conclusion": step.conclusion,
        "new": [list(pair) for pair in step.new],
        "sides": [list(pair) for pair in step.sides],
        "because": _because(step),
        "cells": sorted(step.cells),
        "dots": sorted(step.dots),
        "trials": [
            {
                "assumed": [list(pair) for pair in trial.assumed],
                "sides": [list(pair) for pair in trial.sides],
                "steps": [_plain(inner) for inner in trial.steps],
            }
            for trial in step.trials
        ],
    }


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ {variables} }}
body {{ font: 16px/1.5 {font}; color: var(--text); background: var(--page); margin: 1rem auto;
  max-width: 70rem; padding: 0 1rem; display: grid; gap: 1rem; grid-template-columns: 3fr 2fr; }}
h1 {{ grid-column: 1 / -1; font-size: 1.3rem; margin: 0; }}
h1 small {{ color: var(--muted); font-weight: normal; font-size: 1rem; }}
svg {{ width: 100%; max-height: 85vh; }}
.line {{ stroke: var(--line); stroke-width: .11; stroke-linecap: round; }}
.cross {{ stroke: var(--cross); stroke-width: .045; stroke-linecap: round; }}
.because {{ stroke: var(--because); }} .new {{ stroke: var(--new); }}
.assumed {{ stroke-dasharray: .16 .14; }}
.cell {{ fill: var(--cell); }} .inside {{ fill: var(--inside); opacity: .5; }}
.outside {{ fill: var(--outside); opacity: .5; }}
.ring {{ fill: none; stroke: var(--because); stroke-width: .05; }}
.dot {{ fill: var(--text); }} .clue {{ fill: var(--text); font-size: .56px; text-anchor: middle; }}
.coordinate {{ fill: var(--muted); font-size: .34px; text-anchor: middle; }}
button, input {{ font: inherit; }} input[type=range] {{ width: 100%; }}
ol {{ max-height: 60vh; overflow: auto; padding-left: 3rem; }}
li {{ cursor: pointer; }} li[aria-current] {{ background: var(--cell); }}
@media (max-width: 50rem) {{ body {{ grid-template-columns: 1fr; }} }}
</style></head><body>
<h1>{title} <small>{verdict}</small></h1>
<svg id="board" role="img" aria-label="The board after this step"></svg>
<div>
<p><button id="back">Back</button> <button id="next">Next</button> <button id="run">Play</button>
<span id="count"></span></p>
<input id="slider" type="range" min="0" aria-label="Step">
<div id="words" aria-live="polite"></div>
<ol id="list"></ol>
</div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body></html>
"""

_SCRIPT = """
const puzzle = JSON.parse(document.getElementById("data").textContent);
const { rows, cols } = puzzle, across = (rows + 1) * cols;
const byId = (id) => document.getElementById(id);
const frames = [];  // each step, and each step of a chain under its assumption
puzzle.steps.forEach((step, number) => {
  step.trials.forEach((trial, way) => trial.steps.forEach((inner, k) => frames.push({
    ...inner, number, lead: step.trials.length > 1 ? `Way ${way + 1}: ` : "If so: ",
    sides: [...trial.sides, ...inner.sides],
    within: [...trial.assumed, ...trial.steps.slice(0, k).flatMap((s) => s.new)] })));
  frames.push({ ...step, number, within: [] });
});
const known = [[]];  // what is known before each step
puzzle.steps.forEach((step) => known.push(known.at(-1).concat(step.new)));
let at = 0, timer = null;

function node(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  board.append(made);
}
const board = byId("board");
board.setAttribute("viewBox", `-.85 -.85 ${cols + 1.7} ${rows + 1.7}`);
function ends(line) {
  if (line < across) {
    const y = Math.floor(line / cols), x = line % cols;
    return [x, y, x + 1, y];
  }
  const k = line - across, y = Math.floor(k / (cols + 1)), x = k % (cols + 1);
  return [x, y, x, y + 1];
}
function draw() {
  const frame = at ? frames[at - 1] : { number: 0, new: [], because: [], cells: [], dots: [],
    sides: [], within: [], title: "The puzzle", words: "", conclusion: "" };
  board.replaceChildren();
  const square = (cell, kind) => node("rect", {
    x: cell % cols + .06, y: Math.floor(cell / cols) + .06,
    width: .88, height: .88, rx: .1, class: kind });
  frame.cells.forEach((cell) => square(cell, "cell"));
  frame.sides.forEach(([cell, side]) => square(cell, side === 1 ? "inside" : "outside"));
  const states = new Map(known[frame.number]), fresh = new Set(frame.new.map(([line]) => line));
  const assumed = new Set(frame.within.map(([line]) => line)), because = new Set(frame.because);
  [...frame.within, ...frame.new].forEach(([line, state]) => states.set(line, state));
  for (const [line, state] of states) {
    const [x1, y1, x2, y2] = ends(line), x = (x1 + x2) / 2, y = (y1 + y2) / 2;
    const kind = (state === 1 ? "line" : "cross") + (because.has(line) ? " because" : "") +
      (fresh.has(line) ? " new" : "") + (assumed.has(line) && state === 1 ? " assumed" : "");
    if (state === 1) node("line", { x1, y1, x2, y2, class: kind });
    else for (const s of [-1, 1])
      node("line", { x1: x - .09, y1: y - .09 * s, x2: x + .09, y2: y + .09 * s, class: kind });
  }
  for (let y = 0; y <= rows; y++) for (let x = 0; x <= cols; x++)
    node("circle", { cx: x, cy: y, r: .055, class: "dot" });
  frame.dots.forEach((dot) => node("circle", {
    cx: dot % (cols + 1), cy: Math.floor(dot / (cols + 1)), r: .2, class: "ring" }));
  puzzle.clues.forEach((clue, cell) => { if (clue >= 0)
    node("text", { x: cell % cols + .5, y: Math.floor(cell / cols) + .7, class: "clue" }, clue); });
  for (let x = 0; x < cols; x++) node("text", { x: x + .5, y: -.35, class: "coordinate" }, x + 1);
  for (let y = 0; y < rows; y++) node("text", { x: -.5, y: y + .6, class: "coordinate" }, y + 1);
  byId("words").replaceChildren();
  const title = (frame.lead || "") + frame.title;
  const told = [["h2", title], ["p", frame.words], ["p", frame.conclusion]];
  for (const [tag, text] of told) {
    const made = document.createElement(tag);
    made.textContent = text;
    byId("words").append(made);
  }
  byId("count").textContent = `${at} of ${frames.length}`;
  byId("slider").value = at;
  document.querySelectorAll("li").forEach((item, k) => {
    if (!at || k !== frame.number) return item.removeAttribute("aria-current");
    item.setAttribute("aria-current", "step");
    const list = byId("list");
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 3;
  });
}
function go(to) { at = Math.max(0, Math.min(frames.length, to)); draw(); }
puzzle.steps.forEach((step, number) => {
  const item = document.createElement("li");
  item.textContent = `${step.title}: ${step.conclusion}`;
  item.onclick = () => go(frames.findIndex((f) => f.number === number && !f.lead) + 1);
  byId("list").append(item);
});
byId("slider").max = frames.length;
byId("slider").oninput = () => go(+byId("slider").value);
byId("back").onclick = () => go(at - 1);
byId("next").onclick = () => go(at + 1);
byId("run").onclick = () => {
  if (timer) { clearInterval(timer); timer = null; byId("run").textContent = "Play"; return; }
  byId("run").textContent = "Pause";
  timer = setInterval(() => (at < frames.length ? go(at + 1) : byId("run").click()), 700);
};
document.onkeydown = (event) => {
  if (event.target.tagName === "INPUT") return;
  if (event.key === "ArrowRight") go(at + 1);
  if (event.key === "ArrowLeft") go(at - 1);
  if (event.key === "Home") go(0);
  if (event.key === "End") go(frames.length);
};
draw();
"""
