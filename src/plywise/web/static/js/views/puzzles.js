// Getting a puzzle: a new one as one wants it, one in a text, or one that was left.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { post } from "../net.js";
import { keptPuzzles } from "../puzzle.js";
import { field, number } from "./fields.js";

const API = "/api/puzzles/slither";
const LARGEST = 30;
const GRADES = ["any", "easy", "normal", "tricky", "hard", "expert", "chains", "extreme"];
const SYMMETRIES = [
  ["180", "half a turn"],
  ["none", "none"],
  ["mirror", "left and right"],
  ["all", "left, right, up and down"],
];

const linkTo = ({ id, grade }) =>
  `/puzzle/slither?${new URLSearchParams({ p: id, ...(grade && { grade }) })}`;

/** Ask what a new puzzle should be like, have it made, and go to it. */
export function newPuzzle(app) {
  const kept = remembered();
  const side = (name) => number(name, kept[name] ?? "10", { min: 2, max: LARGEST, step: 1, required: true });
  const select = (name, options) =>
    h(
      "select",
      { name },
      options.map(([value, words]) => h("option", { value, selected: value === (kept[name] ?? options[0][0]) }, words)),
    );
  const form = h(
    "form",
    { class: "import-form" },
    h(
      "div",
      { class: "fields" },
      field("Rows", side("rows")),
      field("Columns", side("cols")),
      field("Grade", select("grade", GRADES.map((grade) => [grade, grade]))),
      field("Symmetry", select("symmetry", SYMMETRIES)),
      field("Seed", number("seed", "", { min: 0, max: 999999999, step: 1, placeholder: "by lot" })),
    ),
  );
  ask(form, "New puzzle", "Make it", async () => {
    const chosen = Object.fromEntries(new FormData(form));
    remember(chosen);
    const { rows, cols, grade, symmetry, seed } = chosen;
    const made = await post(`${API}/new`, {
      rows: Number(rows),
      cols: Number(cols),
      symmetry,
      ...(grade !== "any" && { grade }),
      ...(seed !== "" && { seed: Number(seed) }),
    });
    await app.go(linkTo(made));
  });
}

/** Take a puzzle from a text in any format, or one of those that were left. */
export function openPuzzle(app) {
  const text = h("textarea", {
    name: "text",
    rows: 6,
    class: "notation",
    spellcheck: "false",
    placeholder: "..2.0\n232.2\n21..3\n.12.3\n.2...",
  });
  const left = keptPuzzles().filter(({ solved }) => !solved);
  const form = h(
    "form",
    { class: "import-form" },
    field("The puzzle", text, "Rows of numbers and dots, a puzz.link address, a Loopy ID, Lisp lists or a pzprv3 file."),
    left.length ? h("h3", {}, "Those you have begun") : null,
    left.length
      ? h(
          "ul",
          { class: "begun" },
          left.map(({ id, moves }) => {
            const [, cols, rows] = id.split("/");
            return h("li", {}, h("a", { href: linkTo({ id }) }, `${rows} x ${cols}`), `, ${moves.length} moves`);
          }),
        )
      : null,
  );
  ask(form, "Open a puzzle", "Open", async () => {
    if (!text.value.trim()) throw new Error("There is nothing yet: write or paste a puzzle.");
    await app.go(linkTo(await post(API, { puzzle: text.value })));
  });
}

/** A dialog with a form; what goes wrong is said in it. */
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

function remembered() {
  try {
    return JSON.parse(localStorage.getItem("setup:slither") ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function remember(chosen) {
  try {
    localStorage.setItem("setup:slither", JSON.stringify({ ...chosen, seed: undefined }));
  } catch {
    // A browser that keeps nothing.
  }
}
