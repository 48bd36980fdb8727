// The list of keys.

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

const KEYS = [
  [["←", "→", "↑", "↓"], "choose a move on the board"],
  [["Enter"], "play it"],
  [["4", "b2"], "type a move, then Enter if it could go on"],
  [["Shift"], "with a letter that also begins a move: what this list says of it"],
  [["u"], "take a move back"],
  [["r"], "play it again"],
  [["h"], "a hint; once more for more of it"],
  [["a"], "analysis on or off"],
  [["f"], "turn the board round"],
  [["[", "]"], "one move back, one move on; Alt with the arrows does it too"],
  [["?"], "this list"],
];

export function showKeys() {
  if (document.querySelector("dialog[open]")) return;
  openDialog(
    "Keys",
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
