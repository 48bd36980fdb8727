// Every legal move with its score and principal variation, best first.

import { active, h, put } from "../dom.js";
import { capital } from "../room/room.js";
import { moveWords, outcomeWords } from "./common.js";

const FEW = 8; // lines shown at first
const LONGEST = 12; // moves shown of a line
const ESTIMATE = "Estimate: 100 is a certain win, -100 a certain loss";

/** `follow(pv, index)` is called with a line and the index of the chosen move. */
export function create(host, follow) {
  const list = h("ol", { class: "lines", "aria-label": "Moves, best first" });
  const more = h("button", { type: "button", class: "button plain small", onclick: () => toggle() });
  put(host, list, more);
  let rows = new Map(); // move -> { text, element }
  let all = false;
  let latest = null;

  function toggle() {
    all = !all;
    if (latest) show(latest);
  }

  function row(line, analysis) {
    const pv = line.pv.length ? line.pv : [line.move];
    const words = line.outcome && capital(outcomeWords(line, analysis.to_move));
    const kind = line.outcome ?? "open";
    const moves = pv.slice(0, LONGEST).map((move, index) =>
      h(
        "button",
        {
          type: "button",
          class: index ? "line-move" : "line-move own",
          title: index ? `Show the position after ${pv.slice(0, index + 1).join(" ")}` : `Show ${move} on the board`,
          onclick: () => follow(pv, index),
        },
        move,
      ),
    );
    return h(
      "li",
      { class: line.move === analysis.best ? "line best" : "line" },
      h("span", { class: `line-score ${kind}`, title: words ?? ESTIMATE }, line.text),
      h(
        "span",
        { class: "line-moves" },
        moves[0],
        line.outcome ? h("span", { class: "line-words" }, moveWords(line)) : null,
        moves.slice(1),
        pv.length > LONGEST ? "…" : null,
      ),
    );
  }

  /** Sort the lines, but keep the old order while the user points at the list. */
  function sorted(lines, best) {
    const better = [...lines].sort((one, other) => byWorth(one, other, best));
    if (!list.matches(":hover, :focus-within")) return better;
    const places = new Map([...rows.keys()].map((move, index) => [move, index]));
    if (better.some((line) => !places.has(line.move))) return better;
    return better.sort((one, other) => places.get(one.move) - places.get(other.move));
  }

  function show(analysis) {
    latest = analysis;
    const only = { ...analysis, move: analysis.best }; // for an engine that scores only its best move
    const ordered = sorted(analysis.lines.length || !analysis.best ? analysis.lines : [only], analysis.best);
    const next = new Map();
    let at = list.firstChild;
    for (const line of all ? ordered : ordered.slice(0, FEW)) {
      const text = [line.text, line.outcome, line.moves_to_win, line.move === analysis.best, ...line.pv].join(" ");
      const old = rows.get(line.move);
      const element = old?.text === text ? old.element : row(line, analysis);
      next.set(line.move, { text, element });
      if (old && old.element !== element && old.element === at) {
        at = at.nextSibling;
        replace(old.element, element);
      } else if (element === at) at = at.nextSibling;
      else list.insertBefore(element, at);
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    rows = next;
    more.hidden = ordered.length <= FEW;
    more.textContent = all ? "Show fewer moves" : `Show all ${ordered.length} moves`;
  }

  function clear() {
    latest = null;
    rows = new Map();
    put(list);
    more.hidden = true;
  }

  clear();
  return { show, clear };
}

/** Replace a row, keeping the focus on the same move. */
function replace(old, element) {
  const index = [...old.querySelectorAll("button")].indexOf(active());
  old.replaceWith(element);
  if (index >= 0) [...element.querySelectorAll("button")].at(index)?.focus();
}

/** Compare by value, faster win or slower loss, the engine's choice, then the game's own score. */
function byWorth(one, other, best) {
  const far = (line) => line.plies_to_end ?? Number.MAX_SAFE_INTEGER;
  const plies = one.value < 0 ? far(other) - far(one) : far(one) - far(other);
  const chosen = (other.move === best) - (one.move === best);
  return other.value - one.value || plies || chosen || other.score - one.score;
}
