// The coin toss for the first move: a coin with a player's stone on each side, over the board.

import { calm, h } from "../dom.js";
import { stone } from "../room/players.js";

const TURNS = 5; // turns in the air
const FLIGHT = 1500; // milliseconds
const REST = 1300; // ... that the result stays visible

/** Toss the coin over `host`, until it lands with the stone of player 1, who moves first, on top. */
export async function toss(host, stones, palette, text) {
  if (calm()) return;
  const sides = stones.map((shapes, owner) =>
    h("div", { class: owner ? "face back" : "face" }, stone(shapes, owner, palette)),
  );
  const coin = h("div", { class: "coin" }, sides);
  const words = h("p", {}, text);
  const place = h("div", { class: "toss", "aria-hidden": "true" }, coin, words);
  host.append(place);
  words.animate({ opacity: [0, 0] }, { duration: FLIGHT });
  const at = (height, turns, scale) =>
    `translateY(${-height}rem) scale(${scale}) rotateX(${360 * turns}deg)`;
  const flight = [
    { transform: at(0, 0, 0.7), opacity: 0, easing: "cubic-bezier(0.2, 0.7, 0.6, 1)" },
    { transform: at(7, TURNS / 2, 1.25), opacity: 1, easing: "cubic-bezier(0.4, 0, 0.8, 0.3)" },
    { transform: at(0, TURNS, 1), opacity: 1 },
  ];
  await coin.animate(flight, { duration: FLIGHT }).finished;
  const fade = place.animate({ opacity: [1, 1, 0] }, { duration: REST, easing: "ease-in" });
  fade.finished.then(() => place.remove());
}
