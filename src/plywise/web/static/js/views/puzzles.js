// Getting a puzzle: a new one, one from text or a file, or an unfinished one.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { post } from "../net.js";
import { textOf } from "../panels/files.js";
import { keptPuzzles } from "../room/puzzle.js";
import { complain, field, number, parameterField } from "./fields.js";

/** The API path of a kind of puzzle. */
export const api = ({ name }) => `/api/puzzles/${encodeURIComponent(name)}`;

const linkTo = ({ name }, { id, grade }) => `/puzzle/${name}?${new URLSearchParams({ p: id, ...(grade && { grade }) })}`;

/** Ask for the parameters of a new puzzle, have it made, and open it. */
export function newPuzzle(kind, app) {
  const kept = remembered(kind);
  const fields = kind.parameters.map((parameter) => {
    const label = parameter.name === "cols" ? "Columns" : parameter.name[0].toUpperCase() + parameter.name.slice(1);
    const help = parameter.help.toLowerCase() === label.toLowerCase() ? "" : parameter.help;
    return parameterField(parameter, parameter.name, kept, [label, help]);
  });
  const seed = number("seed", "", { min: 0, max: 999999999, step: 1, placeholder: "random" });
  const form = h("form", { class: "import-form" }, h("div", { class: "fields" }, fields, field("Seed", seed)));
  ask(form, "New puzzle", "Create", async () => {
    const { seed: lot, ...params } = Object.fromEntries(new FormData(form));
    remember(kind, params);
    const made = await post(`${api(kind)}/new`, { params, ...(lot !== "" && { seed: Number(lot) }) });
    await app.go(linkTo(kind, made));
  });
}

/** Open a puzzle from text in any format, from a file, or an unfinished one. */
export function openPuzzle(kind, app) {
  const text = h("textarea", {
    name: "text",
    rows: 6,
    class: "notation",
    spellcheck: "false",
    placeholder: kind.example,
  });
  const file = h("input", {
    type: "file",
    name: "file",
    onchange: async () => {
      complain(form, "file", "");
      const [chosen] = file.files;
      if (chosen === undefined) return;
      try {
        text.value = await textOf(chosen, kind.letters);
      } catch (error) {
        file.value = "";
        complain(form, "file", error.message);
      }
    },
  });
  const left = keptPuzzles(kind.name).filter(({ solved }) => !solved);
  const form = h(
    "form",
    { class: "import-form" },
    field("Puzzle", text, kind.formats),
    field("Or choose a file", file),
    left.length ? h("h3", {}, "Unfinished puzzles") : null,
    left.length
      ? h(
          "ul",
          { class: "begun" },
          left.map(({ id, heading, moves }) =>
            h("li", {}, h("a", { href: linkTo(kind, { id }) }, heading ?? id), `, ${moves.length} ${moves.length === 1 ? "move" : "moves"}`),
          ),
        )
      : null,
  );
  ask(form, "Open a puzzle", "Open", async () => {
    if (!text.value.trim()) throw new Error("Nothing to open yet: type or paste a puzzle, or choose a file.");
    await app.go(linkTo(kind, await post(api(kind), { puzzle: text.value })));
  });
}

/** Show a form in a dialog; errors appear in it. */
function ask(form, title, action, send) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const button = h("button", { class: "button main", type: "submit" }, action);
  form.append(wrong, h("div", { class: "buttons end" }, button));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      await send();
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
    }
    button.disabled = false;
    button.removeAttribute("aria-busy");
  });
  const dialog = openDialog(title, form);
  form.querySelector("input, textarea").focus();
}

function remembered({ name }) {
  try {
    return JSON.parse(localStorage.getItem(`setup:${name}`) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function remember({ name }, chosen) {
  try {
    localStorage.setItem(`setup:${name}`, JSON.stringify(chosen));
  } catch {
    // Storage is not available.
  }
}
