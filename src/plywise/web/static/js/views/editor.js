// The board editor, /edit?game=SPEC&start=TEXT&moves=TEXT: place pieces, choose who moves, then analyse.
// It knows no rules: the server draws every draft, and says what is wrong with it.

import { Board } from "../board/board.js";
import { announce, h, put, tell } from "../dom.js";
import { Refused, get, post } from "../net.js";
import { copy } from "../panels/files.js";

const EMPTY = 0;

export async function show(root, params, app) {
  if (!params.game) throw new Refused("Which game? Open the editor from its analysis board.", 404);
  const asked = ["game", "start", "moves"].filter((name) => params[name]).map((name) => [name, params[name]]);
  const page = new Page(root, await get(`/api/editor?${new URLSearchParams(asked)}`), app);
  return () => page.board.destroy();
}

class Page {
  constructor(root, draft, app) {
    this.app = app;
    this.draft = draft;
    this.first = draft; // to begin again
    this.brush = 1; // the piece that a press places; 0 for none
    this.number = 0; // of the latest draft sent: an older answer is dropped
    this.build(root);
    this.board = new Board(this.place, {
      onMove: (place) => this.set(place),
      ghost: () => [],
      words: (place) => `${place}, ${this.name(this.standing(place))}`,
    });
    app.title(`${draft.title}, board editor`);
    this.render();
  }

  build(root) {
    const { draft } = this;
    this.place = h("div", { class: "game-board" });
    this.brushes = h("div", { class: "segments editor-brushes" });
    this.turns = h("div", { class: "segments" });
    this.text = h("input", { id: "editor-text", class: "notation", readonly: true });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    const press = (words, kind, onclick) => h("button", { type: "button", class: `button ${kind}`, onclick }, words);
    this.analyse = press("Analyse", "main", () => this.open());
    put(
      root,
      h(
        "div",
        { class: "game-page editor-page" },
        h(
          "div",
          { class: "game-top" },
          h(
            "header",
            { class: "game-head" },
            h("h1", {}, `${draft.title}, board editor`),
            h("a", { href: `/rules/${encodeURIComponent(draft.game.split(":")[0])}` }, "Rules"),
          ),
        ),
        h("div", { class: "game-left" }, this.place),
        h(
          "div",
          { class: "game-side editor-side" },
          this.group("Place", this.brushes, ["Nothing", ...draft.pieces.map((_, at) => this.name(at + 1))], this.brush, (at) => {
            this.brush = at;
          }),
          this.group("To move", this.turns, ["Player 1", "Player 2"], draft.to_move - 1, (at) =>
            this.change({ to_move: at + 1 }),
          ),
          Object.entries(draft.also).map(([name, values]) => this.further(name, values)),
          h("div", { class: "field" }, h("label", { for: "editor-text" }, "Position as text"), this.text),
          this.wrong,
          h(
            "div",
            { class: "buttons" },
            this.analyse,
            press("Copy", "", () => this.copy()),
            press("Clear", "", () => this.change({ numbers: draft.numbers.map(() => EMPTY) })),
            press("Start over", "", () => this.change(this.first)),
          ),
        ),
      ),
    );
  }

  /** A choice of one of several. */
  group(label, place, names, chosen, choose) {
    const id = `editor-${label.replace(" ", "-").toLowerCase()}`;
    put(
      place,
      names.map((name, at) =>
        h(
          "label",
          { class: "button" },
          h("input", { type: "radio", class: "unseen", name: id, checked: at === chosen, onchange: () => choose(at) }),
          name,
        ),
      ),
    );
    return h("fieldset", { class: "field" }, h("legend", {}, label), place);
  }

  /** Number fields for what a position has beside its pieces. */
  further(name, values) {
    const field = (value, at) =>
      h("input", {
        type: "number",
        value: String(value),
        "aria-label": values.length > 1 ? `${name} ${at + 1}` : name,
        onchange: (event) => {
          const changed = this.draft.also[name].with(at, Math.trunc(Number(event.target.value) || 0));
          this.change({ also: { ...this.draft.also, [name]: changed } });
        },
      });
    return h("fieldset", { class: "field" }, h("legend", {}, name), h("div", { class: "share-row" }, values.map(field)));
  }

  /** What a number on a place means, in words. */
  name(number) {
    if (number === EMPTY) return "nothing";
    const { owner, label } = this.draft.pieces[number - 1];
    return [owner === null ? null : `Player ${owner + 1}`, label].filter(Boolean).join(" ");
  }

  standing(place) {
    return this.draft.numbers[this.draft.places.indexOf(place)];
  }

  /** Place the chosen piece; a second press takes it away. */
  set(place) {
    const number = this.standing(place) === this.brush ? EMPTY : this.brush;
    announce(`${place}: ${this.name(number)}`);
    return this.change({ numbers: this.draft.numbers.with(this.draft.places.indexOf(place), number) });
  }

  /** Send a changed draft, and show what the server makes of it. */
  async change(what) {
    const { game, numbers, to_move, also } = { ...this.draft, ...what };
    const sent = (this.number += 1);
    this.draft = { ...this.draft, numbers, to_move, also }; // for presses before the answer
    try {
      const draft = await post("/api/editor", { game, numbers, to_move, also });
      if (sent !== this.number) return;
      this.draft = draft;
      this.render();
    } catch (error) {
      tell(error.message);
    }
  }

  render() {
    const { scene, places, text, error, to_move, also } = this.draft;
    this.board.show({ scene, legal: places, to_move, over: false }, { playable: true });
    this.text.value = text ?? "";
    this.wrong.textContent = error ? `This is not a position of the game: ${error}.` : "";
    this.analyse.disabled = text === null;
    for (const [at, input] of this.turns.querySelectorAll("input").entries()) input.checked = at === to_move - 1;
    const values = Object.values(also).flat();
    for (const [at, input] of document.querySelectorAll(".editor-side input[type=number]").entries()) {
      input.value = String(values[at]);
    }
  }

  open() {
    const { game, text } = this.draft;
    this.app.go(`/board?${new URLSearchParams({ game, start: text })}`);
  }

  async copy() {
    if (await copy(this.text.value, this.text)) tell("Copied.", "done");
    else tell("The browser did not allow copying. Select the text and copy it by hand.");
  }
}
