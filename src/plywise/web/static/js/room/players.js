// The two players: stones, names, points, clocks, whose turn it is, what the engine is thinking.

import { drawShape } from "../board/scene.js";
import { h, put, s } from "../dom.js";
import { facing } from "./friends.js";

const TICK = 100; // milliseconds
const SHORT = 20; // seconds: a clock below this is highlighted

/** A player's stone as it looks on the board, or a disc where the game has no stones. */
export function stone(shapes, owner, palette) {
  const disc = { kind: "circle", id: "", roles: ["stone"], owner, at: [0, 0], radius: 0.36 };
  const drawn = (shapes.length > 0 ? shapes : [disc]).map(drawShape);
  const attributes = { viewBox: "-0.45 -0.45 0.9 0.9", class: `scene stone-sign palette-${palette}` };
  return s("svg", { ...attributes, "aria-hidden": "true" }, drawn);
}

export function create(host, room, stones) {
  const palette = room.position?.scene.palette ?? room.game?.position.scene.palette ?? "ink";
  const rows = [0, 1].map((player) => {
    const name = h("span", { class: "player-name" });
    const presence = h("span", { class: "presence" });
    const state = h("span", { class: "player-state" });
    const points = h("span", { class: "player-points", title: "Points" });
    const clock = h("span", { class: "player-clock", role: "timer", "aria-label": "Time left" });
    const words = h("span", { class: "player-words" }, h("span", { class: "player-who" }, name, presence), state);
    const sign = stone(stones[player], player, palette);
    const element = h("div", { class: "player" }, sign, words, points, clock);
    return { element, name, presence, state, points, clock };
  });
  const section = h("section", { class: "players", "aria-label": "Players" }, rows.map((row) => row.element));
  put(host, section);

  function update() {
    const { game, position } = room;
    const shown = position ?? game?.position;
    section.classList.toggle("timed", Boolean(game?.clocks));
    for (const [player, row] of rows.entries()) {
      const turn = shown?.to_move === player + 1 && !(room.atHead && game?.result);
      row.element.classList.toggle("turn", turn);
      row.name.textContent = nameOf(game, player);
      const there = presenceOf(game, player);
      row.presence.hidden = there === null;
      row.presence.textContent = there ?? "";
      row.presence.classList.toggle("away", there === "away");
      put(row.state, ...stateOf(player, turn));
      row.points.textContent = shown?.scores ? String(shown.scores[player]) : "";
      row.points.hidden = !shown?.scores;
      row.clock.hidden = !game?.clocks;
    }
    tick();
  }

  function stateOf(player, turn) {
    const thinks = room.game?.thinking && room.game.position.to_move === player + 1;
    if (thinks) {
      const thought = room.thinking;
      const depth = thought?.depth ? `depth ${thought.depth}` : null;
      const words = room.preparing
        ? "is being prepared…"
        : ["thinking…", depth, thought?.text].filter(Boolean).join(" · ");
      return [h("span", { class: "pulse", "aria-hidden": "true" }), words];
    }
    const won = room.atHead ? (room.game?.result?.winner ?? room.position?.winner) : null;
    if (won === player + 1) return ["winner"];
    if (turn) return ["to move"];
    if (nameOf(room.game, player) !== `Player ${player + 1}`) return [`player ${player + 1}`];
    return [player === 0 ? "plays first" : "plays second"];
  }

  function tick() {
    if (!room.game?.clocks) return;
    for (const [player, { clock }] of rows.entries()) {
      const left = timeLeft(room, player);
      const text = clockText(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("short", left < SHORT);
    }
  }

  const timer = setInterval(tick, TICK);
  const offs = ["game", "node", "thinking", "position"].map((event) => room.on(event, update));
  update();
  return {
    update,
    destroy() {
      clearInterval(timer);
      offs.forEach((off) => off());
    },
  };
}

/** "online" or "away" for a person who plays on another screen; null for everybody else. */
function presenceOf(game, player) {
  const who = game?.players[player];
  const shared = game?.players.every(({ person }) => person) && (facing(game) || game.you.length === 0);
  if (!shared || !who.taken || who.you) return null;
  return who.present ? "online" : "away";
}

/** The name of a player: You, the engine's label, or the player's number on a shared screen. */
export function nameOf(game, player) {
  const who = game?.players[player];
  if (who?.named) return who.you && game.you.length === 1 ? `${who.name} (you)` : who.name;
  if (!who || (who.person && game.you.length !== 1)) return `Player ${player + 1}`;
  if (who.person) return who.you ? "You" : who.taken ? "Your opponent" : "Open seat";
  return who.name;
}

// ---- the clocks, counted down in the page from the server's last figures ----

/** 1:05, 0:09.4 near the end, 2:00:00. */
function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${(Math.floor(10 * left) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const pad = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const end = pad(whole % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}

/** The seconds a player (0 or 1) has left. Only the clock of the player to move runs, if any does. */
function timeLeft(room, player) {
  const { clocks, clock_runs, position } = room.game;
  const runs = clock_runs && position.to_move === player + 1;
  const passed = runs ? (performance.now() - room.gameAt) / 1000 : 0;
  return clocks[player] - passed;
}
