// Exercises, /exercises/NAME?e=EXERCISE: find the only move that wins, or the only one that does not lose.
// ?daily is the exercise of the day, ?run a timed run, ?mistakes practises your own mistakes.

import { Board } from "../board/board.js";
import { stoneOf } from "../board/scene.js";
import { announce, calm, h, put, tell, typing } from "../dom.js";
import { pictureFor } from "../kinds.js";
import { Refused, kind as kindOf } from "../net.js";
import { showMore } from "../panels/exercise_more.js";
import { create as createControls } from "../room/controls.js";
import { drop, filmOf, mistakesOf } from "../room/mistakes.js";
import { stone } from "../room/players.js";
import { Exercises, LIVES, Run, Training, after, dayOf, filtered } from "../room/training.js";

const PACE = 700; // milliseconds between the moves of a line
const BRIEF = 350; // ... in a timed run

export async function show(root, params, app) {
  const [kind, exercises] = await Promise.all([kindOf(params.name), Exercises.of(params.name)]);
  if (!exercises.list.exercises.length && params.mistakes === undefined)
    throw new Refused(`${exercises.list.title} has no exercises yet.`, 404);
  const page = new Page(root, kind, exercises, app);
  await page.begin(params);
  return () => page.destroy();
}

class Page {
  constructor(root, kind, exercises, app) {
    this.kind = kind;
    this.exercises = exercises;
    this.app = app;
    this.training = new Training(kind.name);
    this.run = null; // a timed run
    this.practising = false; // your own mistakes?
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
    this.sign = h("span", { class: "sign" }); // the stone of the player to move
    this.task = h("span", {});
    this.chip = h("span", { class: "chip" });
    this.message = h("div", { class: "exercise-message", role: "status" });
    this.record = h("p", { class: "muted small" });
    this.more = h("div", { class: "exercise-more" });
    const name = encodeURIComponent(this.kind.name);
    put(
      root,
      h(
        "div",
        { class: "game-page exercise-page" },
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
        h("div", { class: "game-side" }, part("status"), this.more),
      ),
    );
    put(
      this.places.status,
      h("div", { class: "status-line" }, h("p", { class: "status-text" }, this.sign, this.task), this.chip),
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

  async begin({ e, daily, run, mistakes }) {
    this.renderMore();
    if (mistakes !== undefined) return this.practise();
    if (run !== undefined) return this.startRun();
    if (daily !== undefined) return this.today();
    return e ? this.open(e) : this.next();
  }

  async today() {
    this.stopRun();
    this.practising = false;
    this.day = dayOf(new Date());
    try {
      const { daily } = await this.exercises.day(this.day);
      await this.open(daily, "daily");
    } catch (error) {
      this.refused(error);
    }
  }

  async next() {
    if (this.practising) return this.nextMistake();
    this.day = null;
    const { exercises } = this.exercises.list;
    const suitable = this.run ? exercises : filtered(exercises, this.training.filter);
    if (!suitable.length) return tell(`${this.kind.title} has no exercises yet.`);
    const near = this.run ? this.run.rating : this.training.rating;
    try {
      await this.open(this.training.choose(suitable, { near }).name);
    } catch (error) {
      // Without the server: what was fetched before.
      const atHand = this.exercises.atHand.filter(({ name }) => name !== this.exercise?.name);
      if (error.status !== 0 || !atHand.length) return this.refused(error);
      await this.open(this.training.choose(atHand, { near }).name).catch((again) => this.refused(again));
    }
  }

  async open(name, query = `e=${name}`) {
    const number = (this.number += 1);
    const exercise = await this.exercises.one(name);
    if (number !== this.number) return;
    this.ask(exercise, exercise.position, query);
    this.exercises.frames(name).catch(() => {}); // while the player thinks
  }

  /** Show an exercise and wait for a move. */
  ask(exercise, position, query) {
    this.exercise = { ...exercise, position };
    this.state = "asked"; // then "wrong" after a wrong try, or "done"
    this.tries = 0;
    this.position = position;
    history.replaceState(history.state, "", `/exercises/${encodeURIComponent(this.kind.name)}?${this.run ? "run" : query}`);
    put(this.message);
    this.render();
    announce(sentence(`${this.position.standing}: ${exercise.task}`));
  }

  /** Say what went wrong; the page itself cannot be shown if nothing is on it yet. */
  refused(error) {
    if (this.exercise === undefined) throw error;
    tell(error.message);
  }

  // Your own mistakes

  practise() {
    this.stopRun();
    this.day = null;
    this.practising = true;
    if (!mistakesOf(this.kind.name).length)
      throw new Refused("You have no mistakes to practise: review a game first.", 404);
    return this.nextMistake();
  }

  async nextMistake() {
    const left = mistakesOf(this.kind.name);
    if (!left.length) return this.finish("All your mistakes are solved.");
    const number = (this.number += 1);
    const mistake = left[(left.findIndex(({ name }) => name === this.exercise?.name) + 1) % left.length];
    try {
      const { position } = await filmOf(mistake);
      if (number === this.number) this.ask(mistake, position, "mistakes");
    } catch (error) {
      this.refused(error);
    }
  }

  finish(text) {
    this.practising = false;
    this.state = "done";
    this.say("done", text, null);
    this.renderMore();
    this.render();
  }

  // Trying moves

  async play(move) {
    if (this.state !== "asked") return;
    const right = move === this.exercise.answer;
    if (!this.practising) this.training.count(this.exercise, right); // the first time
    this.tries += 1;
    if (right) await this.solved(move);
    else await this.refute(move);
  }

  async solved(move) {
    const first = this.tries === 1;
    this.state = "done";
    if (this.day) this.training.countDaily(this.day);
    if (this.practising && first) drop(this.kind.name, this.exercise.name);
    this.say("done", first ? "Right." : "Right, in the end.", this.solution(this.exercise.line));
    if (this.run) {
      this.run.solved += first ? 1 : 0;
      await this.film([move], BRIEF);
      if (this.run) await this.next();
      return;
    }
    await this.film(this.exercise.line);
    this.renderMore();
  }

  async refute(move) {
    const { goal, refutations } = this.exercise;
    const line = refutations[move] ?? [];
    this.state = "wrong";
    const verdict = VERDICTS[goal];
    this.say("wrong", `${move} ${verdict}.`, line.length ? this.line([move, ...line]) : null);
    if (this.run && (this.run.lives -= 1) === 0) return this.endRun("Three mistakes.");
    await this.film([move, ...line], this.run ? BRIEF : PACE);
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
    if (!this.practising) this.training.count(this.exercise, false);
    this.tries += 1;
    this.state = "done";
    const { answer, line } = this.exercise;
    this.say("shown", `The answer is ${answer}.`, this.solution(line));
    return this.film(line);
  }

  /** Show moves from the position of the exercise, one after the other. */
  async film(moves, pace = PACE) {
    const number = (this.number += 1);
    this.position = this.exercise.position;
    this.render();
    for (let count = 1; count <= moves.length; count += 1) {
      let position;
      try {
        position = await this.played(moves.slice(0, count));
      } catch (error) {
        tell(error.message);
        return;
      }
      if (number !== this.number) return;
      this.position = position;
      this.render({ animate: true });
      if (count < moves.length) await pause(calm() ? pace * 1.5 : pace);
      if (number !== this.number) return;
    }
  }

  /** The position after some moves of a line. */
  async played(moves) {
    const frames = this.practising
      ? (await filmOf(this.exercise)).frames
      : await this.exercises.frames(this.exercise.name);
    return after(this.position, frames[moves.join(" ")], moves.at(-1));
  }

  // A timed run

  async startRun() {
    this.stopRun();
    this.day = null;
    this.practising = false;
    this.run = new Run(() => {
      if (this.run.isOver) this.endRun("Time is up.");
      else this.renderStanding();
    });
    await this.next();
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
    this.run?.stop();
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

  /** The reason of the answer, and best play. */
  solution(moves) {
    const { why, answer } = this.exercise;
    const reason = why && !this.practising ? h("p", { class: "why" }, `${answer}: ${why}.`) : null;
    return h("div", {}, reason, this.line(moves));
  }

  render({ animate = false } = {}) {
    this.board.show(this.position, { playable: this.state === "asked", animate });
    const { rating, themes } = this.exercise;
    const what = this.practising ? "your mistake" : this.day ? "exercise of the day" : "exercise";
    const about = this.state === "done" ? themes : []; // they would give the answer away
    put(this.facts, [what, rating && `rating ${rating}`, ...about].filter(Boolean).join(" · "));
    put(this.sign, this.stoneToMove());
    put(this.task, sentence(`${this.exercise.position.standing}: ${this.exercise.task}`));
    this.renderStanding();
    this.controls.update();
  }

  /** The stone of the player to move, as it looks on the board. */
  stoneToMove() {
    const { position, game } = this.exercise;
    const player = position.to_move - 1;
    return stone(stoneOf(pictureFor(this.kind, game), player), player, position.scene.palette);
  }

  renderStanding() {
    const { rating, solved, seen, best } = this.training;
    if (this.run) {
      put(this.chip, `${this.run.clock} · ${this.run.solved} solved`);
      put(this.record, `${this.run.lives} of ${LIVES} lives left`);
      return;
    }
    if (this.practising) {
      put(this.chip, `${mistakesOf(this.kind.name).length} left`);
      put(this.record);
      return;
    }
    put(this.chip, `You: ${rating}`);
    const days = this.training.streak(dayOf(new Date()));
    const streak = days > 0 && `${days} ${days === 1 ? "day" : "days"} in a row`;
    const parts = [seen.size && `${solved} of ${seen.size} solved at the first try`, streak, best && `best run: ${best}`];
    put(this.record, parts.filter(Boolean).join(" · "));
  }

  /** Below: what to train, your own mistakes, and exercises for later. */
  renderMore() {
    showMore(this.more, this.kind, this.exercises, this.training, () => {
      this.practising = false;
      return this.next();
    });
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
    const { game, start, moves } = this.exercise;
    const query = new URLSearchParams({ game, ...(start && { start }), moves: moves.join(" ") });
    this.app.go(`/board?${query}`);
  }

  key(event) {
    if (typing(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const action = { n: "forward", r: "again", s: "answer" }[event.key];
    if (action === undefined || !this.controlState().enabled.has(action)) return;
    event.preventDefault();
    this.actions()[action]();
  }
}

const VERDICTS = { win: "does not win", draw: "loses", best: "is not the best" };

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
