// A Scene as SVG in board units: the same geometry as plywise.views.svg. The colours come from
// /theme.css by the classes: what a shape is (its first role), what is true of it, whose it is.

import { s } from "./dom.js";

const OUTLINE = 0.045; // the width of outlines, as in plywise.views.theme
const NEAR = 0.1; // an ornament has the middle of its stone, about

/** A picture of a scene; `decorative` ones are not read out, others by `label` or their title. */
export function drawScene(scene, { label = scene.title, decorative = false } = {}) {
  const svg = s("svg", { viewBox: `0 0 ${scene.size[0]} ${scene.size[1]}` });
  svg.setAttribute("class", `scene palette-${scene.palette}`);
  if (decorative) {
    svg.setAttribute("aria-hidden", "true");
  } else {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  }
  svg.append(...painted(scene).map(drawShape));
  return svg;
}

/** What is drawn, in the order of drawing: higher layers cover lower ones. */
export function painted(scene) {
  const visible = scene.shapes.filter((shape) => shape.roles[0] !== "area");
  visible.sort((one, other) => (one.layer ?? 0) - (other.layer ?? 0));
  return [...visible, ...scene.coordinates];
}

/** The element of a shape; `data-id` is its name, since several boards may stand in a page. */
export function drawShape(shape) {
  const element = s(elements[shape.kind], { "data-id": shape.id });
  if (shape.kind === "label") element.textContent = shape.text;
  paint(element, shape);
  for (const [name, value] of Object.entries(outlines[shape.kind](shape))) {
    element.setAttribute(name, value);
  }
  return element;
}

/** The classes of a shape: roles in their order, whose it is, whether it is drawn with a pen. */
export function classes(shape) {
  const names = [...shape.roles];
  if (shape.owner !== undefined && shape.owner !== null) names.push(`player-${shape.owner + 1}`);
  if (shape.width) names.push("pen");
  return names.join(" ");
}

/** The colours of a shape by its classes, and how wide it is drawn. */
function paint(element, shape) {
  element.setAttribute("class", classes(shape));
  if (shape.shade !== undefined) element.setAttribute("opacity", number(shape.shade));
  if (shape.kind === "label") {
    const plain = ["coordinate", "text"].includes(shape.roles[0]);
    element.setAttribute("font-size", number(shape.size));
    element.setAttribute("font-weight", plain ? "normal" : "bold");
    element.setAttribute("text-anchor", shape.anchor ?? "middle");
  } else {
    element.setAttribute("stroke-width", number(shape.width || OUTLINE));
    if (shape.width && shape.kind !== "circle") {
      element.setAttribute("stroke-linecap", "round");
      element.setAttribute("stroke-linejoin", "round");
    }
  }
}

const elements = { circle: "circle", line: "line", path: "path", label: "text", polygon: "path" };

const outlines = {
  circle: ({ at: [x, y], radius }) => ({ cx: number(x), cy: number(y), r: number(radius) }),
  line: ({ start, end }) => ({
    x1: number(start[0]),
    y1: number(start[1]),
    x2: number(end[0]),
    y2: number(end[1]),
  }),
  path: ({ strokes }) => ({
    d: strokes.map((stroke) => `M${stroke.map(pair).join("L")}`).join(""),
  }),
  // Letters sit on a line about a third of their height below their middle.
  label: ({ at: [x, y], size }) => ({ x: number(x), y: number(y + 0.35 * size) }),
  polygon: ({ points, corner = 0, holes = [] }) => ({
    d: [`M${rounded(points, corner).join("L")}Z`, ...holes.map(hole)].join(""),
    "fill-rule": "evenodd",
  }),
};

/** A polygon's corners, each as the curve that takes its place. */
function rounded(points, corner) {
  if (corner === 0) return points.map(pair);
  return points.map((at, index) => {
    const before = points.at(index - 1);
    const after = points[(index + 1) % points.length];
    return `${pair(towards(at, before, corner))}Q${pair(at)} ${pair(towards(at, after, corner))}`;
  });
}

/** A point at a distance from one towards the other, half the way at most. */
function towards(start, end, distance) {
  const share = Math.min(0.5, distance / Math.hypot(end[0] - start[0], end[1] - start[1]));
  return [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])];
}

function hole([[x, y], radius]) {
  const r = number(radius);
  const across = number(2 * radius);
  return `M${pair([x - radius, y])}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0Z`;
}

const pair = ([x, y]) => `${number(x)} ${number(y)}`;

const number = (value) => String(Math.round(10000 * value) / 10000);

/** Where the middle of a shape's box is. */
export function centre(shape) {
  if (shape.at) return shape.at;
  const points = shape.points ?? shape.strokes?.flat() ?? [shape.start, shape.end];
  const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
  return [middle(points.map(([x]) => x)), middle(points.map(([, y]) => y))];
}

/** A shape with each of its points somewhere else. */
export function moved(shape, to) {
  const found = { ...shape };
  for (const name of ["at", "start", "end"]) if (shape[name]) found[name] = to(shape[name]);
  if (shape.points) found.points = shape.points.map(to);
  if (shape.strokes) found.strokes = shape.strokes.map((stroke) => stroke.map(to));
  if (shape.holes) found.holes = shape.holes.map(([at, radius]) => [to(at), radius]);
  return found;
}

/** The scene seen from behind: left is right, letters still read. */
export function mirrored(scene) {
  const to = ([x, y]) => [scene.size[0] - x, y];
  const turn = (shape) => moved(shape, to);
  return {
    ...scene,
    shapes: scene.shapes.map(turn),
    coordinates: scene.coordinates.map(turn),
    targets: scene.targets.map(turn),
    motion: scene.motion && moved(scene.motion, to),
    hub: scene.hub && to(scene.hub),
  };
}

/** A player's stone as a picture shows it, with its ornaments, round (0, 0); empty if it has none. */
export function stoneOf(scene, owner) {
  const own = scene.shapes.filter((shape) => shape.owner === owner);
  const stone = own.find(({ roles }) => roles[0] === "stone");
  if (stone === undefined) return [];
  const [x, y] = centre(stone);
  const near = (shape) => Math.hypot(centre(shape)[0] - x, centre(shape)[1] - y) < NEAR;
  return own
    .filter((shape) => shape === stone || (shape.roles[0] === "detail" && near(shape)))
    .map((shape) => ({ ...moved(shape, ([left, top]) => [left - x, top - y]), roles: shape.roles.slice(0, 1) }));
}
