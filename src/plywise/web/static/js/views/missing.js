// What is shown where a page is missing or went wrong.

import { h, put } from "../dom.js";

const LOST = "There is no such page";

/** `error` is why a page could not be shown; without it the address means none of our pages. */
export function show(root, { error = null }, app) {
  const status = error?.status;
  const lost = error === null || status === 404;
  const heading = lost ? LOST : status === 0 ? "The server does not answer" : "Something went wrong";
  app.title(heading);
  put(
    root,
    h(
      "section",
      { class: "empty" },
      h("h1", {}, heading),
      h("p", { class: "muted" }, words(error, status)),
      h(
        "div",
        { class: "buttons" },
        lost
          ? null
          : h(
              "button",
              { class: "button main", type: "button", onclick: () => location.reload() },
              "Try again",
            ),
        h("a", { class: lost ? "button main" : "button", href: "/" }, "All games"),
      ),
    ),
  );
  if (error !== null && status === undefined) console.error(error);
}

function words(error, status) {
  if (error === null) return "The address may be misspelt, or the game may have been removed.";
  if (status === 0)
    return "Is plywise still running? Your games are kept, and they go on from where they were.";
  if (status === undefined) return "This page could not be drawn. Your games are kept.";
  return error.message;
}
