// Sharing, exporting and importing a game: links, text, files, a picture.

import { h, put, tell } from "../dom.js";
import { get, post } from "../net.js";
import { importGame } from "../views/import.js";
import { ONLY_HERE, loopback } from "../room/friends.js";
import { listen } from "./common.js";
import { boardAsJson, boardAsText, copy, download, pictureOf, shownTheme } from "./files.js";

let made = 0;

/** The HTML that shows a game on another page. */
function embedding({ game, start, notation }) {
  const board = h("plywise-board", { game, start, moves: notation || null });
  const script = h("script", { src: `${location.origin}/embed/plywise-board.js`, async: true });
  return script.outerHTML + board.outerHTML;
}

export function create(host, room) {
  const id = `share-${(made += 1)}`;
  const game = address("Link to the game", gameHelp());
  const link = address("Link to this position", "Opens an analysis board with the moves so far.");
  const notation = address("Moves so far");
  const text = address("Position as text", "Paste it below to set the position up again.");
  const embed = address("Embed", "For a page of yours: a board that shows the moves one by one.");
  embed.element.hidden = true; // until the server says that it allows this
  get("/api/server").then(
    (server) => (embed.element.hidden = !server.embed),
    () => {},
  );
  const save = h("div", { class: "buttons" });
  const fields = [room.game ? game : null, link, notation, text, embed].filter(Boolean);
  const out = h("div", { class: "share-out" }, fields.map(({ element }) => element));
  put(
    host,
    h(
      "section",
      { class: "share", "aria-label": "Share" },
      loopback(location.hostname) ? h("p", { class: "only-here small" }, ONLY_HERE) : null,
      out,
      h("h2", {}, "Save as"),
      save,
      h("h2", {}, "Import"),
      setUp(),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "button", onclick: () => importGame(room.app) }, "Import a game…"),
        h("button", { type: "button", class: "button", onclick: edit }, "Edit the board"),
      ),
    ),
  );

  function gameHelp() {
    if (room.game?.seat_free) return "Whoever joins first takes the open seat.";
    return "Anyone who opens it can watch; your seat stays yours.";
  }

  // ---- export ----------------------------------------------------------------------------------

  /** A field to copy from. */
  function address(label, help = null) {
    const name = `${id}-${label.replaceAll(" ", "-").toLowerCase()}`;
    const field = h("input", { id: name, readonly: true, class: "notation", onfocus: () => field.select() });
    const button = h("button", { type: "button", class: "button", "aria-label": `Copy: ${label}` }, "Copy");
    button.addEventListener("click", async () => {
      if (await copy(field.value, field)) tell("Copied.", "done");
      else tell("The browser did not allow copying. Select the text and copy it by hand.");
    });
    const element = h(
      "div",
      { class: "field" },
      h("label", { for: name }, label),
      h("div", { class: "share-row" }, field, button),
      help ? h("p", { class: "help" }, help) : null,
    );
    return { element, show: (value) => (field.value = value) };
  }

  const fileName = (ending) => {
    const name = room.spec.split(":")[0];
    return room.game ? `${name}-${room.game.id.slice(0, 8)}.${ending}` : `${name}.${ending}`;
  };

  /** A download: from the server for a game, made in the page for a free board. */
  function file(words, ending, path, write, type) {
    if (room.game) {
      const href = `/api/games/${encodeURIComponent(room.game.id)}/${path}`;
      return h("a", { class: "button", href, download: fileName(ending) }, words);
    }
    const make = () => download(fileName(ending), write(), type);
    return h("button", { type: "button", class: "button", onclick: make }, words);
  }

  /** Open the position shown in the board editor. */
  async function edit() {
    room.app.go(room.link(await room.positionOf(room.node)).replace("/board?", "/edit?"));
  }

  async function picture() {
    const position = await room.positionOf(room.node);
    download(fileName("svg"), pictureOf(position), "image/svg+xml");
  }

  put(
    save,
    file("Text", "txt", "text", () => boardAsText(room), "text/plain"),
    file("JSON", "json", "json", () => JSON.stringify(boardAsJson(room), null, 2), "application/json"),
    h("button", { type: "button", class: "button", onclick: picture }, "Picture (SVG)"),
    drawn("Picture (PNG)", "position", (position) => position.notation),
    drawn("Animation", "game", () => wholeLine()),
  );

  /** A picture that the server draws, in the colours of this page. */
  function drawn(words, what, movesOf) {
    const button = h("button", { type: "button", class: "button" }, words);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const position = await room.positionOf(room.node);
        const query = new URLSearchParams({ game: position.game, theme: shownTheme() });
        if (position.start) query.set("start", position.start);
        query.set("moves", await movesOf(position));
        download(fileName("png"), await get(`/api/pictures/${what}.png?${query}`), "image/png");
      } catch (problem) {
        tell(problem.message);
      }
      button.disabled = false;
    });
    return button;
  }

  /** The moves of the game, or of the line that is shown on a free board, to its end. */
  async function wholeLine() {
    let last = room.game ? room.tree.head : room.node;
    while (!room.game && last.next !== null) last = last.next;
    return (await room.positionOf(last)).notation;
  }

  // ---- import ----------------------------------------------------------------------------------

  function setUp() {
    const name = `${id}-set-up`;
    const field = h("input", {
      id: name,
      class: "notation",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${name}-wrong`,
      placeholder: "Paste a position of this game",
    });
    const wrong = h("p", { class: "wrong", role: "alert", id: `${name}-wrong` });
    const submit = async (event) => {
      event.preventDefault();
      wrong.textContent = "";
      try {
        const start = field.value.trim();
        if (!start) throw new Error("Nothing to set up yet: paste a position as text.");
        room.app.go(room.link(await post("/api/positions", { game: room.spec, start })));
      } catch (problem) {
        wrong.textContent = problem.message;
        field.focus();
      }
      field.setAttribute("aria-invalid", String(wrong.textContent !== ""));
    };
    return h(
      "form",
      { class: "field", onsubmit: submit },
      h("label", { for: name }, "Set up a position"),
      h("div", { class: "share-row" }, field, h("button", { type: "submit", class: "button" }, "Open")),
      wrong,
    );
  }

  // ---- updates ---------------------------------------------------------------------------------

  async function update() {
    const node = room.node;
    const position = await room.positionOf(node).catch(() => null);
    if (position === null || node !== room.node) return;
    if (room.game) game.show(`${location.origin}/game/${room.game.id}`);
    link.show(location.origin + room.link(position));
    notation.show(position.notation);
    text.show(position.text);
    embed.show(embedding(position));
  }

  const off = listen(room, ["node"], update);
  update();

  return {
    update,
    destroy() {
      off();
      put(host);
    },
  };
}
