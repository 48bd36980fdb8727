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
  ["check", "check", "Check", "c", "Is it correct so far?"],
  ["undo", "undo", "Undo", "u"],
  ["redo", "redo", "Redo", "r"],
  ["takeback", "undo", "Takeback", null, "Ask to take back your last move"],
  ["rewind", "rewind", "Rewind", "m", "Undo to the first mistake"],
  ["point", "pin", "Save point", "p", "Set a save point to come back to"],
  ["auto", "watch", "Auto-check", "g", "Grey finished clues and mark contradictions"],
  ["analysis", "chart", "Analysis", "a"],
  ["legal", "dots", "Legal", null, "Show the legal moves"],
  ["flip", "flip", "Flip", "f"],
  ["draw", "draw", "Draw", null, "Offer a draw"],
  ["resign", "flag", "Resign"],
  ["colour", "drop", "Colour", "k", "Colour inside and outside"],
  ["clear", "bin", "Clear", "l", "Clear the board"],
  ["solve", "computer", "Solve", "v", "Let the computer solve it"],
  ["film", "film", "Explain", "e", "Explain the solution step by step"],
  ["share", "share", "Share", "t", "Link, text and picture"],
  ["open", "paste", "Open", "o", "Open a puzzle"],
  ["daily", "day", "Daily", "y", "The puzzles of the day"],
  ["again", "undo", "Retry", "r", "Try again"],
  ["answer", "hint", "Answer", "s", "Show the answer"],
  ["forward", "next", "Next", "n", "Next exercise"],
  ["today", "day", "Daily", null, "The exercise of the day"],
  ["run", "hurry", "Timed", null, "Solve as many as you can in three minutes"],
  ["study", "chart", "Analyse", null, "Open the position on the analysis board"],
  ["fresh", "plus", "New", null, "New game"],
  ["another", "plus", "New", "n", "New puzzle"],
];

const TOGGLES = new Set(["analysis", "legal", "flip", "colour", "auto", "film"]);
