// The solution of a puzzle as a film: every step forwards and backwards, with what it follows from.

import { announce, h, put } from "../dom.js";
import { icon } from "../icons.js";
import { NOTHING } from "../room/puzzle.js";

const PACE = 1200; // milliseconds for each step while it plays

export class Replay {
  /** `film` as the server sends it; `count` places. `onChange()` after each step, `onClose()` at the end. */
  constructor(host, film, count, { onChange, onClose }) {
    Object.assign(this, { host, film, count, onChange });
    this.at = 0; // frames shown so far
    this.timer = null;
    const button = (drawn, words, onclick) =>
      h("button", { type: "button", class: "button plain square", "aria-label": words, title: words, onclick }, icon(drawn));
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: film.frames.length,
      "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.words = h("div", { class: "replay-words" });
    this.player = button("play", "Play", () => this.toggle());
    put(
      host,
      h(
        "div",
        { class: "replay-head" },
        (this.place = h("h2", {})),
        button("close", "Close the explanation", onClose),
      ),
      h(
        "div",
        { class: "buttons" },
        button("first", "First step", () => this.go(0)),
        button("previous", "Previous step", () => this.go(this.at - 1)),
        this.player,
        button("next", "Next step", () => this.go(this.at + 1)),
        button("last", "Last step", () => this.go(film.frames.length)),
      ),
      this.slider,
      this.words,
    );
    host.hidden = false;
    this.go(0);
  }

  /** Show the board after a number of steps. */
  go(at) {
    this.at = Math.min(Math.max(at, 0), this.film.frames.length);
    this.slider.value = this.at;
    const { title, words } = this.frame ?? { title: "The puzzle", words: [] };
    put(this.place, `Step ${this.at} of ${this.film.frames.length}`);
    put(this.words, h("h3", {}, title), words.map((text) => h("p", {}, text)));
    if (this.timer === null) announce([title, ...words].join(". "));
    if (this.at === this.film.frames.length) this.pause();
    this.onChange();
  }

  get frame() {
    return this.at > 0 ? this.film.frames[this.at - 1] : null;
  }

  /** The board of this step: states, the places found and those they follow from, and more shapes. */
  get view() {
    const states = Array(this.count).fill(NOTHING);
    for (const { changes } of this.film.frames.slice(0, this.at)) for (const [place, state] of changes) states[place] = state;
    const { found, because, shapes } = this.frame ?? { found: [], because: [], shapes: [] };
    return { states, found, because, shapes: shapes.map((number) => this.film.shapes[number]) };
  }

  toggle() {
    if (this.timer !== null) {
      this.pause();
      return;
    }
    if (this.at === this.film.frames.length) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), PACE);
    this.show("pause", "Pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.show("play", "Play");
  }

  show(drawn, words) {
    put(this.player, icon(drawn));
    this.player.setAttribute("aria-label", words);
    this.player.title = words;
  }

  /** Handle a key; true if it was one of the film's. */
  key(key) {
    const does = {
      arrowright: () => this.go(this.at + 1),
      arrowleft: () => this.go(this.at - 1),
      home: () => this.go(0),
      end: () => this.go(this.film.frames.length),
      " ": () => this.toggle(),
    };
    does[key]?.();
    return key in does;
  }

  destroy() {
    this.pause();
    this.host.hidden = true;
    put(this.host);
  }
}
