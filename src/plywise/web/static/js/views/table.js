// The page of a game, /game/ID, and of a free board, /board?game=SPEC&start=TEXT&moves=TEXT.

import { Board, noMove } from "../board.js";
import { create as createControls } from "../controls.js";
import { confirmed } from "../dialog.js";
import { h, put, tell } from "../dom.js";
import { create as createHint } from "../hint.js";
import { allKinds } from "../kinds.js";
import { create as createAnalysis } from "../panels/analysis.js";
import { moveWords } from "../panels/common.js";
import { create as createGraph } from "../panels/graph.js";
import { create as createMoves } from "../panels/moves.js";
import { create as createReview } from "../panels/review.js";
import { create as createShare } from "../panels/share.js";
import { create as createPlayers } from "../players.js";
import { drawScene, stoneOf } from "../scene.js";
import { listen } from "../shortcuts.js";
import { create as createStatus } from "../status.js";
import { capital, openBoard, openGame, standing } from "../table.js";
import { createTabs } from "../tabs.js";
import { toss } from "../toss.js";

export async function show(root, params, app) {
  if (params.id === undefined && !params.game) return chooseGame(root, app);
  const table = params.id === undefined ? await openBoard(app, params) : await openGame(app, params.id);
  const kinds = await allKinds().catch(() => []);
  const kind = kinds.find(({ name }) => name === nameOf(table.spec));
  const page = new Page(root, table, app, kind);
  if (params.toss) page.tellToss();
  return () => page.destroy();
}

const LONGEST = 24; // letters of a parameter that are told: one may hold a whole board

const nameOf = (spec) => spec.split(":")[0];

class Page {
  constructor(root, table, app, kind) {
    this.table = table;
    this.app = app;
    this.name = nameOf(table.spec);
    this.title = kind?.title ?? table.game?.title ?? this.name;
    this.shown = null; // the node on the board
    const stones = kind ? [stoneOf(kind.picture, 0), stoneOf(kind.picture, 1)] : [[], []];
    this.stones = stones;
    this.build(root);
    this.board = new Board(this.places.board, { onMove: (move) => this.play(move), stones });
    this.hint = createHint(this.places.hint, table, () => this.render());
    this.legal = this.rememberedLegal();
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.parts = [
      createPlayers(this.places.players, table, stones),
      createStatus(this.places.status, table, {
        rematch: () => table.again({ swap: true }),
        review: () => this.review(),
        fresh: () => this.fresh(),
        hurry: () => table.act("hurry"),
      }),
      createMoves(this.places.moves, table),
      createAnalysis(this.places.analysis, table),
      createGraph(this.places.graph, table),
      createReview(this.places.review, table),
      createShare(this.places.share, table),
    ];
    table.on("node", () => this.turn());
    table.on("game", () => this.turn());
    for (const event of ["analysis", "analysing", "pending"]) table.on(event, () => this.render());
    table.on("analysing", (on) => on && this.tabs.select("Analysis"));
    this.stopKeys = listen({
      field: this.field,
      board: this.board.element,
      legal: () => (table.playable ? table.position.legal : []),
      submit: () => this.submit(),
      point: (key) => this.board.point(key),
      ...this.keys(),
    });
    this.turn();
  }

  build(root) {
    const { table } = this;
    this.places = {};
    const part = (name) => (this.places[name] = h("div", { class: `table-${name}` }));
    this.tabs = createTabs("More about this game", {
      Moves: part("moves"),
      Analysis: h("div", {}, part("analysis"), part("graph")),
      Review: part("review"),
      Share: part("share"),
    });
    const given = table.spec
      .slice(this.name.length + 1)
      .split(",")
      .map((part) => (part.length > LONGEST ? `${part.slice(0, LONGEST)}…` : part).replace("=", " "))
      .join(", ");
    const facts = [given, table.game?.clock];
    this.field = h("input", {
      type: "text",
      "aria-label": "Type a move",
      placeholder: "type a move",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: "40",
    });
    const form = h(
      "form",
      {
        class: "typed",
        onsubmit: (event) => {
          event.preventDefault();
          this.submit();
        },
      },
      this.field,
      h("button", { type: "submit", class: "button" }, "Play"),
    );
    put(
      root,
      h(
        "div",
        { class: "table-page" },
        h(
          "div",
          { class: "table-top" },
          h(
            "header",
            { class: "table-head" },
            h("h1", {}, this.title, table.game === null ? h("span", { class: "unseen" }, ", analysis board") : null),
            h("span", { class: "facts" }, facts.filter(Boolean).join(" · ")),
            h("a", { href: `/rules/${this.name}` }, "Rules"),
          ),
          part("players"),
        ),
        h("div", { class: "table-left" }, part("board"), h("div", { class: "table-tools" }, part("controls"), form)),
        h("div", { class: "table-side" }, part("status"), part("hint"), this.tabs.element),
      ),
    );
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Game");
    this.places.hint.setAttribute("role", "group");
    this.places.hint.setAttribute("aria-label", "Hint");
  }

  // What is shown

  /** Show the node that the table is at, as soon as its position is known. */
  async turn() {
    const { table } = this;
    const { node } = table;
    if (node !== this.shown) this.hint.clear();
    let position;
    try {
      position = await table.positionOf(node);
    } catch (error) {
      tell(error.message);
      return;
    }
    if (table.node !== node || this.gone) return;
    const before = this.shown;
    this.shown = node;
    this.render(before !== null && node.parent === before);
    table.emit("position", position);
    if (before !== null && before !== node) this.say(node, position);
    if (table.game === null) history.replaceState(history.state, "", table.link(position));
    this.app.title(this.windowTitle());
  }

  /** Tell those who listen; moves of the game itself are told by the table. */
  say(node, position) {
    if (this.table.game !== null && this.table.atHead) return;
    const move = node.move === null ? "The start" : `Move ${node.ply}: ${node.move}`;
    this.table.announce(`${move}. ${capital(position.standing)}.`);
  }

  render(animate = false) {
    const { table } = this;
    const position = this.shown && table.known.get(this.shown);
    if (!position) return;
    const playable = table.playable && this.shown === table.node;
    const { flipped, pending } = table;
    const marks = this.marks(position, playable);
    this.board.show(position, { playable, animate, marks, flipped, pending });
    this.controls.update();
  }

  marks(position, playable) {
    const { table } = this;
    const found = [...this.hint.marks];
    const analysis = table.analysing && table.mayAsk ? table.analyses.get(this.shown) : null;
    if (analysis) {
      const { best } = analysis;
      if (best) found.push({ kind: "best", move: best });
      for (const line of analysis.lines ?? []) {
        const { move, text } = line;
        found.push({ kind: "score", move, text, words: moveWords(line), best: move === best });
      }
    } else if (this.legal && playable && !(table.atHead && table.game?.result)) {
      found.push(...position.scene.targets.map(({ move }) => ({ kind: "legal", move })));
    }
    return found;
  }

  windowTitle() {
    const { game } = this.table;
    if (game === null) return `${this.title}, analysis`;
    if (game.result !== null) return `${capital(standing(game))} · ${this.title}`;
    const mine = game.you.length === 1 && game.position.to_move === game.you[0];
    return mine ? `Your turn · ${this.title}` : this.title;
  }

  tellToss() {
    const { you, moves } = this.table.game ?? { you: [], moves: [] };
    if (you.length !== 1 || moves.length > 1) return;
    const [text, words] =
      you[0] === 1
        ? ["The toss: you begin.", "You begin"]
        : ["The toss: the other side begins.", "The other side begins, you answer"];
    const { palette } = this.table.game.position.scene;
    toss(this.places.board, this.stones, palette, you[0] - 1, words);
    tell(text, "done");
    this.table.announce(text);
    history.replaceState(history.state, "", location.pathname);
  }

  // What a person does

  actions() {
    const { table } = this;
    return {
      hint: () => this.askHint(),
      undo: () => table.undo(),
      redo: () => table.redo(),
      analysis: () => table.setAnalysing(!table.analysing),
      legal: () => this.toggleLegal(),
      flip: () => this.flip(),
      resign: () => this.resign(),
      fresh: () => this.fresh(),
    };
  }

  controlState() {
    const { table } = this;
    const { game, node } = table;
    const inGame = game !== null && table.atHead;
    const can = game?.can;
    const enabled = {
      hint: table.mayAsk && table.position !== null && !table.position.over,
      undo: inGame ? can.undo : node.parent !== null,
      redo: inGame ? can.redo : node.next !== null,
      analysis: table.mayAsk,
      legal: true,
      flip: true,
      resign: Boolean(can?.resign),
      fresh: true,
    };
    const shown = {
      ...Object.fromEntries(Object.keys(enabled).map((name) => [name, true])),
      resign: game !== null && game.result === null && game.you.length > 0,
    };
    const pressed = { analysis: table.analysing, legal: this.legal, flip: table.flipped };
    return { enabled: setOf(enabled), shown: setOf(shown), pressed: setOf(pressed) };
  }

  keys() {
    const { table } = this;
    const can = (name) => this.controlState().enabled.has(name);
    const acts = this.actions();
    return {
      actions: {
        u: () => can("undo") && acts.undo(),
        r: () => can("redo") && acts.redo(),
        h: () => acts.hint(),
        a: () => acts.analysis(),
        f: () => acts.flip(),
        "[": () => table.back(),
        "]": () => table.forward(),
      },
      walk: {
        ArrowLeft: () => table.back(),
        ArrowRight: () => table.forward(),
        ArrowUp: () => table.first(),
        ArrowDown: () => (table.game === null ? table.last() : table.home()),
      },
    };
  }

  play(move) {
    this.field.value = "";
    return this.table.play(move);
  }

  /** Play what the field says. */
  submit() {
    const text = this.field.value.trim();
    if (text === "") return;
    if (!this.table.playable) {
      tell(this.table.position?.over ? "The game is over." : "It is not your turn.");
      return;
    }
    const { legal } = this.table.position;
    const found = legal.find((move) => move === text) ?? legal.find((move) => move.toLowerCase() === text.toLowerCase());
    if (found !== undefined) {
      this.play(found);
      return;
    }
    tell(noMove(text, legal));
  }

  askHint() {
    if (!this.table.mayAsk) tell("No hints while two people play.");
    else if (this.table.position && !this.table.position.over) this.hint.press();
  }

  flip() {
    this.table.flipped = !this.table.flipped;
    this.hint.update();
    this.render();
  }

  async resign() {
    const sure = await confirmed("Resign this game?", "The other side wins then.", "Resign");
    if (sure) this.table.act("resign");
  }

  fresh() {
    this.app.go(`/new/${this.name}`);
  }

  review() {
    this.tabs.select("Review");
    this.table.review();
  }

  /** Dots for the moves: where one cannot see what to press, unless the person said otherwise. */
  rememberedLegal() {
    const kept = remembered(`moves ${this.name}`);
    if (kept !== null) return kept === "shown";
    const { scene } = this.table.position ?? this.table.game.position;
    const shapes = new Map(scene.shapes.map((shape) => [shape.id, shape]));
    return !scene.targets.some((target) => shapes.get(target.shapes[0])?.roles[0] === "cell");
  }

  toggleLegal() {
    this.legal = !this.legal;
    remember(`moves ${this.name}`, this.legal ? "shown" : "hidden");
    this.render();
  }

  destroy() {
    this.gone = true;
    this.stopKeys();
    this.parts.forEach((part) => part.destroy());
    this.board.destroy();
    this.table.close();
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds for this page then.
  }
}

const setOf = (flags) => new Set(Object.keys(flags).filter((name) => flags[name]));

/** A free board of which game? */
async function chooseGame(root, app) {
  const kinds = await allKinds();
  const links = kinds.map(({ name, title, picture }) =>
    h(
      "a",
      { class: "card choose-game", href: `/board?game=${encodeURIComponent(name)}` },
      drawScene(picture, { decorative: true }),
      h("span", {}, title),
    ),
  );
  put(
    root,
    h(
      "div",
      { class: "page" },
      h("h1", {}, "Analysis"),
      h("p", { class: "muted" }, "A free board: try what you like, and the engine looks at it with you."),
      h("div", { class: "choose-games" }, links),
    ),
  );
  app.title("Analysis");
}
