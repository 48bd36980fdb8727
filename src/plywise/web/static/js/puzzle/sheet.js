// The board of a puzzle: what is drawn on it, and drawing with the mouse, fingers and keys.

import { Board } from "../board/board.js";
import { Path, dotsOf, penStep } from "../board/path.js";
import { moved } from "../board/scene.js";
import { NOTHING } from "../room/puzzle.js";

const SIDES = { w: [0, -0.5], a: [-0.5, 0], s: [0, 0.5], d: [0.5, 0] }; // of a cell, from its middle
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Sheet {
  /**
   * `words` are those of no mark and of each mark. `onPress(place)`; `onMark(place, state)` toggles a
   * mark; `onPath(places)` when a path was dragged, and `onSketch()` whenever it grows or shrinks.
   */
  constructor(host, kind, attempt, { words, onPress, onMark, onPath, onSketch }) {
    Object.assign(this, { kind, attempt, onMark, onPath, onSketch });
    this.playable = true;
    this.shapes = new Map(); // shapes drawn before, by what they show
    this.stroke = []; // places of the path that is being dragged
    this.pen = null; // the dot where the pen of the keys is
    this.middle = null; // of the cell that has the focus
    this.dots = dotsOf(attempt.puzzle);
    const draws = () => this.path !== null && this.playable;
    this.board = new Board(host, {
      onMove: onPress,
      label: `${kind.title} puzzle`,
      words: (place) => `${attempt.told(place)}; ${attempt.state(place) === NOTHING ? "not drawn" : words[attempt.state(place)]}`,
      ghost: (target) => (this.stroke.length ? [] : this.marked(target, attempt.next(target.move))),
      zoom: { draws, onPinch: () => this.path?.cancel() },
    });
    const { svg, element, zoom } = this.board;
    this.zoom = zoom;
    const allowed = ({ pointerType }) => draws() && (pointerType !== "touch" || this.zoom.playable);
    const onDraw = (places) => this.sketch(places);
    const onEnd = (places) => this.end(places);
    const onTap = (element) => {
      const place = this.placeOf(element);
      if (place !== null) onPress(place);
    };
    this.path = this.dots.length ? new Path(svg, this.dots, { allowed, onDraw, onEnd, onTap }) : null;
    svg.addEventListener("contextmenu", (event) => this.menu(event));
    element.addEventListener("keydown", (event) => this.penKey(event), true);
  }

  /**
   * Draw everything. `states` of the places; `roles`: place -> the role whose colour its mark has;
   * `notes`: id of a shape -> its role; `under`: shapes below the puzzle; `marks` of a hint.
   */
  show({ states, roles = new Map(), notes = new Map(), under = [], marks = [], playable }) {
    const { scene } = this.attempt.puzzle;
    const drawn = scene.targets.flatMap((target, index) => this.marked(target, states[index], roles.get(target.move)));
    const shapes = scene.shapes.map((shape) => {
      const role = notes.get(shape.id);
      return role === undefined ? shape : this.known(`${shape.id} ${role}`, () => ({ ...shape, roles: [role] }));
    });
    this.playable = playable;
    const position = { scene: { ...scene, shapes: [...under, ...shapes, ...drawn] }, legal: [], to_move: 1 };
    this.board.show(position, { playable, marks });
  }

  /** The shapes of a mark in its place, in the colour of a role if one is given. */
  marked({ move, at }, state, role = "") {
    if (state === NOTHING) return [];
    return this.known(`${state} ${move} ${role}`, () => {
      const { looks, look } = this.attempt.puzzle;
      const shapes = looks[look[this.attempt.numbers.get(move)]][state - 1];
      return shapes.map((shape, index) => {
        const { owner, ...rest } = moved(shape, ([x, y]) => [x + at[0], y + at[1]]);
        const id = `mark ${state}.${index} ${move}`;
        return role ? { ...rest, id, roles: [role] } : { ...rest, id, ...(owner !== undefined && { owner }) };
      });
    });
  }

  /** What was made for this key before: the board then sees that it is the same. */
  known(key, make) {
    if (!this.shapes.has(key)) this.shapes.set(key, make());
    return this.shapes.get(key);
  }

  // Paths

  /** Show the path that is being dragged. */
  sketch(places) {
    this.stroke = places;
    const { targets } = this.attempt.puzzle.scene;
    this.board.preview(null);
    this.board.sketch(places.flatMap((place) => this.marked(targets[place], 1)));
    this.onSketch();
  }

  end(places) {
    this.sketch([]);
    this.onPath(places);
  }

  /** The states of all places, with the path that is being dragged. */
  get states() {
    const found = [...this.attempt.states];
    for (const place of this.stroke) found[place] = 1;
    return found;
  }

  // The other button, and keys

  /** The place of an element on the board. */
  placeOf(element) {
    const shape = element?.closest?.("[data-place]")?.getAttribute("data-place");
    return this.attempt.puzzle.scene.targets.find(({ shapes }) => shapes.includes(shape))?.move ?? null;
  }

  /** The place that has the focus. */
  get focused() {
    return this.placeOf(document.activeElement);
  }

  /** A right click toggles the last kind of mark. */
  menu(event) {
    const place = this.placeOf(event.target);
    if (place === null) return;
    event.preventDefault();
    if (this.zoom.touched) return; // a long press
    this.onMark(place, this.kind.marks.length);
  }

  /** Shift with an arrow draws a line in its direction and goes on from there; back again takes it back. */
  penKey(event) {
    const way = ARROWS[event.key];
    const place = this.focused;
    if (!event.shiftKey || way === undefined || place === null || this.dots.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const number = this.attempt.numbers.get(place);
    const next = penStep(this.dots, number, this.pen, way);
    if (next === null) return;
    this.pen = next.dot;
    const { move, at } = this.attempt.puzzle.scene.targets[next.place];
    if (move !== place || this.attempt.state(place) !== 1) {
      if (this.attempt.state(move) !== 1) this.onMark(move, 1);
    } else {
      this.onMark(move, 1);
    }
    this.board.targets.focusNear(at);
  }

  /** Go to another side of a cell: of the same cell as before, if this place is one of its sides. */
  pointAt(place, key) {
    const number = this.attempt.numbers.get(place);
    const { at } = this.attempt.puzzle.scene.targets[number];
    const same = this.middle && Math.hypot(at[0] - this.middle[0], at[1] - this.middle[1]) < 0.51;
    if (!same) this.middle = this.attempt.puzzle.middles[number];
    this.board.targets.focusNear([0, 1].map((axis) => this.middle[axis] + SIDES[key][axis]));
  }

  /** Is it a key that goes to a side of a cell? */
  isSide(key) {
    return this.kind.sided && key in SIDES;
  }

  destroy() {
    this.board.destroy();
  }
}
