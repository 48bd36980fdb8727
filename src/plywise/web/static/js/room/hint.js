// A hint in three steps, each more specific than the last: where, which, why.

import { active, h, put, reveal } from "../dom.js";
import { icon } from "../icons.js";

const NEXT = (told) => ["Which move?", "Why?"][told - 1];

/**
 * `onChange()` is called when the marks on the board change. `next(told, of)` returns the label of the
 * button that shows the next step. `last` is a button for when all steps are shown: its label, and
 * what it does with the hint.
 */
export function create(host, room, onChange, { next = NEXT, last = null } = {}) {
  let node = null; // the position the hint is for
  let hint = null;
  let step = 0; // how many steps are shown
  let asking = false;

  function draw() {
    host.hidden = hint === null && !asking;
    if (host.hidden) {
      put(host);
      return;
    }
    const button = (text, action) => h("button", { type: "button", class: "button", onclick: action }, text);
    const told = asking
      ? [h("p", { class: "muted" }, "Looking at the board…")]
      : sentences().map((text, index) => h("p", { class: index === step - 1 ? "newest" : "muted" }, text));
    const close = h(
      "button",
      { type: "button", class: "button plain square", "aria-label": "Close hint", onclick: clear },
      icon("close"),
    );
    const complete = !asking && step === hint.steps.length;
    const more = asking
      ? null
      : !complete
        ? button(next(step, hint.steps.length), press)
        : last && hint.moves.length
          ? button(last[0], () => last[1](hint))
          : null;
    const focused = host.contains(active());
    put(host, h("div", { class: "hint-words" }, told, more), close);
    if (focused) (more ?? close).focus({ preventScroll: true });
    reveal(host);
  }

  /** The steps shown so far; left and right are swapped on a flipped board. */
  function sentences() {
    const [where, ...rest] = hint.steps.slice(0, step);
    const turned = where.replace(/left|right/g, (side) => (side === "left" ? "right" : "left"));
    return [room.flipped ? turned : where, ...rest];
  }

  async function press() {
    if (asking) return;
    if (hint !== null) {
      if (step < hint.steps.length) tell(step + 1);
      return;
    }
    asking = true;
    node = room.node;
    draw();
    const answer = await room.hint();
    asking = false;
    if (answer !== null && node === room.node) {
      hint = answer.hint;
      tell(1);
    } else {
      draw();
    }
  }

  function tell(number) {
    step = number;
    room.announce(sentences().at(-1));
    draw();
    onChange();
  }

  function clear() {
    const had = hint !== null;
    hint = null;
    step = 0;
    draw();
    if (had) onChange();
  }

  draw();
  return {
    press,
    clear,
    update: draw,
    /** The marks of the hint on the board. */
    get marks() {
      if (hint === null || node !== room.node) return [];
      if (step === 1) return hint.area ? [{ kind: "hint", area: hint.area }] : [];
      const why = step === hint.steps.length ? [{ kind: "why", shapes: hint.marks }] : [];
      return [...why, { kind: "hint", move: hint.move }];
    },
  };
}
