// The user's games on the home page: running and finished.

import { confirmed } from "../dialog.js";
import { h, put } from "../dom.js";
import { icon } from "../icons.js";
import { get, remove } from "../net.js";
import { drawScene } from "../board/scene.js";

const FEW = 6; // finished games shown at first

/** Load and draw the user's games; draw nothing if there are none. */
export async function yourGames(place, app) {
  let games;
  try {
    ({ games } = await get("/api/games"));
  } catch (error) {
    put(place, h("p", { class: "failed muted" }, `Your games could not be loaded. ${error.message}`), await reviews());
    return;
  }
  draw(place, app, games, FEW);
}

/** The saved reviews, which can be read without the server. */
async function reviews() {
  const { savedReviews } = await import("../room/saved.js");
  const found = await savedReviews();
  if (found.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "saved-reviews" },
    h("h2", { id: "saved-reviews" }, "Saved reviews"),
    h("ul", { class: "games" }, found.map(({ game, saved }) =>
      h(
        "li",
        { class: "card game over" },
        drawScene(game.position.scene, { decorative: true }),
        h(
          "div",
          { class: "words" },
          h("a", { href: `/game/${encodeURIComponent(game.id)}` }, game.title),
          h("span", { class: "small muted" }, `${game.moves.length} moves, reviewed ${when(saved / 1000)}`),
        ),
      ),
    )),
  );
}

function draw(place, app, games, few) {
  if (games.length === 0) {
    put(place);
    return;
  }
  const running = games.filter(({ result }) => result === null);
  const over = games.filter(({ result }) => result !== null);
  const drop = async (game) => {
    const sure = await confirmed(
      "Delete this game?",
      `${game.title}, ${pairing(game)}. This cannot be undone.`,
      "Delete",
    );
    if (!sure) return;
    try {
      await remove(`/api/games/${encodeURIComponent(game.id)}`);
    } catch (error) {
      app.tell(error.message);
      return;
    }
    draw(
      place,
      app,
      games.filter((other) => other !== game),
      few,
    );
    app.announce("Game deleted.");
    (place.querySelector("h2") ?? document.querySelector("h1")).focus({ preventScroll: true });
  };
  const list = (found) =>
    h(
      "ul",
      { class: "games" },
      found.map((game) => row(game, drop)),
    );
  put(
    place,
    h(
      "section",
      { "aria-labelledby": "your-games" },
      h("h2", { id: "your-games", tabindex: -1 }, "Your games"),
      running.length ? list(running) : null,
      over.length && running.length ? h("h3", {}, "Finished") : null,
      over.length ? list(over.slice(0, few)) : null,
      over.length > few
        ? h(
            "button",
            { class: "button plain", type: "button", onclick: () => draw(place, app, games, games.length) },
            `Show all ${over.length}`,
          )
        : null,
      h("a", { class: "small", href: "/history" }, "History and statistics"),
    ),
  );
}

function row(game, drop) {
  const over = game.result !== null;
  const state = over ? outcome(game) : turn(game);
  const yours = !over && game.you.includes(game.to_move);
  return h(
    "li",
    { class: over ? "card game over" : "card game" },
    drawScene(game.picture, { decorative: true }),
    h(
      "div",
      { class: "words" },
      h(
        "a",
        {
          href: `/game/${encodeURIComponent(game.id)}`,
          "aria-label": `${game.title}, ${pairing(game)}, ${state}`,
        },
        game.title,
      ),
      h("span", { class: "small muted" }, pairing(game)),
      h("span", { class: yours ? "state yours" : "state" }, state),
      h(
        "span",
        { class: "small muted" },
        `${game.moves} ${game.moves === 1 ? "move" : "moves"}, ${when(game.updated)}${over ? " · review" : ""}`,
      ),
    ),
    h(
      "button",
      {
        class: "button plain square",
        type: "button",
        "aria-label": `Delete ${game.title}, ${pairing(game)}`,
        title: "Delete",
        onclick: () => drop(game),
      },
      icon("bin"),
    ),
  );
}

/** Who plays whom, from the user's point of view. */
function pairing({ players, you }) {
  if (you.length === 2) return "two people on one screen";
  if (you.length === 1) {
    const other = players[2 - you[0]];
    return `you against ${other === "Person" ? "another person" : other}`;
  }
  return players.join(" against ");
}

function turn({ you, to_move }) {
  if (you.length === 2) return `Player ${to_move} to move`;
  return you.includes(to_move) ? "Your turn" : you.length ? "Their turn" : `Player ${to_move} to move`;
}

function outcome({ you, players, result }) {
  const who = () => {
    if (result.winner === 0) return "Draw";
    if (you.length === 1) return you.includes(result.winner) ? "You won" : "You lost";
    return players[0] === players[1] ? `Player ${result.winner} won` : `${players[result.winner - 1]} won`;
  };
  return result.reason ? `${who()}: ${result.reason}` : who();
}

const STEPS = [
  [60, "minute"],
  [3600, "hour"],
  [86400, "day"],
  [604800, "week"],
];

/** A time in seconds as words, such as "5 minutes ago". */
function when(moment) {
  const seconds = Date.now() / 1000 - moment;
  const step = STEPS.findLast(([length]) => seconds >= length);
  if (!step) return "just now";
  const [length, unit] = step;
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}
