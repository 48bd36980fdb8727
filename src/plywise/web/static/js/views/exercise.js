// Exercises, /exercises/NAME?e=EXERCISE: find the only move that wins, or the only one that does not lose.
// ?daily is the exercise of the day, ?run a timed run.

import { Board } from "../board/board.js";
import { announce, calm, h, put, tell, typing } from "../dom.js";
import { Refused, get, kind as kindOf, post } from "../net.js";
import { create as createControls } from "../room/controls.js";
import { Training, dayOf, ofDay } from "../room/training.js";

const PACE = 700; // milliseconds between the moves of a line
const RUN = 180; // seconds of a timed run
const LIVES = 3; // mistakes that end it

export async function show(root, params, app) {
  const [kind, list] = await Promise.all([
    kindOf(params.name),
    get(`/api/exercises/${encodeURIComponent(params.name)}`),
  ]);
  if (!list.exercises.length) throw new Refused(`${list.title} has no exercises yet.`, 404);
  const page = new Page(root, kind, list, app);
  await page.begin(params);
  return () => page.destroy();
}

class Page {
  constructor(root, kind, list, app) {
    this.kind = kind;
    this.list = list;
    this.app = app;
    this.training = new Training(kind.name);
    this.run = null; // {ends, solved, lives, timer} of a timed run
    this.number = 0; // of what is shown: an answer that comes too late is dropped
    this.build(root);
    this.board = new Board(this.places.board, { onMove: (move) => this.play(move), label: `${kind.title} exercise` });
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    app.title(`${kind.title} exercises`);
  }

  build(root) {
    this.places = {};
    const part = (name) => (this.places[name] = h("div", { class: `game-${name}` }));
    this.facts = h("span", { class: "facts" });
    this.task = h("span", {});
    this.chip = h("span", { class: "chip" });
    this.message = h("div", { class: "exercise-message", role: "status" });
    this.record = h("p", { class: "muted small" });
    const name = encodeURIComponent(this.kind.name);
    put(
      root,
      h(
        "div",
        { class: "game-page puzzle-page exercise-page" },
        h(
          "div",
          { class: "game-top" },
          h(
            "header",
            { class: "game-head" },
            h("h1", {}, this.kind.title),
            this.facts,
            h("a", { class: "button plain", href: `/rules/${name}` }, "Rules"),
          ),
        ),
        h("div", { class: "game-left" }, part("board"), h("div", { class: "game-tools" }, part("controls"))),
        h("div", { class: "game-side" }, part("status")),
      ),
    );
    put(
      this.places.status,
      h("div", { class: "status-line" }, h("p", { class: "status-text" }, this.task), this.chip),
      this.message,
      this.record,
    );
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Exercise");
  }

  destroy() {
    this.number += 1;
    this.stopRun();
    document.removeEventListener("keydown", this.onKey);
    this.board.destroy();
  }

  // Which exercise

  async begin({ e, daily, run }) {
    if (run !== undefined) return this.startRun();
    if (daily !== undefined) return this.today();
    return this.open(e ?? this.training.choose(this.list.exercises).name);
  }

  today() {
    this.stopRun();
    this.day = dayOf(new Date());
    return this.open(ofDay(this.list.exercises, this.day).name, "daily");
  }

  next() {
    this.day = null;
    return this.open(this.training.choose(this.list.exercises).name);
  }

  async open(name, query = `e=${name}`) {
    const number = (this.number += 1);
    const path = `/api/exercises/${encodeURIComponent(this.kind.name)}`;
    let exercise;
    try {
      exercise = await get(`${path}/${encodeURIComponent(name)}`);
    } catch (error) {
      if (this.exercise === undefined) throw error;
      tell(error.message);
      return;
    }
    if (number !== this.number) return;
    this.exercise = exercise;
    this.state = "asked"; // then "wrong" after a wrong try, or "done"
    this.tries = 0;
    this.position = exercise.position;
    history.replaceState(history.state, "", `/exercises/${encodeURIComponent(this.kind.name)}?${this.run ? "run" : query}`);
    put(this.message);
    this.render();
    announce(sentence(`${this.position.standing}: ${exercise.task}`));
  }

  // Trying moves

  async play(move) {
    if (this.state !== "asked") return;
    const right = move === this.exercise.answer;
    if (this.tries === 0) this.training.count(this.exercise, right);
    this.tries += 1;
    if (right) await this.solved(move);
    else await this.refute(move);
  }

  async solved(move) {
    const first = this.tries === 1;
    this.state = "done";
    if (this.day) this.training.countDaily(this.day);
    this.say("done", first ? "Right." : "Right, in the end.", this.line(this.exercise.line));
    if (this.run) {
      this.run.solved += first ? 1 : 0;
      await this.film([move]);
      if (this.run) await this.next();
      return;
    }
    await this.film(this.exercise.line);
  }

  async refute(move) {
    const { goal, refutations } = this.exercise;
    const line = refutations[move] ?? [];
    this.state = "wrong";
    const verdict = goal === "win" ? "does not win" : "loses";
    this.say("wrong", `${move} ${verdict}.`, line.length ? this.line([move, ...line]) : null);
    if (this.run && (this.run.lives -= 1) === 0) return this.endRun("Three mistakes.");
    await this.film([move, ...line]);
    if (this.run) await this.next();
  }

  again() {
    this.number += 1;
    this.state = "asked";
    this.position = this.exercise.position;
    put(this.message);
    this.render();
    this.board.focus();
  }

  answer() {
    if (this.tries === 0) this.training.count(this.exercise, false);
    this.tries += 1;
    this.state = "done";
    const { answer, line } = this.exercise;
    this.say("shown", `The answer is ${answer}.`, this.line(line));
    return this.film(line);
  }

  /** Show moves from the position of the exercise, one after the other. */
  async film(moves) {
    const number = (this.number += 1);
    const { game, moves: before } = this.exercise;
    this.render();
    for (let count = 1; count <= moves.length; count += 1) {
      const asked = { game, moves: [...before, ...moves.slice(0, count)] };
      let position;
      try {
        position = await post("/api/positions", asked);
      } catch (error) {
        tell(error.message);
        return;
      }
      if (number !== this.number) return;
      this.position = position;
      this.render({ animate: true });
      if (count < moves.length) await pause(calm() ? PACE * 1.5 : PACE);
      if (number !== this.number) return;
    }
  }

  // A timed run

  async startRun() {
    this.stopRun();
    this.day = null;
    this.run = { ends: Date.now() + 1000 * RUN, solved: 0, lives: LIVES };
    this.run.timer = setInterval(() => this.tick(), 250);
    await this.next();
  }

  tick() {
    if (Date.now() >= this.run.ends) this.endRun("Time is up.");
    else this.renderStanding();
  }

  endRun(why) {
    const { solved } = this.run;
    this.stopRun();
    this.number += 1;
    this.state = "done";
    const best = solved > this.training.best;
    if (best) {
      this.training.best = solved;
      this.training.keep();
    }
    this.say("shown", `${why} You solved ${solved}${best ? ": your best so far." : "."}`, null);
    this.render();
  }

  stopRun() {
    clearInterval(this.run?.timer);
    this.run = null;
  }

  // What is shown

  say(look, text, more) {
    announce([text, more?.textContent].filter(Boolean).join(" "));
    put(this.message, h("p", { class: `verdict ${look}` }, text), more);
  }

  line(moves) {
    return h("p", { class: "moves" }, moves.join("  "));
  }

  render({ animate = false } = {}) {
    this.board.show(this.position, { playable: this.state === "asked", animate });
    const { rating, theme } = this.exercise;
    const what = this.day ? "exercise of the day" : "exercise";
    put(this.facts, [what, `rating ${rating}`, this.state === "done" ? theme : null].filter(Boolean).join(" · "));
    put(this.task, sentence(`${this.exercise.position.standing}: ${this.exercise.task}`));
    this.renderStanding();
    this.controls.update();
  }

  renderStanding() {
    const { rating, solved, seen, daily, best } = this.training;
    if (this.run) {
      const left = Math.max(0, Math.ceil((this.run.ends - Date.now()) / 1000));
      const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      put(this.chip, `${clock} · ${this.run.solved} solved`);
      put(this.record, `${this.run.lives} of ${LIVES} lives left`);
      return;
    }
    put(this.chip, `You: ${rating}`);
    const streak = daily === null ? null : `${daily.streak} ${daily.streak === 1 ? "day" : "days"} in a row`;
    const parts = [seen.size && `${solved} of ${seen.size} solved at the first try`, streak, best && `best run: ${best}`];
    put(this.record, parts.filter(Boolean).join(" · "));
  }

  // Buttons and keys

  actions() {
    return {
      again: () => this.again(),
      answer: () => this.answer(),
      forward: () => this.next(),
      today: () => this.today(),
      run: () => this.startRun(),
      study: () => this.study(),
    };
  }

  controlState() {
    const shown = new Set(this.run ? ["forward"] : ["again", "answer", "forward", "today", "run", "study"]);
    const enabled = new Set(["forward", "today", "run", "study"]);
    if (this.state === "wrong" || (this.state === "done" && !this.run)) enabled.add("again");
    if (this.state !== "done") enabled.add("answer");
    return { shown, enabled, pressed: new Set() };
  }

  study() {
    const { game, moves } = this.exercise;
    this.app.go(`/board?game=${encodeURIComponent(game)}&moves=${encodeURIComponent(moves.join(" "))}`);
  }

  key(event) {
    if (typing(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const action = { n: "forward", r: "again", s: "answer" }[event.key];
    if (action === undefined || !this.controlState().enabled.has(action)) return;
    event.preventDefault();
    this.actions()[action]();
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
