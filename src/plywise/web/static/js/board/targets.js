// The targets on a board, for mouse, touch and keyboard. A target is one shape, or two that are
// pressed one after the other, or dragged from one to the other. There are no rules here, only what
// the scene says.

import { active, s } from "../dom.js";
import { Drag } from "./drag.js";
import { centre, drawShape } from "./scene.js";

const THIN = 0.4; // the least width of a stroke for touch
const NEAR = 0.45; // how far from the middle of a place a part of its piece may be
const SMALL = 30; // pixels; a finger does not see what it presses on places that are narrower
const AIM = 0.35; // a finger aims at the middle of a line: as if it were this much further away at its ends
const PIECES = ["stone", "detail"];
const NONE = []; // the targets of a board that is not playable

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Targets {
  /**
   * `onMove(move)`; `onChoose(targets)` when a press could mean several moves;
   * `onPreview(target)` when one is pointed at, or null; `onShow(target)` when a finger has pressed a
   * small place, which plays only when it is pressed again; `onMiss(id)` when a pressed shape has no
   * move; `words(move)` is the label of a target, by default "play" and the move. A move that was
   * dragged is passed to `onMove` with `true`.
   */
  constructor(svg, layer, { onMove, onChoose, onPreview, onShow, onMiss, words }) {
    this.words = words ?? ((move) => `play ${move}`);
    this.svg = svg;
    this.layer = layer;
    this.onMove = onMove;
    this.onChoose = onChoose;
    this.onPreview = onPreview;
    this.onShow = onShow;
    this.scene = null;
    this.places = new Map(); // a shape's id -> {shape, element, targets, second}
    this.chosen = null; // the first of two shapes
    this.roving = null; // the place that the Tab key stops at
    this.hovered = null; // the place whose move is previewed
    this.shown = null; // the small place that a finger has pressed once
    this.touched = false; // was the last press that of a finger?
    svg.addEventListener("pointerdown", ({ pointerType }) => (this.touched = pointerType === "touch"), true);
    layer.addEventListener("click", (event) => this.click(event));
    this.drag = new Drag(svg, this);
    svg.addEventListener("click", (event) => {
      const id = event.target.getAttribute("data-id");
      if (id !== null && this.targets.length > 0) onMiss(id);
    });
    layer.addEventListener("pointermove", (event) => {
      const id = event.pointerType === "touch" ? this.hovered : this.pointedAt(event);
      if (id !== this.hovered) this.preview(id);
    });
    layer.addEventListener("pointerout", ({ pointerType }) => pointerType !== "touch" && this.preview(null));
    // Not on the layer: the Tab key stops at an SVG element that listens for focus, unless it has a
    // tabindex of its own.
    svg.addEventListener("focusin", (event) => {
      const id = placeOf(event);
      if (id !== null) this.rove(id);
      if (event.target.matches(":focus-visible")) this.preview(id);
    });
    svg.addEventListener("focusout", ({ relatedTarget }) => {
      this.preview(null);
      if (!svg.contains(relatedTarget)) this.shown = null;
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  show(scene, playable) {
    const targets = playable ? scene.targets : NONE;
    const same = targets === this.targets && this.chosen === null;
    this.scene = scene;
    if (same) {
      this.rename();
      return;
    }
    this.targets = targets;
    this.shapes = new Map(scene.shapes.map((shape) => [shape.id, shape]));
    this.chosen = null;
    this.draw();
  }

  /** Set the labels again: all targets are the same as before. */
  rename() {
    for (const [id, place] of this.places) {
      const name = this.nameOf(id, place.targets, place.second);
      if (name !== place.name) place.element.setAttribute("aria-label", name);
      place.name = name;
    }
    this.preview(null);
  }

  /** What can be pressed now: first shapes, and the partners of the chosen one. */
  wanted() {
    const found = new Map();
    const add = (id, target, second) => {
      if (!found.has(id)) found.set(id, { targets: [], second });
      found.get(id).targets.push(target);
    };
    for (const target of this.targets) {
      if (target.shapes[0] === this.chosen && target.shapes.length > 1) {
        add(target.shapes[1], target, true);
      }
    }
    for (const target of this.targets) {
      if (!found.get(target.shapes[0])?.second) add(target.shapes[0], target, false);
    }
    return found;
  }

  draw() {
    const focused = this.svg.contains(active());
    const old = this.places;
    this.shown = null;
    this.places = new Map();
    for (const [id, { targets, second }] of this.wanted()) {
      const shape = this.shapes.get(id);
      const text = JSON.stringify(shape);
      const known = old.get(id);
      const element = known?.text === text ? known.element : hit(shape);
      const name = this.nameOf(id, targets, second);
      element.setAttribute("aria-label", name);
      element.setAttribute("tabindex", "-1");
      element.classList.toggle("chosen", id === this.chosen);
      element.classList.toggle("partner", second);
      element.classList.toggle("source", this.leads(id));
      if (id === this.chosen) element.setAttribute("aria-pressed", "true");
      else element.removeAttribute("aria-pressed");
      this.places.set(id, { shape, text, element, targets, second, name });
    }
    for (const [id, { element }] of old) {
      if (this.places.get(id)?.element !== element) element.remove();
    }
    for (const { element } of this.places.values()) {
      if (!element.parentNode) this.layer.append(element);
    }
    this.preview(null);
    if (this.places.has(this.roving) || this.places.size > 0) this.rove(this.nearest(this.roving));
    if (focused) this.focus();
  }

  /** Set the tooltips of moves. */
  describe(words) {
    if (words.size === 0 && !this.described) return;
    this.described = words.size > 0;
    for (const place of this.places.values()) {
      const whole = this.whole(place);
      const said = (whole.length === 1 && words.get(whole[0].move)) || "";
      const title = place.element.querySelector("title");
      if (title) title.textContent = said;
      else if (said) place.element.prepend(s("title", {}, said));
    }
  }

  /** The place itself if it still exists, else the nearest one. */
  nearest(id) {
    if (this.places.has(id)) return id;
    const shape = this.shapes.get(id);
    const [x, y] = shape ? centre(shape) : this.scene.size.map((side) => side / 2);
    const away = ([, place]) => {
      const [left, top] = centre(place.shape);
      return Math.hypot(left - x, top - y);
    };
    const near = [...this.places].sort((one, other) => away(one) - away(other));
    return near[0]?.[0] ?? null;
  }

  rove(id) {
    this.places.get(this.roving)?.element.setAttribute("tabindex", "-1");
    if (id !== null) this.roving = id;
    this.places.get(id)?.element.setAttribute("tabindex", "0");
  }

  nameOf(id, targets, second) {
    const single = targets.filter(({ shapes }) => second || shapes.length === 1);
    return single.length === 1 ? this.words(single[0].move) : id;
  }

  /** Keep the focus on the board, even while there is nothing to press. */
  focus() {
    const element = this.places.get(this.roving)?.element ?? this.svg;
    if (active() !== element) element.focus({ preventScroll: true });
  }

  /** The place under the pointer; where lines cross or lie close together, the nearest. */
  pointedAt(event) {
    const id = placeOf(event);
    const byHand = event.type === "pointermove" || event.detail > 0;
    if (!byHand || this.places.get(id)?.shape.kind !== "line") return id;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.svg.getScreenCTM().inverse(),
    );
    const lines = [...this.places].filter(([, { shape }]) => shape.kind === "line");
    const aim = this.touched ? AIM : 0;
    const away = lines.map(([other, { shape }]) => [distance(shape, x, y, aim), other]);
    return away.reduce((best, one) => (one[0] < best[0] ? one : best))[1];
  }

  preview(id) {
    this.hovered = id;
    const place = this.places.get(id);
    const whole = place === undefined ? [] : this.whole(place);
    this.onPreview(whole.length === 1 ? whole[0] : null);
  }

  /** The targets that a press on this place completes. */
  whole({ targets, second }) {
    return second ? targets : targets.filter(({ shapes }) => shapes.length === 1);
  }

  /** Handle a click or a tap: on a small place, the first tap only shows the move. */
  click(event) {
    const id = this.pointedAt(event);
    const place = this.places.get(id);
    const whole = place === undefined ? [] : this.whole(place);
    const first = this.touched && event.detail > 0 && id !== this.shown;
    if (!first || whole.length !== 1 || !isSmall(place)) {
      this.press(id);
      return;
    }
    this.shown = id;
    this.preview(id);
    this.onShow(whole[0]);
  }

  /** Press a place; false if it cannot be pressed now. */
  press(id) {
    const place = this.places.get(id);
    if (place === undefined) return false;
    const whole = this.whole(place);
    if (whole.length === 1) {
      this.onMove(whole[0].move);
    } else if (whole.length > 1) {
      this.onChoose(whole);
    } else {
      this.choose(id === this.chosen ? null : id);
    }
    return true;
  }

  choose(id) {
    this.chosen = id;
    this.draw();
  }

  /** True if a piece can be dragged from this place. */
  leads(id) {
    return this.targets.some(({ shapes }) => shapes.length > 1 && shapes[0] === id);
  }

  /** The pieces that stand on a place. */
  standing(id) {
    const [x, y] = centre(this.places.get(id).shape);
    const here = (shape) => Math.hypot(centre(shape)[0] - x, centre(shape)[1] - y) < NEAR;
    return this.scene.shapes.filter((shape) => PIECES.includes(shape.roles[0]) && here(shape));
  }

  /** Drop a dragged piece on a place; true if that is a move. */
  drop(id) {
    const place = this.places.get(id);
    if (!place?.second) return false;
    const whole = this.whole(place);
    if (whole.length === 1) this.onMove(whole[0].move, true);
    else this.onChoose(whole);
    return true;
  }

  key(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.svg.contains(active()) ? placeOf({ target: active() }) : null;
    if (key === "Enter" || key === " ") this.press(at);
    else if (key === "Escape" && this.chosen !== null) this.choose(null);
    else if (key in ARROWS) this.walk(at, ARROWS[key]);
    else if (key === "Home" || key === "End") this.edge(key === "Home" ? 0 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handle an arrow key from the hub, if there is one. */
  point(key) {
    if (!this.scene?.hub || this.places.size === 0) return false;
    this.walk(null, ARROWS[key]);
    return true;
  }

  /** Focus the nearest place in a direction, from the hub if there is one; sideways counts double. */
  walk(id, [right, down]) {
    const from = this.places.get(id);
    if (from === undefined && this.scene.hub === null) {
      this.focus();
      return;
    }
    const [x, y] = this.scene.hub ?? centre(from.shape);
    const ways = [...this.places].map(([other, place]) => {
      const [left, top] = centre(place.shape);
      const along = (left - x) * right + (top - y) * down;
      const beside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      return { other, along, length: along + 2 * beside };
    });
    const ahead = ways.filter(({ along }) => along > 1e-6);
    ahead.sort((one, other) => one.length - other.length);
    if (ahead.length > 0) this.places.get(ahead[0].other).element.focus({ preventScroll: true });
  }

  /** Focus the place nearest to a point. */
  focusNear([x, y]) {
    const away = ({ shape }) => Math.hypot(centre(shape)[0] - x, centre(shape)[1] - y);
    const near = [...this.places.values()].reduce((best, one) => (away(one) < away(best) ? one : best));
    near.element.focus({ preventScroll: true });
  }

  /** Focus the first or the last place, in reading order. */
  edge(index) {
    const order = [...this.places.values()].sort((one, other) => {
      const [x, y] = centre(one.shape);
      const [left, top] = centre(other.shape);
      return y - top || x - left;
    });
    order.at(index)?.element.focus({ preventScroll: true });
  }
}

/** Is a place too small to be pressed blindly? Lines cross, and lie close together. */
function isSmall({ shape, element }) {
  const { width, height } = element.getBoundingClientRect();
  return shape.kind === "line" || Math.min(width, height) < SMALL;
}

/** The distance of a point from a line; `aim` adds a share of how far it is from its middle. */
function distance({ start, end }, x, y, aim) {
  const [right, down] = [end[0] - start[0], end[1] - start[1]];
  const along = ((x - start[0]) * right + (y - start[1]) * down) / (right ** 2 + down ** 2);
  const share = Math.min(1, Math.max(0, along));
  const off = Math.abs(share - 0.5) * Math.hypot(right, down);
  return Math.hypot(start[0] + share * right - x, start[1] + share * down - y) + aim * off;
}

function placeOf({ target }) {
  return target.closest?.("[data-place]")?.getAttribute("data-place") ?? null;
}

/** An invisible button over a shape. */
function hit(shape) {
  const cover = drawShape(shape);
  cover.removeAttribute("data-id");
  cover.setAttribute("class", shape.width ? "cover pen" : "cover");
  if (shape.width) cover.setAttribute("stroke-width", Math.max(THIN, shape.width));
  const halo = cover.cloneNode();
  halo.setAttribute("class", "halo");
  return s("g", { role: "button", class: "place", "data-place": shape.id }, halo, cover);
}
