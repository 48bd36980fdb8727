// What to train: exercises of a theme, a length, a difficulty.

import { h } from "../dom.js";
import { STEPS, filtered } from "../room/training.js";

/** Menus over the exercises of a game; `onChange` is called after a choice. */
export function create(exercises, training, onChange) {
  const every = exercises.list.exercises;
  const count = h("span", { class: "muted small", role: "status" });

  function menu(name, label, options) {
    const chosen = String(training.filter[name] ?? "");
    const select = h(
      "select",
      { name, onchange: () => choose(name, select.value) },
      options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    );
    return h("label", { class: "field" }, h("span", {}, label), select);
  }

  function choose(name, value) {
    const before = training.filter;
    training.filter = { ...before, [name]: value };
    if (!filtered(every, training.filter).length) {
      // The last choice counts: the others would leave nothing.
      training.filter = { [name]: value };
      for (const select of form.querySelectorAll("select")) select.value = training.filter[select.name] ?? "";
    }
    training.keep();
    update();
    onChange();
  }

  function update() {
    const left = filtered(every, training.filter).length;
    count.textContent = left === 1 ? "1 exercise" : `${left.toLocaleString("en")} exercises`;
  }

  const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
  const moves = (length) => (length === 1 ? "1 move" : `${length} moves`);
  const form = h(
    "div",
    { class: "exercise-filter", role: "group", "aria-label": "Filter" },
    menu("theme", "Theme", [["", "All"], ...exercises.themes.map(([theme]) => [theme, capital(theme)])]),
    menu("length", "Length", [["", "All"], ...exercises.lengths.map((length) => [String(length), moves(length)])]),
    menu("step", "Rating", [["", "All"], ...Object.keys(STEPS).map((step) => [step, capital(step)])]),
    count,
  );
  update();
  return every.length ? form : null;
}
