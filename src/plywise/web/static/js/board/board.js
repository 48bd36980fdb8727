// A playable board: draws positions, animates moves and takes input.
// It knows no rules: everything comes from the position's scene.

import { calm, h, put, s, tell } from "../dom.js";
import { classes, drawShape, lookOf, mirrored, painted, viewOf } from "./scene.js";
import { Reader } from "./reader.js";
import { spread } from "./spread.js";
import { Targets } from "./targets.js";
import { Zoom } from "./zoom.js";

const FALL = 170; // milliseconds for the first unit of a fall; the square root of more
const SLIDE = 260;
const PLACE = 170;
const LINE = 0.2; // width of the preview of a line

// Easing of a falling stone, and of one that bounces up again.
const DOWN = "cubic-bezier(0.33, 0, 0.67, 0.33)";
const UP = "cubic-bezier(0.33, 0.67, 0.67, 1)";

export class Board {
  /**
   * `stones`: for each player the shapes of a stone centred at (0, 0), used to preview a move;
   * `ghost(target)` returns other shapes for the preview. `words(move)` names a target. `zoom` are options
   * of the Zoom.
   */
  constructor(host, { onMove, label = null, stones = [[], []], ghost = null, words = null, zoom = {} }) {
    this.label = label;
    this.ghostOf = ghost;
    this.stones = stones;
    this.position = null;
    this.pointed = null; // the move that is previewed
    this.playable = null;
    this.drawn = new Map(); // a shape's id -> {text, look, element}
    this.moving = { starts: 0, ends: 0, running: [] }; // the animations under way
    this.words = s("desc");
    this.pieces = s("g");
    this.marks = s("g", { class: "marks", "aria-hidden": "true" });
    this.ghost = s("g", { class: "ghost", "aria-hidden": "true" });
    this.strokes = s("g", { class: "strokes", "aria-hidden": "true" });
    this.covers = s("g");
    this.read = s("g", { class: "read", "aria-hidden": "true" });
    this.svg = s(
      "svg",
      { role: "group", tabindex: "-1" },
      this.words,
      this.pieces,
      this.strokes,
      this.ghost,
      this.marks,
      this.read,
      this.covers,
    );
    this.reader = new Reader({
      onRead: (shape) => put(this.read, ...(shape === null ? [] : [drawShape(shape), drawShape(shape)])),
      onPress: (shape, moves) => this.press(shape, moves),
    });
    this.choices = h("div", { class: "choices" });
    const frame = h("div", { class: "board-window" }, this.svg);
    this.element = h("div", { class: "board" }, frame, this.choices, this.reader.element);
    host.append(this.element);
    this.zoom = new Zoom(frame, this.svg, zoom);
    this.onMove = onMove;
    this.dropped = false; // was the last move dragged to where it is?
    this.targets = new Targets(this.svg, this.covers, {
      onMove: (move, dropped = false) => {
        this.dropped = dropped;
        onMove(move);
      },
      words,
      onChoose: (targets) => this.offer(targets.map(({ move }) => move)),
      onPreview: (target) => this.preview(target),
      onShow: ({ move }) => {
        if (!this.told) tell(`Tap again to play ${move}.`, "done");
        this.told = true;
      },
      onMiss: (id) => this.position.legal.length && tell(noMove(id, this.position.legal)),
    });
  }

  /**
   * Show a position. `marks`: {kind: "best" | "score" | "hint" | "legal", move, text, size, words}, or a hint
   * with an `area` [x, y, radius] instead of a move, or with `shapes` that show why. `pending` is a
   * move the server has not confirmed yet.
   */
  show(position, { playable = false, animate = false, marks = [], flipped = false, pending = null } = {}) {
    const same = position === this.position && flipped === this.flipped;
    const scene = same ? this.scene : flipped ? mirrored(position.scene) : position.scene;
    if (!same) this.stage(scene, position, flipped, animate);
    if (!same || playable !== this.playable) {
      const pointed = new Set(scene.targets.map(({ move }) => move));
      this.targets.show(scene, playable);
      this.reader.show(scene, playable ? scene.targets : []);
      this.offer(playable ? position.legal.filter((move) => !pointed.has(move)) : []);
      this.playable = playable;
    }
    if (pending !== null) this.preview(scene.targets.find(({ move }) => move === pending) ?? null);
    this.mark(scene, marks, flipped);
  }

  /** Play the move that ends on a shape which is read, or press the shape. */
  press(shape, moves) {
    if (moves.length === 1) this.onMove(moves[0]);
    else if (moves.length > 1) this.offer(moves);
    else if (!this.targets.press(shape.id) && this.position.legal.length) tell(noMove(shape.words, this.position.legal));
  }

  /** Put another scene on the board. */
  stage(scene, position, flipped, animate) {
    const view = viewOf(scene);
    const [, , width, height] = view;
    Object.assign(this, { scene, position, flipped });
    this.svg.setAttribute("viewBox", view.join(" "));
    this.svg.setAttribute("class", lookOf(scene));
    this.svg.setAttribute("aria-label", this.label ?? scene.title);
    if (this.words.textContent !== scene.description) this.words.textContent = scene.description;
    this.element.style.setProperty("--shape", width / height);
    this.zoom.measure([width, height]);
    const fresh = this.draw(scene);
    if (animate && !this.dropped && !calm()) this.move(scene, fresh);
    else this.settle();
    this.dropped = false;
  }

  destroy() {
    this.zoom.destroy();
    this.element.remove();
  }

  focus() {
    this.targets.focus();
  }

  /** Handle an arrow key while nothing has the focus: useful where all moves start in one place. */
  point(key) {
    return this.targets.point(key);
  }

  // Drawing

  /** Draw a scene, leaving shapes that stay the same untouched. */
  draw(scene) {
    const fresh = new Set();
    const next = new Map();
    for (const shape of painted(scene)) {
      const text = formOf(shape);
      const look = classes(shape);
      const known = this.drawn.get(shape.id);
      if (known?.text !== text) {
        next.set(shape.id, { text, look, element: drawShape(shape) });
        fresh.add(shape.id);
      } else {
        // Its roles may be new, but the element stays: it may still be moving.
        if (known.look !== look) known.element.setAttribute("class", look);
        next.set(shape.id, { ...known, look });
      }
    }
    for (const [id, { element }] of this.drawn) {
      if (next.get(id)?.element !== element) element.remove();
    }
    let place = this.pieces.firstChild;
    for (const { element } of next.values()) {
      if (element === place) place = place.nextSibling;
      else this.pieces.insertBefore(element, place);
    }
    this.drawn = next;
    return fresh;
  }

  /**
   * Animate the last move, then its mark or the win. It waits for the previous animation to end,
   * but if that one is still waiting itself, both are late and finish at once.
   */
  move(scene, fresh) {
    const { motion } = scene;
    if (!motion) return;
    const now = performance.now();
    if (this.moving.starts > now) this.settle();
    const wait = Math.max(0, this.moving.ends - now);
    const { frames, duration } = motions[motion.kind](motion);
    const done = wait + duration;
    const running = this.moving.running.filter(({ playState }) => playState === "running");
    const run = (id, steps, times) => running.push(this.drawn.get(id).element.animate(steps, times));
    for (const id of motion.shapes.filter((each) => this.drawn.has(each))) {
      run(id, frames, { duration, delay: wait });
      if (wait > 0) run(id, { visibility: ["hidden", "hidden"] }, { duration: wait });
    }
    for (const { id, roles } of scene.shapes) {
      if (["last", "winning"].includes(roles[0]) && fresh.has(id)) {
        run(id, { opacity: [0, 1] }, { duration: 160, delay: done, fill: "backwards" });
      }
      if (roles[0] === "stone" && roles.includes("winning")) {
        const times = { duration: 420, delay: done + 80, easing: "ease-in-out" };
        run(id, { transform: ["none", "scale(1.08)", "none"] }, times);
      }
    }
    this.moving = { starts: now + wait, ends: now + done, running };
  }

  /** Finish all animations at once. */
  settle() {
    for (const animation of this.moving.running) animation.finish();
    this.moving = { starts: 0, ends: 0, running: [] };
  }

  // Marks and previews over the board

  mark(scene, marks, flipped) {
    const targets = new Map(scene.targets.map((target) => [target.move, target]));
    const scored = marks.filter(({ kind, move }) => kind === "score" && targets.has(move));
    const spots = scored.length ? this.spots(scene, scored, targets) : null;
    const drawn = marks.map((mark) => {
      if (mark.area) {
        const [x, y, r] = mark.area;
        return hintCircle([flipped ? scene.size[0] - x : x, y], r, "hint-area", 0.07);
      }
      if (mark.shapes) {
        const { shapes } = flipped ? mirrored({ ...scene, shapes: mark.shapes }) : mark;
        return s("g", { class: "why" }, ...shapes.map(drawShape));
      }
      const target = targets.get(mark.move);
      if (target === undefined || (mark.kind === "score" && !spots.has(mark.move))) return null;
      return overlays[mark.kind](target, { ...mark, at: spots?.get(mark.move) });
    });
    put(this.marks, ...drawn);
    this.targets.describe(new Map(marks.map(({ move, words }) => [move, words])));
    this.uncover();
  }

  /** Where the scores are written, so that none covers another. */
  spots(scene, scored, targets) {
    const shapes = new Map(scene.shapes.map((shape) => [shape.id, shape]));
    return spread(
      scored.map((mark) => {
        const target = targets.get(mark.move);
        return { ...mark, target, shape: target.shapes.length === 1 ? shapes.get(target.shapes[0]) : undefined };
      }),
      scene.shapes,
    );
  }

  /** Hide the dot of the move that is previewed. */
  uncover() {
    for (const dot of this.marks.querySelectorAll("[data-dot]")) {
      dot.classList.toggle("covered", dot.getAttribute("data-dot") === this.pointed);
    }
  }

  /** Preview a move: a line in the mover's colour, or the mover's stone in a dashed ring. */
  preview(target) {
    this.pointed = target?.move ?? null;
    this.uncover();
    put(this.ghost);
    if (target === null) return;
    if (this.ghostOf !== null) {
      this.ghost.append(s("g", {}, ...this.ghostOf(target).map(drawShape)));
      return;
    }
    const { at, room } = target;
    const owner = this.position.to_move - 1;
    const shape = this.scene.shapes.find(({ id }) => id === target.shapes[0]);
    if (shape?.kind === "line") {
      this.ghost.append(s("g", {}, drawShape({ ...shape, roles: ["stone"], owner, width: LINE })));
      return;
    }
    const stone = s("g", { transform: `translate(${at[0]} ${at[1]})` });
    stone.append(...(this.stones[owner] ?? []).map(drawShape));
    const ring = circle(at, 0.94 * room, `ring player-${owner + 1}`, 0.05);
    this.ghost.append(stone, ring);
  }

  /** Show what is being drawn and not a move yet. */
  sketch(shapes) {
    put(this.strokes, ...shapes.map(drawShape));
  }

  /** Show buttons for moves that have no target on the board. */
  offer(moves) {
    put(
      this.choices,
      ...moves.map((move) =>
        h("button", { type: "button", onclick: () => this.onMove(move), "aria-label": `play ${move}` }, move),
      ),
    );
  }
}

const forms = new WeakMap(); // a shape -> its form as text; most shapes of a large board stay the same

function formOf(shape) {
  if (!forms.has(shape)) {
    const { roles, words, ...form } = shape;
    forms.set(shape, JSON.stringify(form));
  }
  return forms.get(shape);
}

/** An error message for an illegal move, with the moves that are legal. */
export function noMove(what, legal) {
  const some = legal.length > 12 ? `${legal.slice(0, 12).join(", ")}, …` : legal.join(", ");
  return `${what.replace(/^cell /, "")} is not a legal move here. Legal moves: ${some}`;
}

/** The animation of a move, relative to where it ends. */
const motions = {
  drop({ start, end }) {
    const height = Math.max(0.1, end[1] - start[1]);
    const fall = FALL * Math.sqrt(height);
    const at = (y) => ({ transform: `translate(${start[0] - end[0]}px, ${-y}px)` });
    // A bounce to a fraction of the height takes twice its square root of the time of the fall.
    const leaps = [0.04, 0.005].map((share) => ({
      high: share * height,
      long: 2 * fall * Math.sqrt(share),
    }));
    const duration = fall + leaps[0].long + leaps[1].long;
    const frames = [{ ...at(height), offset: 0, easing: DOWN }];
    let time = fall;
    for (const { high, long } of leaps) {
      frames.push({ ...at(0), offset: time / duration, easing: UP });
      frames.push({ ...at(high), offset: (time + long / 2) / duration, easing: DOWN });
      time += long;
    }
    frames.push({ transform: "none", offset: 1 });
    return { frames, duration };
  },
  slide({ start, end }) {
    const from = `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)`;
    const frames = [{ transform: from, easing: "ease-in-out" }, { transform: "none" }];
    return { frames, duration: SLIDE };
  },
  place() {
    const frames = [
      { transform: "scale(0.5)", opacity: 0.2, easing: "ease-out" },
      { transform: "scale(1.06)", opacity: 1, offset: 0.7 },
      { transform: "none", opacity: 1 },
    ];
    return { frames, duration: PLACE };
  },
};

/** How marks are drawn; their size comes from /theme.css, or with a score. */
const overlays = {
  best: (target) => spot(target, "best legal pen"),
  legal(target, { move }) {
    const dot = spot(target, target.outline.length ? "legal pen" : "legal");
    dot.setAttribute("data-dot", move);
    return dot;
  },
  hint: ({ at, room }) => hintCircle(at, 0.92 * room, "hint-ring", 0.15 * room),
  score: ({ room }, { at, text, size, best }) =>
    drawShape({ kind: "label", id: "", roles: best ? ["score", "best"] : ["score"], at, text, size: room * size }),
};

/** A circle in the middle of a target, or its outline. */
function spot({ at, room, outline }, classes) {
  if (outline.length) {
    const points = outline.map((point) => point.join(",")).join(" ");
    return s("polygon", { class: classes, points, "stroke-linejoin": "round" });
  }
  return s("circle", { class: classes, transform: `translate(${at[0]} ${at[1]}) scale(${room})` });
}

/** A circle with a rim in the page's colour, so that it is visible on any board. */
function hintCircle(at, radius, classes, width) {
  return s("g", { class: "hint" }, circle(at, radius, "rim", 2 * width), circle(at, radius, classes, width));
}

function circle([cx, cy], r, classes, width) {
  return s("circle", { class: classes, cx, cy, r, "stroke-width": width });
}
