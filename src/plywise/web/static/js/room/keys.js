// The list of keyboard shortcuts.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";

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
