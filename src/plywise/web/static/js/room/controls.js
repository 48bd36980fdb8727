// The row of buttons under the board.

import { h, put } from "../dom.js";
import { icon } from "../icons.js";

/**
 * `actions`: what each button does, by name. `state()` returns {shown, enabled, pressed}, each a set
 * of names; `update()` applies it.
 */
export function create(host, actions, state) {
  const buttons = new Map(
    BUTTONS.filter(([name]) => name in actions).map(([name, drawn, text, key, long = text]) => {
      const title = key ? `${long} (key ${key})` : long;
      const attributes = { type: "button", class: "control", title, onclick: actions[name] };
      return [name, h("button", attributes, icon(drawn), h("span", {}, text))];
    }),
  );
  put(host, ...buttons.values());

  function update() {
    const { shown, enabled, pressed } = state();
    for (const [name, button] of buttons) {
      button.hidden = !shown.has(name);
      button.disabled = !enabled.has(name);
      if (TOGGLES.has(name)) button.setAttribute("aria-pressed", String(pressed.has(name)));
    }
  }

  update();
  return { update };
}

const BUTTONS = [
  ["hint", "hint", "Hint", "h"],
  ["check", "check", "Check", "c"],
  ["solve", "computer", "Solve", null, "Let the computer solve it"],
  ["undo", "undo", "Undo", "u"],
  ["redo", "redo", "Redo", "r"],
  ["analysis", "chart", "Analysis", "a"],
  ["legal", "dots", "Legal", null, "Show the legal moves"],
  ["flip", "flip", "Flip", "f"],
  ["resign", "flag", "Resign"],
  ["colour", "drop", "Colour", "k", "Colour inside and outside"],
  ["clear", "bin", "Clear", null, "Clear the board"],
  ["open", "paste", "Open", null, "Open a puzzle"],
  ["fresh", "plus", "New", null, "New game"],
  ["another", "plus", "New", "n", "New puzzle"],
];

const TOGGLES = new Set(["analysis", "legal", "flip", "colour"]);
