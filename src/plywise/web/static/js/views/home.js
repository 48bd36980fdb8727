// The home page: all games and puzzles, and the user's games.

import { calm, h, put } from "../dom.js";
import { Film } from "../board/film.js";
import { icon } from "../icons.js";
import { allKinds, allPuzzles, sample } from "../kinds.js";
import { importGame } from "./import.js";
import { yourGames } from "./games.js";

const GENTLY = 1100; // milliseconds per move when a sample plays by itself
const BRISKLY = 550; // ... and when the user points at it

export async function show(root, params, app) {
  app.title("");
  const games = h("div", {});
  const kinds = h("div", { class: "kinds", "aria-busy": "true" });
  const puzzles = h("div", {});
  put(
    root,
    h(
      "div",
      { class: "page" },
      h(
        "section",
        { class: "hero" },
        h("h1", {}, "Board games and puzzles, with an engine that plays, helps and explains."),
        h(
          "p",
          { class: "muted" },
          "Play the computer or a friend, ask for hints, and review your games to see what you missed.",
        ),
      ),
      games,
      h("section", { "aria-labelledby": "all-games" }, h("h2", { id: "all-games" }, "Games"), kinds),
      puzzles,
      h(
        "section",
        { class: "import card" },
        h(
          "div",
          {},
          h("h2", {}, "Already have a game?"),
          h("p", { class: "muted" }, "Import it as text or JSON, then play on or review it."),
        ),
        h(
          "button",
          { class: "button", type: "button", onclick: () => importGame(app) },
          icon("paste"),
          "Import a game",
        ),
      ),
      h(
        "p",
        { class: "muted small" },
        "Writing a program that plays? ",
        h("a", { href: "/interface" }, "See the server's API."),
      ),
    ),
  );
  const films = [];
  await Promise.all([yourGames(games, app), fill(kinds, puzzles, films)]);
  const watch = runFirst(films);
  return () => {
    watch.disconnect();
    for (const { film } of films) film.stop();
  };
}

/** Draw the cards of all games, and of all puzzles below them. */
async function fill(place, puzzles, films) {
  try {
    const [games, others] = await Promise.all([allKinds(), allPuzzles()]);
    put(place, games.map((kind) => gameCard(kind, films)));
    put(
      puzzles,
      h(
        "section",
        { "aria-labelledby": "all-puzzles" },
        h("h2", { id: "all-puzzles" }, "Puzzles"),
        h("div", { class: "kinds" }, others.map((kind) => puzzleCard(kind, films))),
      ),
    );
  } catch (error) {
    if (error.status === 0) throw error; // there is a page for that, which tries again by itself
    const again = () => fill(put(place), puzzles, films);
    put(
      place,
      h(
        "div",
        { class: "failed" },
        h("p", {}, `The games could not be loaded. ${error.message}`),
        h("button", { class: "button", type: "button", onclick: again }, "Try again"),
      ),
    );
  }
  place.removeAttribute("aria-busy");
}

function gameCard(kind, films) {
  const name = encodeURIComponent(kind.name);
  const more = [
    h("a", { class: "button", href: `/rules/${name}`, "aria-label": `Rules of ${kind.title}` }, "Rules"),
    h("a", { class: "button", href: `/board?game=${name}`, "aria-label": `Analyse ${kind.title}` }, "Analyse"),
  ];
  if (kind.exercises)
    more.push(h("a", { class: "button", href: `/exercises/${name}`, "aria-label": `${kind.title} exercises` }, "Exercises"));
  return card(kind, films, `/api/kinds/${name}`, `/new/${name}`, more);
}

function puzzleCard(kind, films) {
  const { name, title } = kind;
  const more = h("a", { class: "button", href: `/puzzle/${name}?new`, "aria-label": `New puzzle: ${title}` }, "New puzzle");
  return card(kind, films, `/api/puzzles/${name}`, `/puzzle/${name}`, [more]);
}

/** A card: a picture that plays a sample when pointed at, and links. */
function card(kind, films, path, href, more) {
  const picture = h("div", { class: "still" });
  const button = h("button", { class: "button plain square run", type: "button" });
  const film = new Film(
    picture,
    kind.picture,
    () => sample(path),
    (playing) => {
      button.setAttribute("aria-label", `${playing ? "Stop" : "Show"} a sample game of ${kind.title}`);
      put(button, icon(playing ? "pause" : "play"));
    },
  );
  film.onChange(false);
  const entry = { film, picture, held: false }; // held: the user has pressed the button
  films.push(entry);
  const look = () => {
    if (!calm() && !entry.held) film.play(BRISKLY);
  };
  const away = () => {
    if (!entry.held) film.stop();
  };
  button.addEventListener("click", () => {
    entry.held = true;
    if (film.playing) film.stop();
    else film.play(BRISKLY);
  });
  return h(
    "article",
    {
      class: "kind card",
      onpointerenter: (event) => event.pointerType === "mouse" && look(),
      onpointerleave: away,
    },
    h("a", { class: "picture", href, tabindex: -1, "aria-hidden": "true" }, picture),
    button,
    h(
      "div",
      { class: "about" },
      h("h3", {}, kind.title),
      h("p", { class: "muted" }, kind.summary),
      h(
        "div",
        { class: "buttons", onfocusin: look, onfocusout: away },
        h(
          "a",
          { class: "button main", href, "aria-label": `Play ${kind.title}` },
          icon("play"),
          "Play",
        ),
        more,
      ),
    ),
  );
}

/** Play the first visible sample by itself, unless the user prefers reduced motion. */
function runFirst(films) {
  const seen = new Set();
  let running = null;
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      const first = films.find(({ picture, held }) => seen.has(picture) && !held) ?? null;
      if (first === running || calm()) return;
      running?.film.stop();
      running = first;
      running?.film.play(GENTLY);
    },
    { threshold: 0.6 },
  );
  for (const { picture } of films) watch.observe(picture);
  return watch;
}
