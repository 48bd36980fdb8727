// Save points of a puzzle: a list to come back to.

import { h, put } from "../dom.js";
import { icon } from "../icons.js";

/** `words(states)` says what a save point holds; `onReturn(point)` and `onDrop(point)` do the work. */
export function create(host, attempt, { words, onReturn, onDrop }) {
  function update() {
    host.hidden = attempt.points.length === 0;
    const plain = { type: "button", class: "button plain" };
    put(
      host,
      h("h2", {}, "Save points"),
      h(
        "ol",
        {},
        attempt.points.map((point, index) =>
          h(
            "li",
            {},
            h("button", { ...plain, disabled: attempt.solved, onclick: () => onReturn(point) }, `Return to ${words(point)}`),
            h("button", { ...plain, class: "button plain square", "aria-label": `Delete save point ${index + 1}`, onclick: () => onDrop(point) }, icon("close")),
          ),
        ),
      ),
    );
  }
  update();
  return { update };
}
