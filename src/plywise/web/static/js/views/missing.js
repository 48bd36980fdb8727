// The page shown when a page is not found or fails.

import { h, put } from "../dom.js";
import { whenBack } from "../net.js";

const LOST = "Page not found";

/**
 * `error` is why a page could not be shown; without it the URL is unknown. If the server did not answer,
 * the page loads again as soon as it does.
 */
export function show(root, { error = null }, app) {
  const status = error?.status;
  const lost = error === null || status === 404 || status === 422; // no such thing, or no such board
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
  return status === 0 ? whenBack(() => location.reload()) : () => {};
}

function words(error, status) {
  if (error === null) return "The address may be misspelt, or the game may have been deleted.";
  if (status === 0)
    return "Is plywise still running? Your games are saved. This page tries again by itself and continues once the server is back.";
  if (status === undefined) return "This page could not be shown. Your games are saved.";
  return error.message;
}
