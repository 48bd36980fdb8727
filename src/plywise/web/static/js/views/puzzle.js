// The page of a puzzle, /puzzle/NAME?p=ID: the board, the clock, hints, and other puzzles.

import { Board } from "../board/board.js";
import { create as createControls } from "../room/controls.js";
import { openDialog } from "../dialog.js";
import { announce, h, put, tell, typing } from "../dom.js";
import { create as createHint } from "../room/hint.js";
import { allPuzzles } from "../kinds.js";
import { Refused, post } from "../net.js";
import { Attempt, NOTHING, keptPuzzles } from "../room/puzzle.js";
import { moved } from "../board/scene.js";
import { api, newPuzzle, openPuzzle } from "./puzzles.js";

const PAUSE = 120; // milliseconds after the last change before the server is asked about it
const SIDES = { w: [0, -0.5], a: [-0.5, 0], s: [0, 0.5], d: [0.5, 0] }; // of a cell, from its middle
const FEW = {
  several: "This puzzle has several solutions, so your marks cannot be checked.",
  none: "This puzzle has no solution.",
  unknown: "It would take too long to find out whether this puzzle has only one solution.",
};

export async function show(root, params, app) {
  const kind = (await allPuzzles()).find(({ name }) => name === params.name);
  if (kind === undefined) throw new Refused(`There is no puzzle ${params.name}.`, 404);
  const kept = keptPuzzles(kind.name);
  const wanted = params.p ?? kept.find(({ solved }) => !solved)?.id ?? "";
  const puzzle = await post(api(kind), { puzzle: wanted, counted: false });
  const attempt = new Attempt(puzzle, kind.marks, kept.find(({ id }) => id === puzzle.id) ?? null);
  const page = new Page(root, kind, attempt, app, params.grade);
  if (params.new !== undefined) newPuzzle(kind, app);
  return () => page.destroy();
}

class Page {
  constructor(root, kind, attempt, app, grade) {
    this.kind = kind;
    this.words = ["nothing", ...kind.marks.map(({ words }) => words)];
    this.attempt = attempt;
    this.app = app;
    this.wrong = new Set();
    this.coloured = false;
    this.sides = [];
    this.middle = null; // of the cell that has the focus
    this.asked = 0; // the number of the latest request about the board
    this.solving = false; // is the computer at it?
    this.build(root, grade);
    this.board = new Board(this.places.board, {
      onMove: (place) => this.set(place, attempt.next(place)),
      label: `${kind.title} puzzle`,
      words: (place) => `${place}, ${this.words[attempt.state(place)]}`,
      ghost: (target) => this.ghost(target),
    });
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
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.onMenu = (event) => this.menu(event);
    this.onKey = (event) => this.key(event);
    this.board.svg.addEventListener("contextmenu", this.onMenu);
    document.addEventListener("keydown", this.onKey);
    this.onLeave = () => attempt.keep(); // with the time
    addEventListener("pagehide", this.onLeave);
    this.clock = setInterval(() => this.tick(), 1000);
    history.replaceState(history.state, "", `/puzzle/${kind.name}?p=${encodeURIComponent(attempt.puzzle.id)}`);
    app.title(attempt.puzzle.heading);
    this.changed();
    this.solutions();
  }

  /** Say if the puzzle does not have exactly one solution. The board does not wait for that. */
  async solutions() {
    const found = await this.ask("status", { puzzle: this.attempt.puzzle.id });
    if (found !== null && !this.gone && found.status in FEW)
      put(this.few, h("p", { class: "muted" }, FEW[found.status]));
  }

  build(root, grade) {
    const { rows, cols, facts: more } = this.attempt.puzzle;
    this.places = {};
    const part = (name) => (this.places[name] = h("div", { class: `game-${name}` }));
    const facts = [rows && `${rows} x ${cols}`, more, grade].filter(Boolean).join(" · ");
    this.standing = h("span", {});
    this.time = h("span", { class: "chip", role: "timer", "aria-label": "Time" });
    put(
      root,
      h(
        "div",
        { class: "game-page puzzle-page" },
        h(
          "div",
          { class: "game-top" },
          h(
            "header",
            { class: "game-head" },
            h("h1", {}, this.kind.title),
            h("span", { class: "facts" }, facts),
            h("button", { type: "button", class: "button plain", onclick: () => this.rules() }, "Rules"),
          ),
        ),
        h("div", { class: "game-left" }, part("board"), h("div", { class: "game-tools" }, part("controls"))),
        h("div", { class: "game-side" }, part("status"), part("hint")),
      ),
    );
    put(
      this.places.status,
      h("div", { class: "status-line" }, h("p", { class: "status-text" }, this.standing), this.time),
      (this.few = h("div", {})),
      (this.end = h("div", {})),
    );
    this.places.board.style.setProperty("--cols", cols || 10);
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Puzzle");
    this.places.hint.setAttribute("role", "group");
    this.places.hint.setAttribute("aria-label", "Hint");
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
    this.asked += 1; // an answer about the marks before this change comes too late
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(), PAUSE);
  }

  /** Ask the server whether the puzzle is solved, and which cells are inside. */
  async look() {
    const number = (this.asked += 1);
    const found = await this.ask("standing");
    if (found === null || number !== this.asked || this.gone) return;
    this.sides = found.sides;
    if (found.solved && !this.attempt.solved) this.finish();
    this.render();
  }

  async ask(what, about = this.attempt.board) {
    try {
      return await post(`${api(this.kind)}/${what}`, about);
    } catch (error) {
      tell(error.message);
      return null;
    }
  }

  finish() {
    const { attempt } = this;
    attempt.solved = true;
    attempt.keep();
    this.colouredBefore = this.coloured;
    this.coloured = true;
    const took = attempt.byComputer; // null if the user has solved it
    const [title, words] =
      took === null
        ? ["Solved", `${this.kind.done}, in ${timeText(attempt.seconds)}.`]
        : ["Solved by the computer", `It took ${shortTime(took)}.`];
    const moves = took === null ? attempt.moves : attempt.drawn;
    announce(`${title}. ${words}`);
    put(
      this.end,
      h(
        "section",
        { class: "banner", "aria-label": "Result" },
        h("h2", {}, title),
        h("p", {}, words),
        h(
          "details",
          { open: took !== null },
          h("summary", {}, `${took === null ? "Your" : "Its"} ${moves.length} moves`),
          h("p", { class: "notation" }, moves.join(", ")),
        ),
        h(
          "div",
          { class: "buttons" },
          took === null ? null : h("button", { type: "button", class: "button", onclick: () => this.step("undo") }, "Undo"),
          this.kind.makes
            ? h("button", { type: "button", class: "button main", onclick: () => newPuzzle(this.kind, this.app) }, "New puzzle")
            : null,
        ),
      ),
    );
    this.say();
  }

  // Display

  render() {
    const { scene } = this.attempt.puzzle;
    const sides = this.coloured ? this.sides : [];
    const drawn = scene.targets.flatMap((target, index) => this.marked(target, this.attempt.states[index]));
    const shown = { ...scene, shapes: [...sides, ...scene.shapes, ...drawn] };
    const position = { scene: shown, legal: [], to_move: 1 };
    this.board.show(position, { playable: !this.attempt.solved, marks: this.hint.marks });
    this.controls.update();
  }

  /** The shapes of a mark in its place; a wrong one is drawn in the colour of threats. */
  marked({ move, at }, state) {
    if (state === NOTHING) return [];
    const { looks, look } = this.attempt.puzzle;
    const shapes = looks[look[this.attempt.numbers.get(move)]][state - 1];
    return shapes.map((shape, index) => {
      const { owner, ...rest } = moved(shape, ([x, y]) => [x + at[0], y + at[1]]);
      const id = `mark ${state}.${index} ${move}`;
      return this.wrong.has(move) ? { ...rest, id, roles: ["threat"] } : { ...rest, id, ...(owner !== undefined && { owner }) };
    });
  }

  /** The mark that a click would draw. */
  ghost(target) {
    return this.marked(target, this.attempt.next(target.move));
  }

  say() {
    const { attempt } = this;
    const solved = attempt.byComputer === null ? "Solved" : "Solved by the computer";
    put(this.standing, attempt.solved ? solved : this.count());
    put(this.time, timeText(attempt.seconds));
  }

  /** How many marks there are, in words. */
  count() {
    const { marks } = this.kind;
    const { states } = this.attempt;
    const told = marks.findIndex(({ many }) => many);
    if (told < 0) return `${states.filter(Boolean).length} of ${states.length} marked`;
    const number = states.filter((state) => state === told + 1).length;
    return `${number === 1 ? marks[told].words.replace(/^an? /, "1 ") : `${number} ${marks[told].many}`} drawn`;
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
      solve: () => this.solve(),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
      ...(this.kind.sides && {
        colour: () => {
          this.coloured = !this.coloured;
          this.render();
        },
      }),
      clear: () => {
        attempt.clear();
        this.changed();
      },
      open: () => openPuzzle(this.kind, this.app),
      ...(this.kind.makes && { another: () => newPuzzle(this.kind, this.app) }),
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

  controlState() {
    const { attempt } = this;
    const going = !attempt.solved;
    const names = Object.keys(this.actions());
    const off = new Set([
      ...(going ? [] : ["hint", "check", "solve", "redo", "clear"]),
      ...(going || attempt.byComputer !== null ? [] : ["undo"]),
      ...(this.solving ? ["solve"] : []),
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

  /** Have the computer solve it: all in one step, which Undo takes back. */
  async solve() {
    this.solving = true;
    this.controls.update();
    const found = await this.ask("solve", { puzzle: this.attempt.puzzle.id });
    this.solving = false;
    if (this.gone) return;
    if (found === null || found.states === null || this.attempt.solved) {
      if (found?.states === null) tell(found.words);
      this.controls.update();
      return;
    }
    this.attempt.solve(found.states, found.seconds);
    this.changed();
    this.finish();
    this.render();
  }

  /** The place of an element on the board. */
  placeOf(element) {
    const shape = element?.closest?.("[data-place]")?.getAttribute("data-place");
    return this.attempt.puzzle.scene.targets.find(({ shapes }) => shapes.includes(shape))?.move ?? null;
  }

  /** A right click toggles the last kind of mark. */
  menu(event) {
    const place = this.placeOf(event.target);
    if (place === null) return;
    event.preventDefault();
    this.toggle(place, this.kind.marks.length);
  }

  key(event) {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const names = { h: "hint", c: "check", u: "undo", r: "redo", k: "colour", n: "another" };
    const place = this.placeOf(document.activeElement);
    const mark = this.kind.marks.findIndex(({ letter }) => letter === key);
    if (place !== null && mark >= 0) this.toggle(place, mark + 1);
    else if (key in names && this.controlState().enabled.has(names[key])) this.actions()[names[key]]();
    else if (place === null) return;
    else if (key === "backspace" || key === "delete") this.set(place, NOTHING);
    else if (this.kind.sided && key in SIDES) this.pointAt(place, key);
    else return;
    event.preventDefault();
  }

  /** Go to another side of a cell: of the same cell as before, if this place is one of its sides. */
  pointAt(place, key) {
    const number = this.attempt.numbers.get(place);
    const { at } = this.attempt.puzzle.scene.targets[number];
    const same = this.middle && Math.hypot(at[0] - this.middle[0], at[1] - this.middle[1]) < 0.51;
    if (!same) this.middle = this.attempt.puzzle.middles[number];
    this.board.targets.focusNear([0, 1].map((axis) => this.middle[axis] + SIDES[key][axis]));
  }

  rules() {
    const { title, rules, notation, marks, sides, makes, sided } = this.kind;
    const [first, ...others] = [...marks.map(({ words }) => words), "nothing"];
    const click = `Click or tap a place for ${first}, again for ${others.join(", again for ")}.`;
    const letters = marks.filter(({ letter }) => letter);
    const keys = [
      [["←", "→", "↑", "↓"], "go to the next place in this direction"],
      ...(sided ? [[["w", "a", "s", "d"], "go to the top, left, bottom or right side of this cell"]] : []),
      [["Enter"], `${[...marks.map(({ words }) => words), "nothing"].join(", ")}, in turn`],
      ...letters.map((mark) => [[mark.letter], mark === marks.at(-1) ? `${mark.words}; also with a right click` : mark.words]),
      [["h", "c"], "hint, press again to see more; check"],
      [["u", "r"], "undo; redo"],
      ...(sides ? [[["k"], `colour ${sides}`]] : []),
      ...(makes ? [[["n"], "new puzzle"]] : []),
    ];
    openDialog(
      title,
      h("ul", {}, [...rules, click, ...(notation ? [notation] : [])].map((rule) => h("li", {}, rule))),
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

const shortTime = (seconds) => (seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(1)} s`);

const timeText = (seconds) => {
  const pad = (number) => String(number).padStart(2, "0");
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds) % 60];
  return minutes < 60 ? `${minutes}:${pad(rest)}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(rest)}`;
};
