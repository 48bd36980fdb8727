// The moves of the game in numbered pairs, with variations and notes.
//
// The list is made of blocks: a pair of moves, a note, a variation. Each has a text that describes
// all that is visible of it, and only blocks whose text has changed are rebuilt.

import { active, h, put, tell } from "../dom.js";
import { icon } from "../icons.js";
import { capital } from "../room/room.js";
import { GRADES, button, duration, gradesOf, listen } from "./common.js";

const LONGEST_NOTE = 500;
const INSTANT = 0.05; // seconds: shorter times are not shown
let numbers = 0;

export function create(host, room) {
  const list = h("ol", { class: "moves-list", onkeydown: arrows, onclick: chosen });
  const steps = h("div", { class: "moves-steps", role: "group", "aria-label": "Navigation" });
  const tools = h("div", { class: "moves-tools", role: "group", "aria-label": "Current move" });
  put(host, h("section", { class: "moves", "aria-label": "Moves" }, list, steps, tools));

  const names = new WeakMap(); // node -> a short name for it in the texts of blocks
  const buttons = new WeakMap(); // node -> its button
  const nodes = new WeakMap(); // button -> its node
  let built = new Map(); // the name of a block -> { text, element }
  let grades = new Map();
  let editing = null; // the node whose note is being edited
  let shown = null; // the button of the node shown
  let entry = null; // the button of the list that the Tab key stops at
  let order = { first: 1, pairs: true };

  const leaps = [
    ["first", "Start position", () => room.tree.root],
    ["previous", "Previous move", () => room.node.parent],
    ["next", "Next move", () => room.node.next],
    ["last", "Last move", () => lastOf(room.node)],
  ].map(([name, title, to]) => {
    const go = () => to() && room.goto(to());
    return { to, leap: button({ title, "aria-label": title, onclick: go }, icon(name)) };
  });
  put(steps, ...leaps.map(({ leap }) => leap));

  // ---- layout ----------------------------------------------------------------------------------

  /** The last node of a node's line; in the game, undone moves do not count. */
  function lastOf(node) {
    if (node.main && room.game && node.ply <= room.tree.head.ply) return room.tree.head;
    let last = node;
    while (last.next) last = last.next;
    return last;
  }

  /** The moves in the columns: those of the game, or the first line of a free board. */
  function column() {
    if (room.game) return room.tree.main().slice(1);
    const line = [];
    for (let node = room.tree.root.next; node; node = node.next) line.push(node);
    return line;
  }

  const slot = (node) => (node.ply - 1 + (order.first === 2 ? 1 : 0)) % 2;

  const number = (node) =>
    order.pairs ? Math.floor((node.ply - 1 + (order.first === 2 ? 1 : 0)) / 2) + 1 : node.ply;

  const name = (node) => {
    if (!names.has(node)) names.set(node, (numbers += 1));
    return names.get(node);
  };

  /** A text that describes all that is visible of a move. */
  const look = (node) => {
    const judged = grades.get(node);
    const undone = node.main && node.ply > room.tree.head.ply;
    return `${name(node)} ${node.seconds} ${judged?.grade ?? ""} ${undone} ${node.trial}`;
  };

  function blocks() {
    const line = column();
    const found = [...notes(room.tree.root)];
    let row = null;
    const close = () => {
      if (row) found.push(pair(row));
      row = null;
    };
    for (const node of line) {
      row ??= { number: number(node), late: order.pairs && slot(node) === 1, nodes: [] };
      row.nodes.push(node);
      const beside = [...notes(node), ...tried(node.parent.children.filter((child) => child !== node))];
      if (!order.pairs || slot(node) === 1 || beside.length) close();
      found.push(...beside);
    }
    close();
    found.push(...tried(line.at(-1)?.children ?? []), ...result());
    return found;
  }

  const pair = (row) => ({
    name: `row ${name(row.nodes[0])}`,
    text: `${row.number} ${row.late} ${row.nodes.map(look).join()} ${order.pairs}`,
    build: () =>
      h(
        "li",
        { class: order.pairs ? "moves-row" : "moves-row single" },
        h("span", { class: "moves-number" }, `${row.number}.`),
        row.late ? h("span", { class: "moves-gap", "aria-hidden": "true" }, "…") : null,
        row.nodes.map((node) => move(node)),
      ),
  });

  /** The note of a node, or its editor. */
  function* notes(node) {
    if (editing === node) {
      yield { name: `edit ${name(node)}`, text: "", build: () => h("li", {}, editor(node)) };
    } else if (node.note) {
      const build = () => h("li", { class: "moves-note" }, noted(node));
      yield { name: `note ${name(node)}`, text: node.note, build };
    }
  }

  /** Variations, each with its own variations. */
  function* tried(children) {
    for (const node of children) {
      const build = () => h("li", { class: "moves-line" }, variation(node));
      yield { name: `line ${name(node)}`, text: whole(node), build };
    }
  }

  function* result() {
    const ended = room.game?.result;
    if (!ended) return;
    const won = ended.winner ? `Player ${ended.winner} wins` : "Draw";
    const text = `${won}: ${ended.reason}`;
    yield { name: "result", text, build: () => h("li", { class: "moves-result" }, text) };
  }

  /** A text that describes all that is visible of a line. */
  function whole(node) {
    const parts = [order.pairs, order.first];
    for (let each = node; each; each = each.next) {
      parts.push(look(each), editing === each ? "e" : each.note);
      if (each !== node) parts.push(...each.parent.children.slice(1).map(whole), "/");
    }
    return parts.join("|");
  }

  // ---- drawing ---------------------------------------------------------------------------------

  function move(node, prefix = "") {
    const judged = grades.get(node);
    const grade = judged && GRADES[judged.grade];
    const undone = node.main && node.ply > room.tree.head.ply;
    const spoken = [
      `${number(node)}. ${order.pairs && slot(node) ? "… " : ""}${node.move}`,
      grade?.word,
      node.seconds >= INSTANT ? duration(node.seconds) : null,
      undone ? "undone" : null,
      node.note ? "with a note" : null,
    ];
    const made = h(
      "button",
      {
        type: "button",
        class: `move${undone ? " undone" : ""}${node.trial ? " trial" : ""}`,
        tabindex: "-1",
        title: judged ? `${capital(grade.word)}: ${judged.comment}` : undone ? "Undone" : null,
        "aria-label": spoken.filter(Boolean).join(", "),
      },
      prefix ? h("span", { class: "move-number" }, prefix) : null,
      h("span", { class: "move-text" }, node.move),
      grade?.glyph ? h("span", { class: `grade ${judged.grade}` }, grade.glyph) : null,
      node.seconds >= INSTANT && node.main ? h("span", { class: "move-seconds" }, duration(node.seconds)) : null,
    );
    buttons.set(node, made);
    nodes.set(made, node);
    return made;
  }

  function variation(first) {
    const line = h("div", { class: "variation" });
    let numbered = true;
    for (let node = first; node; node = node.next) {
      const late = order.pairs && slot(node) === 1;
      line.append(move(node, late ? (numbered ? `${number(node)}…` : "") : `${number(node)}.`), " ");
      const others = node === first ? [] : node.parent.children.slice(1);
      if (editing === node) line.append(editor(node));
      else if (node.note) line.append(noted(node));
      line.append(...others.map(variation));
      numbered = others.length > 0 || editing === node || Boolean(node.note);
    }
    return line;
  }

  function noted(node) {
    if (!room.seated) return h("span", { class: "note" }, node.note);
    const attributes = { type: "button", class: "note", title: "Edit this note", onclick: () => write(node) };
    return h("button", attributes, node.note);
  }

  // ---- notes -----------------------------------------------------------------------------------

  function editor(node) {
    const field = h("textarea", {
      class: "note-field",
      rows: "2",
      maxlength: String(LONGEST_NOTE),
      value: node.note,
      placeholder: "Note on this move",
      "aria-label": node.move === null ? "Note on the game" : `Note on ${number(node)}. ${node.move}`,
    });
    const leave = () => {
      editing = null;
      update();
      buttons.get(node)?.focus();
    };
    const save = async (text) => {
      try {
        await room.setNote(node, text.replaceAll(/\s+/g, " ").trim());
        leave();
      } catch (problem) {
        tell(problem.message);
      }
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") leave();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      save(field.value);
    });
    return h(
      "div",
      { class: "note-editor" },
      field,
      h(
        "div",
        { class: "buttons" },
        button({ class: "button main", onclick: () => save(field.value) }, "Save"),
        button({ onclick: leave }, "Cancel"),
        node.note ? button({ class: "button plain danger", onclick: () => save("") }, "Delete note") : null,
      ),
    );
  }

  function write(node) {
    editing = node;
    if (room.node !== node) room.goto(node);
    update();
    list.querySelector(".note-field")?.focus();
  }

  // ---- navigation ------------------------------------------------------------------------------

  function chosen(event) {
    const node = nodes.get(event.target.closest("button"));
    if (node) room.goto(node);
  }

  function arrows(event) {
    const { node } = room;
    if (!nodes.has(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = [...list.querySelectorAll(".move")];
    const beside = (step) => nodes.get(all[all.indexOf(event.target) + step]);
    const to = {
      ArrowLeft: () => node.parent,
      ArrowRight: () => node.next,
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => room.tree.root,
      End: () => lastOf(node),
    }[event.key]?.();
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    room.goto(to);
    entry?.focus();
  }

  /** Scroll the list, but not the page, to the current move. */
  function reveal() {
    const top = shown ? shown.getBoundingClientRect().top - list.getBoundingClientRect().top : 0;
    const height = shown?.offsetHeight ?? 0;
    if (!shown) list.scrollTop = 0;
    else if (top < 0) list.scrollTop += top - 2 * height;
    else if (top + height > list.clientHeight) list.scrollTop += top + 3 * height - list.clientHeight;
  }

  function mark() {
    const now = buttons.get(room.node) ?? null;
    if (now !== shown) {
      shown?.removeAttribute("aria-current");
      shown = now;
      shown?.setAttribute("aria-current", "step");
    }
    entry?.setAttribute("tabindex", "-1");
    entry = shown ?? list.querySelector(".move");
    entry?.setAttribute("tabindex", "0");
    reveal();
    for (const { to, leap } of leaps) leap.disabled = !to() || to() === room.node;
  }

  function offer() {
    const node = room.node;
    const offered = [];
    if (room.seated) offered.push(button({ onclick: () => write(node) }, node.note ? "Edit note" : "Add note"));
    const engine = room.game?.players.some(({ person }) => !person);
    if (engine && room.seated && node !== room.tree.head) {
      const title = "Start a new game from this position; this one stays as it is";
      offered.push(button({ title, onclick: () => room.tryAgain(node) }, "Play on from here"));
    }
    if (node.parent !== null && !(room.game && node.main) && room.seated) {
      const title = "Delete this move and everything after it";
      offered.push(button({ title, onclick: () => room.removeBranch(node) }, "Delete"));
    }
    put(tools, ...offered);
  }

  // ---- updates ---------------------------------------------------------------------------------

  /** Find out who moved first, and whether the players alternate: only then are moves paired. */
  function learn(node, position) {
    if (!position?.to_move) return;
    if (node.parent === null) order = { ...order, first: position.to_move };
    else if (position.to_move !== (node.ply % 2 ? 3 - order.first : order.first)) {
      order = { ...order, pairs: false };
    }
  }

  function update() {
    const focused = list.contains(active()) ? nodes.get(active()) : null;
    if (room.game) learn(room.tree.head, room.game.position);
    const next = new Map();
    let at = list.firstChild;
    for (const block of blocks()) {
      const old = built.get(block.name);
      const element = old?.text === block.text ? old.element : block.build();
      next.set(block.name, { text: block.text, element });
      if (element === at) at = at.nextSibling;
      else list.insertBefore(element, at);
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    built = next;
    list.classList.toggle("blank", next.size === 0);
    mark();
    offer();
    if (focused && !list.contains(active())) buttons.get(focused)?.focus();
  }

  function arrive() {
    const node = room.node;
    room.positionOf(node).then(
      (position) => {
        const before = order;
        learn(node, position);
        if (order !== before) update();
      },
      () => {},
    );
    update();
  }

  const seen = new ResizeObserver(reveal); // also when the list becomes visible
  seen.observe(list);
  const offs = [
    listen(room, ["game"], update),
    listen(room, ["node"], arrive),
    room.on("review", (review) => {
      for (const [node, judged] of gradesOf(room.tree, review)) grades.set(node, judged);
      update();
    }),
  ];
  room.positionOf(room.tree.root).then(
    (position) => {
      learn(room.tree.root, position);
      update();
    },
    () => {},
  );
  update();

  return {
    update,
    destroy() {
      seen.disconnect();
      offs.forEach((off) => off());
      put(host);
    },
  };
}
