// Scores on a board that do not cover each other: those that would are moved within their target, or
// left to the list beside the board. They also keep off dots, pieces and other small things if they can.

import { boxOf } from "./scene.js";

const CHARACTER = 0.76; // the width of a bold character relative to its height, in a wide font
const HIGH = 0.8; // the height of digits relative to the size of a text
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // along a line or an area, the middle first

const ABOVE = 4; // shapes in this layer or a higher one are things on the board
const LARGEST = 1.2; // ... if they are not larger than this

/**
 * Where to write the scores, each {move, text, size, best, target, shape}, on a board with these shapes: a
 * map from the move to a point; a score without any room is not in it. The best move comes first, then
 * the others in their order.
 */
export function spread(scores, shapes) {
  const found = new Map();
  const taken = [];
  const things = shapes.filter(isThing).map(boxOf);
  const order = [...scores].sort((one, other) => Number(other.best ?? false) - Number(one.best ?? false));
  for (const { move, text, size, target, shape } of order) {
    const high = HIGH * target.room * size;
    const wide = (CHARACTER / HIGH) * high * text.length;
    const boxAt = ([x, y]) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    const clear = (boxes) => (spot) => !boxes.some((other) => meet(boxAt(spot), other));
    const spots = spotsOf(target, shape).filter(clear(taken));
    const at = spots.find(clear(things)) ?? spots[0];
    if (at === undefined) continue;
    found.set(move, at);
    taken.push(boxAt(at));
  }
  return found;
}

/** The points of a target where its score may stand, the best first. */
function spotsOf({ at, room }, shape) {
  if (shape?.kind === "line") {
    const [[x, y], [right, down]] = [shape.start, shape.end];
    return SHARES.map((share) => [x + share * (right - x), y + share * (down - y)]);
  }
  const [left, top, right, bottom] = shape ? boxOf(shape) : [...at, ...at];
  const [wide, high] = [right - left, bottom - top];
  if (Math.max(wide, high) < 3 * room) {
    const off = 0.6 * room; // in a cell, above and below its middle
    return [at, [at[0], at[1] - off], [at[0], at[1] + off]];
  }
  // Along the longer side, through the middle of the target.
  const along = SHARES.map((share) => (wide > high ? [left + share * wide, at[1]] : [at[0], top + share * high]));
  return [at, ...along];
}

function isThing(shape) {
  if (shape.roles[0] === "area" || (shape.layer ?? 0) < ABOVE) return false;
  const [left, top, right, bottom] = boxOf(shape);
  return Math.max(right - left, bottom - top) <= LARGEST;
}

const meet = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
