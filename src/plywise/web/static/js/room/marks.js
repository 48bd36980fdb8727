// Marks on the board: legal moves, and the scores of an analysis.

import { moveWords } from "../panels/common.js";

/** The marks of a position; `legal`: also those of moves that can be played. */
export function marksOf(position, analysis, legal) {
  const found = [];
  const lines = analysis?.lines ?? [];
  const best = analysis?.best ?? null;
  if (legal) {
    // A score stands inside an outline, but takes the place of a dot.
    const scored = new Set(lines.map(({ move }) => move));
    const marked = ({ move, outline }) => move !== best && (outline.length || !scored.has(move));
    found.push(...position.scene.targets.filter(marked).map(({ move }) => ({ kind: "legal", move })));
  }
  if (best !== null) found.push({ kind: "best", move: best });
  for (const line of lines) {
    const { move, text, size } = line;
    found.push({ kind: "score", move, text, size, words: moveWords(line), best: move === best });
  }
  return found;
}

/** Whether legal moves are marked: as the user chose for a game, or as the server suggests. */
export class LegalMarks {
  constructor(game, suggested) {
    this.key = `moves ${game}`;
    const kept = remembered(this.key);
    this.on = kept === null ? suggested : kept === "shown";
  }

  toggle() {
    this.on = !this.on;
    remember(this.key, this.on ? "shown" : "hidden");
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is not available
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is not available: it lasts until the page is reloaded.
  }
}
