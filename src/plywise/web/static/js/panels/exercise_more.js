// Below an exercise: what to train, your own mistakes, and exercises for later.

import { h, put, tell } from "../dom.js";
import { mistakesOf } from "../room/mistakes.js";
import { dayOf } from "../room/training.js";
import { create as createFilter } from "./exercise_filter.js";

const SAVE = "Save for offline";

/** Show it in `host`; `onChange` is called after another choice of what to train. */
export function showMore(host, kind, exercises, training, onChange) {
  const count = mistakesOf(kind.name).length;
  const address = `/exercises/${encodeURIComponent(kind.name)}?mistakes`;
  const own = count ? h("a", { class: "button", href: address }, `Practise my mistakes (${count})`) : null;
  const later = exercises.list.exercises.length ? saveButton(exercises) : null;
  put(host, createFilter(exercises, training, onChange), h("div", { class: "buttons" }, own, later));
}

/** A button that fetches the exercises of the day, with every picture that they need. */
function saveButton(exercises) {
  const button = h("button", { type: "button", class: "button", onclick: save }, SAVE);
  return button;

  async function save() {
    button.disabled = true;
    try {
      await exercises.save(dayOf(new Date()), (count, of) => {
        button.textContent = count < of ? `Saving ${count + 1} of ${of} …` : `${of} exercises saved`;
      });
    } catch (error) {
      button.disabled = false;
      button.textContent = SAVE;
      tell(error.message);
    }
  }
}
