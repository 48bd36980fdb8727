// The page of a puzzle, /puzzle/slither?p=ID: the board, the clock, help, and where to get another one.

import { Board } from "../board.js";
import { create as createControls } from "../controls.js";
import { openDialog } from "../dialog.js";
import { announce, h, put, tell, typing } from "../dom.js";
import { create as createHint } from "../hint.js";
import { post } from "../net.js";
import { Attempt, CROSS, LINE, NOTHING, keptPuzzles } from "../puzzle.js";
import { newPuzzle, openPuzzle } from "./puzzles.js";

const API = "/api/puzzles/slither";
const PAUSE = 120; // milliseconds after the last change before the server is asked about it
const PEN = 0.11; // how wide a line is
const ARM = 0.09; // half of a cross
const WORDS = ["nothing", "a line", "a cross"];
const SIDES = { w: [0, -0.5], a: [-0.5, 0], s: [0, 0.5], d: [0.5, 0] }; // of a cell, from its middle
const INWARD = { t: [0, 0.5], b: [0, -0.5], l: [0.5, 0], r: [-0.5, 0] }; // from a line to the middle
const FEW = {
  several: "This puzzle has several solutions, so it can be drawn, but not checked.",
  none: "This puzzle has no solution.",
  unknown: "Whether this puzzle has just one solution takes too long to find out.",
};

export async function show(root, params, app) {
  const kept = keptPuzzles();
  const wanted = params.p ?? kept.find(({ solved }) => !solved)?.id ?? "";
  const puzzle = await post(API, { puzzle: wanted });
  const attempt = new Attempt(puzzle, kept.find(({ id }) => id === puzzle.id) ?? null);
  const page = new Page(root, attempt, app, params.grade);
  if (params.new !== undefined) newPuzzle(app);
  return () => page.destroy();
}

class Page {
  constructor(root, attempt, app, grade) {
    this.attempt = attempt;
    this.app = app;
    this.wrong = new Set();
    this.coloured = false;
    this.sides = [];
    this.middle = null; // of the cell that the keyboard is at
    this.asked = 0; // the number of the last question about the board
    this.build(root, grade);
    this.board = new Board(this.places.board, {
      onMove: (line) => this.turn(line),
      label: "Slither puzzle",
      words: (line) => `${line}, ${WORDS[attempt.state(line)]}`,
      ghost: (target) => this.ghost(target),
    });
    this.areas = new Map(attempt.puzzle.scene.shapes.map((shape) => [shape.id, shape]));
    const table = {
      node: null,
      flipped: false,
      announce,
      hint: () => this.ask("hint").then((hint) => hint && { hint: { ...hint, move: null } }),
    };
    this.hinted = table; // `node` is the state that the hint is for
    this.hint = createHint(this.places.hint, table, () => this.render(), {
      next: ["Which technique?", "The move?"],
      last: ["Do it", (hint) => this.follow(hint)],
    });
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.onMenu = (event) => this.menu(event);
    this.onKey = (event) => this.key(event);
    this.board.svg.addEventListener("contextmenu", this.onMenu);
    document.addEventListener("keydown", this.onKey);
    this.onLeave = () => attempt.keep(); // with the time
    addEventListener("pagehide", this.onLeave);
    this.clock = setInterval(() => this.tick(), 1000);
    history.replaceState(history.state, "", `/puzzle/slither?p=${encodeURIComponent(attempt.puzzle.id)}`);
    app.title(`Slither ${attempt.puzzle.rows} x ${attempt.puzzle.cols}`);
    this.changed();
  }

  build(root, grade) {
    const { rows, cols, clues, status } = this.attempt.puzzle;
    this.places = {};
    const part = (name) => (this.places[name] = h("div", { class: `table-${name}` }));
    const facts = [`${rows} x ${cols}`, `${clues} clues`, grade].filter(Boolean).join(" · ");
    this.standing = h("span", {});
    this.time = h("span", { class: "chip", role: "timer", "aria-label": "Time" });
    put(
      root,
      h(
        "div",
        { class: "table-page puzzle-page" },
        h(
          "div",
          { class: "table-top" },
          h(
            "header",
            { class: "table-head" },
            h("h1", {}, "Slither"),
            h("span", { class: "facts" }, facts),
            h("button", { type: "button", class: "button plain", onclick: rules }, "Rules"),
          ),
        ),
        h("div", { class: "table-left" }, part("board"), h("div", { class: "table-tools" }, part("controls"))),
        h("div", { class: "table-side" }, part("status"), part("hint")),
      ),
    );
    put(
      this.places.status,
      h("div", { class: "status-line" }, h("p", { class: "status-text" }, this.standing), this.time),
      status in FEW ? h("p", { class: "muted" }, FEW[status]) : null,
      (this.end = h("div", {})),
    );
    this.places.board.style.setProperty("--cols", cols);
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Puzzle");
    this.places.hint.setAttribute("role", "group");
    this.places.hint.setAttribute("aria-label", "Hint");
  }

  // What is drawn

  /** Press a line: nothing, a line, a cross, nothing. */
  turn(line) {
    this.set(line, (this.attempt.state(line) + 1) % 3);
  }

  set(line, state) {
    if (this.attempt.solved) return;
    this.attempt.set(line, state);
    announce(`${line}: ${WORDS[state]}`);
    this.changed();
  }

  follow({ moves }) {
    for (const move of moves) this.attempt.play(move);
    announce("Done.");
    this.changed();
  }

  /** Something else is drawn now. */
  changed() {
    this.hinted.node = {};
    this.hint.clear();
    this.wrong.clear();
    this.render();
    this.say();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(), PAUSE);
  }

  /** Ask the server whether it is solved, and which cells are inside. */
  async look() {
    const number = (this.asked += 1);
    const found = await this.ask("standing");
    if (found === null || number !== this.asked || this.gone) return;
    this.sides = found.sides;
    if (found.solved && !this.attempt.solved) this.finish();
    this.render();
  }

  async ask(what) {
    try {
      return await post(`${API}/${what}`, this.attempt.board);
    } catch (error) {
      tell(error.message);
      return null;
    }
  }

  finish() {
    const { attempt } = this;
    attempt.solved = true;
    attempt.keep();
    this.coloured = true;
    const words = `The loop is right, in ${timeText(attempt.seconds)}.`;
    announce(`Solved. ${words}`);
    put(
      this.end,
      h(
        "section",
        { class: "banner", "aria-label": "Result" },
        h("h2", {}, "Solved"),
        h("p", {}, words),
        h(
          "details",
          {},
          h("summary", {}, `Your ${attempt.moves.length} moves`),
          h("p", { class: "notation" }, attempt.moves.join(", ")),
        ),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "button main", onclick: () => newPuzzle(this.app) }, "New puzzle"),
        ),
      ),
    );
    this.say();
  }

  // What is shown

  render() {
    const { scene } = this.attempt.puzzle;
    const sides = this.coloured ? this.sides : [];
    const drawn = scene.targets.flatMap((target, index) => {
      const state = this.attempt.states[index];
      return state === NOTHING ? [] : [this.stroke(target, state)];
    });
    const shown = { ...scene, shapes: [...sides, ...scene.shapes, ...drawn] };
    const position = { scene: shown, legal: [], to_move: 1 };
    this.board.show(position, { playable: !this.attempt.solved, marks: this.hint.marks });
    this.controls.update();
  }

  /** A line or a cross; an area's first and third corner are the ends of its line. */
  stroke({ move, at, shapes }, state) {
    const [start, , end] = this.areas.get(shapes[0]).points;
    const role = this.wrong.has(move) ? "threat" : state === LINE ? "stone" : "dead";
    const look = { roles: [role], layer: 3, ...(role === "stone" && { owner: 1 }) };
    if (state === LINE) return { kind: "line", id: `line ${move}`, start, end, width: PEN, ...look };
    const [x, y] = at;
    const strokes = [
      [[x - ARM, y - ARM], [x + ARM, y + ARM]],
      [[x - ARM, y + ARM], [x + ARM, y - ARM]],
    ];
    return { kind: "path", id: `cross ${move}`, strokes, width: 0.045, ...look };
  }

  /** What a press would draw. */
  ghost(target) {
    const next = (this.attempt.state(target.move) + 1) % 3;
    return next === NOTHING ? [] : [this.stroke(target, next)];
  }

  say() {
    const { attempt } = this;
    const lines = attempt.states.filter((state) => state === LINE).length;
    put(this.standing, attempt.solved ? "Solved" : `${lines} ${lines === 1 ? "line" : "lines"} drawn`);
    put(this.time, timeText(attempt.seconds));
  }

  tick() {
    if (this.attempt.solved || document.hidden) return;
    this.attempt.seconds += 1;
    put(this.time, timeText(this.attempt.seconds));
  }

  // Buttons and keys

  actions() {
    const { attempt } = this;
    return {
      hint: () => this.hint.press(),
      check: () => this.check(),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
      colour: () => {
        this.coloured = !this.coloured;
        this.render();
      },
      clear: () => {
        attempt.clear();
        this.changed();
      },
      open: () => openPuzzle(this.app),
      another: () => newPuzzle(this.app),
    };
  }

  step(way) {
    if (this.attempt.solved) return;
    this.attempt[way]();
    announce(way === "undo" ? "Taken back." : "Played again.");
    this.changed();
  }

  controlState() {
    const { attempt } = this;
    const going = !attempt.solved;
    const names = Object.keys(this.actions());
    const off = new Set([
      ...(going ? [] : ["hint", "check", "undo", "redo", "clear"]),
      ...(attempt.moves.length ? [] : ["undo", "clear"]),
      ...(attempt.undone.length ? [] : ["redo"]),
    ]);
    return {
      shown: new Set(names),
      enabled: new Set(names.filter((name) => !off.has(name))),
      pressed: new Set(this.coloured ? ["colour"] : []),
    };
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

  /** The line that was pressed or has the keyboard. */
  lineOf(element) {
    return element?.closest?.("[data-place]")?.getAttribute("data-place").replace("area ", "") ?? null;
  }

  menu(event) {
    const line = this.lineOf(event.target);
    if (line === null) return;
    event.preventDefault();
    this.set(line, this.attempt.state(line) === CROSS ? NOTHING : CROSS);
  }

  key(event) {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const names = { h: "hint", c: "check", u: "undo", r: "redo", k: "colour", n: "another" };
    const line = this.lineOf(document.activeElement);
    if (key in names && this.controlState().enabled.has(names[key])) this.actions()[names[key]]();
    else if (line === null) return;
    else if (key === "x") this.set(line, this.attempt.state(line) === CROSS ? NOTHING : CROSS);
    else if (key === "backspace" || key === "delete") this.set(line, NOTHING);
    else if (key in SIDES) this.pointAt(line, key);
    else return;
    event.preventDefault();
  }

  /** To another side of the cell: the one that was meant before, if this is one of its lines. */
  pointAt(line, key) {
    const { at } = this.attempt.puzzle.scene.targets[this.attempt.numbers.get(line)];
    const same = this.middle && Math.abs(Math.hypot(at[0] - this.middle[0], at[1] - this.middle[1]) - 0.5) < 0.01;
    if (!same) this.middle = [0, 1].map((axis) => at[axis] + INWARD[line.at(-1)][axis]);
    this.board.targets.focusNear([0, 1].map((axis) => this.middle[axis] + SIDES[key][axis]));
  }

  destroy() {
    this.gone = true;
    if (!this.attempt.solved) this.attempt.keep();
    clearInterval(this.clock);
    clearTimeout(this.waiting);
    removeEventListener("pagehide", this.onLeave);
    document.removeEventListener("keydown", this.onKey);
    this.board.destroy();
  }
}

const timeText = (seconds) => {
  const pad = (number) => String(number).padStart(2, "0");
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds) % 60];
  return minutes < 60 ? `${minutes}:${pad(rest)}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(rest)}`;
};

function rules() {
  const keys = [
    [["←", "→", "↑", "↓"], "the same side of the next cell"],
    [["w", "a", "s", "d"], "the top, left, bottom or right line of this cell"],
    [["Enter"], "a line, a cross, nothing"],
    [["x"], "a cross; a right click does it too"],
    [["h", "c"], "a hint, once more for more of it; a check"],
    [["u", "r"], "take back; play again"],
    [["k", "n"], "colour inside and outside; a new puzzle"],
  ];
  openDialog(
    "Slither",
    h(
      "ul",
      {},
      h("li", {}, "Draw lines between the dots, so that they make one closed loop without crossings or branches."),
      h("li", {}, "A number says how many of the four lines around it are part of the loop."),
      h("li", {}, "Press a line to draw it, once more for a cross where no line can be, once more to clear it."),
    ),
    h(
      "dl",
      { class: "keys" },
      keys.flatMap(([names, words]) => [
        h("dt", {}, names.map((name) => h("kbd", {}, name))),
        h("dd", {}, words),
      ]),
    ),
  );
}
