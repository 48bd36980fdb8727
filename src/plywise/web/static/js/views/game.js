// The page of a game, /game/ID, and of a free board, /board?game=SPEC&start=TEXT&moves=TEXT.

import { remembered as choicesFor, swaps } from "../choices.js";
import { Board, noMove } from "../board/board.js";
import { create as createControls } from "../room/controls.js";
import { confirmed } from "../dialog.js";
import { h, hush, put, reveal, tell } from "../dom.js";
import { create as createHint } from "../room/hint.js";
import { allKinds, pictureFor } from "../kinds.js";
import { create as createAnalysis } from "../panels/analysis.js";
import { create as createGraph } from "../panels/graph.js";
import { create as createMoves } from "../panels/moves.js";
import { create as createReview } from "../panels/review.js";
import { create as createShare } from "../panels/share.js";
import { create as createPlayers } from "../room/players.js";
import { stoneOf } from "../board/scene.js";
import { alertUser, sound } from "../room/alerts.js";
import { clockWords, facing, offerWords, opponentOf } from "../room/friends.js";
import { LegalMarks, marksOf } from "../room/marks.js";
import { listen } from "../room/shortcuts.js";
import { create as createStatus } from "../room/status.js";
import { capital, openBoard, openGame, standing } from "../room/room.js";
import { createTabs } from "../tabs.js";
import { toss } from "../board/toss.js";
import { chooseGame } from "./choose.js";

export async function show(root, params, app) {
  if (params.id === undefined && !params.game) return chooseGame(root, app);
  const room = params.id === undefined ? await openBoard(app, params) : await open(app, params.id);
  const kinds = await allKinds().catch(() => []);
  const kind = kinds.find(({ name }) => name === nameOf(room.spec));
  const page = new Page(root, room, app, kind);
  if (params.toss) page.tellToss();
  if (room.saved) page.showSaved();
  room.on("review", async (review) => (await import("../room/saved.js")).keepReview(room, review));
  return () => page.destroy();
}

/** Open a game, or its saved review if the server cannot be reached. */
function open(app, id) {
  return openGame(app, id).catch(async (error) => (await import("../room/saved.js")).openSaved(app, id, error));
}

const LONGEST = 24; // characters of a parameter that are shown: one may hold a whole board

const nameOf = (spec) => spec.split(":")[0];

class Page {
  constructor(root, room, app, kind) {
    this.room = room;
    this.app = app;
    this.name = nameOf(room.spec);
    this.kind = kind;
    this.title = kind?.title ?? room.game?.title ?? this.name;
    this.shown = null; // the node on the board
    this.coin = null; // a promise while the coin is in the air
    const picture = kind && pictureFor(kind, room.spec);
    const stones = kind ? [stoneOf(picture, 0), stoneOf(picture, 1)] : [[], []];
    this.stones = stones;
    this.build(root);
    this.board = new Board(this.places.board, { onMove: (move) => this.play(move), stones, zoom: { keys: ["-", "", "+"] } });
    this.places.typed.append(this.board.zoom.buttons);
    this.hint = createHint(this.places.hint, room, () => this.render());
    this.legal = new LegalMarks(this.name, (room.position ?? room.game.position).show_legal);
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.parts = [
      createPlayers(this.places.players, room, stones),
      createStatus(this.places.status, room, {
        rematch: () => room.rematch(),
        review: () => this.review(),
        fresh: () => this.fresh(),
        hurry: () => room.act("hurry"),
      }),
      createMoves(this.places.moves, room),
      createAnalysis(this.places.analysis, room),
      createGraph(this.places.graph, room),
      createReview(this.places.review, room),
      createShare(this.places.share, room),
    ];
    this.premove = null; // made with the comforts
    this.addComforts();
    room.on("node", () => this.turn());
    room.on("game", () => this.turn());
    room.on("game", () => this.alert());
    for (const event of ["analysis", "analysing", "pending"]) room.on(event, () => this.render());
    room.on("analysing", (on) => on && this.tabs.select("Analysis"));
    this.stopKeys = listen({
      field: this.field,
      board: this.board.element,
      legal: () => (room.playable ? room.position.legal : []),
      submit: () => this.submit(),
      point: (key) => this.board.point(key),
      ...this.keys(),
    });
    this.turn();
  }

  build(root) {
    const { room } = this;
    this.places = {};
    const part = (name) => (this.places[name] = h("div", { class: `game-${name}` }));
    this.tabs = createTabs("More about this game", {
      Moves: part("moves"),
      Analysis: h("div", {}, part("analysis"), part("graph")),
      Review: part("review"),
      Share: part("share"),
    });
    const given = room.spec
      .slice(this.name.length + 1)
      .split(",")
      .map((part) => (part.length > LONGEST ? `${part.slice(0, LONGEST)}…` : part).replace("=", " "))
      .join(", ");
    const facts = [given, room.game?.clock && clockWords(room.game.clock)];
    this.field = h("input", {
      type: "text",
      "aria-label": "Type a move",
      placeholder: "type a move",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: "40",
      oninput: hush,
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
      (this.element = h(
        "div",
        { class: "game-page" },
        h(
          "div",
          { class: "game-top" },
          h(
            "header",
            { class: "game-head" },
            h("h1", {}, this.title, room.game === null ? h("span", { class: "unseen" }, ", analysis board") : null),
            h("span", { class: "facts" }, facts.filter(Boolean).join(" · ")),
            h("a", { href: `/rules/${this.name}` }, "Rules"),
          ),
          part("players"),
        ),
        h("div", { class: "game-left" }, part("board"), h("div", { class: "game-tools" }, part("controls"), part("typed"))),
        h("div", { class: "game-side" }, part("status"), part("watching"), part("hint"), this.tabs.element, part("comforts")),
      )),
    );
    this.places.typed.append(form);
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Game");
    this.places.hint.setAttribute("role", "group");
    this.places.hint.setAttribute("aria-label", "Hint");
  }

  // Display

  /** Show the room's current node once its position is loaded. */
  async turn() {
    const { room } = this;
    const { node } = room;
    if (node !== this.shown) this.hint.clear();
    let position;
    try {
      position = await room.positionOf(node);
    } catch (error) {
      tell(error.message);
      return;
    }
    if (this.coin !== null) await this.waitForCoin(node);
    if (room.node !== node || this.gone) return;
    const before = this.shown;
    this.shown = node;
    this.render(before !== null && node.parent === before);
    room.emit("position", position);
    if (before !== null && before !== node) this.say(node, position);
    if (room.game === null) history.replaceState(history.state, "", room.link(position));
    this.app.title(this.windowTitle());
  }

  /** Show the start until the coin has landed: only then the first move is made. */
  async waitForCoin(node) {
    if (this.shown === null) {
      let start = node;
      while (start.parent !== null) start = start.parent;
      await this.room.positionOf(start);
      this.shown = start;
      this.render();
    }
    await this.coin;
  }

  /** Announce a position to screen readers; the room announces the moves of the game itself. */
  say(node, position) {
    if (this.room.game !== null && this.room.atHead) return;
    const move = node.move === null ? "Start position" : `Move ${node.ply}: ${node.move}`;
    this.room.announce(`${move}. ${capital(position.standing)}.`);
  }

  render(animate = false) {
    const { room } = this;
    const position = this.shown && room.known.get(this.shown);
    if (!position) return;
    this.element.classList.toggle("swapped", this.swapped);
    const playable = room.playable && this.shown === room.node;
    const { flipped, pending } = room;
    if (this.premove?.waiting && this.shown === room.node && pending === null) {
      const marks = [...this.marks(position, false), ...this.premove.marks];
      this.board.show(this.premove.view(position), { playable: true, animate, marks, flipped });
    } else {
      this.board.show(position, { playable, animate, marks: this.marks(position, playable), flipped, pending });
    }
    this.controls.update();
  }

  /** Has this player chosen the colour that is usually the opponent's? */
  get swapped() {
    const you = this.room.game?.you ?? [];
    return Boolean(this.kind?.colours) && you.length === 1 && swaps(choicesFor(this.name).colour, you[0]);
  }

  marks(position, playable) {
    const { room } = this;
    const analysis = room.analysing && room.mayAsk ? room.analyses.get(this.shown) : null;
    const choosing = playable && !(room.atHead && room.game?.result);
    return [...this.hint.marks, ...marksOf(position, analysis, this.legal.on && Boolean(analysis || choosing))];
  }

  windowTitle() {
    const { game } = this.room;
    if (game === null) return `${this.title}, analysis`;
    if (game.result !== null) return `${capital(standing(game))} · ${this.title}`;
    if (game.can.answer) return `${offerWords(game)} · ${this.title}`;
    const mine = game.you.length === 1 && game.position.to_move === game.you[0];
    return mine ? `Your turn · ${this.title}` : this.title;
  }

  /** Call somebody back who looks elsewhere: it is their turn, or they are asked something. */
  alert() {
    const { game } = this.room;
    const before = this.asked;
    this.asked = { moves: game.moves.length, answer: game.can.answer, move: game.can.move };
    if (!facing(game) || before === undefined) return;
    if (game.can.answer && !before.answer) {
      sound("offer");
      alertUser(this.title, offerWords(game));
    }
    else if (game.can.move && game.moves.length > before.moves) {
      alertUser(this.title, `${opponentOf(game)} played ${game.moves.at(-1).text}. Your turn.`);
    }
  }

  tellToss() {
    const { you, moves } = this.room.game ?? { you: [], moves: [] };
    if (you.length !== 1 || moves.length > 1) return;
    const [text, words] =
      you[0] === 1
        ? ["Coin toss: you go first.", "You go first"]
        : ["Coin toss: your opponent goes first.", "Your opponent goes first"];
    const { palette } = this.room.game.position.scene;
    this.coin = toss(this.places.board, this.stones, palette, words).finally(() => (this.coin = null));
    tell(text, "done");
    this.room.announce(text);
    history.replaceState(history.state, "", location.pathname);
  }

  // User actions

  actions() {
    const { room } = this;
    return {
      hint: () => this.askHint(),
      undo: () => room.undo(),
      redo: () => room.redo(),
      takeback: () => room.act("offer", { kind: "takeback" }),
      draw: () => room.act("offer", { kind: "draw" }),
      analysis: () => room.setAnalysing(!room.analysing),
      legal: () => {
        this.legal.toggle();
        this.render();
      },
      flip: () => this.flip(),
      resign: () => this.resign(),
      fresh: () => this.fresh(),
    };
  }

  controlState() {
    const { room } = this;
    const { game, node } = room;
    const inGame = game !== null && room.atHead;
    const can = game?.can;
    const enabled = {
      hint: room.mayAsk && room.position !== null && !room.position.over,
      undo: inGame ? can.undo : node.parent !== null,
      redo: inGame ? can.redo : node.next !== null,
      analysis: room.mayAsk,
      legal: true,
      flip: true,
      resign: Boolean(can?.resign),
      takeback: Boolean(can?.takeback),
      draw: Boolean(can?.draw),
      fresh: true,
    };
    const between = facing(game) && game.result === null; // two people: nothing happens without asking
    const shown = {
      ...Object.fromEntries(Object.keys(enabled).map((name) => [name, true])),
      ...Object.fromEntries(["hint", "undo", "redo", "analysis"].map((name) => [name, !between])),
      takeback: between,
      draw: between,
      resign: game !== null && game.result === null && game.you.length > 0,
    };
    const pressed = { analysis: room.analysing, legal: this.legal.on, flip: room.flipped };
    return { enabled: setOf(enabled), shown: setOf(shown), pressed: setOf(pressed) };
  }

  keys() {
    const { room } = this;
    const can = (name) => this.controlState().enabled.has(name);
    const acts = this.actions();
    return {
      actions: {
        u: () => can("undo") && acts.undo(),
        r: () => can("redo") && acts.redo(),
        h: () => acts.hint(),
        a: () => acts.analysis(),
        f: () => acts.flip(),
        "+": () => this.board.zoom.key("+"),
        "-": () => this.board.zoom.key("-"),
        "[": () => room.back(),
        "]": () => room.forward(),
      },
      walk: {
        ArrowLeft: () => room.back(),
        ArrowRight: () => room.forward(),
        ArrowUp: () => room.first(),
        ArrowDown: () => (room.game === null ? room.last() : room.home()),
      },
    };
  }

  play(move) {
    this.field.value = "";
    hush();
    if (this.premove?.waiting) return this.premove.choose(move);
    return this.room.play(move);
  }

  /** Play the typed move. */
  submit() {
    const text = this.field.value.trim();
    if (text === "") return;
    if (!this.room.playable) {
      tell(this.room.position?.over ? "The game is over." : "It is not your turn.");
      return;
    }
    const { legal } = this.room.position;
    const found = legal.find((move) => move === text) ?? legal.find((move) => move.toLowerCase() === text.toLowerCase());
    if (found !== undefined) {
      this.play(found);
      return;
    }
    tell(noMove(text, legal));
  }

  askHint() {
    if (!this.room.mayAsk) tell("Hints are off while two people play.");
    else if (this.room.position && !this.room.position.over) this.hint.press();
  }

  flip() {
    this.room.flipped = !this.room.flipped;
    this.hint.update();
    this.render();
  }

  async resign() {
    const sure = await confirmed("Resign this game?", "The other player will win.", "Resign");
    if (sure) this.room.act("resign");
  }

  fresh() {
    this.app.go(`/new/${this.name}`);
  }

  /** Open the review and bring it into view: now, and again when it is there and larger. */
  async review() {
    this.tabs.select("Review");
    reveal(this.tabs.element);
    await this.room.review();
    if (!this.gone) reveal(this.tabs.element);
  }

  async addComforts() {
    const { create } = await import("../room/comforts.js");
    if (!this.gone) this.parts.push(create(this.places.comforts, this.places.watching, this));
  }

  /** Show a review that was kept in this browser. */
  showSaved() {
    this.tabs.select("Review");
    this.room.showSaved();
  }

  destroy() {
    this.gone = true;
    this.stopKeys();
    this.parts.forEach((part) => part.destroy());
    this.board.destroy();
    this.room.close();
  }
}

const setOf = (flags) => new Set(Object.keys(flags).filter((name) => flags[name]));
