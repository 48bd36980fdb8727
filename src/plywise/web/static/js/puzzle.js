// A puzzle that somebody is solving: what is drawn, move by move, kept in this browser.
// A move draws a line or takes it away, as "2 1 t"; with an "x" before it, a cross.

export const NOTHING = 0;
export const LINE = 1;
export const CROSS = 2;

const KEY = "puzzles";
const MOST = 20; // puzzles that are kept; the oldest go first

export class Attempt {
  /** `puzzle` as the server tells it; `kept` is what was kept of it. */
  constructor(puzzle, kept = null) {
    this.puzzle = puzzle;
    this.lines = puzzle.scene.targets.map(({ move }) => move);
    this.numbers = new Map(this.lines.map((move, index) => [move, index]));
    this.states = this.lines.map(() => NOTHING);
    this.moves = [];
    this.undone = [];
    this.seconds = kept?.seconds ?? 0;
    this.solved = false;
    const drawn = [...puzzle.states].flatMap((state, index) => this.named(index, Number(state)));
    for (const move of kept?.moves ?? drawn) this.apply(move) && this.moves.push(move);
    this.undone = (kept?.undone ?? []).filter((move) => this.read(move) !== null);
  }

  named(index, state) {
    if (state === NOTHING) return [];
    return [state === CROSS ? `x ${this.lines[index]}` : this.lines[index]];
  }

  /** The number of a move's line and what it makes of it, or null. */
  read(move) {
    const cross = move.startsWith("x ");
    const index = this.numbers.get(cross ? move.slice(2) : move);
    return index === undefined ? null : [index, cross ? CROSS : LINE];
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

  state(line) {
    return this.states[this.numbers.get(line)];
  }

  /** Make a line what it shall be: the move that does it. */
  set(line, state) {
    const now = this.state(line);
    if (now !== state) this.play((state || now) === CROSS ? `x ${line}` : line);
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
    for (const line of this.lines) this.set(line, NOTHING);
  }

  /** What the server is asked about. */
  get board() {
    return { puzzle: this.puzzle.id, states: this.states.join("") };
  }

  keep() {
    const { moves, undone, seconds, solved } = this;
    const others = keptPuzzles().filter(({ id }) => id !== this.puzzle.id);
    const here = moves.length || undone.length ? [{ id: this.puzzle.id, moves, undone, seconds, solved }] : [];
    try {
      localStorage.setItem(KEY, JSON.stringify([...here, ...others].slice(0, MOST)));
    } catch {
      // A browser that keeps nothing.
    }
  }
}

/** What is kept, the newest first. */
export function keptPuzzles() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each?.id === "string" && Array.isArray(each.moves)) : [];
  } catch {
    return [];
  }
}
