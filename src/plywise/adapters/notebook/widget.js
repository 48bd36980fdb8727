// A board in a notebook. The boards and panels are those of the web app; this file puts them together in a
// shadow tree, where the styles of the notebook and of the board do not meet.

import { Board } from "../../web/static/js/board/board.js";
import { stoneOf } from "../../web/static/js/board/scene.js";
import { h, hush, put, settleIn, tell } from "../../web/static/js/dom.js";
import { create as createAnalysis } from "../../web/static/js/panels/analysis.js";
import { create as createGraph } from "../../web/static/js/panels/graph.js";
import { create as createMoves } from "../../web/static/js/panels/moves.js";
import { create as createReview } from "../../web/static/js/panels/review.js";
import { create as createControls } from "../../web/static/js/room/controls.js";
import { create as createHint } from "../../web/static/js/room/hint.js";
import { marksOf } from "../../web/static/js/room/marks.js";
import { create as createPlayers } from "../../web/static/js/room/players.js";
import { create as createStatus } from "../../web/static/js/room/status.js";
import { createTabs } from "../../web/static/js/tabs.js";
import { Kernel, KernelRoom } from "./kernel.js";

const DARK = 0.5; // a background that is less bright than this is dark

export function render({ model, el }) {
  const root = el.attachShadow({ mode: "open" });
  const style = h("style");
  const place = h("div", { class: "notebook" });
  const notices = h("div", { id: "notices", role: "alert" });
  root.append(style, place, notices, h("div", { id: "announcer", class: "unseen", role: "status" }));
  settleIn(root);
  const kernel = new Kernel(model);
  const stopTheme = followTheme(el);
  // The notebook has shortcuts of its own, such as A for a new cell and Enter for the editor.
  el.dataset.lmSuppressShortcuts = "true";
  for (const name of ["keydown", "keypress", "keyup"]) el.addEventListener(name, (event) => event.stopPropagation());
  let page = null;

  async function open() {
    try {
      const opened = await kernel.do("open");
      page?.destroy();
      style.textContent = opened.style;
      page = new Page(place, new KernelRoom(kernel, opened, open), opened);
    } catch (error) {
      put(place, h("p", { class: "notebook-gone" }, error.message));
    }
  }

  open();
  return () => {
    page?.destroy();
    kernel.close();
    stopTheme();
  };
}

export default { render };

class Page {
  constructor(root, room, opened) {
    this.room = room;
    this.shown = null; // the node on the board
    this.legal = opened.position.show_legal;
    this.places = {};
    room.flipped = opened.flipped;
    const stones = [stoneOf(opened.picture, 0), stoneOf(opened.picture, 1)];
    this.build(root, opened.title);
    const onMove = (move) => {
      hush();
      return room.play(move);
    };
    this.board = new Board(this.places.board, { onMove, stones });
    this.hint = createHint(this.places.hint, room, () => this.render());
    this.controls = createControls(this.places.controls, this.actions(), () => this.controlState());
    this.places.controls.append(this.board.zoom.buttons);
    const over = { rematch: () => room.rematch(), review: () => this.review(), fresh: () => room.again() };
    this.parts = [
      createPlayers(this.places.players, room, stones),
      createStatus(this.places.status, room, { ...over, hurry: () => room.act("hurry") }),
      createMoves(this.places.moves, room),
      createAnalysis(this.places.analysis, room),
      createGraph(this.places.graph, room),
      createReview(this.places.review, room),
    ];
    for (const event of ["node", "game"]) room.on(event, () => this.turn());
    for (const event of ["analysis", "analysing", "pending"]) room.on(event, () => this.render());
    room.on("analysing", (on) => on && this.tabs.select("Analysis"));
    this.offs = [room.live.on("error", ({ error }) => tell(error))];
    this.turn();
    if (opened.review !== null) {
      room.showReview(opened.review);
      this.tabs.select("Review");
    }
    if (opened.analysing) room.setAnalysing(true);
  }

  build(root, title) {
    const part = (name) => (this.places[name] = h("div", { class: `game-${name}` }));
    this.tabs = createTabs("More about this game", {
      Moves: part("moves"),
      Analysis: h("div", {}, part("analysis"), part("graph")),
      Review: part("review"),
    });
    put(
      root,
      h(
        "section",
        { class: "game-page", "aria-label": title },
        h("div", { class: "game-left" }, part("players"), part("board"), part("controls")),
        h("div", { class: "game-side" }, part("status"), part("hint"), this.tabs.element),
      ),
    );
    this.places.controls.setAttribute("role", "toolbar");
    this.places.controls.setAttribute("aria-label", "Game");
    this.places.players.hidden = this.room.game === null;
  }

  /** Show the room's current node once its position is loaded. */
  async turn() {
    const { room } = this;
    const { node } = room;
    if (node !== this.shown) this.hint.clear();
    try {
      const position = await room.positionOf(node);
      if (room.node !== node || this.gone) return;
      const before = this.shown;
      this.shown = node;
      this.render(before !== null && node.parent === before);
      room.emit("position", position);
    } catch (error) {
      tell(error.message);
    }
  }

  render(animate = false) {
    const { room } = this;
    const position = this.shown && room.known.get(this.shown);
    if (!position) return;
    const playable = room.playable && this.shown === room.node;
    const analysis = room.analysing && room.mayAsk ? room.analyses.get(this.shown) : null;
    const choosing = playable && !(room.atHead && room.game?.result);
    const marks = [...this.hint.marks, ...marksOf(position, analysis, this.legal && Boolean(analysis || choosing))];
    this.board.show(position, { playable, animate, marks, flipped: room.flipped, pending: room.pending });
    this.controls.update();
  }

  actions() {
    const { room } = this;
    const turned = (change) => () => {
      change();
      this.hint.update();
      this.render();
    };
    return {
      hint: () => this.hint.press(),
      undo: () => room.undo(),
      redo: () => room.redo(),
      analysis: () => room.setAnalysing(!room.analysing),
      legal: turned(() => (this.legal = !this.legal)),
      flip: turned(() => (room.flipped = !room.flipped)),
      resign: () => room.act("resign"),
    };
  }

  controlState() {
    const { room } = this;
    const { game, node } = room;
    const inGame = game !== null && room.atHead;
    const enabled = {
      hint: room.position !== null && !room.position.over,
      undo: inGame ? game.can.undo : node.parent !== null,
      redo: inGame ? game.can.redo : node.next !== null,
      analysis: true,
      legal: true,
      flip: true,
      resign: Boolean(game?.can.resign),
    };
    const shown = { ...enabled, hint: true, undo: true, redo: true };
    const pressed = { analysis: room.analysing, legal: this.legal, flip: room.flipped };
    return { enabled: setOf(enabled), shown: setOf(shown), pressed: setOf(pressed) };
  }

  review() {
    this.tabs.select("Review");
    return this.room.review();
  }

  destroy() {
    this.gone = true;
    for (const part of this.parts) part.destroy();
    this.offs.forEach((off) => off());
    this.board.destroy();
    this.room.listeners.clear();
    this.room.live.listeners.clear();
  }
}

const setOf = (flags) => new Set(Object.keys(flags).filter((name) => flags[name]));

/** Keep the theme of an element that of the page around it; returns a function that stops it. */
function followTheme(element) {
  const look = () => (element.dataset.theme = isDark(element) ? "dark" : "light");
  const later = () => setTimeout(look, 200); // the new style sheet may still be loading
  const watch = new MutationObserver(later);
  for (const each of [document.documentElement, document.body]) watch.observe(each, { attributes: true });
  look();
  later();
  return () => watch.disconnect();
}

/** Is the first background under an element that is not transparent a dark one? */
function isDark(element) {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > DARK) return (0.3 * red + 0.6 * green + 0.1 * blue) / 255 < DARK;
  }
  return false;
}
