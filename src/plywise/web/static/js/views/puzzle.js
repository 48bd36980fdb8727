// The page of a puzzle, /puzzle/NAME?p=ID: which puzzle it is.

import { allPuzzles } from "../kinds.js";
import { Refused, post } from "../net.js";
import { Page } from "../puzzle/page.js";
import { Attempt, keptPuzzles } from "../room/puzzle.js";
import { api, dailyPuzzles, newPuzzle, openPuzzle } from "./puzzles.js";

export async function show(root, params, app) {
  const kind = (await allPuzzles()).find(({ name }) => name === params.name);
  if (kind === undefined) throw new Refused(`There is no puzzle ${params.name}.`, 404);
  const kept = keptPuzzles(kind.name);
  const wanted = params.p ?? kept.find(({ solved }) => !solved)?.id ?? "";
  let wrong = null; // why the text in the address is not a puzzle
  const puzzle = await post(api(kind), { puzzle: wanted, counted: false }).catch((error) => {
    if (error.status !== 422) throw error;
    wrong = error.message;
    return post(api(kind), { puzzle: "", counted: false });
  });
  const attempt = new Attempt(puzzle, kind.marks, kept.find(({ id }) => id === puzzle.id) ?? null);
  attempt.grade = params.grade ?? attempt.grade;
  const page = new Page(root, kind, attempt, app);
  if (wrong !== null) openPuzzle(kind, app, { text: wanted, wrong });
  else if (params.new !== undefined) newPuzzle(kind, app);
  else if (params.daily !== undefined) dailyPuzzles(kind, app);
  return () => page.destroy();
}
