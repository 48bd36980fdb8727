// The rules of a puzzle in short, with its keys.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";

/** Open a dialog with the rules; `draws`: are paths drawn by dragging? */
export function showRules({ name, title, rules, notation, marks, sides, makes, sided, guide, checks, explains, days }, draws) {
  const [first, ...others] = [...marks.map(({ words }) => words), "nothing"];
  const click = `Click or tap a place for ${first}, again for ${others.join(", again for ")}.`;
  const drag = `Drag along the dots to draw ${marks[0].many || marks[0].words}; drag back to take them back. Two fingers move the board and zoom.`;
  const letters = marks.filter(({ letter }) => letter);
  const keys = [
    [["←", "→", "↑", "↓"], "go to the next place in this direction"],
    ...(draws ? [[["Shift", "→"], `draw ${marks[0].words} in this direction and go on; back again takes it back`]] : []),
    ...(sided ? [[["w", "a", "s", "d"], "go to the top, left, bottom or right side of this cell"]] : []),
    [["Enter"], `${[...marks.map(({ words }) => words), "nothing"].join(", ")}, in turn`],
    ...letters.map((mark) => [[mark.letter], mark === marks.at(-1) ? `${mark.words}; also with a right click` : mark.words]),
    [["h", "c"], "hint, press again to see more; check"],
    [["u", "r", "m"], "undo; redo; undo to the first mistake"],
    [["p", "b"], "set a save point; return to the last one"],
    [["+", "-", "0"], "zoom in; zoom out; show the whole board"],
    ...(checks ? [[["g"], "auto-check on or off"]] : []),
    ...(sides ? [[["k"], `colour ${sides}`]] : []),
    [["v", ...(explains ? ["e"] : [])], `let the computer solve it${explains ? "; explain the solution" : ""}`],
    [["t", "o", "l"], "share; open; clear"],
    ...(makes ? [[["n", ...(days.length ? ["y"] : [])], `new puzzle${days.length ? "; the puzzles of the day" : ""}`]] : []),
  ];
  const told = [...rules, click, ...(draws ? [drag] : []), ...(notation ? [notation] : [])];
  openDialog(
    title,
    h("ul", {}, told.map((rule) => h("li", {}, rule))),
    guide ? h("p", {}, h("a", { href: `/rules/${encodeURIComponent(name)}` }, "The rules with pictures")) : null,
    h(
      "dl",
      { class: "keys" },
      keys.flatMap(([names, words]) => [
        h("dt", {}, names.map((key) => h("kbd", {}, key))),
        h("dd", {}, words),
      ]),
    ),
  );
}
