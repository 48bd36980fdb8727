// A move chosen while the opponent thinks, and played as soon as it is legal.
// The page knows no rules, so it offers the moves of one's last turn; the answer decides.

import { announce, tell } from "../dom.js";

const KEY = "premoves";

export class Premove {
  /** `render` draws the page again. */
  constructor(room, board, render) {
    this.room = room;
    this.render = render;
    this.move = null;
    this.views = new WeakMap(); // a position -> the same with the targets of this player
    this.on = kept() === "on";
    this.off = room.on("game", () => this.arrived());
    this.onKey = (event) => event.key === "Escape" && this.cancel();
    document.addEventListener("keydown", this.onKey);
    board.svg.addEventListener("contextmenu", () => this.cancel());
  }

  /** True while this player waits for the other one. */
  get waiting() {
    const { game, atHead } = this.room;
    return this.on && game !== null && game.result === null && atHead && game.you.length === 1 && !game.can.move;
  }

  toggle() {
    this.on = !this.on;
    keep(this.on ? "on" : "off");
    if (!this.on) this.cancel();
    this.render();
  }

  /** The position to show while waiting: what could be played the last time. */
  view(position) {
    if (!this.views.has(position)) this.views.set(position, this.offered(position));
    return this.views.get(position);
  }

  offered(position) {
    const { room } = this;
    const [you] = room.game.you;
    const before = room.node.path.map((node) => room.known.get(node)).filter((known) => known?.to_move === you);
    const { targets } = (before.at(-1) ?? position).scene;
    const there = new Set(position.scene.shapes.map(({ id }) => id));
    const usable = targets.filter(({ shapes }) => shapes.every((id) => there.has(id)));
    const legal = usable.map(({ move }) => move);
    return { ...position, to_move: you, legal, scene: { ...position.scene, targets: usable } };
  }

  /** The chosen move, as a mark on the board. */
  get marks() {
    return this.move === null ? [] : [{ kind: "hint", move: this.move, words: "premove" }];
  }

  /** Choose a move, or take it back by choosing it again. */
  choose(move) {
    if (move === this.move) return this.cancel();
    this.move = move;
    announce(`Premove ${move}. Escape cancels it.`);
    this.render();
  }

  cancel() {
    if (this.move === null) return;
    announce(`Premove ${this.move} cancelled.`);
    this.move = null;
    this.render();
  }

  /** Play the move if it has become legal. */
  arrived() {
    const { room, move } = this;
    if (move === null) return;
    if (room.game.result !== null) this.move = null;
    if (!room.game.can.move || !room.atHead) return;
    this.move = null;
    if (room.game.position.legal.includes(move)) room.play(move);
    else tell(`${move} is not legal now, so the premove was dropped.`);
  }

  destroy() {
    this.off();
    document.removeEventListener("keydown", this.onKey);
  }
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is not available
  }
}

function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // It lasts until the page is left.
  }
}
