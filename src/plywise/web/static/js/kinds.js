// The available games and puzzles, and specs of games and agents with their parameters.

import { get } from "./net.js";

let asked = null;

/** Every game with its picture; fetched once. */
export function allKinds() {
  if (asked === null) {
    asked = get("/api/kinds").then(({ kinds }) => kinds);
    asked.catch(() => (asked = null));
  }
  return asked;
}

const KEY = "cards";

/** What the cards of the home page showed the last time, or null: a server that starts takes a moment. */
export function knownCards() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** Remember what the cards need; true if that is something new. */
export function rememberCards(games, puzzles) {
  const card = ({ name, title, summary, exercises, toss, levels, picture }) =>
    ({ name, title, summary, exercises, toss, levels, picture: { ...picture, targets: [] } });
  const text = JSON.stringify({ games: games.map(card), puzzles: puzzles.map(card) });
  try {
    if (localStorage.getItem(KEY) === text) return false;
    localStorage.setItem(KEY, text);
  } catch {
    // Storage is not available, or full.
  }
  return true;
}

/** Every kind of puzzle with its picture. */
export const allPuzzles = () => get("/api/puzzles").then(({ puzzles }) => puzzles);

/** The pictures of a sample game, move by move; `path` is the API path of the game. */
export async function sample(path) {
  const { shapes, frames } = await get(`${path}/sample`);
  return frames.map((frame) => ({ ...frame, shapes: frame.shapes.map((number) => shapes[number]) }));
}

/** A parameter's value as written in a spec; empty for null. */
export const written = (value) =>
  value === null ? "" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);

/** Write the spec `name:key=value,key=value`. */
export function writeSpec(name, given) {
  const parts = Object.entries(given).map(([key, value]) => `${key}=${written(value)}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/** The picture of a kind of game, in the look that a spec asks for. */
export function pictureFor(kind, spec) {
  const given = spec.slice(spec.indexOf(":") + 1).split(",");
  const look = given.find((part) => Object.hasOwn(kind.looks, part));
  return look === undefined ? kind.picture : kind.looks[look];
}

/** The allowed values of a parameter, in words. */
export function allowed({ kind, low, high, choices }) {
  if (choices.length) return choices.join(", ");
  if (kind === "bool") return "yes or no";
  const number = kind === "int" ? "a whole number" : kind === "float" ? "a number" : "text";
  if (low !== null && high !== null) return `${low} to ${high}`;
  if (low !== null) return `${number}, at least ${low}`;
  return high === null ? number : `${number}, at most ${high}`;
}

/** The names of the computer's levels, weakest first, and how they play. */
export const LEVELS = [
  ["Beginner", "Takes a win in one move, but misses much else."],
  ["Easy", "Misses one in five of your replies."],
  ["Casual", "Plays for fun and makes mistakes in its plans."],
  ["Fair", "Most people can beat it."],
  ["Steady", "Thinks a few moves ahead and rarely blunders."],
  ["Strong", "You need a plan to beat it."],
  ["Skilled", "Misses very little."],
  ["Expert", "Punishes nearly every mistake."],
  ["Master", "Misses nothing; makes only small mistakes."],
  ["Full strength", "The strongest engine for this game."],
];
