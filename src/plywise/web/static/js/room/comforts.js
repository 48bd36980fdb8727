// What makes a board comfortable: arrows, sounds, premoves, a pace for watching. Loaded when the page is there.

import { Arrows } from "../board/arrows.js";
import { h, put } from "../dom.js";
import { Premove } from "./premove.js";
import { listenTo, setSounds, soundsOn } from "./sounds.js";
import { create as createWatching, isWatched } from "./watching.js";

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
