// The board as a grid of words, for screen readers: "d4, white stone", "d5, empty, playable". It has no size
// on the screen; the cell that is read is outlined on the board. Arrows go from cell to cell.

import { active, h, put } from "../dom.js";
import { centre, isSeen } from "./scene.js";

const MOST = 1000; // cells; larger boards have only their buttons
const NEAR = 0.3; // how near to the middle of a cell a move ends that is played there

export class Reader {
  /** `onRead(shape)` when a cell is read, or null; `onPress(shape, moves)` with the moves that end there. */
  constructor({ onRead, onPress }) {
    this.onPress = onPress;
    this.rows = []; // of shapes
    this.cells = new Map(); // a shape's id -> its element
    this.names = "";
    this.element = h("div", { class: "unseen", role: "grid", "aria-label": "Board, cell by cell", hidden: true });
    this.element.addEventListener("focusin", ({ target }) => {
      const [row, col] = this.placeOf(target);
      for (const cell of this.cells.values()) cell.tabIndex = cell === target ? 0 : -1;
      onRead(this.rows[row][col]);
    });
    this.element.addEventListener("focusout", () => onRead(null));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Read a scene; `targets` are those that can be played. */
  show(scene, targets) {
    this.targets = targets;
    const shapes = scene.shapes.filter((shape) => shape.words && isSeen(shape, scene.window));
    this.element.hidden = shapes.length === 0 || shapes.length > MOST;
    if (this.element.hidden) {
      this.names = "";
      put(this.element);
      return;
    }
    this.rows = rowsOf(shapes);
    const names = JSON.stringify(this.rows.map((row) => row.map(({ id }) => id)));
    if (names !== this.names) this.build();
    this.names = names;
    const ends = targets.map(({ at, shapes: pressed }) => ({ at, pressed: new Set(pressed) }));
    for (const shape of shapes) {
      const [x, y] = centre(shape);
      const playable = ends.some(({ at, pressed }) => pressed.has(shape.id) || Math.hypot(at[0] - x, at[1] - y) < NEAR);
      const words = playable ? `${shape.words}, playable` : shape.words;
      const cell = this.cells.get(shape.id);
      if (cell.textContent !== words) cell.textContent = words;
    }
  }

  build() {
    const held = this.element.contains(active());
    const [at] = [...this.cells].find(([, cell]) => cell.tabIndex === 0) ?? [];
    this.cells = new Map(
      this.rows.flat().map(({ id }) => [id, h("div", { role: "gridcell", tabindex: -1 })]),
    );
    put(this.element, this.rows.map((row) => h("div", { role: "row" }, row.map(({ id }) => this.cells.get(id)))));
    const first = this.cells.get(at) ?? this.cells.values().next().value;
    first.tabIndex = 0;
    if (held) first.focus({ preventScroll: true });
  }

  /** The row and the column of an element. */
  placeOf(element) {
    const row = [...this.element.children].indexOf(element.parentElement);
    return [row, [...element.parentElement.children].indexOf(element)];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = this.placeOf(event.target);
    const last = this.rows[row].length - 1;
    const steps = { ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], Home: [row, 0], End: [row, last] };
    const ways = { ArrowUp: -1, ArrowDown: 1 };
    const { key } = event;
    if (key in steps) this.go(...steps[key]);
    else if (key in ways) this.go(row + ways[key], this.nearest(row + ways[key], this.rows[row][col]));
    else if (key === "Enter" || key === " ") this.press(this.rows[row][col]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(row, col) {
    const shape = this.rows[row]?.[col];
    if (shape !== undefined) this.cells.get(shape.id).focus({ preventScroll: true });
  }

  /** The column of a row that is nearest to a shape. */
  nearest(row, shape) {
    const away = (other) => Math.abs(centre(other)[0] - centre(shape)[0]);
    const cells = this.rows[row] ?? [];
    return cells.reduce((best, other, col) => (away(other) < away(cells[best]) ? col : best), 0);
  }

  press(shape) {
    const [x, y] = centre(shape);
    const here = ({ shapes, at }) =>
      shapes.length === 1 && (shapes[0] === shape.id || Math.hypot(at[0] - x, at[1] - y) < NEAR);
    this.onPress(shape, this.targets.filter(here).map(({ move }) => move));
  }
}

/** Lines by the point where they start, in their order; everything else by its height, from left to right. */
function rowsOf(shapes) {
  const rows = new Map();
  for (const shape of shapes) {
    const key = shape.kind === "line" ? shape.start.join(" ") : centre(shape)[1].toFixed(1);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(shape);
  }
  const found = [...rows.values()];
  if (shapes[0].kind === "line") return found;
  for (const row of found) row.sort((one, other) => centre(one)[0] - centre(other)[0]);
  return found.sort(([one], [other]) => centre(one)[1] - centre(other)[1]);
}
