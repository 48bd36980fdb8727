// The keyboard of a room: shortcuts, their list, and typed moves.
//
// A letter can be both, such as "a" on a board with columns a to c. While the board has the focus it
// begins a move; with Shift, or anywhere else, it is a shortcut. Digits always begin a move.

import { openDialog } from "../dialog.js";
import { h, hush, typing } from "../dom.js";

/**
 * `field` shows the typed text; `legal()` returns the legal moves; `submit()` plays the text in the
 * field; `actions` maps letters to functions, `walk` does so for Alt with the arrow keys; `point(key)`
 * gets an arrow key while nothing has the focus, and returns whether it used it.
 */
export function listen({ field, board, legal, submit, actions, walk, point }) {
  const fits = (text) => legal().filter((move) => move.toLowerCase().startsWith(text.toLowerCase()));

  function type(key, event) {
    const text = field.value + key;
    const found = fits(text);
    const meant = /\d/.test(key) || field.value !== "" || board.contains(document.activeElement);
    if (event.shiftKey || !meant || found.length === 0) return false;
    field.value = text;
    hush();
    if (found.length === 1 && found[0].toLowerCase() === text.toLowerCase()) submit();
    return true;
  }

  function edit(key) {
    if (field.value === "") return false;
    if (key === "Enter") submit();
    else if (key === "Backspace") field.value = field.value.slice(0, -1);
    else if (key === "Escape") field.value = "";
    else return false;
    return true;
  }

  function handle(event) {
    const { key } = event;
    if (event.altKey && key in walk) return run(walk[key]);
    if (document.activeElement === document.body && key in walk && point(key)) return true;
    if (edit(key)) return true;
    if (key.length === 1 && key !== " " && type(key, event)) return true;
    return run(actions[key.toLowerCase()]);
  }

  function run(action) {
    action?.();
    return action !== undefined;
  }

  function onKey(event) {
    const bracket = event.key === "[" || event.key === "]"; // typed with Ctrl and Alt on some keyboards
    if (typing(event) || event.isComposing || ((event.ctrlKey || event.metaKey) && !bracket)) return;
    if (document.querySelector("dialog[open]") || !handle(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("keydown", onKey, { capture: true });
  return () => document.removeEventListener("keydown", onKey, { capture: true });
}

// ---- the list of shortcuts ----

const KEYS = [
  [["←", "→", "↑", "↓"], "choose a move on the board"],
  [["Enter"], "play the chosen move"],
  [["4", "b2"], "type a move, then Enter if a longer move begins the same way"],
  [["Shift"], "hold it to use a shortcut whose letter also begins a move"],
  [["u"], "undo"],
  [["r"], "redo"],
  [["h"], "hint; press again to see more"],
  [["a"], "analysis on or off"],
  [["f"], "flip the board"],
  [["+", "-"], "zoom in; zoom out"],
  [["[", "]"], "previous move, next move; also Alt with the arrow keys"],
  [["Esc"], "cancel a premove"],
  [["?"], "this list"],
];

export function showKeys() {
  if (document.querySelector("dialog[open]")) return;
  openDialog(
    "Keyboard shortcuts",
    h(
      "dl",
      { class: "keys" },
      KEYS.flatMap(([keys, words]) => [
        h(
          "dt",
          {},
          keys.map((key) => h("kbd", {}, key)),
        ),
        h("dd", {}, words),
      ]),
    ),
  );
}
