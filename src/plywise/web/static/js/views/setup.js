// Setting up a game: players, board and clock.

import { remember, remembered, swaps } from "../choices.js";
import { h, put, s } from "../dom.js";
import { icon } from "../icons.js";
import { pictureFor, writeSpec } from "../kinds.js";
import { kind as oneKind, post } from "../net.js";
import { LONGEST, ownName, rememberName } from "../room/friends.js";
import { capital } from "../room/room.js";
import { drawScene, drawShape, stoneOf } from "../board/scene.js";
import {
  agentPicker,
  agentSpec,
  choice,
  complain,
  field,
  given,
  number,
  parameterField,
  words,
} from "./fields.js";

const PAUSE = 200; // milliseconds after the last key before the picture is loaded
const ONCE = ["seed", "start", "name"]; // not remembered with the choices of a game

export async function show(root, params, app) {
  const kind = await oneKind(params.name);
  app.title(`New game: ${kind.title}`);
  const kept = { ...remembered(kind.name), start: params.start ?? "" };
  const form = draw(kind, kept);
  const go = h(
    "div",
    { class: "go" },
    h("p", { class: "wrong", role: "alert" }),
    h("button", { class: "button main big", type: "submit", form: form.id }, icon("play"), "Play"),
  );
  const picture = h("div", { class: "picture" }, drawScene(kind.start));
  put(
    root,
    h(
      "div",
      { class: "page" },
      h(
        "div",
        { class: "setup" },
        h(
          "header",
          {},
          h("h1", {}, kind.title),
          h(
            "p",
            { class: "muted" },
            kind.summary,
            " ",
            h("a", { href: `/rules/${encodeURIComponent(kind.name)}` }, "Rules"),
          ),
        ),
        form,
        h("div", { class: "side" }, h("div", { class: "card start" }, picture), go),
      ),
    ),
  );
  arrange(form, kind);
  const preview = new Preview(form, kind, picture);
  if (changed(form, kind)) preview.ask();
  form.addEventListener("change", () => arrange(form, kind));
  form.addEventListener("input", (event) => {
    kept[event.target.name] = event.target.value; // for fields that disappear and come back
    if (event.target.name.startsWith("board.") || event.target.name === "start") preview.ask();
  });
  form.addEventListener(
    "invalid",
    (event) => event.target.closest("details")?.setAttribute("open", ""),
    true,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    play(form, kind, app, go);
  });
  return () => preview.stop();
}

function draw(kind, kept) {
  const agents = {
    computer: agentPicker(kind, "", kept, "The computer"),
    first: agentPicker(kind, "first.", kept, "Plays first"),
    second: agentPicker(kind, "second.", kept, "Plays second"),
  };
  return h(
    "form",
    { class: "card", id: "setup", autocomplete: "off" },
    players(kind, kept, agents),
    kind.parameters.length ? board(kind, kept) : null,
    clock(kept),
    more(kept, agents),
  );
}

/** The players; the choice decides which parts are shown. */
function players(kind, kept, agents) {
  const ways = [
    ["computer", "The computer", icon("computer")],
    ["screen", "Two on this screen", icon("people")],
    ["friend", "A friend by link", icon("link")],
    ["watch", "Watch two computers", icon("watch")],
  ];
  const sides = [
    ["1", "First", stone(kind, 1)],
    ["toss", "Coin toss"],
    ["2", "Second", stone(kind, 2)],
  ];
  return [
    choice("way", "Who plays?", ways, kept.way ?? "computer", "tiles"),
    h("div", { "data-when": "way=computer" }, agents.computer.level),
    h("div", { "data-when": "way=watch", class: "two" }, agents.first.level, agents.second.level),
    h(
      "div",
      { "data-when": "way=computer,friend", class: "sides" },
      choice("side", "Your side", sides, kept.side ?? (kind.toss ? "toss" : "1")),
    ),
    h(
      "div",
      { "data-when": "way=friend" },
      field("Your name", h("input", { type: "text", name: "name", value: ownName(), maxlength: LONGEST, autocomplete: "nickname" }), "If you like; your friend will see it."),
    ),
    kind.colours &&
      h(
        "div",
        { "data-when": "way=computer,friend" },
        choice("colour", "Your colour", colours(kind), kept.colour ?? ""),
      ),
  ];
}

/** The colours to choose from; by default the first player has the first one. */
const colours = (kind) => [
  ["", "By side"],
  ...kind.colours.map((name, index) => [String(index), capital(name), stone(kind, index + 1)]),
];

function board({ parameters }, kept) {
  return h(
    "fieldset",
    {},
    h("legend", {}, "Board"),
    h(
      "div",
      { class: "fields" },
      parameters.map((found) => parameterField(found, `board.${found.name}`, kept, words(found))),
    ),
    h("p", { class: "wrong", "data-wrong": "board", role: "alert" }),
  );
}

function clock(kept) {
  const kinds = [
    ["none", "None"],
    ["game", "Per game"],
    ["move", "Per move"],
  ];
  const amount = (name, usual, min, max) =>
    number(name, kept[name] ?? usual, { min, max, step: "any", required: true });
  return h(
    "div",
    { class: "clock" },
    choice("clock", "Clock", kinds, kept.clock ?? "none"),
    h(
      "div",
      { class: "fields", "data-when": "clock=game" },
      field("Minutes per player", amount("minutes", "5", 0.1, 600)),
      field("Increment in seconds", amount("added", "2", 0, 600)),
    ),
    h(
      "div",
      { class: "fields", "data-when": "clock=move" },
      field("Seconds per move", amount("seconds", "30", 0.1, 3600)),
    ),
  );
}

/** What most players never need: engines by name, the random seed, a position in notation. */
function more({ start }, agents) {
  const seed = number("seed", "", { min: 0, step: 1, placeholder: "random" });
  const text = h("input", {
    type: "text",
    name: "start",
    value: start,
    autocomplete: "off",
    spellcheck: "false",
    class: "notation",
  });
  return h(
    "details",
    { open: start !== "" },
    h("summary", {}, "More options"),
    h("div", { "data-when": "way=computer" }, agents.computer.engine),
    h("div", { "data-when": "way=watch", class: "two" }, agents.first.engine, agents.second.engine),
    h(
      "div",
      { class: "fields wide" },
      field("Seed", seed, "The same seed repeats the same random choices, and so the same game."),
      field("Start from a position", text, "A position as text; leave empty for the usual start."),
    ),
  );
}

/** A small picture of a player's stone, if the game has stones. */
function stone(kind, player) {
  const shapes = stoneOf(kind.picture, player - 1);
  if (shapes.length === 0) return null;
  const svg = s("svg", {
    class: `stone-sign scene palette-${kind.palette}`,
    viewBox: "-0.5 -0.5 1 1",
    "data-player": player,
    "aria-hidden": "true",
  });
  svg.append(...shapes.map(drawShape));
  return svg;
}

/** Show the fields that fit the choices, and stones in the chosen look; hidden fields are disabled. */
function arrange(form, kind) {
  const picture = pictureFor(kind, boardSpec(form, kind));
  for (const sign of form.querySelectorAll("[data-player]")) {
    sign.replaceChildren(...stoneOf(picture, sign.dataset.player - 1).map(drawShape));
  }
  const colour = form.elements.colour?.value;
  const side = Number(form.elements.side.value); // NaN before a toss
  form.querySelector(".sides").classList.toggle("swapped", side > 0 && swaps(colour, side));
  for (const part of form.querySelectorAll("[data-when]")) {
    const [name, values] = part.dataset.when.split("=");
    part.hidden = !values.split(",").includes(form.elements[name].value);
    for (const input of part.querySelectorAll("input, select")) input.disabled = part.hidden;
  }
}

const boardSpec = (form, kind) => writeSpec(kind.name, given(form, kind.parameters, "board."));

const changed = (form, kind) =>
  boardSpec(form, kind) !== kind.name || form.elements.start.value.trim() !== "";

/** A picture of the start position, reloaded when the board's fields change. */
class Preview {
  constructor(form, kind, place) {
    Object.assign(this, { form, kind, place, timer: null, number: 0 });
  }

  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), PAUSE);
  }

  async load() {
    const number = (this.number += 1);
    const start = this.form.elements.start.value.trim();
    try {
      const position = await post("/api/positions", {
        game: boardSpec(this.form, this.kind),
        ...(start && { start }),
      });
      if (number !== this.number) return;
      blame(this.form, this.kind, "");
      put(this.place, drawScene(position.scene));
    } catch (error) {
      if (number === this.number) blame(this.form, this.kind, error.message);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.number += 1;
  }
}

/** Show an error where it belongs: at the parameter it names, the start position, or the board. */
function blame(form, kind, text) {
  const names = kind.parameters.map(({ name }) => name);
  const named = names.filter((name) => text.includes(`${name}=`) && !form.elements.start.value.trim());
  const atStart = text && named.length === 0 && form.elements.start.value.trim() !== "";
  for (const name of names) complain(form, `board.${name}`, named[0] === name ? text : "");
  complain(form, "start", atStart ? text : "");
  const board = form.querySelector('[data-wrong="board"]');
  if (board) board.textContent = named.length || atStart ? "" : text;
}

/** The request for the new game. */
function wishes(form, kind) {
  const chosen = (name) => form.elements[name].value;
  const start = chosen("start").trim();
  const asked = { game: boardSpec(form, kind), first: "human", second: "human", seats: "mine" };
  if (start) asked.start = start;
  if (chosen("seed") !== "") asked.seed = Number(chosen("seed"));
  if (chosen("clock") === "game")
    asked.clock = `${60 * Number(chosen("minutes"))} + ${Number(chosen("added"))}`;
  if (chosen("clock") === "move") asked.clock = `${Number(chosen("seconds"))} a move`;
  const way = chosen("way");
  const side = way === "computer" || way === "friend" ? chosen("side") : null;
  if (side === "toss") asked.toss = true;
  const second = side === "2";
  if (way === "computer") asked[second ? "first" : "second"] = agentSpec(form, kind, "");
  if (way === "friend") Object.assign(asked, { seats: "invite", side: second ? 2 : 1, name: chosen("name") });
  if (way === "watch") {
    asked.first = agentSpec(form, kind, "first.");
    asked.second = agentSpec(form, kind, "second.");
  }
  return asked;
}

async function play(form, kind, app, go) {
  const wrong = go.querySelector(".wrong");
  const button = go.querySelector("button");
  wrong.textContent = "";
  button.disabled = true;
  try {
    const asked = wishes(form, kind);
    const game = await post("/api/games", asked);
    if (asked.name !== undefined) rememberName(asked.name.trim());
    const chosen = [...new FormData(form)].filter(([key]) => !ONCE.includes(key));
    remember(kind.name, Object.fromEntries(chosen)); // hidden fields keep what they had
    await app.go(`/game/${encodeURIComponent(game.id)}${asked.toss ? "?toss=yes" : ""}`);
  } catch (error) {
    wrong.textContent = error.message;
    button.disabled = false;
    button.focus();
  }
}
