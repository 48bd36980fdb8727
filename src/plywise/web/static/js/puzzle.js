// A puzzle that somebody is solving: what is drawn, move by move, kept in this browser.
// A move makes a mark in a place or takes it away: the letter of the mark, if it has one, and the place.

export const NOTHING = 0;

const KEY = "puzzles";
const MOST = 20; // puzzles that are kept; the oldest go first

export class Attempt {
  /** `puzzle` as the server tells it, `marks` of its kind; `kept` is what was kept of it. */
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

  /** The move that makes a mark in a place or takes it away. */
  move(place, state) {
    return `${this.marks[state - 1].letter} ${place}`.trim();
  }

  /** The number of a move's place and the mark it makes, or null. */
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

  /** What a press makes of a place: nothing, each mark in turn, nothing. */
  next(place) {
    return (this.state(place) + 1) % (this.marks.length + 1);
  }

  /** Make a place hold what it shall: the move that does it. */
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

  /** What a move has changed depends on all before it. */
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

  /** What the server is asked about. */
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
      // A browser that keeps nothing.
    }
  }
}

/** What is kept, the newest first; of one kind, if it is named. */
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
