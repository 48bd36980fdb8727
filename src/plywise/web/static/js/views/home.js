// The home page: all games and puzzles, and the user's games.

import { Film } from "../board/film.js";
import { remembered } from "../choices.js";
import { calm, h, put } from "../dom.js";
import { icon } from "../icons.js";
import { allKinds, allPuzzles, knownCards, rememberCards, sample, writeSpec } from "../kinds.js";
import { post } from "../net.js";
import { BY_LEVEL, USUAL_LEVEL } from "./fields.js";
import { yourGames } from "./games.js";
import { importGame } from "./import.js";

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
  const known = knownCards();
  if (known) draw(kinds, puzzles, films, known.games, known.puzzles, app);
  const filled = Promise.all([yourGames(games, app), fill(kinds, puzzles, films, app)]);
  let watch = null;
  filled.then(() => (watch = runFirst(films)));
  if (!known) await filled;
  return () => {
    watch?.disconnect();
    for (const { film } of films) film.stop();
  };
}

/** Draw the cards, in place of those that are there. */
function draw(place, puzzles, films, games, others, app) {
  for (const { film } of films.splice(0)) film.stop();
  put(place, games.map((kind) => gameCard(kind, films, app)));
  put(
    puzzles,
    h(
      "section",
      { "aria-labelledby": "all-puzzles" },
      h("h2", { id: "all-puzzles" }, "Puzzles"),
      h("div", { class: "kinds" }, others.map((kind) => puzzleCard(kind, films))),
    ),
  );
}

/** Load all games and puzzles, and draw their cards unless the same ones are there already. */
async function fill(place, puzzles, films, app) {
  try {
    const [games, others] = await Promise.all([allKinds(), allPuzzles()]);
    const fresh = rememberCards(games, others);
    if (fresh || films.length === 0) draw(place, puzzles, films, games, others, app);
  } catch (error) {
    if (error.status === 0) throw error; // there is a page for that, which tries again by itself
    const again = () => fill(put(place), puzzles, films, app);
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

function gameCard(kind, films, app) {
  const name = encodeURIComponent(kind.name);
  const { title } = kind;
  const now = h("button", { class: "button main", type: "button", "aria-label": `Play now: ${title}` }, icon("play"), "Play now");
  now.addEventListener("click", () => playNow(kind, app, now));
  const more = [
    h("a", { class: "button", href: `/new/${name}`, "aria-label": `Options to play ${title}` }, "Options"),
    h("a", { class: "button less", href: `/rules/${name}`, "aria-label": `Rules of ${kind.title}` }, "Rules"),
    h("a", { class: "button less", href: `/board?game=${name}`, "aria-label": `Analyse ${kind.title}` }, "Analyse"),
  ];
  if (kind.exercises)
    more.push(h("a", { class: "button", href: `/exercises/${name}`, "aria-label": `${kind.title} exercises` }, "Exercises"));
  return card(kind, films, `/api/kinds/${name}`, `/new/${name}`, [now, ...more]);
}

function puzzleCard(kind, films) {
  const { name, title } = kind;
  const href = `/puzzle/${name}`;
  const play = h("a", { class: "button main", href, "aria-label": `Play ${title}` }, icon("play"), "Play");
  const more = h("a", { class: "button", href: `${href}?new`, "aria-label": `New puzzle: ${title}` }, "New puzzle");
  return card(kind, films, `/api/puzzles/${name}`, href, [play, more]);
}

/** A card: a picture that plays a sample when pointed at, and links. */
function card(kind, films, path, href, buttons) {
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
        buttons,
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

// ---- a game in one click: against the computer, on the usual board, without a clock ----

/** Start a game at the level and on the side chosen the last time; `button` waits meanwhile. */
async function playNow(kind, app, button) {
  const kept = remembered(kind.name);
  const level = Number(kept.level) || USUAL_LEVEL;
  const side = kept.side ?? (kind.toss ? "toss" : "1");
  const computer = level >= kind.levels ? BY_LEVEL : writeSpec(BY_LEVEL, { level });
  const [first, second] = side === "2" ? [computer, "human"] : ["human", computer];
  button.disabled = true;
  try {
    const game = await post("/api/games", { game: kind.name, first, second, toss: side === "toss" });
    await app.go(`/game/${encodeURIComponent(game.id)}${side === "toss" ? "?toss=yes" : ""}`);
  } catch (error) {
    app.tell(error.message);
    button.disabled = false;
  }
}
