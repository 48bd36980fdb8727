// Games and pictures as files, and copying text to the clipboard.

import { h, put } from "../dom.js";
import { drawScene, viewOf } from "../board/scene.js";

/** Copy a text; without the clipboard API, such as over plain http, by selecting a field. */
export async function copy(text, field = null) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const source = field ?? document.body.appendChild(h("textarea", { class: "unseen", value: text }));
    source.select();
    const copied = document.execCommand("copy");
    if (source !== field) source.remove();
    return copied;
  }
}

/** Offer a text, or the contents of a file, as a download. */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.body.appendChild(h("a", { href: address, download: name, hidden: true }));
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The text of a file that the user has chosen; an Error with one clear line if it has none. */
export async function textOf(file, most) {
  const tooLarge = new Error(`${file.name} is too large: at most ${most.toLocaleString("en")} characters can be opened.`);
  if (file.size > 4 * most) throw tooLarge; // a character takes up to four bytes
  let data;
  try {
    data = await file.arrayBuffer();
  } catch {
    throw new Error(`${file.name} cannot be read.`);
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new Error(`${file.name} is not a text file.`);
  }
  if (text.length > most) throw tooLarge;
  if (!text.trim()) throw new Error(`${file.name} is empty.`);
  return text;
}

// ---- a free board as a game --------------------------------------------------------------------

/** A free board as the JSON of a game between two people: the first line and the variations. */
export function boardAsJson(room) {
  const line = [];
  for (let node = room.tree.root.next; node; node = node.next) line.push(node);
  const branches = [];
  const others = [room.tree.root, ...line].flatMap((node) => node.children.slice(line.includes(node.next) ? 1 : 0));
  for (const node of others) ends(node, [], (path) => branches.push({ at: node.ply - 1, moves: path.map(plain) }));
  return {
    plywise: 1,
    game: room.spec,
    players: ["human", "human"],
    start: room.start,
    clock: null,
    seed: 0,
    notes: room.tree.root.note ? [room.tree.root.note] : [],
    moves: line.map(plain),
    undone: [],
    branches,
    result: null,
  };
}

const plain = (node) => ({ text: node.move, seconds: 0, note: node.note });

/** Call `found` with every path from a node to a leaf. */
function ends(node, before, found) {
  const path = [...before, node];
  if (node.children.length === 0) found(path);
  for (const child of node.children) ends(child, path, found);
}

/** The same as a text. */
export function boardAsText(room) {
  const { game, players, start, notes, moves, branches } = boardAsJson(room);
  const numbered = (list, first) =>
    list.map(({ text, note }, index) => `${first + index}. ${text}${note ? `  ; ${note}` : ""}`);
  return [
    "plywise game 1",
    ...notes.map((note) => `; ${note}`),
    `game    ${game}`,
    `first   ${players[0]}`,
    `second  ${players[1]}`,
    ...(start === null ? [] : [`start   ${start}`]),
    "",
    ...numbered(moves, 1),
    ...branches.flatMap(({ at, moves: tried }) => ["branch", ...numbered(tried, at + 1)]),
    "end",
    "",
  ].join("\n");
}

// ---- a picture ---------------------------------------------------------------------------------

/** The theme that the page is drawn in now, "light" or "dark". */
export function shownTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return document.documentElement.dataset.theme ?? system;
}

const PAINT = ["fill", "stroke", "stroke-width", "opacity", "font-family"];
const SCALE = 64; // pixels for each unit of the board

/** A position as a standalone SVG, with the styles of the page written into it. */
export function pictureOf(position) {
  const svg = drawScene(position.scene);
  const holder = document.body.appendChild(h("div", { class: "unseen", "aria-hidden": "true" }, svg));
  for (const element of svg.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    for (const name of PAINT) {
      if (name === "font-family" && element.localName !== "text") continue;
      element.setAttribute(name, style.getPropertyValue(name));
    }
  }
  for (const element of svg.querySelectorAll("*")) {
    element.removeAttribute("class");
    element.removeAttribute("data-id");
  }
  const [, , width, height] = viewOf(position.scene);
  svg.removeAttribute("class");
  svg.setAttribute("width", width * SCALE);
  svg.setAttribute("height", height * SCALE);
  holder.remove();
  put(holder);
  return new XMLSerializer().serializeToString(svg);
}
