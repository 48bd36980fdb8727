// The parts of the page of a puzzle, and the banner at its end.

import { announce, h, put } from "../dom.js";
import { shortTime, timeText } from "./bests.js";

/** What to say about a puzzle that does not have one solution. */
export const FEW = {
  several: "This puzzle has several solutions, so your marks cannot be checked.",
  none: "This puzzle has no solution.",
  unknown: "It would take too long to find out whether this puzzle has only one solution.",
};

/** Lay out the page; returns its parts: {places, standing, time, best, chips, few, end}. */
export function lay(root, kind, attempt, onRules) {
  const { rows, cols, facts: more } = attempt.puzzle;
  const places = {};
  const part = (name, ...inside) => (places[name] = h("div", { class: `game-${name}` }, ...inside));
  const named = (name, role, words) => {
    const place = part(name);
    place.setAttribute("role", role);
    place.setAttribute("aria-label", words);
    return place;
  };
  const facts = [rows && `${rows} x ${cols}`, more, attempt.grade].filter(Boolean).join(" · ");
  const rules = h("button", { type: "button", class: "button plain", onclick: onRules }, "Rules");
  const head = h("header", { class: "game-head" }, h("h1", {}, kind.title), h("span", { class: "facts" }, facts), rules);
  const left = [part("board"), part("tools", named("controls", "toolbar", "Puzzle"))];
  const side = [
    part("status"),
    named("hint", "group", "Hint"),
    named("replay", "region", "Explanation"),
    named("points", "region", "Save points"),
  ];
  const page = h(
    "div",
    { class: "game-page puzzle-page" },
    h("div", { class: "game-top" }, head),
    h("div", { class: "game-left" }, left),
    h("div", { class: "game-side" }, side),
  );
  const found = {
    places,
    standing: h("span", {}),
    time: h("span", { class: "chip", role: "timer", "aria-label": "Time" }),
    best: h("span", { class: "chip" }),
    few: h("div", {}), // that it does not have one solution
    end: h("div", {}), // the banner
  };
  const line = h("p", { class: "status-text" }, found.standing);
  found.chips = h("span", { class: "chips" }, found.best, found.time);
  put(places.status, h("div", { class: "status-line" }, line, found.chips), found.few, found.end);
  places.replay.hidden = true;
  put(root, page);
  return found;
}

/** The banner of a puzzle that is solved; `verdict` is about the user's time. */
export function banner(kind, attempt, verdict, { onUndo, onNew }) {
  const took = attempt.byComputer; // null if the user has solved it
  const [title, words] =
    took === null
      ? ["Solved", `${kind.done}, in ${timeText(attempt.seconds)}. ${verdict}`]
      : ["Solved by the computer", `It took ${shortTime(took)}.`];
  const moves = took === null ? attempt.singles : attempt.drawn;
  const button = (text, onclick, more = "") => h("button", { type: "button", class: `button ${more}`, onclick }, text);
  announce(`${title}. ${words}`);
  return h(
    "section",
    { class: "banner", "aria-label": "Result" },
    h("h2", {}, title),
    h("p", {}, words),
    h(
      "details",
      { open: took !== null },
      h("summary", {}, `${took === null ? "Your" : "Its"} ${moves.length} moves`),
      h("p", { class: "notation" }, moves.join(", ")),
    ),
    h(
      "div",
      { class: "buttons" },
      took === null ? null : button("Undo", onUndo),
      kind.makes ? button("New puzzle", onNew, "main") : null,
    ),
  );
}
