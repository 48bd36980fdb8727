// Your own mistakes, saved in this browser to be practised: positions from reviews in which one move was clearly best.

import { post } from "../net.js";

const KEY = "mistakes";
const CLEAR = 0.2; // how much better the best move is than any other, as in hints
const SECONDS = 1; // to look at a position again
const SHOWN = 3; // moves of a refutation
const MOST = 100; // positions of a game that are kept
const CACHE = "mistakes"; // their pictures, so that they can be practised without the server

/** The mistakes of a game that are still to be practised, the latest first. */
export function mistakesOf(game, storage = localStorage) {
  return all(storage)[game] ?? [];
}

/** Save positions to practise. */
export function keep(game, found, storage = localStorage) {
  const fresh = new Set(found.map(({ name }) => name));
  const rest = mistakesOf(game, storage).filter(({ name }) => !fresh.has(name));
  write(game, [...found, ...rest].slice(0, MOST), storage);
}

/** Drop one that was solved. */
export function drop(game, name, storage = localStorage) {
  write(game, mistakesOf(game, storage).filter((each) => each.name !== name), storage);
  open().then((cache) => cache?.delete(addressOf(name)));
}

const addressOf = (name) => `/mistake/${encodeURIComponent(name)}`;

/** Where pictures are kept; null if the browser does not allow it here. */
const open = async () => ("caches" in globalThis ? caches.open(CACHE) : null);

/** The position of a mistake and the pictures of its lines: {position, frames}. Fetched once. */
export async function filmOf({ name, game, start, moves, line, refutations }) {
  const cache = await open();
  const known = await cache?.match(addressOf(name));
  if (known) return known.json();
  const lines = [line, ...Object.entries(refutations).map(([move, rest]) => [move, ...rest])];
  const film = await post("/api/pictures/lines", { game, start, moves, lines });
  await cache?.put(addressOf(name), Response.json(film));
  return film;
}

function all(storage) {
  try {
    return JSON.parse(storage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function write(game, found, storage) {
  try {
    storage.setItem(KEY, JSON.stringify({ ...all(storage), [game]: found }));
  } catch {
    // Private windows may not save anything.
  }
}

/** Look at the position before a mistake again; null if more than one move was good. */
export async function examine({ game, start, moves, played, comment }) {
  const { lines } = await post("/api/analysis", { game, start, moves, time: SECONDS, lines: true });
  return exerciseOf({ game, start, moves, played, comment }, lines);
}

/** The exercise of a mistake, from the scores of all moves. */
export function exerciseOf({ game, start, moves, played, comment }, lines) {
  const [best, next] = lines.toSorted((one, two) => two.value - one.value);
  if (next === undefined || best.move === played || best.value - next.value < CLEAR) return null;
  const wrong = lines.filter(({ move }) => move !== best.move);
  return {
    name: [game, start ?? "", ...moves].join(" "),
    game,
    start,
    moves,
    played,
    goal: best.outcome === "win" || best.outcome === "draw" ? best.outcome : "best",
    task: `find the best move (you played ${played})`,
    why: comment,
    answer: best.move,
    line: best.pv.slice(0, 1 + SHOWN),
    refutations: Object.fromEntries(wrong.map(({ move, pv }) => [move, pv.slice(1, 1 + SHOWN)])),
    themes: [],
  };
}
