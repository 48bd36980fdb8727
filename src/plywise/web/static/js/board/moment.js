// A small picture of one moment of a game: the board before a move, a ring around what was played and
// an arrow to what was better.

import { s } from "../dom.js";
import { centre, drawScene, mirrored } from "./scene.js";

const LENGTH = 1.4; // of an arrow that comes from nowhere, in cells
const HEAD = 0.55; // of its head
const WIDTH = 0.2;
const NOWHERE = 0.3; // how near the middle of the board has no direction

/** Draw the board with two moves of its scene; one without a place on the board is left out. */
export function drawMoment(scene, { played, better, label, flipped = false }) {
  const shown = flipped ? mirrored(scene) : scene;
  const svg = drawScene(shown, { label });
  svg.classList.add("moment");
  const target = (move) => shown.targets.find((each) => each.move === move);
  svg.append(...ring(shown, target(played)), ...arrow(shown, target(better)));
  return svg;
}

const shapeOf = (scene, id) => scene.shapes.find((shape) => shape.id === id);

/** The played move: a ring, or the line itself. */
function ring(scene, target) {
  if (target === undefined) return [];
  const shape = shapeOf(scene, target.shapes.at(-1));
  if (shape?.kind === "line") return [line("was", shape.start, shape.end, WIDTH)];
  const [cx, cy] = target.at;
  return [s("circle", { class: "was", cx, cy, r: 0.9 * target.room, "stroke-width": 0.14 })];
}

/** The better move: from its piece to its place, along its line, or to its place from the middle of the board. */
function arrow(scene, target) {
  if (target === undefined) return [];
  const [first, last] = [target.shapes[0], target.shapes.at(-1)].map((id) => shapeOf(scene, id));
  let [from, to] = [null, target.at];
  if (last?.kind === "line") [from, to] = [last.start, last.end];
  else if (first && last && first.id !== last.id) from = centre(first);
  else from = inwards(scene, to);
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const long = Math.hypot(x, y) || 1;
  const [ux, uy] = [x / long, y / long];
  const neck = [to[0] - HEAD * ux, to[1] - HEAD * uy];
  const side = (way) => [neck[0] - way * 0.6 * HEAD * uy, neck[1] + way * 0.6 * HEAD * ux];
  const points = [to, side(1), side(-1)].map((point) => point.join(",")).join(" ");
  const parts = (name, more) => [
    line(name, from, neck, WIDTH + more),
    s("polygon", { class: `${name} head`, points, "stroke-width": more }),
  ];
  return [s("g", { class: "arrow", "aria-hidden": "true" }, ...parts("rim", 0.12), ...parts("better", 0))];
}

/** A point a little nearer to the middle of the board; above a place that is there already. */
function inwards(scene, [x, y]) {
  const [dx, dy] = [scene.size[0] / 2 - x, scene.size[1] / 2 - y];
  const far = Math.hypot(dx, dy);
  if (far < NOWHERE) return [x, y - LENGTH];
  return [x + (LENGTH * dx) / far, y + (LENGTH * dy) / far];
}

const line = (name, [x1, y1], [x2, y2], width) => s("line", { class: name, x1, y1, x2, y2, "stroke-width": width });
