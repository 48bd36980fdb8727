// The router: links, the back button, and what all pages share.

import { announce, tell, typing } from "./dom.js";
import { Refused } from "./net.js";
import * as missing from "./views/missing.js";

const NAME = "plywise";
const PATIENCE = 150; // milliseconds before the loading bar appears

const VIEWS = {
  home: () => import("./views/home.js"),
  setup: () => import("./views/setup.js"),
  game: () => import("./views/game.js"),
  rules: () => import("./views/rules.js"),
  puzzle: () => import("./views/puzzle.js"),
  exercise: () => import("./views/exercise.js"),
  interface: () => import("./views/interface.js"),
  editor: () => import("./views/editor.js"),
  history: () => import("./views/history.js"),
  arena: () => import("./views/arena.js"),
  missing: async () => missing,
};

const PATHS = [
  [/^\/$/, "home", []],
  [/^\/new\/([^/]+)$/, "setup", ["name"]],
  [/^\/game\/([^/]+)$/, "game", ["id"]],
  [/^\/board$/, "game", []],
  [/^\/rules\/([^/]+)$/, "rules", ["name"]],
  [/^\/puzzle\/([^/]+)$/, "puzzle", ["name"]],
  [/^\/exercises\/([^/]+)$/, "exercise", ["name"]],
  [/^\/interface$/, "interface", []],
  [/^\/edit$/, "editor", []],
  [/^\/history$/, "history", []],
  [/^\/arena$/, "arena", []],
  [/^\/arena\/(\d+)$/, "arena", ["number"]],
];

/** The view of a URL and its parameters, from the path and the query. */
function find(url) {
  const query = Object.fromEntries(url.searchParams);
  for (const [pattern, view, names] of PATHS) {
    const match = pattern.exec(url.pathname);
    if (!match) continue;
    try {
      const found = names.map((name, index) => [name, decodeURIComponent(match[index + 1])]);
      return { view, params: { ...query, ...Object.fromEntries(found) } };
    } catch {
      break; // the path is not valid text
    }
  }
  return { view: "missing", params: query };
}

const main = document.getElementById("main");
let leave = () => {}; // tears down the current view
let visit = 0; // the number of the latest view requested

const app = {
  announce,
  tell,
  /** Go to another page; `replace` drops this one from the history. */
  go(path, { replace = false } = {}) {
    keepScroll();
    if (replace) history.replaceState({}, "", path);
    else history.pushState({}, "", path);
    return open({ moved: true });
  },
  /** Set the window title. */
  title(text) {
    document.title = text ? `${text} · ${NAME}` : NAME;
  },
};

/** Show the view of the current URL. `scroll` is the scroll position to restore. */
async function open({ moved, scroll = 0 }) {
  const number = (visit += 1);
  const { view, params } = find(new URL(location.href));
  leave();
  leave = () => {};
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  const root = document.createElement("div");
  root.className = `view-${view}`;
  main.replaceChildren(root);
  mark();
  const slow = setTimeout(() => document.body.classList.add("coming"), PATIENCE);
  const title = (text) => number === visit && app.title(text); // ignored once the user has left the page
  const done = await draw(view, root, params, { ...app, title });
  clearTimeout(slow);
  if (number !== visit) {
    done();
    return;
  }
  document.body.classList.remove("coming");
  leave = done;
  const heading = root.querySelector("h1");
  if (heading) heading.tabIndex = -1;
  scrollTo(0, scroll);
  if (moved && !root.contains(document.activeElement)) heading?.focus({ preventScroll: true });
}

/** Let a view draw itself; if it fails, show the error instead. */
async function draw(view, root, params, own) {
  try {
    const { show } = await load(view);
    return (await show(root, params, own)) ?? (() => {});
  } catch (error) {
    root.className = "view-missing";
    return missing.show(root, { error }, own);
  }
}

async function load(view) {
  try {
    return await VIEWS[view]();
  } catch (error) {
    console.error(error);
    throw new Refused("The server is not responding.", 0);
  }
}

/** Mark the current page in the navigation. */
function mark() {
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function keepScroll() {
  history.replaceState({ ...history.state, scroll: scrollY }, "");
}

/** True for a plain click on a link to another page of this app. */
function ours(event, link) {
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!plain || event.defaultPrevented || !link || link.target || link.hasAttribute("download")) return false;
  if (link.origin !== location.origin || /^\/(api|static)\//.test(link.pathname)) return false;
  return !(link.hash && link.pathname === location.pathname && link.search === location.search);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!ours(event, link)) return;
  event.preventDefault();
  app.go(link.pathname + link.search + link.hash);
});

document.addEventListener("keydown", async (event) => {
  if (event.key !== "?" || typing(event) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  (await import("./room/shortcuts.js")).showKeys();
});

document.getElementById("keys").addEventListener("click", async () => (await import("./room/shortcuts.js")).showKeys());

history.scrollRestoration = "manual";
let kept = null;
addEventListener(
  "scroll",
  () => {
    clearTimeout(kept);
    kept = setTimeout(keepScroll, 100);
  },
  { passive: true },
);
addEventListener("popstate", (event) => {
  clearTimeout(kept);
  open({ moved: true, scroll: event.state?.scroll ?? 0 });
});
open({ moved: false, scroll: history.state?.scroll ?? 0 });

/** Wait until the page has been loaded and nothing else is to be done. */
const idle = window.requestIdleCallback ?? ((later) => setTimeout(later, 1000));
const startOffline = () => idle(async () => (await import("./offline.js")).start());
if (document.readyState === "complete") startOffline();
else addEventListener("load", startOffline);
