// A Scene as SVG in board units, with the same geometry as plywise.views.svg. The colours come from
// /theme.css by class: the shape's first role says what it is, then come its other roles and owner.

import { s } from "../dom.js";

const OUTLINE = 0.045; // the width of outlines, as in plywise.views.theme
const NEAR = 0.1; // how near an ornament is to the middle of its stone

/** Draw a scene. Screen readers skip it if `decorative`; otherwise they read `label`. */
export function drawScene(scene, { label = scene.title, decorative = false } = {}) {
  const svg = s("svg", { viewBox: viewOf(scene).join(" "), class: lookOf(scene) });
  if (decorative) {
    svg.setAttribute("aria-hidden", "true");
  } else {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  }
  svg.append(...painted(scene).map(drawShape));
  return svg;
}

/** The part of a scene to show: its left and top, width and height. */
export function viewOf({ size, window }) {
  if (!window) return [0, 0, ...size];
  const [left, top, right, bottom] = window.frame;
  return [left, top, right - left, bottom - top];
}

/** The classes of a scene. */
export const lookOf = ({ palette, window }) => `scene palette-${palette}${window ? " cut" : ""}`;

/** True if a shape is in the part of the board that is shown. */
export function isSeen(shape, window) {
  if (!window) return true;
  const [x, y] = centre(shape);
  const [left, top, right, bottom] = window.box;
  return left <= x && x <= right && top <= y && y <= bottom;
}

/** The visible shapes in drawing order: higher layers cover lower ones. */
export function painted({ shapes, coordinates, window }) {
  const visible = shapes.filter((shape) => shape.roles[0] !== "area" && isSeen(shape, window));
  visible.sort((one, other) => (one.layer ?? 0) - (other.layer ?? 0));
  return [...visible, ...(window ? window.labels : coordinates)];
}

/** The element of a shape; it has a `data-id`, not an id, since a page may hold several boards. */
export function drawShape(shape) {
  const element = s(elements[shape.kind], { "data-id": shape.id });
  if (shape.kind === "label") element.textContent = shape.text;
  paint(element, shape);
  for (const [name, value] of Object.entries(outlines[shape.kind](shape))) {
    element.setAttribute(name, value);
  }
  return element;
}

/** The classes of a shape: its roles in order, its owner, and "pen" if it is a stroke. */
export function classes(shape) {
  const names = [...shape.roles];
  if (shape.owner !== undefined && shape.owner !== null) names.push(`player-${shape.owner + 1}`);
  if (shape.width) names.push("pen");
  return names.join(" ");
}

/** Set the classes of a shape, its stroke width or font. */
function paint(element, shape) {
  element.setAttribute("class", classes(shape));
  if (shape.shade !== undefined) element.setAttribute("opacity", number(shape.shade));
  if (shape.kind === "label") {
    const plain = ["coordinate", "text", "dead"].includes(shape.roles[0]);
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
  // The baseline of text is about a third of its height below its middle.
  label: ({ at: [x, y], size }) => ({ x: number(x), y: number(y + 0.35 * size) }),
  polygon: ({ points, corner = 0, holes = [] }) => ({
    d: [`M${rounded(points, corner).join("L")}Z`, ...holes.map(hole)].join(""),
    "fill-rule": "evenodd",
  }),
};

/** A polygon's corners, each replaced by a curve. */
function rounded(points, corner) {
  if (corner === 0) return points.map(pair);
  return points.map((at, index) => {
    const before = points.at(index - 1);
    const after = points[(index + 1) % points.length];
    return `${pair(towards(at, before, corner))}Q${pair(at)} ${pair(towards(at, after, corner))}`;
  });
}

/** The point at a distance from `start` towards `end`, at most halfway. */
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

/** The box around the points of a shape, or of a circle: left, top, right, bottom. */
export function boxOf(shape) {
  const points = shape.points ?? shape.strokes?.flat() ?? (shape.at ? [shape.at] : [shape.start, shape.end]);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const more = shape.radius ?? 0;
  return [Math.min(...xs) - more, Math.min(...ys) - more, Math.max(...xs) + more, Math.max(...ys) + more];
}

/** The centre of a shape's bounding box. */
export function centre(shape) {
  if (shape.at) return shape.at;
  const [left, top, right, bottom] = boxOf(shape);
  return [(left + right) / 2, (top + bottom) / 2];
}

/** A shape with each of its points mapped by `to`. */
export function moved(shape, to) {
  const found = { ...shape };
  for (const name of ["at", "start", "end"]) if (shape[name]) found[name] = to(shape[name]);
  if (shape.points) found.points = shape.points.map(to);
  if (shape.strokes) found.strokes = shape.strokes.map((stroke) => stroke.map(to));
  if (shape.holes) found.holes = shape.holes.map(([at, radius]) => [to(at), radius]);
  return found;
}

/** The scene mirrored left to right; text stays readable. */
export function mirrored(scene) {
  const to = ([x, y]) => [scene.size[0] - x, y];
  const turn = (shape) => moved(shape, to);
  const flip = ([left, top, right, bottom]) => [scene.size[0] - right, top, scene.size[0] - left, bottom];
  const { window } = scene;
  return {
    ...scene,
    shapes: scene.shapes.map(turn),
    coordinates: scene.coordinates.map(turn),
    targets: scene.targets.map(turn),
    motion: scene.motion && moved(scene.motion, to),
    hub: scene.hub && to(scene.hub),
    window: window && { box: flip(window.box), frame: flip(window.frame), labels: window.labels.map(turn) },
  };
}

/** A player's stone in a scene with its ornaments, moved to (0, 0); empty if there is none. */
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
