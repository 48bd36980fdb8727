// Arrows and circles that a person draws on a board: with the right button, or after a long press.
// They are thoughts, not moves: a click or the next position wipes them away.

import { put, s } from "../dom.js";
import { centre } from "./scene.js";

const LONG = 450; // milliseconds until a press is a long one
const STILL = 8; // pixels that a finger may move meanwhile
const NEAR = 0.8; // how far from the middle of a place, in cells, a pointer may be
const PLACES = ["cell", "area", "grid"]; // what is a place: the first of these that a board has

export class Arrows {
  constructor(board) {
    this.board = board;
    this.layer = s("g", { class: "drawn", "aria-hidden": "true" });
    this.drawn = new Map(); // "x,y x,y" -> [start, end]
    this.scene = null;
    this.from = null; // where a stroke has begun
    this.svg = board.svg;
    this.svg.append(this.layer);
    const listen = (name, listener, capture = false) => this.svg.addEventListener(name, listener, capture);
    listen("contextmenu", (event) => event.preventDefault());
    listen("pointerdown", (event) => this.down(event));
    listen("pointermove", (event) => this.move(event));
    listen("pointerup", (event) => this.up(event));
    listen("pointercancel", () => {
      this.stop();
      this.render();
    });
    // Otherwise the browser would take the stroke for scrolling.
    this.svg.addEventListener("touchmove", (event) => this.long && event.preventDefault(), { passive: false });
    listen("click", (event) => this.click(event), true);
  }

  down(event) {
    if (!event.isPrimary) return this.stop();
    this.long = false;
    if (event.pointerType === "touch") {
      const { clientX, clientY, pointerId } = event;
      this.pressed = { clientX, clientY };
      this.timer = setTimeout(() => {
        this.long = true;
        this.begin({ clientX, clientY });
        this.svg.setPointerCapture(pointerId);
        this.sketch(this.from);
      }, LONG);
    } else if (event.button === 2) this.begin(event);
    else if (event.button === 0) this.clear();
  }

  begin(event) {
    if (this.scene !== this.board.scene) this.clear();
    this.scene = this.board.scene;
    this.from = this.placeAt(event);
  }

  move(event) {
    if (this.pressed && !this.long) {
      const { clientX, clientY } = this.pressed;
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL) this.stop();
    }
    if (this.from !== null) this.sketch(this.placeAt(event));
  }

  up(event) {
    const end = this.from === null ? null : this.placeAt(event);
    if (end !== null) {
      const key = `${this.from} ${end}`;
      if (this.drawn.has(key)) this.drawn.delete(key);
      else this.drawn.set(key, [this.from, end]);
    }
    this.stop();
    this.render();
  }

  stop() {
    clearTimeout(this.timer);
    this.from = this.pressed = null;
  }

  /** After a long press the browser also reports a click, which is not a move. */
  click(event) {
    if (!this.long) return this.clear();
    this.long = false;
    event.stopPropagation();
    event.preventDefault();
  }

  clear() {
    this.drawn.clear();
    this.render();
  }

  /** Take away what was drawn on another position. */
  update() {
    if (this.scene !== this.board.scene) this.clear();
  }

  sketch(end) {
    this.render(end === null ? [] : [[this.from, end]]);
  }

  render(more = []) {
    put(this.layer, ...[...this.drawn.values(), ...more].map(([start, end]) => shapeOf(start, end)));
  }

  /** The middle of the place under a pointer; null if there is none. */
  placeAt({ clientX, clientY }) {
    const { scene } = this.board;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const kind = PLACES.find((role) => scene.shapes.some(({ roles }) => roles[0] === role));
    const middles = scene.shapes.filter(({ roles }) => roles[0] === kind).map(centre);
    const away = ([left, top]) => Math.hypot(left - x, top - y);
    const nearest = middles.reduce((best, at) => (best === null || away(at) < away(best) ? at : best), null);
    return nearest !== null && away(nearest) < NEAR ? nearest : null;
  }
}

/** An arrow, or a circle where it would begin and end in the same place. */
function shapeOf([x, y], [endX, endY]) {
  const length = Math.hypot(endX - x, endY - y);
  if (length < 0.01) return s("circle", { cx: x, cy: y, r: 0.44, "stroke-width": 0.09 });
  const [right, down] = [(endX - x) / length, (endY - y) / length];
  const at = (along, beside) => `${endX - along * right - beside * down} ${endY - along * down + beside * right}`;
  const shaft = `M${x} ${y}L${at(0.3, 0)}`;
  return s("path", { d: `${shaft}M${at(0.42, 0.22)}L${at(0.05, 0)}L${at(0.42, -0.22)}`, "stroke-width": 0.13 });
}
