// Words and drawings that the panels share.

import { h } from "../dom.js";

/** A plain button. */
export function button(attributes, ...inside) {
  return h("button", { type: "button", class: "button plain", ...attributes }, ...inside);
}

/** The grades of a review, best first: symbol and names. */
export const GRADES = {
  best: { glyph: "✓", word: "best", many: "best" },
  good: { glyph: "", word: "good", many: "good" },
  inaccuracy: { glyph: "?!", word: "inaccuracy", many: "inaccuracies" },
  mistake: { glyph: "?", word: "mistake", many: "mistakes" },
  blunder: { glyph: "??", word: "blunder", many: "blunders" },
};

/** True if a move is an inaccuracy or worse. */
export const isFault = (judged) => !["best", "good"].includes(judged.grade);

/** The reviewed nodes, each with its judgement. */
export function gradesOf(tree, review) {
  const grades = new Map();
  let node = tree.root;
  for (const judged of review?.moves ?? []) {
    node = node.child(judged.move);
    if (node === null) break;
    grades.set(node, judged);
  }
  return grades;
}

/** Listen to several events of the room; returns a function that stops it. */
export function listen(room, names, listener) {
  const offs = names.map((name) => room.on(name, listener));
  return () => offs.forEach((off) => off());
}

/** Call `draw` at most once per animation frame. */
export function once(draw) {
  let asked = 0;
  const ask = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      draw();
    });
  };
  ask.cancel = () => cancelAnimationFrame(asked);
  return ask;
}

/** Give elements the palette of the game, for the players' colours. */
export async function paint(room, ...elements) {
  const position = await room.positionOf(room.tree.root).catch(() => null);
  const palette = position?.scene.palette ?? "ink";
  for (const element of elements) element.classList.add("scene", `palette-${palette}`);
}

/** A value from -1 to 1 as an expected score in percent. */
export const share = (value) => `${Math.round(50 * (1 + value))} %`;

const moveCount = (count) => `${count} ${count === 1 ? "move" : "moves"}`;

/** The proved outcome for a player in words. */
export function outcomeWords({ outcome, moves_to_win: moves }, player) {
  if (outcome === "draw") return "draw";
  const winner = outcome === "win" ? player : 3 - player;
  return `player ${winner} wins${moves ? ` in ${moveCount(moves)}` : ""}`;
}

/** The proved outcome of a move: "wins in 8", "loses in 10", "draws"; null if not proved. */
export function moveWords({ outcome, moves_to_win: moves }) {
  if (!outcome) return null;
  if (outcome === "draw") return "draws";
  return `${outcome === "win" ? "wins" : "loses"}${moves ? ` in ${moves}` : ""}`;
}

/** 950, 12.3 k, 4.54 M */
export function count(number) {
  const powers = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [power, letter] = powers.find(([least]) => number >= least) ?? [1, ""];
  if (power === 1) return String(Math.round(number));
  const scaled = number / power;
  return `${scaled.toFixed(scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2)} ${letter}`;
}

/** 2.1 s, 48 s, 1:05 */
export function duration(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
