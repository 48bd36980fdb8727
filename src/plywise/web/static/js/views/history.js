// The history of the user's games, /history: filters, and how they went by game and by opponent.

import { h, put } from "../dom.js";
import { get } from "../net.js";

const RESULTS = { won: "won", lost: "lost", drawn: "drawn", running: "running", other: "finished" };
const STEP = 50; // games shown at first, and more with every press

export async function show(root, params, app) {
  const { games } = await get("/api/history");
  app.title("History");
  const chosen = { game: params.of ?? "", opponent: "", result: "" };
  let most = STEP;
  const filters = h("div", { class: "history-filters" });
  const figures = h("div", { class: "history-figures" });
  const list = h("div", {});
  put(
    root,
    h(
      "div",
      { class: "page" },
      h("h1", {}, "History"),
      games.length === 0 ? h("p", { class: "muted" }, "Your games appear here once you have played one.") : null,
      games.length === 0 ? null : [filters, figures, list],
    ),
  );
  const results = games.map((game) => ({ ...game, result: resultOf(game) }));

  const choice = (name, label, values) => {
    const id = `history-${name}`;
    const select = h(
      "select",
      {
        id,
        onchange: () => {
          chosen[name] = select.value;
          most = STEP;
          draw();
        },
      },
      h("option", { value: "" }, "All"),
      values.map(([value, words]) => h("option", { value, selected: chosen[name] === value }, words)),
    );
    return h("div", { class: "field" }, h("label", { for: id }, label), select);
  };
  const unique = (pairs) => [...new Map(pairs)].sort((one, other) => one[1].localeCompare(other[1], "en", { numeric: true }));

  put(
    filters,
    choice("game", "Game", unique(results.map(({ game, title }) => [game, title]))),
    choice("opponent", "Opponent", unique(results.map(({ opponent }) => [opponent, capital(opponent)]))),
    choice("result", "Result", Object.entries(RESULTS).filter(([name]) => results.some(({ result }) => result === name)).map(([name, words]) => [name, capital(words)])),
  );

  function draw() {
    const found = results.filter((game) => Object.entries(chosen).every(([name, value]) => value === "" || game[name] === value));
    put(figures, statistics(found));
    put(
      list,
      h("h2", {}, `${found.length} ${found.length === 1 ? "game" : "games"}`),
      h("ul", { class: "history-list" }, found.slice(0, most).map(row)),
      found.length > most
        ? h("button", { type: "button", class: "button", onclick: () => ((most += STEP), draw()) }, "Show more")
        : null,
    );
  }

  if (games.length > 0) draw();
}

/** How a game went for the user. */
function resultOf({ over, you, winner }) {
  if (!over) return "running";
  if (you.length !== 1 || winner === null) return "other";
  return winner === 0 ? "drawn" : you.includes(winner) ? "won" : "lost";
}

/** Games won, drawn and lost, for each game and opponent; only those that somebody could win or lose. */
function statistics(games) {
  const rows = new Map();
  for (const { title, opponent, result } of games) {
    if (!["won", "drawn", "lost"].includes(result)) continue;
    const key = `${title}\n${opponent}`;
    if (!rows.has(key)) rows.set(key, { title, opponent, won: 0, drawn: 0, lost: 0 });
    rows.get(key)[result] += 1;
  }
  if (rows.size === 0) return null;
  const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true })).map(([, row]) => row);
  const all = sorted.reduce((sum, { won, drawn, lost }) => ({ won: sum.won + won, drawn: sum.drawn + drawn, lost: sum.lost + lost }), { won: 0, drawn: 0, lost: 0 });
  const cells = ({ won, drawn, lost }) => {
    const share = Math.round((100 * (won + drawn / 2)) / (won + drawn + lost));
    return [won, drawn, lost, `${share} %`].map((value) => h("td", {}, String(value)));
  };
  return h(
    "table",
    { class: "history-table" },
    h("thead", {}, h("tr", {}, ["Game", "Opponent", "Won", "Drawn", "Lost", "Score"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, sorted.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title), h("td", {}, capital(row.opponent)), cells(row)))),
    sorted.length > 1 ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 2 }, "All"), cells(all))) : null,
  );
}

function row({ id, title, opponent, result, moves, updated }) {
  const when = new Date(1000 * updated);
  return h(
    "li",
    {},
    h("a", { href: `/game/${encodeURIComponent(id)}` }, title),
    h("span", {}, capital(opponent)),
    h("span", { class: `history-${result}` }, capital(RESULTS[result])),
    h("span", { class: "muted" }, `${moves} ${moves === 1 ? "move" : "moves"}`),
    h("time", { class: "muted", datetime: when.toISOString() }, when.toLocaleDateString("en", { dateStyle: "medium" })),
  );
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
