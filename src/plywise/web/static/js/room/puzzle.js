// A puzzle being solved: the moves so far, saved in this browser.
// A move toggles a mark in a place. It is written as the letter of the mark, if any, and the place.
// A step may have several moves, such as a path that was dragged: "1 1 t, 1 2 t". The computer's
// solution is one step too: "solved in 0.000912 s: 1 1 t, 1 2 t".

export const NOTHING = 0;

const KEY = "puzzles";
const MOST = 20; // saved puzzles; the oldest are dropped first
const MOST_POINTS = 10; // save points of a puzzle
const SOLVED = /^solved in ([\d.]+) s: (.*)$/;

export class Attempt {
  /** `puzzle` as the server sends it, the `marks` of its kind; `kept` is the saved attempt. */
  constructor(puzzle, marks, kept = null) {
    this.puzzle = puzzle;
    this.marks = marks;
    this.places = puzzle.scene.targets.map(({ move }) => move);
    this.numbers = new Map(this.places.map((move, index) => [move, index]));
    this.states = this.places.map(() => NOTHING);
    this.moves = [];
    this.undone = [];
    this.seconds = kept?.seconds ?? 0;
    this.grade = kept?.grade ?? null;
    this.points = (kept?.points ?? []).filter((states) => states.length === this.places.length);
    this.solved = false;
    const drawn = [...puzzle.states].flatMap((state, index) => this.named(index, Number(state)));
    for (const move of kept?.moves ?? drawn) this.apply(move) && this.moves.push(move);
    this.undone = (kept?.undone ?? []).filter((move) => this.parts(move).every((each) => this.read(each) !== null));
  }

  named(index, state) {
    return state === NOTHING ? [] : [this.move(this.places[index], state)];
  }

  /** The move that toggles a mark in a place. */
  move(place, state) {
    return `${this.marks[state - 1].letter} ${place}`.trim();
  }

  /** The index of a move's place and the state it toggles, or null. */
  read(move) {
    for (const [number, { letter }] of this.marks.entries()) {
      const place = letter ? (move.startsWith(`${letter} `) ? move.slice(letter.length + 1) : null) : move;
      const index = this.numbers.get(place);
      if (index !== undefined) return [index, number + 1];
    }
    return null;
  }

  /** The single moves of one step. */
  parts(move) {
    return SOLVED.exec(move)?.[2].split(", ") ?? (this.read(move) === null ? move.split(", ") : [move]);
  }

  apply(move) {
    const found = this.parts(move).map((each) => this.read(each));
    if (found.includes(null)) return false;
    for (const [index, state] of found) this.states[index] = this.states[index] === state ? NOTHING : state;
    return true;
  }

  play(move) {
    if (!this.apply(move)) return;
    this.moves.push(move);
    this.undone = [];
    this.keep();
  }

  /** Where a place is, in words. */
  told(place) {
    return this.puzzle.told[this.numbers.get(place)];
  }

  state(place) {
    return this.states[this.numbers.get(place)];
  }

  /** The state after a click on a place: each mark in turn, then nothing. */
  next(place) {
    return (this.state(place) + 1) % (this.marks.length + 1);
  }

  /** Put a place into a state, by playing the move that does it. */
  set(place, state) {
    this.change([[this.numbers.get(place), state]]);
  }

  /** Put places into states, all in one step: pairs of a place's number and its state. */
  change(pairs) {
    const moves = this.between(pairs);
    if (moves.length) this.play(moves.join(", "));
  }

  /** Remove all marks and draw the computer's solution, in one step. */
  solve(moves, seconds) {
    const removed = this.between(this.states.map((_, index) => [index, NOTHING]));
    this.play(`solved in ${seconds.toFixed(6)} s: ${[...removed, ...moves].join(", ")}`);
  }

  /** The moves that put places into states. */
  between(pairs) {
    const changed = pairs.filter(([index, state]) => this.states[index] !== state);
    return changed.map(([index, state]) => this.move(this.places[index], state || this.states[index]));
  }

  // Save points: what was drawn at some time, as the states of all places

  /** Set a save point; false if there is one for this drawing. */
  savePoint() {
    const now = this.states.join("");
    if (this.points.includes(now)) return false;
    this.points = [...this.points, now].slice(-MOST_POINTS);
    this.keep();
    return true;
  }

  /** Draw a save point again, in one step. */
  returnTo(point) {
    this.change([...point].map((state, index) => [index, Number(state)]));
  }

  dropPoint(point) {
    this.points = this.points.filter((each) => each !== point);
    this.keep();
  }

  /** The seconds the computer took, if it had a part in the marks; otherwise null. */
  get byComputer() {
    const found = this.moves.findLast((move) => SOLVED.test(move));
    return found === undefined ? null : Number(SOLVED.exec(found)[1]);
  }

  /** The moves that make all marks, in the order in which they were made. */
  get drawn() {
    const made = new Map();
    for (const move of this.singles) {
      const [index] = this.read(move);
      made.delete(index);
      made.set(index, move);
    }
    return [...made].filter(([index]) => this.states[index] !== NOTHING).map(([, move]) => move);
  }

  /** How many marks there are, in words. */
  count(states = this.states) {
    const told = this.marks.findIndex(({ many }) => many);
    if (told < 0) return `${states.filter(Boolean).length} of ${states.length}`;
    const { words, many } = this.marks[told];
    const number = states.filter((state) => state === told + 1).length;
    return number === 1 ? words.replace(/^an? /, "1 ") : `${number} ${many}`;
  }

  /** All single moves, one by one. */
  get singles() {
    return this.moves.flatMap((move) => this.parts(move));
  }

  /** Undo a step. */
  undo() {
    this.cut(this.moves.length - 1);
  }

  /** Undo all steps but the first `count`, by replaying these. */
  cut(count) {
    if (count < 0) return;
    this.undone.unshift(...this.moves.splice(count));
    this.states.fill(NOTHING);
    for (const each of this.moves) this.apply(each);
    this.keep();
  }

  /** Undo until none of these places holds what it holds now; returns the number of steps undone. */
  undoMarks(places) {
    const wrong = places.map((place) => [this.numbers.get(place), this.state(place)]);
    const before = this.moves.length;
    const first = this.moves.length - 1;
    for (let count = first; count >= 0 && wrong.some(([index, state]) => this.states[index] === state); count -= 1) {
      this.cut(count);
    }
    return before - this.moves.length;
  }

  redo() {
    const move = this.undone.shift();
    if (move === undefined) return;
    this.apply(move);
    this.moves.push(move);
    this.keep();
  }

  clear() {
    this.change(this.states.map((_, index) => [index, NOTHING]));
  }

  /** The puzzle and its marks, as the API takes them. */
  get board() {
    return { puzzle: this.puzzle.id, states: this.states.join("") };
  }

  keep() {
    const { moves, undone, seconds, solved, byComputer, points, grade } = this;
    const others = keptPuzzles().filter(({ id }) => id !== this.puzzle.id);
    const { id, heading } = this.puzzle;
    const here = moves.length || undone.length ? [{ id, heading, moves, undone, seconds, solved, byComputer, points, grade }] : [];
    try {
      localStorage.setItem(KEY, JSON.stringify([...here, ...others].slice(0, MOST)));
    } catch {
      // Storage is not available.
    }
  }
}

/** The saved puzzles, newest first; only those of one kind if it is named. */
export function keptPuzzles(name = "") {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(found)) return [];
    const sound = found.filter((each) => typeof each?.id === "string" && Array.isArray(each.moves));
    return sound.filter(({ id }) => !name || id.startsWith(`${name}/`));
  } catch {
    return [];
  }
}
