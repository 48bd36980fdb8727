// The page shown when a page is not found or fails.

import { h, put } from "../dom.js";

const LOST = "Page not found";

/** `error` is why a page could not be shown; without it the URL is unknown. */
export function show(root, { error = null }, app) {
  const status = error?.status;
  const lost = error === null || status === 404;
  const heading = lost ? LOST : status === 0 ? "The server is not responding" : "Something went wrong";
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
  if (error === null) return "The address may be misspelt, or the game may have been deleted.";
  if (status === 0)
    return "Is plywise still running? Your games are saved, and you can continue them once it is back.";
  if (status === undefined) return "This page could not be shown. Your games are saved.";
  return error.message;
}
