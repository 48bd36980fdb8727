// The kinds of games there are, and how a game or an agent with its parameters is written.

import { get } from "./net.js";

let asked = null;

/** Every kind with its picture; asked for once. */
export function allKinds() {
  if (asked === null) {
    asked = get("/api/kinds").then(({ kinds }) => kinds);
    asked.catch(() => (asked = null));
  }
  return asked;
}

/** Every kind of puzzle with its picture. */
export const allPuzzles = () => get("/api/puzzles").then(({ puzzles }) => puzzles);

/** The pictures of a sample game, move by move; `path` is that of its kind. */
export async function sample(path) {
  const { shapes, frames } = await get(`${path}/sample`);
  return frames.map((frame) => ({ ...frame, shapes: frame.shapes.map((number) => shapes[number]) }));
}

/** A parameter's value as a spec has it; nothing for null. */
export const written = (value) =>
  value === null ? "" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);

/** `name:key=value,key=value` out of the values that are given. */
export function writeSpec(name, given) {
  const parts = Object.entries(given).map(([key, value]) => `${key}=${written(value)}`);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/** What may stand for a parameter, in words. */
export function allowed({ kind, low, high, choices }) {
  if (choices.length) return choices.join(", ");
  if (kind === "bool") return "yes or no";
  const number = kind === "int" ? "a whole number" : kind === "float" ? "a number" : "a word";
  if (low !== null && high !== null) return `${low} to ${high}`;
  if (low !== null) return `${number}, at least ${low}`;
  return high === null ? number : `${number}, at most ${high}`;
}

/** What the levels of the computer are called, from the weakest up, and how they play. */
export const LEVELS = [
  ["Beginner", "Sees what wins at once, overlooks much of the rest."],
  ["Easy", "Overlooks one of your answers in five."],
  ["Casual", "Plays for fun and errs in its plans."],
  ["Fair", "A game that most people can win."],
  ["Steady", "Thinks a few moves ahead and seldom blunders."],
  ["Strong", "You need a plan to beat it."],
  ["Skilled", "Overlooks hardly anything."],
  ["Expert", "Punishes nearly every mistake."],
  ["Master", "Overlooks nothing, and errs only in small things."],
  ["Full strength", "The best this game has."],
];
