// A graph of the value of every position of the line shown: player 1 above, player 2 below.

import { h, put, s } from "../dom.js";
import { GRADES, gradesOf, isFault, listen, once, paint, share } from "./common.js";

const HEIGHT = 132;
const SIDE = 10; // margin at the first and the last position
const EDGE = 14; // margin above and below, for the symbols of mistakes
const NEAR = 13; // symbols nearer than this would overlap
let made = 0;

/** `lineOf` returns the nodes to draw, by default the line shown. */
export function create(host, room, lineOf = () => through(room.node)) {
  const id = `graph-${(made += 1)}`;
  const svg = s("svg", {
    class: "graph",
    role: "slider",
    tabindex: "0",
    height: HEIGHT,
    "aria-label": "Value of the game, move by move",
    "aria-valuemin": "0",
    onkeydown: arrows,
    onpointerdown: hold,
    onpointermove: hover,
    onpointerleave: leave,
  });
  const said = h("p", { class: "graph-said", "aria-hidden": "true" });
  const panel = h("div", { class: "graph-panel" }, svg, said);
  put(host, panel);
  let width = 0;
  let line = [];
  let here = room.tree.root; // the node shown, or the last one before it that is drawn
  let under = null; // the node under the pointer
  let grades = new Map();

  // ---- drawing ---------------------------------------------------------------------------------

  const middle = HEIGHT / 2;
  const x = (ply) => SIDE + (ply * (width - 2 * SIDE)) / Math.max(1, line.length - 1);
  const y = (value) => middle - value * (middle - EDGE);

  /** The stretches of the line with known values, as points. */
  function stretches() {
    const found = [[]];
    for (const [ply, node] of line.entries()) {
      const value = room.values.get(node);
      if (value === undefined) found.push([]);
      else found.at(-1).push([x(ply), y(value)]);
    }
    return found.filter((points) => points.length > 0);
  }

  /** The area under a stretch; a single position gets a narrow column. */
  function area(points) {
    const [[left, first], right] = [points[0], points.at(-1)[0]];
    if (points.length === 1) return `M${left - 2} ${middle}V${first}H${left + 2}V${middle}Z`;
    return `M${left} ${middle}L${points.map(pair).join("L")}L${right} ${middle}Z`;
  }

  function draw() {
    line = lineOf();
    here = room.node.path.findLast((node, ply) => line[ply] === node) ?? line[0];
    panel.hidden = !line.some((node) => room.values.has(node));
    if (width > 0) put(svg, ground(), areas(), ticks(), pointer(), signs());
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.setAttribute("aria-valuemax", line.length - 1);
    svg.setAttribute("aria-valuenow", here.ply);
    svg.setAttribute("aria-valuetext", words(here));
    said.textContent = words(under ?? here);
  }

  /** The labels, and the clip paths and hatching of the areas. */
  function ground() {
    const half = (name, top) =>
      s("clipPath", { id: `${id}-${name}` }, s("rect", { x: 0, y: top, width, height: middle }));
    const hatch = s(
      "pattern",
      { id: `${id}-hatch`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("line", { class: "graph-hatch", x1: 0, x2: 0, y1: 0, y2: 5 }),
    );
    return [
      s("defs", {}, half("upper", 0), half("lower", middle), hatch),
      s("text", { class: "graph-name", x: 2, y: 10 }, "Player 1"),
      s("text", { class: "graph-name", x: 2, y: HEIGHT - 3 }, "Player 2"),
    ];
  }

  function areas() {
    const found = stretches();
    const shape = found.map(area).join("");
    const edge = found.filter((points) => points.length > 1).map((points) => `M${points.map(pair).join("L")}`);
    return [
      s("path", { class: "stone player-1 graph-area", d: shape, "clip-path": `url(#${id}-upper)` }),
      s("path", { class: "stone player-2 graph-area", d: shape, "clip-path": `url(#${id}-lower)` }),
      s("path", { fill: `url(#${id}-hatch)`, d: shape, "clip-path": `url(#${id}-lower)` }),
      s("line", { class: "graph-middle", x1: 0, x2: width, y1: middle, y2: middle }),
      s("path", { class: "graph-edge", d: edge.join("") }),
    ];
  }

  /** Tick marks on the middle line every few moves. */
  function ticks() {
    const every = [1, 2, 5, 10, 20, 50, 100].find((step) => x(step) - x(0) >= 24) ?? 100;
    const found = [];
    for (let ply = every; ply < line.length; ply += every) {
      found.push(s("line", { class: "graph-middle", x1: x(ply), x2: x(ply), y1: middle - 3, y2: middle + 3 }));
    }
    return found;
  }

  /** A dot at each mistake, with its symbol where there is room. */
  function signs() {
    let last = -NEAR;
    return line.flatMap((node, ply) => {
      const judged = grades.get(node);
      const value = room.values.get(node);
      if (!judged || !isFault(judged) || value === undefined) return [];
      const at = { cx: x(ply), cy: y(value), r: judged.grade === "blunder" ? 4.5 : 3.5 };
      const dot = s("circle", { class: `graph-dot ${judged.grade}`, ...at });
      if (x(ply) - last < NEAR) return [dot];
      last = x(ply);
      const above = judged.player === 2; // player 2's mistakes raise the line, player 1's lower it
      const text = { class: "graph-sign", x: x(ply), y: y(value) + (above ? -8 : 17) };
      return [dot, s("text", text, GRADES[judged.grade].glyph)];
    });
  }

  /** Lines at the position shown and at the pointer. */
  function pointer() {
    const found = [];
    if (under) found.push(s("line", { class: "graph-under", x1: x(under.ply), x2: x(under.ply), y1: 0, y2: HEIGHT }));
    const at = x(here.ply);
    found.push(s("line", { class: "graph-here", x1: at, x2: at, y1: 0, y2: HEIGHT }));
    found.push(s("circle", { class: "graph-ring", cx: at, cy: y(room.values.get(here) ?? 0), r: 5 }));
    return found;
  }

  function words(node) {
    const value = room.values.get(node);
    const what = node.parent === null ? "Start position" : `Move ${node.ply}: ${node.move}`;
    const judged = grades.get(node);
    const grade = judged && isFault(judged) ? `, ${GRADES[judged.grade].word}` : "";
    if (value === undefined) return `${what}${grade} · value not known yet`;
    return `${what}${grade} · ${value >= 0 ? `player 1 ${share(value)}` : `player 2 ${share(0 - value)}`}`;
  }

  // ---- input -----------------------------------------------------------------------------------

  /** The position nearest to the pointer. */
  function nearest(event) {
    const box = svg.getBoundingClientRect();
    const step = (width - 2 * SIDE) / Math.max(1, line.length - 1);
    const ply = Math.round((event.clientX - box.left - SIDE) / step);
    return line[Math.max(0, Math.min(line.length - 1, ply))];
  }

  function hold(event) {
    if (event.button !== 0) return;
    room.goto(nearest(event));
  }

  function hover(event) {
    under = nearest(event);
    if (event.buttons & 1 && under !== room.node) room.goto(under);
    soon();
  }

  function leave() {
    under = null;
    soon();
  }

  function arrows(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = here.ply;
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: Math.max(0, at - 10),
      PageUp: Math.min(line.length - 1, at + 10),
      Home: 0,
      End: line.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (line[to]) room.goto(line[to]);
  }

  // ---- updates ---------------------------------------------------------------------------------

  const soon = once(draw);
  const sized = new ResizeObserver(([entry]) => {
    width = Math.round(entry.contentRect.width);
    soon();
  });
  sized.observe(svg);
  const offs = [
    listen(room, ["node", "game", "values"], soon),
    room.on("review", (review) => {
      grades = new Map([...grades, ...gradesOf(room.tree, review)]);
      soon();
    }),
  ];
  paint(room, svg);
  draw();

  return {
    update: soon,
    destroy() {
      soon.cancel();
      sized.disconnect();
      offs.forEach((off) => off());
      put(host);
    },
  };
}

const pair = (point) => point.join(" ");

/** The whole line through a node. */
function through(node) {
  const found = node.path;
  while (found.at(-1).next) found.push(found.at(-1).next);
  return found;
}
