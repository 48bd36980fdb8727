// The rules of a game or a puzzle, with pictures.

import { h, put } from "../dom.js";
import { icon } from "../icons.js";
import { allPuzzles, allowed, writeSpec, written as valueText } from "../kinds.js";
import { get, post } from "../net.js";
import { drawScene } from "../board/scene.js";

export async function show(root, params, app) {
  const name = encodeURIComponent(params.name);
  const puzzle = (await allPuzzles()).some((each) => each.name === params.name);
  const guide = await get(`/api/${puzzle ? "puzzles" : "kinds"}/${name}/guide`);
  app.title(`Rules of ${guide.title}`);
  const example = guide.blocks.find(({ type, moves }) => type === "picture" && moves.length);
  const written =
    example && (await post("/api/positions", { game: guide.name, moves: example.moves })).notation;
  put(
    root,
    h(
      "article",
      { class: "page narrow guide" },
      h("h1", {}, guide.title),
      h("p", { class: "lead" }, guide.summary),
      groups(guide.blocks).map((block) => draw(block, name)),
      guide.parameters.length ? parameters(guide) : null,
      written ? notation(guide, written) : null,
      h(
        "div",
        { class: "buttons last" },
        h("a", { class: "button main big", href: `/${puzzle ? "puzzle" : "new"}/${name}` }, icon("play"), `Play ${guide.title}`),
        puzzle ? null : h("a", { class: "button big", href: `/board?game=${name}` }, "Try it on a board"),
      ),
    ),
  );
}

/** The blocks, with consecutive pictures grouped together. */
function groups(blocks) {
  const found = [];
  for (const block of blocks) {
    if (!["picture", "sketch"].includes(block.type)) found.push(block);
    else if (found.at(-1)?.type === "pictures") found.at(-1).pictures.push(block);
    else found.push({ type: "pictures", pictures: [block] });
  }
  return found;
}

function draw(block, name) {
  if (block.type === "heading") return h("h2", {}, block.text);
  if (block.type === "list")
    return h(
      "ul",
      {},
      block.items.map((item) => h("li", {}, item)),
    );
  if (block.type === "pictures")
    return h(
      "div",
      { class: "pictures" },
      block.pictures.map((found) => picture(found, name)),
    );
  return h("p", {}, block.text);
}

/** A picture, linked to a board with its position, or to its puzzle. */
function picture({ caption, scene, moves, puzzle }, name) {
  const drawn = drawScene(scene, { label: caption });
  const href = puzzle
    ? `/puzzle/${name}?p=${encodeURIComponent(puzzle)}`
    : `/board?game=${name}&moves=${encodeURIComponent(moves.join(" "))}`;
  return h(
    "figure",
    {},
    h(
      "a",
      { class: "card", href, "aria-label": `${caption}: try it on a board`, title: "Try it on a board" },
      drawn,
    ),
    h("figcaption", { class: "muted small" }, caption),
  );
}

function parameters({ parameters: found }) {
  return [
    h("h2", {}, "Settings"),
    h(
      "div",
      { class: "table" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Name", "Meaning", "Default", "Allowed values"].map((text) => h("th", { scope: "col" }, text)),
          ),
        ),
        h(
          "tbody",
          {},
          found.map((parameter) =>
            h(
              "tr",
              {},
              h("td", {}, h("code", {}, parameter.name)),
              h("td", {}, parameter.help),
              h("td", {}, valueText(parameter.default) || "–"),
              h("td", {}, allowed(parameter)),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** How moves and specs are written, by example. */
function notation({ name, parameters: found }, moves) {
  const usual = found.filter((parameter) => parameter.default !== null);
  const spec = writeSpec(
    name,
    Object.fromEntries(usual.map((parameter) => [parameter.name, parameter.default])),
  );
  return [
    h("h2", {}, "Notation"),
    h(
      "p",
      {},
      "The moves in the first picture are written ",
      h("code", {}, moves),
      "; the default board is ",
      h("code", {}, spec),
      ".",
    ),
  ];
}
