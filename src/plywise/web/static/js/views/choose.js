// The page of the analysis board before a game is chosen, /board.

import { drawScene } from "../board/scene.js";
import { h, put } from "../dom.js";
import { allKinds } from "../kinds.js";

/** Let the user choose the game of a free board. */
export async function chooseGame(root, app) {
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
      h("p", { class: "muted" }, "Choose a game. On its analysis board you can try any moves and let the engine analyse them."),
      h("div", { class: "choose-games" }, links),
    ),
  );
  app.title("Analysis");
}
