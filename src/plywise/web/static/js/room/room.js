// The controller of a room: the position shown, the moves played, and messages from the server.
// A game has an id and lives on the server; a free board lives in this page and its URL.

import { announce, tell } from "../dom.js";
import { Live, Refused, get, post } from "../net.js";
import { allKinds } from "../kinds.js";
import { facing, offerWords, opponentOf } from "./friends.js";
import { Tree } from "./tree.js";

/** Open a game by its id. */
export async function openGame(app, id) {
  const game = await get(`/api/games/${encodeURIComponent(id)}`);
  const room = new Room(app, game.game, game.start, new Live(id));
  room.take(game);
  room.live.on("game", (frame) => room.hear(frame));
  return room;
}

/** Open a free board with a position; `moves` is in notation. */
export async function openBoard(app, { game, start, moves }) {
  const position = await post("/api/positions", { game, start, moves: moves ?? "" });
  const room = new Room(app, position.game, position.start, new Live());
  room.node = room.tree.walk(position.moves);
  room.know(room.node, position);
  room.settle();
  return room;
}

/**
 * Events: "node" another position is shown · "position" it has been loaded · "game" the server's game
 * changed · "analysis" {node, analysis, done} · "analysing" on or off · "reviewing" {done, of}, or
 * null if it failed · "review" · "values" · "thinking" the engine's latest report, or null ·
 * "pending" the move the server has not confirmed yet, or null.
 */
export class Room {
  constructor(app, spec, start, live) {
    this.app = app;
    this.spec = spec;
    this.start = start ?? null;
    this.live = live;
    this.tree = new Tree();
    this.node = this.tree.root;
    this.game = null; // stays null on a free board
    this.gameAt = 0; // when the game was received, for its clocks
    this.known = new Map(); // node -> position
    this.asked = new Map(); // node -> promise of its position
    this.analyses = new Map(); // node -> the latest analysis
    this.values = new Map(); // node -> value for player 1
    this.analysing = false;
    this.agent = "auto"; // the agent that analyses
    this.flipped = false;
    this.thinking = null;
    this.preparing = false; // is an engine being compiled?
    this.pending = null;
    this.held = false; // true while moves of others are shown at the user's own pace
    this.listeners = new Map();
    live.on("analysis", (frame) => this.analysed(frame));
    live.on("reviewing", (frame) => this.emit("reviewing", frame));
    live.on("thinking", (frame) => this.think(frame));
    live.on("preparing", ({ on }) => {
      this.preparing = on;
      this.emit("thinking", this.thinking);
    });
    live.on("open", () => this.search());
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
    return () => this.listeners.get(event).delete(listener);
  }

  emit(event, value) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(value);
  }

  announce(text) {
    announce(text);
  }

  close() {
    this.listeners.clear();
    this.live.close();
  }

  // Positions

  /** The position of a node, fetched once. */
  positionOf(node) {
    if (!this.asked.has(node)) {
      const asked = this.load(node.moves).then((position) => this.know(node, position));
      asked.catch(() => this.asked.delete(node));
      this.asked.set(node, asked);
    }
    return this.asked.get(node);
  }

  /** Fetch the position after these moves. */
  load(moves) {
    const { spec: game, start } = this;
    return post("/api/positions", { game, start, moves });
  }

  know(node, position) {
    this.known.set(node, position);
    this.asked.set(node, Promise.resolve(position));
    if (position.over) this.values.set(node, [0, 1, -1][position.winner ?? 0]);
    return position;
  }

  /** The position shown; null while it is loading. */
  get position() {
    return this.known.get(this.node) ?? null;
  }

  get analysis() {
    return this.analyses.get(this.node) ?? null;
  }

  get atHead() {
    return this.node === this.tree.head;
  }

  /** True if this client has a seat. On a free board everybody has one. */
  get seated() {
    return this.game === null || this.game.you.length > 0;
  }

  /** True if a move may be played in the position shown. */
  get playable() {
    const position = this.position;
    if (position === null || position.over || this.pending !== null) return false;
    if (this.game === null || !this.atHead || this.game.result !== null) return true;
    return this.game.can.move;
  }

  /** True if the engine may be used: not while two people play. */
  get mayAsk() {
    return this.game === null || this.game.can.hint || this.game.result !== null;
  }

  /** The engines that can analyse this game, each with its name and help. */
  async agents() {
    const kinds = await allKinds();
    return kinds.find(({ name }) => name === this.spec.split(":")[0])?.agents ?? [];
  }

  /** True if mistakes can be saved as exercises. */
  get trains() {
    return true;
  }

  /** The URL of a free board with a position. */
  link(position) {
    const query = new URLSearchParams({ game: position.game });
    if (position.start) query.set("start", position.start);
    if (position.moves.length > 0) query.set("moves", position.notation);
    return `/board?${query}`;
  }

  // Navigation

  async goto(node) {
    if (node === null || node === this.node) return;
    this.node = node;
    this.emit("node", node);
    this.search();
  }

  back() {
    return this.goto(this.node.parent);
  }

  forward() {
    return this.goto(this.node.next);
  }

  first() {
    return this.goto(this.tree.root);
  }

  last() {
    let node = this.node;
    while (node.next !== null) node = node.next;
    return this.goto(node);
  }

  /** Go to the current position of the game. */
  home() {
    return this.goto(this.tree.head);
  }

  // Messages from the server

  /** Take over the server's state of the game. */
  take(game) {
    const following = this.atHead;
    const before = this.tree.head;
    this.game = game;
    this.gameAt = performance.now();
    this.preparing = false;
    this.tree.update(game);
    if (this.tree.head !== before) this.pending = null; // it is confirmed
    this.know(this.tree.head, game.position);
    if (!game.thinking) this.think(null);
    if (following && !this.held) this.node = this.tree.head;
    return following;
  }

  hear({ game, event }) {
    if (this.game !== null && game.version < this.game.version) return;
    const before = { ...this.game, head: this.tree.head, node: this.node };
    const following = this.take(game);
    this.tellOf(event, game, before, following);
    this.emit("game", game);
    if (this.node !== before.node) {
      this.emit("node", this.node);
      this.search();
    }
    if (game.next !== null && before.next === null) this.follow();
  }

  /** Go on to the rematch; whoever comes back later finds a link to it. */
  follow() {
    if (this.seated && !this.followed) {
      this.followed = true;
      this.app.go(`/game/${this.game.next}`);
    }
  }

  /** Announce what happened to screen readers, and to those who are looking at another move. */
  tellOf(event, game, before, following) {
    if (event === "seat" && facing(game) && before.you.length > 0) tell(`${opponentOf(game)} has joined.`, "done");
    if (event === "offer" && offerWords(game)) this.announce(offerWords(game));
    const ended = game.result !== null && before.result === null;
    if (this.tree.head === before.head && !ended) return;
    const words = [];
    if (this.tree.head.parent === before.head) {
      words.push(`Player ${before.position.to_move}: ${this.tree.head.move}.`);
    } else if (event === "undo") {
      words.push("Undone.");
    } else if (event === "redo") {
      words.push("Redone.");
    }
    words.push(`${capital(standing(game))}.`);
    this.announce(words.join(" "));
    if (!following && !this.held) tell(`In the game: ${words.join(" ")}`, "done");
  }

  think(thought) {
    this.thinking = thought;
    this.emit("thinking", thought);
  }

  // User actions

  /** Send a command to the server. Returns the answer, or null after showing the error. */
  async act(name, values = {}) {
    try {
      return await this.live.do(name, values);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      tell(error.message);
      return null;
    }
  }

  /** Play a move in the game if it is this client's turn, else in a variation. */
  async play(move) {
    if (this.game !== null && this.atHead && this.game.can.move) return this.playLive(move);
    const node = this.tree.add(this.node, move);
    if (this.game === null) this.settle();
    else if (this.seated && !node.main) await this.act("branch", this.tree.branch(node));
    return this.goto(node);
  }

  async playLive(move) {
    this.setPending(move);
    await this.act("move", { move, version: this.game.version });
    this.setPending(null);
  }

  setPending(move) {
    this.pending = move;
    this.emit("pending", move);
  }

  undo() {
    return this.game === null || !this.atHead ? this.back() : this.act("undo");
  }

  redo() {
    return this.game === null || !this.atHead ? this.forward() : this.act("redo");
  }

  /** Save a note. Throws if the server refuses it, so that the text is not lost. */
  async setNote(node, text) {
    const { at, moves } = this.tree.branch(node);
    if (this.game !== null) {
      const branch = moves.length > 0 ? { branch: moves } : {};
      await this.live.do("note", { text, at, ...branch });
    }
    node.note = text;
    this.emit("game", this.game);
  }

  /** Delete a node of a variation and everything after it. */
  async removeBranch(node) {
    if (this.game !== null && this.seated) {
      if ((await this.act("prune", this.tree.branch(node))) === null) return;
    }
    this.tree.prune(node);
    if (this.game === null) this.settle();
    if (this.node.path.includes(node)) await this.goto(node.parent);
    this.emit("game", this.game);
  }

  /** On a free board the first line is the main line. */
  settle() {
    let node = this.tree.root;
    while (node.next !== null) {
      node = node.next;
      node.main = true;
    }
    this.tree.head = node;
  }

  /** Play on from here: against an engine in a new game with the same players. */
  async tryAgain(node) {
    const players = this.game?.players ?? [];
    if (!players.some(({ person }) => !person)) return this.goto(node);
    return this.again({ moves: node.moves });
  }

  /** Start a new game with the same players; `swap` swaps their sides. */
  async again({ moves = [], swap = false } = {}) {
    const { players, game, start, clock } = this.game;
    const specs = players.map(({ spec }) => spec);
    const [first, second] = swap ? specs.reverse() : specs;
    try {
      const made = await post("/api/games", { game, start, moves, clock, first, second });
      this.app.go(`/game/${made.id}`);
    } catch (error) {
      tell(error.message);
    }
  }

  /** Another game with the sides swapped: at once, or when the other person wants it too. */
  async rematch() {
    if (!facing(this.game)) return this.again({ swap: true });
    try {
      const game = await post(`/api/games/${encodeURIComponent(this.game.id)}/rematch`);
      if (game.next !== null) this.hear({ game, event: "rematch" });
    } catch (error) {
      tell(error.message);
    }
  }

  // The engine

  setAnalysing(on) {
    if (on && !this.mayAsk) {
      tell("Analysis is off while two people play.");
      return;
    }
    if (on === this.analysing) return;
    this.analysing = on;
    this.emit("analysing", on);
    if (on) this.search();
    else this.act("quiet");
  }

  setAgent(agent) {
    this.agent = agent;
    this.analyses.clear(); // they came from another engine
    this.search();
  }

  /** Analyse the position shown if analysis is on; this replaces the search before it. */
  async search() {
    if (!this.analysing) return;
    const node = this.node;
    const position = await this.positionOf(node);
    if (!this.analysing || this.node !== node || this.live.ended) return;
    if (position.over || !this.mayAsk) {
      this.act("quiet");
      return;
    }
    const { spec: game, start, agent } = this;
    const asked = { game, start, moves: node.moves, agent, lines: true };
    const answer = await this.act("analyse", asked);
    if (answer === null && this.node === node && this.live.socket.readyState === WebSocket.OPEN) {
      this.analysing = false;
      this.emit("analysing", false);
    }
  }

  analysed({ agent, moves, analysis, done }) {
    const node = this.node;
    if (agent !== this.agent || moves.join(" ") !== node.moves.join(" ")) return;
    this.analyses.set(node, analysis);
    this.values.set(node, analysis.value_1);
    this.emit("analysis", { node, analysis, done });
    this.emit("values");
  }

  hint() {
    const { spec: game, start, node } = this;
    return this.act("hint", { game, start, moves: node.moves });
  }

  /** Review the game, or the line shown on a free board. */
  async review() {
    if (!this.mayAsk) {
      tell("You can review the game when it is over.");
      return null;
    }
    let last = this.game === null ? this.node : this.tree.head;
    while (this.game === null && last.next !== null) last = last.next;
    const { spec: game, start } = this;
    const answer = await this.act("review", { game, start, moves: last.moves });
    if (answer === null) {
      this.emit("reviewing", null);
      return null;
    }
    for (const [index, node] of last.path.entries()) {
      this.values.set(node, answer.review.values[index]);
    }
    this.emit("review", answer.review);
    this.emit("values");
    return answer.review;
  }
}

/** The state of a game in words: whose turn it is, or who won and how. */
export function standing(game) {
  if (game.result === null) return game.position.standing;
  const { winner, reason } = game.result;
  const result = winner === 0 ? "draw" : winner === null ? "ended" : `player ${winner} wins`;
  return reason && reason !== result ? `${result}: ${reason}` : result;
}

const MOVE = /^(\w*\d|[b-z]\b)/; // a word with digits or a single letter: a move, such as i10 or u

/** A sentence with a capital letter, unless it begins with a move: these are written as they are played. */
export const capital = (text) => (MOVE.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1));
