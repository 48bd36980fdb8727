// Tournaments, /arena and /arena/NUMBER: the server draws the tables, and this page keeps them up to date.

import { h, put } from "../dom.js";
import { get } from "../net.js";
import { drawScene } from "../board/scene.js";

const PAUSE = 2000; // milliseconds between two looks

const PARTS = [
  ["standings", "Standings"],
  ["cross", "Points of the row against the column, in %"],
  ["games", "Latest games"],
  ["challenges", "Challenges, which do not count"],
];

export async function show(root, { number }, app) {
  const { tournaments } = await get("/api/arena");
  app.title("Tournaments");
  if (number === undefined && tournaments.length !== 1) return list(root, tournaments);
  return watch(root, number ?? tournaments[0].number, app);
}

function list(root, tournaments) {
  const none = "This server shows no tournament: start it with 'plywise serve arena.sqlite'.";
  put(
    root,
    h(
      "div",
      { class: "page" },
      h("h1", {}, "Tournaments"),
      tournaments.length === 0 ? h("p", { class: "muted" }, none) : null,
      h(
        "ul",
        {},
        tournaments.map(({ number, title }) => h("li", {}, h("a", { href: `/arena/${number}` }, title))),
      ),
    ),
  );
}

/** Show a tournament, and look for new games until the page is left. */
async function watch(root, number, app) {
  const path = `/api/arena/${encodeURIComponent(number)}`;
  const title = h("h1", {}, "Tournament");
  const facts = h("p", { class: "muted", role: "status" });
  const parts = Object.fromEntries(
    PARTS.map(([name]) => [name, h("div", { class: "arena-table", tabindex: "0", role: "region", "aria-labelledby": `arena-${name}` })]),
  );
  const now = h("div", { class: "arena-now" });
  const live = h("section", { class: "arena-part", hidden: true }, h("h2", {}, "Now playing"), now);
  put(
    root,
    h("div", { class: "page" }, title, facts, live, PARTS.map(([name, words]) => h("section", { class: "arena-part" }, h("h2", { id: `arena-${name}` }, words), parts[name]))),
  );
  let version = "";
  let timer = null;

  async function look() {
    const found = document.hidden && version ? { version } : await get(`${path}?known=${encodeURIComponent(version)}`);
    if (found.now) {
      live.hidden = found.now.length === 0;
      put(now, found.now.map(game));
    }
    if (found.version === "") facts.textContent = "It has not begun yet.";
    else if (found.version !== version) {
      version = found.version;
      title.innerHTML = found.title; // written by the server, names escaped
      facts.innerHTML = found.facts;
      app.title(title.textContent);
      for (const [name, part] of Object.entries(parts)) fill(part, found[name]);
    }
  }

  async function again() {
    try {
      await look();
    } catch (error) {
      facts.textContent = error.message; // the next look may be better
    }
    if (timer !== null) timer = setTimeout(again, PAUSE);
  }

  await look();
  timer = setTimeout(again, PAUSE);
  return () => {
    clearTimeout(timer);
    timer = null;
  };
}

/** A game that is being played, as it stands; its board can be opened. */
function game({ first, second, moves, board, scene }) {
  const words = `${first} against ${second}, ${moves} ${moves === 1 ? "move" : "moves"}`;
  return h(
    "figure",
    {},
    h("a", { class: "card", href: board }, drawScene(scene, { label: words })),
    h("figcaption", { class: "muted small" }, words),
  );
}

/** Draw a table again; whatever had the focus in it keeps it. */
function fill(part, html) {
  const held = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  part.innerHTML = html;
  if (held) part.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus();
}
