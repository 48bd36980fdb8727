// The status of the room: whose turn it is, who won, who is missing, which move is shown.

import { active, h, put, reveal, tell } from "../dom.js";
import { icon } from "../icons.js";
import { create as createAlerts } from "./alerts.js";
import { LONGEST, ONLY_HERE, clockWords, facing, loopback, offerWords, opponentOf, ownName, rememberName } from "./friends.js";
import { capital, standing } from "./room.js";

export function create(host, room, actions) {
  let lost = false; // is the connection lost?
  let gone = null; // ... and for good? Then the reason.
  let watching = 0;
  let edited = null; // the file of the game, if it has been edited, and what is wrong with it
  const text = h("p", { class: "status-text" });
  const hurry = h(
    "button",
    { type: "button", class: "button hurry", onclick: actions.hurry, title: "Play the best move found so far" },
    icon("hurry"),
    "Move now",
  );
  const line = h("div", { class: "status-line" }, text, hurry);
  const place = h("div");
  const box = h("div");
  const wire = h("p", { class: "status-wire", role: "status" });
  const news = h("div", { role: "status" });
  const bell = h("div");
  const alerts = createAlerts(bell);
  put(host, wire, news, line, place, box, bell);
  let boxed = null; // what the box shows, so that it is not rebuilt while someone is pressing a button

  function update() {
    wire.hidden = !lost && gone === null;
    wire.textContent = gone ?? "Connection lost. Reconnecting…";
    put(news, ...edits());
    line.hidden = room.atHead && Boolean(room.game?.result); // the banner shows it
    put(text, ...words());
    hurry.hidden = !room.game?.thinking || room.game.you.length === 0;
    put(place, ...elsewhere());
    alerts.update(facing(room.game) && room.game.result === null);
    const { name, build } = content();
    if (name === boxed) return;
    const ended = name.startsWith("end") && boxed !== null && !boxed.startsWith("end");
    boxed = name;
    const focused = box.contains(active());
    put(box, ...build());
    if (focused) box.querySelector("button, a, input")?.focus();
    if (ended) reveal(host);
  }

  function words() {
    const { game } = room;
    const position = room.position ?? game?.position;
    const text = game && room.atHead ? ownWords(game, room.preparing) : capital(position?.standing ?? "");
    const chip =
      game && game.you.length === 0 && game.seat_free === null ? "Watching" : null;
    const count = watching > 1 ? `${watching} people viewing this game` : null;
    return [
      h("span", {}, text),
      chip ? h("span", { class: "chip" }, chip) : null,
      count ? h("span", { class: "chip", title: count }, icon("watch"), String(watching), h("span", { class: "unseen" }, " people viewing this game")) : null,
    ].filter(Boolean);
  }

  function edits() {
    if (edited === null) return [];
    const { file, error } = edited;
    if (error !== null) return [h("p", { class: "status-wire" }, `${file} has changed, but cannot be used. ${error}`)];
    const again = h("button", { type: "button", class: "button main", onclick: () => location.reload() }, "Reload");
    return [h("div", { class: "elsewhere" }, h("span", {}, `${file} has changed.`), again)];
  }

  function elsewhere() {
    const { game, node, tree } = room;
    if (game === null || room.atHead) return [];
    const text = node.main ? `Move ${node.ply} of ${tree.head.ply}` : `Variation after move ${node.stem.ply}`;
    const back = h("button", { type: "button", class: "button main", onclick: () => room.home() }, "Back to the game");
    return [h("div", { class: "elsewhere" }, h("span", {}, text), back)];
  }

  function content() {
    const { game } = room;
    if (game === null) return { name: "", build: () => [] };
    const offer = JSON.stringify([game.offer, game.next, game.result]);
    if (game.result !== null) return { name: `end ${offer}`, build: () => banner(game) };
    if (game.seat_free !== null && game.you.length > 0) return { name: "invite", build: invitation };
    if (game.seat_free !== null) return { name: "join", build: () => joining(game) };
    if (offerWords(game)) return { name: `offer ${offer}`, build: () => offered(game) };
    return { name: "", build: () => [] };
  }

  function banner(game) {
    const { winner } = game.result;
    const mine = game.you.length === 1;
    const text = !winner ? "Draw" : !mine ? `Player ${winner} wins` : game.you[0] === winner ? "You win" : "You lose";
    const how = game.result.reason ? capital(game.result.reason) : "";
    return [
      h(
        "section",
        { class: `banner ${!winner ? "draw" : mine && game.you[0] !== winner ? "lost" : "won"}`, "aria-label": "Result" },
        h("h2", {}, text),
        how && how !== text ? h("p", {}, `${how}.`) : null,
        offerWords(game) ? h("p", { class: "offer-words" }, offerWords(game)) : null,
        h(
          "div",
          { class: "buttons" },
          rematch(game),
          game.moves.length > 0 ? button("Review", actions.review) : null,
          button("New game", actions.fresh),
        ),
      ),
    ];
  }

  const button = (words, action, kind = "") =>
    h("button", { type: "button", class: `button ${kind}`, onclick: action }, words);

  const answer = (accept) => () => room.act("answer", { accept });

  /** The buttons for another game: a link once there is one, and else what fits the offer. */
  function rematch(game) {
    const { next, offer, you, can } = game;
    if (next !== null) return h("a", { class: "button main", href: `/game/${next}` }, "Go to the rematch");
    if (you.length === 0) return null;
    if (can.answer) return [button("Accept rematch", actions.rematch, "main"), button("Decline", answer(false))];
    if (facing(game) && offer?.by === you[0]) return offer.declined ? null : button("Cancel rematch", answer(false));
    return button("Rematch", actions.rematch, "main");
  }

  /** What is on offer while the game goes on. */
  function offered(game) {
    const { offer, can } = game;
    const buttons = can.answer
      ? [button("Accept", answer(true), "main"), button("Decline", answer(false))]
      : offer.declined
        ? []
        : [button("Cancel", answer(false))];
    return [
      h(
        "section",
        { class: "offer", "aria-label": "Offer" },
        h("p", {}, offerWords(game)),
        h("div", { class: "buttons" }, buttons),
      ),
    ];
  }

  function invitation() {
    const address = location.origin + location.pathname;
    const field = h("input", { type: "text", readonly: true, value: address, "aria-label": "Link to this game" });
    field.addEventListener("focus", () => field.select());
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(address);
        tell("Link copied.", "done");
      } catch {
        field.focus(); // this selects it, as the browser does not allow copying
        tell("The link is selected. Copy it by hand.", "done");
      }
    };
    return [
      h(
        "section",
        { class: "invitation", "aria-label": "Invitation" },
        h("p", {}, h("span", { class: "pulse", "aria-hidden": "true" }), "Waiting for the other player. Send them this link:"),
        h("div", { class: "copy" }, field, h("button", { type: "button", class: "button main", onclick: copy }, icon("copy"), "Copy link")),
        loopback(location.hostname) ? h("p", { class: "only-here small" }, ONLY_HERE) : null,
      ),
    ];
  }

  function joining(game) {
    const host = game.players[2 - game.seat_free];
    const words = host.named ? `${host.name} has invited you to a game.` : "This game has an open seat.";
    const name = h("input", { type: "text", id: "own-name", value: ownName(), maxlength: LONGEST, autocomplete: "nickname" });
    const join = (event) => {
      event.preventDefault();
      rememberName(name.value.trim());
      room.act("seat", { name: name.value });
    };
    return [
      h(
        "form",
        { class: "invitation", "aria-label": "Invitation", onsubmit: join },
        h("p", {}, game.clock ? `${words} The clock is ${clockWords(game.clock)}.` : words),
        h("label", { for: "own-name" }, "Your name, if you like"),
        h("div", { class: "join" }, name, h("button", { type: "submit", class: "button main" }, `Join as player ${game.seat_free}`)),
      ),
    ];
  }

  const offs = [
    room.live.on("lost", () => {
      lost = true;
      update();
    }),
    room.live.on("open", () => {
      if (lost) tell("Reconnected.", "done");
      lost = false;
      update();
    }),
    room.live.on("closed", (code) => {
      gone = GONE[code] ?? "The server closed the connection. Reload the page to continue.";
      update();
    }),
    room.live.on("edited", (frame) => {
      if (frame.game !== room.spec.split(":")[0]) return;
      edited = frame;
      update();
    }),
    room.live.on("watching", (frame) => {
      watching = frame.count;
      update();
    }),
    ...["game", "node", "position", "thinking"].map((event) => room.on(event, update)),
  ];
  update();
  return { update, destroy: () => offs.forEach((off) => off()) };
}

const GONE = {
  4403: "The server refused the connection to this game.",
  4404: "This game no longer exists.",
  4429: "Too many pages are open. Close one and reload this page.",
};

/** Whose turn it is, or how it ended, from the point of view of this player. */
function ownWords(game, preparing) {
  if (game.result !== null || game.you.length !== 1) return capital(standing(game));
  if (game.position.to_move === game.you[0]) return "Your turn";
  if (game.thinking) return preparing ? "The engine is being prepared for its first game" : "The engine is thinking";
  return facing(game) && game.seat_free === null ? `Waiting for ${opponentOf(game).replace(/^Your/, "your")}` : "Waiting for the other player";
}
