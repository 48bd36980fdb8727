// A game in one click: against the computer, on the usual board, without a clock.

import { remembered } from "../choices.js";
import { writeSpec } from "../kinds.js";
import { post } from "../net.js";
import { BY_LEVEL, USUAL_LEVEL } from "./fields.js";

/** Start a game at the level and on the side chosen the last time; `button` waits meanwhile. */
export async function playNow(kind, app, button) {
  const kept = remembered(kind.name);
  const level = Number(kept.level) || USUAL_LEVEL;
  const side = kept.side ?? (kind.toss ? "toss" : "1");
  const computer = level >= kind.levels ? BY_LEVEL : writeSpec(BY_LEVEL, { level });
  const [first, second] = side === "2" ? [computer, "human"] : ["human", computer];
  button.disabled = true;
  try {
    const game = await post("/api/games", { game: kind.name, first, second, toss: side === "toss" });
    await app.go(`/game/${encodeURIComponent(game.id)}${side === "toss" ? "?toss=yes" : ""}`);
  } catch (error) {
    app.tell(error.message);
    button.disabled = false;
  }
}
