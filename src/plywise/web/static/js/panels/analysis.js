// The engine's analysis of the position shown: who is better, and a score for every move.

import { active, h, put, s } from "../dom.js";
import { icon } from "../icons.js";
import { capital } from "../room/room.js";
import { button, count, listen, once, outcomeWords, paint, share } from "./common.js";
import { create as createLines } from "./lines.js";

const BARRED = "The engine is off while you play against a friend. You can use it after the game.";

export function create(host, room) {
  const toggle = () => room.setAnalysing(!room.analysing);
  const onoff = h(
    "button",
    { type: "button", role: "switch", class: "switch", "aria-checked": "false", onclick: toggle },
    h("span", { class: "switch-knob", "aria-hidden": "true" }),
    "Engine",
  );
  const agents = h("select", { class: "analysis-agent", "aria-label": "Choose an engine", hidden: true, onchange: choose });
  const effort = h("p", { class: "analysis-effort" });
  const bar = drawBar();
  const words = h("p", { class: "analysis-words" });
  const preview = h("div", { class: "preview", role: "group", "aria-label": "Engine line", hidden: true });
  const lines = h("div", { class: "analysis-lines" });
  const said = h("div", { class: "analysis-said" }, words, effort);
  const body = h("div", { class: "analysis-body" }, bar.element, said, preview, lines);
  put(
    host,
    h(
      "section",
      { class: "analysis", "aria-label": "Analysis" },
      h("div", { class: "analysis-head" }, onoff, agents),
      body,
    ),
  );
  const moves = createLines(lines, follow);
  let following = null; // a line being followed: its nodes, those added for it, and where it began
  let done = false; // has the search finished?

  // ---- a line on the board -------------------------------------------------------------------

  /** Show the position after some moves of a line, adding temporary nodes for them. */
  function follow(pv, index) {
    const nodes = [room.node];
    const added = new Set();
    for (const move of pv) {
      const known = nodes.at(-1).child(move);
      nodes.push(known ?? room.tree.add(nodes.at(-1), move));
      if (!known) added.add(nodes.at(-1));
    }
    for (const node of added) node.trial = true;
    const before = following;
    following = { nodes, added: new Set([...(before?.added ?? []), ...added]), from: before?.from ?? room.node };
    room.goto(nodes[index + 1]);
  }

  /** Remove the temporary nodes, except those that were played on from or have a note. */
  function forget() {
    const { added } = following;
    following = null;
    const free = (node) => added.has(node) && !node.note && node.trial && node.children.every(free);
    for (const node of added) {
      if (free(node) && node.parent.children.includes(node)) room.tree.prune(node);
      else node.trial = false;
    }
  }

  function leave() {
    const { from } = following;
    forget();
    room.goto(from);
    update();
  }

  async function keep() {
    const last = following.nodes.at(-1);
    for (const node of following.added) node.trial = false;
    following = null;
    if (room.game === null) room.settle();
    else if (!last.main) await room.act("branch", room.tree.branch(last));
    room.emit("game", room.game);
    room.emit("node", room.node);
  }

  const step = (name, title, way) =>
    button({ class: "button plain square", title, "aria-label": title, onclick: () => walk(way) }, icon(name));
  const back = step("previous", "Previous move in the line", -1);
  const on = step("next", "Next move in the line", 1);
  const home = button({ onclick: leave });
  const keeper = button({ title: "Keep this line as a variation", onclick: keep }, "Keep line");
  const track = h("div", { class: "preview-line" });
  put(preview, track, h("div", { class: "preview-tools" }, back, on, home, keeper));

  /** The node of the line before or after the one shown. */
  const beside = (way) => {
    const at = following.nodes.indexOf(room.node);
    return at < 0 ? null : (following.nodes[at + way] ?? null);
  };

  const walk = (way) => room.goto(beside(way));

  function drawPreview() {
    const known = (node) => following.nodes.includes(node) || following.added.has(node);
    if (following && !known(room.node)) {
      forget();
      room.emit("game", room.game); // so that the list of moves is updated
    }
    if (following) {
      const { nodes } = following; // the rest of it may have been deleted
      const gone = nodes.findIndex((node, index) => index > 0 && !node.parent.children.includes(node));
      if (gone > 0) nodes.length = gone;
      if (nodes.length === 1) following = null;
    }
    preview.hidden = following === null;
    if (following === null) return;
    back.disabled = beside(-1) === null;
    on.disabled = beside(1) === null;
    home.textContent = following.from === room.tree.head ? "Back to the game" : "Back";
    keeper.hidden = !room.seated;
    const focused = [...track.children].indexOf(active());
    put(
      track,
      following.nodes.slice(1).map((node) => {
        const current = node === room.node ? "step" : null;
        const show = () => room.goto(node);
        return h("button", { type: "button", class: "line-move", "aria-current": current, onclick: show }, node.move);
      }),
    );
    if (focused >= 0) track.children[focused]?.focus();
  }

  // ---- evaluation ------------------------------------------------------------------------------

  function verdict(analysis) {
    if (analysis.outcome) {
      const said = capital(outcomeWords(analysis, analysis.to_move));
      return [h("strong", { class: "proved" }, "Proved"), ` ${said}.`];
    }
    const value = analysis.value_1;
    const player = value > 0 ? 1 : 2;
    const much = Math.abs(value);
    if (much < 0.05) return ["About even."];
    const degree = much < 0.25 ? "slightly better" : much < 0.6 ? "better" : "much better";
    return [`Player ${player} is ${degree}.`];
  }

  function drawEffort(analysis) {
    if (!analysis) return "";
    const speed = analysis.seconds > 0.02 ? ` · ${count(analysis.nodes / analysis.seconds)}/s` : "";
    return `depth ${analysis.depth} · ${count(analysis.nodes)} nodes${speed}${done ? " · done" : ""}`;
  }

  function update() {
    const position = room.position;
    const barred = !room.mayAsk;
    onoff.setAttribute("aria-checked", String(room.analysing && !barred));
    onoff.disabled = barred;
    agents.disabled = barred;
    const running = room.analysing && !barred;
    const analysis = running ? room.analysis : null;
    const over = running && position?.over;
    bar.element.hidden = !running;
    effort.textContent = over ? "" : drawEffort(analysis);
    drawPreview();
    if (barred) put(words, BARRED);
    else if (!running) put(words, "See who is better and how good each move is.");
    else if (over) put(words, capital(position.standing), ".");
    else if (analysis) put(words, ...verdict(analysis));
    else put(words, "Thinking…");
    const value = over ? [0, 1, -1][position.winner ?? 0] : (analysis?.value_1 ?? null);
    bar.show(value);
    if (analysis && !over) moves.show(analysis);
    else moves.clear();
  }

  // ---- choice of engine ------------------------------------------------------------------------

  room.agents().then(
    (found) => {
      if (found.length < 2) return;
      const usual = (agent) => (agent.name === "auto" ? 0 : 1);
      const sorted = found.toSorted((one, other) => usual(one) - usual(other));
      put(agents, ...sorted.map(({ name, help }) => h("option", { value: name, title: help }, name)));
      agents.value = room.agent ?? "auto";
      agents.hidden = false;
    },
    () => {},
  );

  function choose() {
    room.setAgent(agents.value);
    update();
  }

  // ---- updates ---------------------------------------------------------------------------------

  const soon = once(update);
  const offs = [
    listen(room, ["node", "analysing"], () => {
      done = false;
      soon();
    }),
    room.on("game", soon),
    room.on("analysis", (event) => {
      if (event.node === room.node) done = event.done;
      soon();
    }),
    room.on("node", (node) => {
      room.positionOf(node).then(soon, () => {});
    }),
  ];
  paint(room, bar.svg);
  room.positionOf(room.node).then(soon, () => {});
  update();

  return {
    update,
    destroy() {
      soon.cancel();
      offs.forEach((off) => off());
      put(host);
    },
  };
}

/** A bar filled from the left by player 1's expected score, from the right by player 2's. */
function drawBar() {
  const one = s("rect", { class: "stone player-1", x: 0, y: 0, height: 10, width: 50 });
  const two = s("rect", { class: "stone player-2", x: 50, y: 0, height: 10, width: 50 });
  const middle = s("line", { class: "bar-middle", x1: 50, x2: 50, y1: 0, y2: 10 });
  const whole = { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = s("svg", { class: "bar-fill", ...whole }, two, one, middle);
  const first = h("span", {});
  const second = h("span", {});
  const range = { "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "50" };
  const label = { role: "meter", "aria-label": "Expected score for player 1" };
  const element = h("div", { class: "bar", ...label, ...range }, first, svg, second);
  function show(value) {
    element.classList.toggle("unknown", value === null);
    const percent = value === null ? 50 : 50 * (1 + value);
    one.setAttribute("width", percent);
    two.setAttribute("x", percent);
    two.setAttribute("width", 100 - percent);
    put(first, h("b", {}, "1"), value === null ? null : ` ${share(value)}`);
    put(second, value === null ? null : `${share(0 - value)} `, h("b", {}, "2"));
    element.setAttribute("aria-valuenow", Math.round(percent));
    element.setAttribute("aria-valuetext", value === null ? "not known yet" : share(value));
  }
  return { element, svg, show };
}
