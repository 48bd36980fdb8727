// Drawing a path from dot to dot by dragging, with a mouse, a pen or a finger. Going back along the
// path takes it back.

const SLACK = 6; // pixels that a pointer moves before it draws
const REACH = 0.4; // how near a dot the pointer has to come, in lengths of the shortest line
const STRIDE = 0.2; // a fast pointer is followed in steps of this length

/**
 * The dots of a puzzle whose first mark is a line in every place, and the places between them:
 * [{at, ways: Map of dot -> place}]; empty if there are other marks.
 */
export function dotsOf({ scene, looks, look }) {
  const dots = new Map();
  const dot = ([x, y]) => {
    const key = `${x.toFixed(3)} ${y.toFixed(3)}`;
    if (!dots.has(key)) dots.set(key, { at: [x, y], ways: new Map() });
    return dots.get(key);
  };
  for (const [place, { at }] of scene.targets.entries()) {
    const [line, ...more] = looks[look[place]][0];
    if (line?.kind !== "line" || more.length) return [];
    const [one, two] = [line.start, line.end].map(([x, y]) => dot([x + at[0], y + at[1]]));
    one.ways.set(two, place);
    two.ways.set(one, place);
  }
  return [...dots.values()];
}

export class Path {
  /**
   * `allowed(event)`: may this press draw? `onDraw(places)` is called with the path so far, by the
   * numbers of its places, and `onEnd(places)` with the whole; `onTap(element)` when a finger was
   * lifted where it came down, however long that took.
   */
  constructor(svg, dots, { allowed, onDraw, onEnd, onTap }) {
    Object.assign(this, { svg, dots, allowed, onDraw, onEnd, onTap });
    const lengths = dots.flatMap(({ at, ways }) => [...ways.keys()].map((other) => away(at, other.at)));
    this.length = Math.min(...lengths);
    this.from = null; // {pointer, x, y, point}, while the button is down
    this.steps = null; // [{place, dot}], once it draws: `dot` is where the step came from
    this.turns = 0; // how often the path has changed
    this.drew = false; // has the last press been dealt with?
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    // After a drag or a tap the browser may report a click too.
    svg.addEventListener("click", (event) => this.swallow(event), true);
  }

  get places() {
    return [...new Set((this.steps ?? []).map(({ place }) => place))];
  }

  down(event) {
    if (!event.isPrimary) return;
    this.drew = false;
    if (event.button !== 0 || !this.allowed(event)) return;
    this.from = { pointer: event.pointerId, x: event.clientX, y: event.clientY, point: this.pointOf(event) };
  }

  move(event) {
    if (this.from === null || event.pointerId !== this.from.pointer) return;
    if (this.steps === null) {
      if (Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) < SLACK) return;
      this.begin(this.pointOf(event));
      this.svg.setPointerCapture(event.pointerId);
    }
    const before = this.turns;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length ? all : [event]) this.follow(this.pointOf(each));
    if (this.turns !== before) {
      this.drew = true;
      this.onDraw(this.places);
    }
    event.preventDefault();
  }

  /** Start at the nearest dot; between two dots, at the one behind. */
  begin(towards) {
    const { point } = this.from;
    const [dot, distance] = this.nearest(point);
    const whole = away(point, towards) || 1;
    const back = [0, 1].map((axis) => point[axis] - (0.3 * this.length * (towards[axis] - point[axis])) / whole);
    this.at = distance < 0.3 * this.length ? dot : this.nearest(back)[0];
    this.point = point;
    this.steps = [];
  }

  /** Follow the pointer to a point, in small steps. */
  follow(point) {
    const start = this.point;
    const count = Math.max(1, Math.ceil(away(start, point) / (STRIDE * this.length)));
    for (let step = 1; step <= count; step += 1) {
      this.point = [0, 1].map((axis) => start[axis] + ((point[axis] - start[axis]) * step) / count);
      const [dot, distance] = this.nearest(this.point);
      if (dot !== this.at && distance < REACH * this.length) this.goTo(dot);
    }
  }

  /** Go to a dot: the next one, or one around a corner. */
  goTo(dot) {
    if (!this.at.ways.has(dot)) {
      const between = [...this.at.ways.keys()].filter((each) => each.ways.has(dot));
      if (between.length === 0) return;
      between.sort((one, other) => away(one.at, this.point) - away(other.at, this.point));
      const back = between.find((each) => each === this.steps.at(-1)?.dot);
      this.step(back ?? between[0]);
    }
    this.step(dot);
  }

  step(dot) {
    if (this.steps.at(-1)?.dot === dot) this.steps.pop();
    else this.steps.push({ place: this.at.ways.get(dot), dot: this.at });
    this.at = dot;
    this.turns += 1;
  }

  up(event) {
    if (this.from === null || event.pointerId !== this.from.pointer) return;
    const { places, steps } = this;
    this.from = this.steps = null;
    if (this.drew) {
      this.onEnd(places);
    } else if (steps === null && event.pointerType === "touch") {
      this.drew = true;
      this.onTap(event.target);
    }
  }

  /** Give up what is being drawn. */
  cancel() {
    const drawn = this.steps !== null;
    this.from = this.steps = null;
    if (drawn) this.onDraw([]);
  }

  swallow(event) {
    if (this.drew) event.stopPropagation();
    this.drew = false;
  }

  pointOf({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  /** The nearest dot, and how far it is. */
  nearest(point) {
    let best = [null, Infinity];
    for (const dot of this.dots) {
      const distance = away(dot.at, point);
      if (distance < best[1]) best = [dot, distance];
    }
    return best;
  }
}

/**
 * The step of a pen that keys move: from `at`, if it is an end of this place, or else from its end in
 * the given direction. Returns {place, dot}, or null where there is no line in that direction.
 */
export function penStep(dots, place, at, way) {
  const ends = dots.filter(({ ways }) => [...ways.values()].includes(place));
  const along = (from, to) => [0, 1].reduce((sum, axis) => sum + way[axis] * (to.at[axis] - from.at[axis]), 0);
  const [start] = ends.includes(at) ? [at] : ends.sort((one, other) => along(one, other));
  const next = [...(start?.ways ?? [])].find(([dot]) => along(start, dot) > 0.7 * away(start.at, dot.at));
  return next === undefined ? null : { dot: next[0], place: next[1] };
}

const away = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
