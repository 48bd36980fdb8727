// What makes a board comfortable: arrows, sounds, premoves, a pace for watching. Loaded when the page is there.

import { Arrows } from "../board/arrows.js";
import { h, put } from "../dom.js";
import { icon } from "../icons.js";
import { listenTo, setSounds, soundsOn } from "./alerts.js";
import { Premove } from "./premove.js";

/** Switches in `host`, the pace in `pace`. `page` is the page of a game; its board is drawn by `page.render`. */
export function create(host, pace, page) {
  const { room, board } = page;
  const arrows = new Arrows(board);
  const offs = [room.on("position", () => arrows.update()), listenTo(room)];
  const buttons = h("div", { class: "comforts-row" });
  put(host, buttons);

  function toggle(words, title, isOn, press) {
    const button = h("button", { type: "button", class: "button plain", title }, words);
    const draw = () => button.setAttribute("aria-pressed", String(isOn()));
    button.addEventListener("click", () => {
      press();
      draw();
    });
    draw();
    buttons.append(button);
  }

  toggle("Sounds", "Play a sound for each move", soundsOn, () => setSounds(!soundsOn()));
  let premove = null;
  if (room.game?.you.length === 1 && room.game.result === null) {
    premove = page.premove = new Premove(room, board, () => page.render());
    toggle("Premoves", "Choose your move while the opponent thinks", () => premove.on, () => premove.toggle());
  }
  const watch = isWatched(room) ? createWatching(pace, room) : null;
  page.render();

  return {
    destroy() {
      offs.forEach((off) => off());
      premove?.destroy();
      watch?.destroy();
    },
  };
}

// ---- watching two engines: at your own pace, with a pause; they play on, and the page follows ----

const PACES = [
  ["As fast as they play", 0],
  ["1 second a move", 1000],
  ["3 seconds a move", 3000],
];

/** True for a running or finished game without people. */
const isWatched = (room) => room.game !== null && room.game.players.every(({ person }) => !person);

function createWatching(host, room) {
  let pace = 0;
  let paused = false;
  let timer = null;
  const name = "watching-pace";
  const button = h("button", { type: "button", class: "button", onclick: () => set(!paused) });
  const choice = h(
    "select",
    { id: name, onchange: () => ((pace = Number(choice.value)), follow()) },
    PACES.map(([words, value]) => h("option", { value: String(value) }, words)),
  );
  put(host, h("div", { class: "watching" }, button, h("label", { class: "unseen", for: name }, "Speed"), choice));

  function set(stop) {
    paused = stop;
    room.held = paused || pace > 0;
    put(button, icon(paused ? "play" : "pause"), paused ? "Go on" : "Pause");
    follow();
  }

  /** Show the next move of the game, at the chosen pace, until the last one is shown. */
  function follow() {
    clearTimeout(timer);
    timer = null;
    room.held = paused || pace > 0;
    if (paused) return;
    if (pace === 0) {
      room.home();
      return;
    }
    timer = setTimeout(() => {
      if (room.node.main && room.node !== room.tree.head) room.forward();
      follow();
    }, pace);
  }

  set(false);
  return {
    destroy() {
      clearTimeout(timer);
      put(host);
    },
  };
}
