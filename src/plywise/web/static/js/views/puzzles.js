// Getting a puzzle: a new one, one of the day, one from text or a file, or an unfinished one; and
// sharing one.

import { remember, remembered } from "../choices.js";
import { openDialog } from "../dialog.js";
import { h, put, tell } from "../dom.js";
import { post } from "../net.js";
import { copy, download, pictureOf, textOf } from "../panels/files.js";
import { timeText } from "../puzzle/bests.js";
import { Attempt, keptPuzzles } from "../room/puzzle.js";
import { complain, field, number, parameterField } from "./fields.js";

/** The API path of a kind of puzzle. */
export const api = ({ name }) => `/api/puzzles/${encodeURIComponent(name)}`;

const linkTo = ({ name }, { id, grade }) => `/puzzle/${name}?${new URLSearchParams({ p: id, ...(grade && { grade }) })}`;

/** Ask for the parameters of a new puzzle, have it made, and open it. */
export function newPuzzle(kind, app) {
  const kept = remembered(kind.name);
  const fields = kind.parameters.map((parameter) => {
    const label = parameter.name === "cols" ? "Columns" : parameter.name[0].toUpperCase() + parameter.name.slice(1);
    const help = parameter.help.toLowerCase() === label.toLowerCase() ? "" : parameter.help;
    return parameterField(parameter, parameter.name, kept, [label, help]);
  });
  const seed = number("seed", "", { min: 0, max: 999999999, step: 1, placeholder: "random" });
  const form = h("form", { class: "import-form" }, h("div", { class: "fields" }, fields, field("Seed", seed)));
  ask(form, "New puzzle", "Create", async () => {
    const { seed: typed, ...params } = Object.fromEntries(new FormData(form));
    remember(kind.name, params);
    const made = await post(`${api(kind)}/new`, { params, ...(typed !== "" && { seed: Number(typed) }) });
    await app.go(linkTo(kind, made));
  });
}

/** The puzzles of the day, one of each size: the same for everybody. */
export function dailyPuzzles(kind, app) {
  const date = today();
  const known = remembered(`${kind.name} of the day`);
  const ids = known.date === date ? known.ids : {};
  const kept = new Map(keptPuzzles(kind.name).map((attempt) => [attempt.id, attempt]));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const states = (size) => {
    const attempt = kept.get(ids[size]);
    if (attempt === undefined) return "";
    return attempt.solved ? `solved in ${timeText(attempt.seconds)}` : `begun, ${timeText(attempt.seconds)}`;
  };
  const open = async (size, button) => {
    wrong.textContent = "";
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      const made = await post(`${api(kind)}/daily`, { date, size });
      remember(`${kind.name} of the day`, { date, ids: { ...ids, [size]: made.id } });
      dialog.close();
      await app.go(linkTo(kind, made));
    } catch (error) {
      wrong.textContent = error.message;
    }
    button.disabled = false;
    button.removeAttribute("aria-busy");
  };
  const rows = kind.days.map((size) => {
    const button = h("button", { type: "button", class: "button", onclick: () => open(size, button) }, size);
    return h("li", {}, button, h("span", { class: "muted" }, states(size)));
  });
  const words = `The puzzles of ${date}, the same for everybody.`;
  const dialog = openDialog("Puzzles of the day", h("p", {}, words), h("ul", { class: "days" }, rows), wrong);
}

/** The player's date, such as 2026-05-17. */
function today() {
  const now = new Date();
  const pad = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

/** Show the puzzle in all formats, to copy or to save. */
export async function sharePuzzle(kind, attempt) {
  let formats;
  try {
    ({ formats } = await post(`${api(kind)}/export`, attempt.board));
  } catch (error) {
    tell(error.message);
    return;
  }
  const texts = new Map([["Link to this page", location.href], ...formats.map(({ name, text }) => [name, text])]);
  const text = h("textarea", { id: "share-text", rows: 6, class: "notation", readonly: true, onfocus: () => text.select() });
  const choice = h("select", { id: "share-format", onchange: () => show() }, [...texts.keys()].map((name) => h("option", {}, name)));
  const visit = h("p", {});
  const show = () => {
    const found = texts.get(choice.value);
    text.value = found;
    const link = /^https?:\S+$/.test(found) && choice.selectedIndex > 0;
    put(visit, link ? h("a", { href: found, target: "_blank", rel: "noopener" }, "Open it there") : null);
  };
  const button = (words, onclick) => h("button", { type: "button", class: "button", onclick }, words);
  const file = (ending) => `${attempt.puzzle.id.split("/").slice(0, 3).join("-")}.${ending}`;
  const copied = async () => {
    if (await copy(text.value, text)) tell("Copied.", "done");
    else tell("The browser did not allow copying. Select the text and copy it by hand.");
  };
  const picture = () => download(file("svg"), pictureOf({ scene: attempt.puzzle.scene }), "image/svg+xml");
  openDialog(
    "Share",
    h(
      "div",
      { class: "import-form" },
      h("div", { class: "field" }, h("label", { for: "share-format" }, "Format"), choice),
      h("div", { class: "field" }, h("label", { for: "share-text" }, "Text"), text),
      visit,
      h(
        "div",
        { class: "buttons" },
        button("Copy", copied),
        button("Save as a file", () => download(file("txt"), text.value, "text/plain")),
        button("Picture (SVG)", picture),
      ),
    ),
  );
  show();
}

/** Open a puzzle from text in any format, from a file, or an unfinished one; `wrong`: what is wrong with `text`. */
export function openPuzzle(kind, app, { text: given = "", wrong = "" } = {}) {
  const text = h("textarea", {
    name: "text",
    rows: 6,
    class: "notation",
    spellcheck: "false",
    placeholder: kind.example,
    value: given,
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
    const found = await post(api(kind), { puzzle: text.value });
    if (/[1-9]/.test(found.states)) new Attempt(found, kind.marks).keep(); // with what is drawn in the file
    await app.go(linkTo(kind, found));
  }, wrong);
}

/** Show a form in a dialog; errors appear in it, and one may be there from the start. */
function ask(form, title, action, send, problem = "") {
  const wrong = h("p", { class: "wrong", role: "alert" }, problem);
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
