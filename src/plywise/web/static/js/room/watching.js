// Watching two engines: at your own pace, with a pause. The engines play on; the page follows.

import { h, put } from "../dom.js";
import { icon } from "../icons.js";

const PACES = [
  ["As fast as they play", 0],
  ["1 second a move", 1000],
  ["3 seconds a move", 3000],
];

/** True for a running or finished game without people. */
export const isWatched = (room) => room.game !== null && room.game.players.every(({ person }) => !person);

export function create(host, room) {
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
