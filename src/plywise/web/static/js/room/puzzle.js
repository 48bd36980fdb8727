// A puzzle being solved: the moves so far, saved in this browser.
// A move toggles a mark in a place. It is written as the letter of the mark, if any, and the place.

export const NOTHING = 0;

const KEY = "puzzles";
const MOST = 20; // saved puzzles; the oldest are dropped first

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
    this.solved = false;
    const drawn = [...puzzle.states].flatMap((state, index) => this.named(index, Number(state)));
    for (const move of kept?.moves ?? drawn) this.apply(move) && this.moves.push(move);
    this.undone = (kept?.undone ?? []).filter((move) => this.read(move) !== null);
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

  apply(move) {
    const found = this.read(move);
    if (found === null) return false;
    const [index, state] = found;
    this.states[index] = this.states[index] === state ? NOTHING : state;
    return true;
  }

  play(move) {
    if (!this.apply(move)) return;
    this.moves.push(move);
    this.undone = [];
    this.keep();
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
    const now = this.state(place);
    if (now !== state) this.play(this.move(place, state || now));
  }

  undo() {
    const move = this.moves.pop();
    if (move === undefined) return;
    this.turnBack(move);
    this.undone.unshift(move);
    this.keep();
  }

  /** Undo a move by replaying the earlier moves of its place. */
  turnBack(move) {
    const [index] = this.read(move);
    this.states[index] = NOTHING;
    for (const each of this.moves) if (this.read(each)[0] === index) this.apply(each);
  }

  redo() {
    const move = this.undone.shift();
    if (move === undefined) return;
    this.apply(move);
    this.moves.push(move);
    this.keep();
  }

  clear() {
    for (const place of this.places) this.set(place, NOTHING);
  }

  /** The puzzle and its marks, as the API takes them. */
  get board() {
    return { puzzle: this.puzzle.id, states: this.states.join("") };
  }

  keep() {
    const { moves, undone, seconds, solved } = this;
    const others = keptPuzzles().filter(({ id }) => id !== this.puzzle.id);
    const { id, heading } = this.puzzle;
    const here = moves.length || undone.length ? [{ id, heading, moves, undone, seconds, solved }] : [];
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
