// Solving a puzzle: the board, the clock, checks, hints, and the way to other puzzles.

import { remember, remembered } from "../choices.js";
import { announce, h, put, tell, typing } from "../dom.js";
import { post } from "../net.js";
import { create as createControls } from "../room/controls.js";
import { create as createHint } from "../room/hint.js";
import { NOTHING } from "../room/puzzle.js";
import { api, dailyPuzzles, newPuzzle, openPuzzle, sharePuzzle } from "../views/puzzles.js";
import { bestOf, classOf, enter, timeText, verdict as judged } from "./bests.js";
import { showRules } from "./guide.js";
import { FEW, banner, lay } from "./layout.js";
import { create as createPoints } from "./points.js";
import { Replay } from "./replay.js";
import { Sheet } from "./sheet.js";

const PAUSE = 50; // milliseconds after the last change before the server is asked about it
const KEYS = {
  ...{ h: "hint", c: "check", u: "undo", r: "redo", m: "rewind", p: "point", g: "auto", k: "colour" },
  ...{ l: "clear", v: "solve", e: "film", t: "share", o: "open", y: "daily", n: "another" },
};

export class Page {
  constructor(root, kind, attempt, app) {
    this.kind = kind;
    this.words = ["nothing", ...kind.marks.map(({ words }) => words)];
    this.attempt = attempt;
    this.app = app;
    this.wrong = new Set(); // places that a check has found wrong
    this.notes = { done: [], broken: [], wrong: [] }; // of the auto-check
    this.auto = remembered(kind.name).auto !== false;
    this.coloured = false;
    this.sides = [];
    this.asked = 0; // the number of the latest request about the board
    this.solving = false; // is the computer at it?
    this.film = null; // the solution being explained
    Object.assign(this, lay(root, kind, attempt, () => showRules(kind, this.sheet.dots.length > 0)));
    this.sheet = new Sheet(this.places.board, kind, attempt, {
      words: this.words,
      onPress: (place) => this.set(place, attempt.next(place)),
      onMark: (place, state) => this.toggle(place, state),
      onPath: (places) => this.drawPath(places),
      onSketch: () => this.lookSoon(),
    });
    this.chips.before(this.sheet.zoom.buttons);
    const room = {
      node: null,
      flipped: false,
      announce,
      hint: () => this.ask("hint").then((hint) => hint && { hint: { ...hint, move: null } }),
    };
    this.hinted = room; // `node` identifies the state that the hint is for
    this.hint = createHint(this.places.hint, room, () => this.render(), {
      next: (told, of) => ["Which technique?", "Which move?"].at(told - of) ?? "More?",
      last: ["Do it", (hint) => this.follow(hint)],
    });
    this.points = createPoints(this.places.points, attempt, {
      words: (point) => this.attempt.count([...point].map(Number)),
      onReturn: (point) => this.returnTo(point),
      onDrop: (point) => {
        attempt.dropPoint(point);
        this.points.update();
      },
    });
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.onLeave = () => attempt.keep(); // with the time
    addEventListener("pagehide", this.onLeave);
    this.onBack = () => this.lookSoon();
    document.addEventListener("server-back", this.onBack);
    this.clock = setInterval(() => this.tick(), 1000);
    history.replaceState(history.state, "", `/puzzle/${kind.name}?p=${encodeURIComponent(attempt.puzzle.id)}`);
    app.title(attempt.puzzle.heading);
    this.changed();
    this.sheet.zoom.start();
    this.solutions();
  }

  /** Say if the puzzle does not have exactly one solution. The board does not wait for that. */
  async solutions() {
    const found = await this.ask("status", { puzzle: this.attempt.puzzle.id });
    if (found !== null && !this.gone && found.status in FEW)
      put(this.few, h("p", { class: "muted" }, FEW[found.status]));
  }

  // Marks

  set(place, state) {
    if (this.attempt.solved) return;
    this.attempt.set(place, state);
    announce(`${place}: ${this.words[state]}`);
    this.changed();
  }

  /** Toggle a mark. */
  toggle(place, state) {
    this.set(place, this.attempt.state(place) === state ? NOTHING : state);
  }

  /** Draw a path in one step. */
  drawPath(places) {
    if (this.attempt.solved) return;
    this.attempt.change(places.map((place) => [place, 1]));
    announce(`${this.attempt.count(places.map(() => 1))} drawn.`);
    this.changed();
  }

  follow({ moves }) {
    for (const move of moves) this.attempt.play(move);
    announce("Done.");
    this.changed();
  }

  /** Update everything after the marks have changed. */
  changed() {
    this.hinted.node = {};
    this.hint.clear();
    this.wrong.clear();
    this.render();
    this.say();
    this.lookSoon();
  }

  lookSoon() {
    this.asked += 1; // an answer about the marks before this change comes too late
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(), PAUSE);
  }

  /** Ask the server whether the puzzle is solved, which cells are inside, and what to mark. */
  async look() {
    const { asked, coloured, sheet } = this;
    const drawing = sheet.stroke.length > 0;
    const found = await this.ask("standing", { puzzle: this.attempt.puzzle.id, states: sheet.states.join(""), coloured });
    if (found === null || asked !== this.asked || this.gone) return;
    const same = JSON.stringify(found) === JSON.stringify(this.notes);
    this.notes = found;
    if (coloured) this.sides = found.sides;
    if (found.solved && !this.attempt.solved && !drawing) this.finish();
    if (!same) this.render();
  }

  async ask(what, about = this.attempt.board) {
    try {
      return await post(`${api(this.kind)}/${what}`, about);
    } catch (error) {
      const unasked = error.status === 0 && ["standing", "status"].includes(what);
      if (!unasked) tell(error.message); // without the server a puzzle is solved without its remarks
      return null;
    }
  }

  finish() {
    const { attempt } = this;
    attempt.solved = true;
    attempt.keep();
    this.colouredBefore = this.coloured;
    this.coloured = true;
    this.lookSoon();
    const took = attempt.byComputer; // null if the user has solved it
    const verdict = took === null ? judged(attempt.seconds, enter(this.class, attempt.seconds)) : "";
    put(
      this.end,
      banner(this.kind, attempt, verdict, {
        onUndo: () => this.step("undo"),
        onNew: () => newPuzzle(this.kind, this.app),
      }),
    );
    this.points.update();
    this.say();
  }

  // Display

  render() {
    this.sheet.show(this.film === null ? this.drawing() : this.explained());
    this.controls.update();
  }

  drawing() {
    const { attempt, auto, notes } = this;
    const checks = auto && !attempt.solved;
    const wrong = [...(checks ? notes.wrong : []), ...this.wrong];
    const told = checks ? [...notes.done.map((id) => [id, "dead"]), ...notes.broken.map((id) => [id, "threat"])] : [];
    return {
      states: attempt.states,
      roles: new Map(wrong.map((place) => [place, "threat"])),
      notes: new Map(told),
      under: this.coloured ? this.sides : [],
      marks: this.hint.marks,
      playable: !attempt.solved,
    };
  }

  /** A step of the explanation: what follows, and what it follows from. */
  explained() {
    const { states, found, because, shapes } = this.film.view;
    const names = this.attempt.places;
    const { targets } = this.attempt.puzzle.scene;
    this.sheet.zoom.look([...found, ...because].map((place) => targets[place].at));
    const roles = [...because.map((place) => [names[place], "threat"]), ...found.map((place) => [names[place], "best"])];
    return { states, roles: new Map(roles), under: shapes, playable: false };
  }

  get class() {
    return classOf(this.attempt.puzzle, this.attempt.grade);
  }

  say() {
    const { attempt } = this;
    const solved = attempt.byComputer === null ? "Solved" : "Solved by the computer";
    const verb = this.kind.marks.some(({ many }) => many) ? "drawn" : "marked";
    put(this.standing, attempt.solved ? solved : `${attempt.count()} ${verb}`);
    put(this.time, timeText(attempt.seconds));
    const best = bestOf(this.class);
    this.best.hidden = best === null;
    put(this.best, best === null ? "" : `Best ${timeText(best)}`);
  }

  tick() {
    if (this.attempt.solved || document.hidden || this.film !== null) return;
    this.attempt.seconds += 1;
    put(this.time, timeText(this.attempt.seconds));
  }

  // Buttons and keys

  actions() {
    const { attempt, kind, app } = this;
    return {
      hint: () => this.hint.press(),
      check: () => this.check(),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
      rewind: () => this.rewind(),
      point: () => {
        announce(attempt.savePoint() ? "Save point set." : "There is a save point here already.");
        this.points.update();
      },
      ...(kind.checks && { auto: () => this.switchAuto() }),
      ...(kind.sides && {
        colour: () => {
          this.coloured = !this.coloured;
          this.lookSoon();
          this.render();
        },
      }),
      clear: () => {
        attempt.clear();
        this.changed();
      },
      solve: () => this.solve(),
      ...(kind.explains && { film: () => this.explain() }),
      share: () => sharePuzzle(kind, attempt),
      open: () => openPuzzle(kind, app),
      ...(kind.days.length && { daily: () => dailyPuzzles(kind, app) }),
      ...(kind.makes && { another: () => newPuzzle(kind, app) }),
    };
  }

  controlState() {
    const { attempt } = this;
    const going = !attempt.solved && this.film === null;
    const names = Object.keys(this.actions());
    const off = new Set([
      ...(going ? [] : ["hint", "check", "solve", "redo", "clear", "rewind", "point", "auto"]),
      ...(going || (attempt.byComputer !== null && this.film === null) ? [] : ["undo"]),
      ...(this.solving ? ["solve", "film"] : []),
      ...(attempt.moves.length ? [] : ["undo", "clear", "rewind", "point"]),
      ...(attempt.undone.length ? [] : ["redo"]),
    ]);
    return {
      shown: new Set(names),
      enabled: new Set(names.filter((name) => !off.has(name))),
      pressed: new Set([...(this.coloured ? ["colour"] : []), ...(this.auto ? ["auto"] : []), ...(this.film ? ["film"] : [])]),
    };
  }

  step(way) {
    const { attempt } = this;
    if (attempt.solved && !(way === "undo" && attempt.byComputer !== null)) return;
    if (attempt.solved) {
      attempt.solved = false;
      this.coloured = this.colouredBefore;
      put(this.end);
    }
    attempt[way]();
    announce(way === "undo" ? "Undone." : "Redone.");
    this.changed();
  }

  returnTo(point) {
    this.attempt.returnTo(point);
    announce("Back at the save point. Undo takes you forward again.");
    this.changed();
  }

  switchAuto() {
    this.auto = !this.auto;
    remember(this.kind.name, { auto: this.auto });
    this.render();
  }

  async check() {
    const found = await this.ask("check");
    if (found === null || this.gone) return;
    this.hint.clear();
    this.wrong = new Set(found.wrong);
    tell(found.words, found.wrong.length ? "error" : "done");
    announce(found.words);
    this.render();
  }

  /** Undo until nothing on the board is wrong. */
  async rewind() {
    for (let undone = 0; ; ) {
      const found = await this.ask("check");
      if (found === null || this.gone) return;
      const count = this.attempt.undoMarks(found.wrong);
      undone += count;
      if (count > 0) continue; // what was there before may be wrong in another way
      const words = undone ? `Undone: ${undone} ${undone === 1 ? "step" : "steps"}. ${found.words}` : found.words;
      this.changed();
      tell(words, "done");
      announce(words);
      return;
    }
  }

  /** Have the computer solve it: all in one step, which Undo takes back. */
  async solve() {
    const found = await this.busy(() => this.ask("solve", { puzzle: this.attempt.puzzle.id }));
    if (this.gone || found === null || this.attempt.solved) return;
    if (found.states === null) {
      tell(found.words);
      return;
    }
    this.attempt.solve(found.moves, found.seconds);
    this.changed();
    this.finish();
    this.render();
  }

  /** Open the explanation of the solution, or close it. */
  async explain() {
    const { attempt, places } = this;
    if (this.film !== null) {
      this.film.destroy();
      this.film = null;
      this.changed();
      return;
    }
    const film = await this.busy(() => this.ask("explain", { puzzle: attempt.puzzle.id }));
    if (film === null || this.gone) return;
    const replay = { onChange: () => this.film && this.render(), onClose: () => this.explain() };
    this.hint.clear();
    this.film = new Replay(places.replay, film, attempt.places.length, replay);
    places.replay.scrollIntoView({ block: "nearest" });
    this.render();
  }

  /** Wait for an answer that may take a while. */
  async busy(work) {
    this.solving = true;
    this.controls.update();
    const found = await work();
    this.solving = false;
    if (!this.gone) this.controls.update();
    return found;
  }

  key(event) {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const place = this.sheet.focused;
    const mark = this.kind.marks.findIndex(({ letter }) => letter === key);
    const action = KEYS[key];
    const [point] = this.attempt.points.slice(-1);
    if (this.film !== null && (key === "escape" || this.film.key(key))) key === "escape" && this.explain();
    else if (place !== null && mark >= 0) this.toggle(place, mark + 1);
    else if (this.controlState().enabled.has(action)) this.actions()[action]();
    else if (key === "b" && point && !this.attempt.solved && this.film === null) this.returnTo(point);
    else if (this.sheet.zoom.key(key)) this.render();
    else if (place === null) return;
    else if (key === "backspace" || key === "delete") this.set(place, NOTHING);
    else if (this.sheet.isSide(key)) this.sheet.pointAt(place, key);
    else return;
    event.preventDefault();
  }

  destroy() {
    this.gone = true;
    if (!this.attempt.solved) this.attempt.keep();
    clearInterval(this.clock);
    clearTimeout(this.waiting);
    this.film?.destroy();
    removeEventListener("pagehide", this.onLeave);
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("server-back", this.onBack);
    this.sheet.destroy();
  }
}
