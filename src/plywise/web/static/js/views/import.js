// Importing a game: pasted, or from a file.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { post } from "../net.js";

/** Ask for a game as text or JSON, import it and open it. */
export function importGame(app) {
  const text = h("textarea", {
    id: "import-text",
    rows: 10,
    class: "notation",
    spellcheck: "false",
    placeholder: "plywise game 1\ngame    …\nfirst   human\nsecond  auto:level=4\n\n1. …\n2. …\n…",
    "aria-describedby": "import-wrong",
  });
  const file = h("input", {
    type: "file",
    id: "import-file",
    accept: ".txt,.json,.ply,text/plain,application/json",
    onchange: async () => {
      if (file.files.length) text.value = await file.files[0].text();
    },
  });
  const wrong = h("p", { class: "wrong", id: "import-wrong", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      const game = await post("/api/games/import", read(text.value));
      dialog.close();
      await app.go(`/game/${encodeURIComponent(game.id)}`);
    } catch (error) {
      wrong.textContent = error.message;
      text.setAttribute("aria-invalid", "true");
      text.focus();
    }
  };
  const dialog = openDialog(
    "Import a game",
    h(
      "form",
      { class: "import-form", onsubmit: send },
      h(
        "div",
        { class: "field" },
        h("label", { for: "import-text" }, "Game as plywise text or JSON"),
        text,
        wrong,
      ),
      h("div", { class: "field" }, h("label", { for: "import-file" }, "Or choose a file"), file),
      h("div", { class: "buttons end" }, h("button", { class: "button main", type: "submit" }, "Import")),
    ),
  );
  text.focus();
}

/** The body of the import request: JSON begins with a brace, everything else is text. */
function read(text) {
  if (!text.trim()) throw new Error("Nothing to import yet: paste a game or choose a file.");
  if (!text.trim().startsWith("{")) return { text };
  try {
    return { json: JSON.parse(text) };
  } catch {
    throw new Error("This starts like JSON but is not valid JSON.");
  }
}
