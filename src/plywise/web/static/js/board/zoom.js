// Zoom and pan a board: by buttons and keys, by the wheel with Ctrl, and by two fingers.

import { h } from "../dom.js";
import { icon } from "../icons.js";

/** Pixels for each unit of the board: the least at which a finger can play, and at which a mouse can. */
export const FINGER = 36;
const MOUSE = 18;
const START = 40; // where a finger starts on a board that is too large
const CLOSEST = 96;
const ROOMY = 44; // where no finger needs a closer look
const STEP = 1.35; // of the buttons
const PINCH = 12; // pixels by which the spread of two fingers changes before they zoom
const ROOM = 48; // pixels kept free around the place that has the focus

export class Zoom {
  /**
   * `host` scrolls, `svg` is the board in it. `draws()`: does one finger draw? If not, it pans; on
   * a board on which no finger ever draws, where it is null, it scrolls as on any page. `onPinch()` is called
   * when a second finger comes down: whatever the first one has begun is off. `keys`: those of the buttons.
   */
  constructor(host, svg, { draws = null, onPinch = () => {}, keys = ["-", "0", "+"] } = {}) {
    Object.assign(this, { host, svg, draws, onPinch });
    this.size = [1, 1]; // in board units
    this.fingers = new Map(); // pointer id -> [x, y]
    this.hold = null; // what the fingers hold on to: the share of the board under their middle
    this.touched = false; // was the last press that of a finger?
    this.unit = 0;
    this.buttons = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      this.button("minus", "Zoom out", keys[0], () => this.by(1 / STEP)),
      this.button("fit", "Show the whole board", keys[1], () => this.to(this.fit)),
      this.button("plus", "Zoom in", keys[2], () => this.by(STEP)),
    );
    host.classList.toggle("drawn", draws !== null);
    this.fitted = true;
    this.onResize = () => this.resize();
    addEventListener("resize", this.onResize);
    host.addEventListener("pointerdown", (event) => this.down(event), true);
    host.addEventListener("pointermove", (event) => this.move(event), true);
    for (const name of ["pointerup", "pointercancel"]) host.addEventListener(name, (event) => this.up(event), true);
    host.addEventListener("click", (event) => this.click(event), true);
    // Two fingers are ours, wherever the browser would scroll.
    host.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("focusin", ({ target }) => this.reveal(target));
  }

  /** The board has this size now, in its units. */
  measure(size) {
    if (size[0] === this.size[0] && size[1] === this.size[1]) return;
    this.size = size;
    this.resize();
  }

  /** Show the board as large as it fits, or larger if its places would be too small to draw on. */
  start() {
    const fit = this.fit;
    const finger = matchMedia("(pointer: coarse)").matches;
    this.to(finger && fit < FINGER ? START : Math.max(fit, MOUSE));
    this.host.scrollTo(0, 0);
  }

  /** Pixels for each unit at which the whole board is visible. */
  get fit() {
    const high = parseFloat(getComputedStyle(this.host).maxHeight) || Infinity;
    return Math.max(1, Math.min(this.host.clientWidth / this.size[0], high / this.size[1]));
  }

  /** Can a finger play at this size? */
  get playable() {
    return this.unit >= FINGER - 0.01;
  }

  by(factor) {
    this.to(this.unit * factor);
  }

  /** Zoom to a number of pixels for each unit; a point of the screen stays where it is. */
  to(unit, point = this.centre()) {
    const hold = this.shareAt(point);
    const fit = this.fit;
    const least = this.draws === null ? fit : Math.min(fit, MOUSE);
    this.unit = Math.min(Math.max(unit, least), Math.max(CLOSEST, fit));
    this.fitted = Math.abs(this.unit - fit) < 0.01;
    this.host.classList.toggle("closer", !this.fitted);
    this.svg.style.width = this.fitted ? "" : `${this.unit * this.size[0]}px`; // the style sheet fits it
    this.put(hold, point);
    const [less, whole, more] = this.buttons.children;
    less.disabled = this.unit <= least + 0.01;
    whole.disabled = this.fitted;
    more.disabled = this.unit >= Math.max(CLOSEST, fit) - 0.01;
    this.buttons.hidden = this.draws === null && this.fitted && fit >= ROOMY;
  }

  resize() {
    this.to(this.fitted ? this.fit : this.unit);
  }

  destroy() {
    removeEventListener("resize", this.onResize);
  }

  // Geometry

  centre() {
    const box = this.host.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  /** Where a point of the screen is on the board, as shares of its width and height. */
  shareAt([x, y]) {
    const box = this.svg.getBoundingClientRect();
    return [(x - box.left) / (box.width || 1), (y - box.top) / (box.height || 1)];
  }

  /** Scroll so that a share of the board is at a point of the screen. */
  put(share, [x, y]) {
    const box = this.svg.getBoundingClientRect();
    this.host.scrollLeft += box.left + share[0] * box.width - x;
    const before = this.host.scrollTop;
    const down = box.top + share[1] * box.height - y;
    this.host.scrollTop += down;
    const rest = down - (this.host.scrollTop - before);
    if (this.hold !== null && Math.abs(rest) >= 1) scrollBy(0, rest); // the page goes along
  }

  /** Bring points of the board into view, or the first of them if they are far apart. */
  look(points) {
    if (points.length === 0) return;
    const matrix = this.svg.getScreenCTM();
    const spots = points.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
    const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
    const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    const frame = this.host.getBoundingClientRect();
    const fits = box.right - box.left < frame.width - 2 * ROOM && box.bottom - box.top < frame.height - 2 * ROOM;
    this.scrollTo(fits ? box : { left: xs[0], right: xs[0], top: ys[0], bottom: ys[0] });
  }

  /** Bring an element of the board into view when the keys go to it. */
  reveal(element) {
    if (element.matches(":focus-visible")) this.scrollTo(element.getBoundingClientRect());
  }

  scrollTo(box) {
    const frame = this.host.getBoundingClientRect();
    const lack = (low, high, least, most) => (low < least ? low - least : high > most ? high - most : 0);
    this.host.scrollLeft += lack(box.left, box.right, frame.left + ROOM, frame.right - ROOM);
    this.host.scrollTop += lack(box.top, box.bottom, frame.top + ROOM, frame.bottom - ROOM);
  }

  // Fingers and the wheel

  down(event) {
    this.touched = event.pointerType === "touch";
    if (!this.touched) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) this.onPinch();
    this.moved = false;
    this.grip();
  }

  /** Take hold of the board where the fingers are now. */
  grip() {
    const pans = this.fingers.size > 1 || (this.fingers.size === 1 && this.draws !== null && !this.drawing);
    this.hold = pans ? this.shareAt(this.middle()) : null;
    this.pinching = false;
    this.from = { unit: this.unit, spread: this.spread(), at: this.fingers.size ? this.middle() : null };
  }

  get drawing() {
    return this.draws?.() && this.playable;
  }

  move(event) {
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.hold === null) return;
    const at = this.middle();
    if (this.fingers.size > 1) this.pinch(at);
    else if (!this.moved && Math.hypot(at[0] - this.from.at[0], at[1] - this.from.at[1]) < 8) return;
    this.moved = true;
    this.put(this.hold, at);
    event.preventDefault();
  }

  /** Zoom with the spread of two fingers; while it hardly changes, they only pan. */
  pinch(at) {
    const spread = this.spread();
    if (!this.pinching && Math.abs(spread - this.from.spread) < PINCH) return;
    this.pinching = true;
    this.to((this.from.unit * spread) / this.from.spread, at);
  }

  /** A tap on places that are too small for a finger zooms in. */
  up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    const tapped = event.type === "pointerup" && this.fingers.size === 0 && !this.moved && this.svg.contains(event.target);
    if (tapped && this.draws !== null && !this.playable) {
      this.moved = true; // so that the click does not mark a place
      this.to(START, [event.clientX, event.clientY]);
    }
    this.grip();
  }

  middle() {
    const points = [...this.fingers.values()];
    return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  }

  spread() {
    const [one, two] = [...this.fingers.values()];
    return two === undefined ? 1 : Math.max(1, Math.hypot(one[0] - two[0], one[1] - two[1]));
  }

  /** Swallow the click after fingers that moved the board, or that zoomed in to play. */
  click(event) {
    if (this.touched && this.moved && event.detail > 0 && this.svg.contains(event.target)) event.stopPropagation();
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.to(this.unit * Math.exp(-event.deltaY / 200), [event.clientX, event.clientY]);
  }

  /** Handle a key; true if it was one of the zoom's. */
  key(key) {
    const does = { "+": () => this.by(STEP), "=": () => this.by(STEP), "-": () => this.by(1 / STEP), 0: () => this.to(this.fit) };
    does[key]?.();
    return key in does;
  }

  button(drawn, words, key, onclick) {
    const title = key ? `${words} (key ${key})` : words;
    return h("button", { type: "button", class: "button plain square", "aria-label": words, title, onclick }, icon(drawn));
  }
}
