// The review of a game: how well each side played, and the worst moments first.

import { active, h, put, tell } from "../dom.js";
import { drawMoment } from "../board/moment.js";
import { icon } from "../icons.js";
import { examine, filmOf, keep } from "../room/mistakes.js";
import { nameOf } from "../room/players.js";
import { capital } from "../room/room.js";
import { GRADES, button, gradesOf, isFault, listen } from "./common.js";
import { create as createGraph } from "./graph.js";

const WHAT =
  "The engine checks every position, grades each move and shows the worst moments. " +
  "This takes a moment per move.";
const FEW = 5; // moments shown at first
const ACCURACY =
  "The share of their winning chances that the player kept. Moves that could not go wrong do not count.";

const PRACTISE = "Practise my mistakes";

export function create(host, room) {
  const top = h("div", { class: "review-top" });
  const graphHost = h("div", { class: "review-graph" });
  const turns = h("div", { class: "review-turns" });
  const place = h("section", { class: "review", "aria-label": "Review" }, top, turns, graphHost);
  put(host, place);
  let review = null;
  let grades = new Map(); // in move order
  const graph = createGraph(graphHost, room, () => [room.tree.root, ...grades.keys()]);
  let progress = null; // { done, of } while a review is running
  let all = false; // are all mistakes shown?

  async function start() {
    progress = { done: 0, of: Math.max(1, length()) + 1 };
    update();
    await room.review();
    progress = null;
    update();
  }

  /** How many moves there are to review. */
  function length() {
    let last = room.game ? room.tree.head : room.node;
    while (!room.game && last.next) last = last.next;
    return last.ply;
  }

  // ---- before and while ------------------------------------------------------------------------

  function invitation() {
    if (!room.mayAsk) return h("p", { class: "muted" }, "You can review the game when it is over.");
    if (length() === 0) return h("p", { class: "muted" }, "There is nothing to review before the first move.");
    return [h("p", { class: "muted" }, WHAT), startButton("Review this game", "main")];
  }

  const startButton = (text, kind) =>
    h("button", { type: "button", class: `button ${kind}`, onclick: start }, text);

  function waiting() {
    const { done, of } = progress;
    const words = `Position ${Math.min(done + 1, of)} of ${of}`;
    return [
      h("label", { class: "muted", for: "review-progress" }, words),
      h("progress", { id: "review-progress", max: String(of), value: done }),
    ];
  }

  // ---- after -----------------------------------------------------------------------------------

  function figures() {
    const head = (title, ...inside) => h("th", { scope: "col", title }, ...inside);
    const graded = ([name, { glyph, many }]) => {
      const sign = h("span", { class: `grade ${name}`, "aria-hidden": "true" }, glyph);
      return head(capital(many), sign, h("span", { class: glyph ? "unseen" : null }, capital(many)));
    };
    const percent = ({ accuracy }) => (accuracy === null ? "–" : h("strong", {}, `${Math.round(100 * accuracy)} %`));
    const row = (player, index) => {
      const number = `Player ${index + 1}`;
      const name = nameOf(room.game, index);
      const small = name === number ? null : h("span", { class: "review-number" }, number);
      const counts = Object.keys(GRADES).map((grade) => h("td", {}, String(player[grade])));
      return h("tr", {}, h("th", { scope: "row" }, name, small), h("td", {}, percent(player)), counts);
    };
    const heads = [head(ACCURACY, "Accuracy"), Object.entries(GRADES).map(graded)].flat();
    return h(
      "table",
      { class: "review-figures" },
      h("thead", {}, h("tr", {}, h("td", {}), heads)),
      h("tbody", {}, review.players.map(row)),
    );
  }

  const faults = () => [...grades].filter(([, judged]) => isFault(judged)).map(([node]) => node);

  /** The next mistake after the position shown, or the one before it. */
  function beside(way) {
    const plies = (node) => (node.ply - room.node.ply) * way > 0;
    const found = faults().filter(plies);
    return way > 0 ? (found[0] ?? null) : (found.at(-1) ?? null);
  }

  const leap = (name, text, way) => {
    const to = beside(way);
    const inside = way < 0 ? [icon(name), text] : [text, icon(name)];
    return button({ "aria-label": `${text} mistake`, onclick: () => room.goto(to), disabled: to === null }, ...inside);
  };

  function turning() {
    const found = faults().toSorted((one, other) => grades.get(other).loss - grades.get(one).loss);
    const rest = all ? 0 : Math.max(0, found.length - FEW);
    const more = () => {
      all = true;
      stage = "";
      update();
    };
    if (found.length === 0) return h("p", { class: "review-clean" }, "No mistakes in this game.");
    return [
      h(
        "div",
        { class: "review-leaps" },
        leap("previous", "Previous", -1),
        h("h2", {}, "Worst moments"),
        leap("next", "Next", 1),
      ),
      h("ol", { class: "review-faults" }, found.slice(0, found.length - rest).map(fault)),
      rest ? button({ onclick: more }, `Show ${rest} more`) : null,
      practice(found.filter((node) => isMine(grades.get(node)))),
    ].filter(Boolean);
  }

  const isMine = ({ player }) => room.game === null || room.game.you.includes(player);

  /** A button that saves mistakes as exercises, and opens them. */
  function practice(found) {
    if (!found.length || !room.trains) return null;
    const press = h("button", { type: "button", class: "button", onclick: () => practise(found, press) }, PRACTISE);
    return press;
  }

  /** Keep the mistakes where one move was clearly best. */
  async function practise(found, press) {
    press.disabled = true;
    const kept = [];
    try {
      for (const [count, node] of found.entries()) {
        press.textContent = `Looking at ${count + 1} of ${found.length} …`;
        const { move, comment } = grades.get(node);
        const asked = { game: room.spec, start: room.start, moves: node.parent.moves, played: move, comment };
        const exercise = await examine(asked);
        if (exercise === null) continue;
        kept.push(exercise);
        await filmOf(exercise); // so that it is there without the server
      }
    } catch (error) {
      tell(error.message);
    }
    press.disabled = false;
    press.textContent = PRACTISE;
    if (!kept.length) return tell("In none of these positions was one move clearly best.");
    const name = room.spec.split(":")[0];
    keep(name, kept);
    room.app.go(`/exercises/${encodeURIComponent(name)}?mistakes`);
  }

  function fault(node) {
    const judged = grades.get(node);
    const { glyph, word } = GRADES[judged.grade];
    const show = { title: "Show the position after this move", onclick: () => room.goto(node) };
    const again = { title: "Go back to the position before this move and play on", onclick: () => room.tryAgain(node.parent) };
    return h(
      "li",
      { class: "fault", "aria-current": room.node === node ? "step" : null },
      picture(node, judged),
      h(
        "p",
        { class: "fault-head" },
        h("b", {}, `${judged.ply}. ${judged.move}`),
        h("span", { class: `grade ${judged.grade}`, "aria-hidden": "true" }, glyph),
        h("span", {}, capital(word)),
        h("span", { class: "muted" }, `player ${judged.player}`),
      ),
      h("p", { class: "fault-words" }, `${capital(judged.comment)}.`),
      h(
        "div",
        { class: "buttons" },
        button(show, "Show"),
        room.seated ? button(again, "Try again from here") : null,
      ),
    );
  }

  const drawn = new Map(); // node -> its picture, made once

  /** The board before a move, with an arrow to the better one. */
  function picture(node, judged) {
    const { flipped } = room;
    const kept = drawn.get(node);
    if (kept?.flipped === flipped) return kept.place;
    const place = h("div", { class: "fault-board" });
    drawn.set(node, { flipped, place });
    const { move: played, best: better, ply } = judged;
    const label = `The board before move ${ply}: ${played} was played, ${better} was better`;
    room
      .positionOf(node.parent)
      .then(({ scene }) => put(place, drawMoment(scene, { played, better, label, flipped })))
      .catch(() => drawn.delete(node)); // the words say it too
    return place;
  }

  /** True if moves have been played since the review. */
  const grown = () => length() > review.moves.length;

  // ---- updates ---------------------------------------------------------------------------------

  let stage = "";

  function update() {
    const next = [progress?.done, review && room.node.moves.join(" "), length(), room.mayAsk].join();
    if (next === stage) return;
    stage = next;
    const focused = [...turns.querySelectorAll("button")].indexOf(active());
    graphHost.hidden = review === null || progress !== null;
    turns.hidden = graphHost.hidden;
    if (progress) put(top, waiting());
    else if (review === null) put(top, invitation());
    else put(top, figures(), grown() ? startButton("Review again with the new moves", "") : null);
    put(turns, review && turning());
    if (focused >= 0) turns.querySelectorAll("button")[focused]?.focus();
  }

  const offs = [
    listen(room, ["node", "game"], update),
    room.on("reviewing", (frame) => {
      progress = frame; // null if it failed
      update();
    }),
    room.on("review", (found) => {
      review = found;
      grades = gradesOf(room.tree, found);
      drawn.clear();
      all = false;
      progress = null;
      stage = "";
      update();
    }),
  ];
  update();

  return {
    update,
    destroy() {
      offs.forEach((off) => off());
      graph.destroy();
      put(host);
    },
  };
}
