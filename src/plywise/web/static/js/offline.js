// Without the server: the worker that keeps what can be shown, and a line that says what cannot.
// Loaded when the page has nothing else to do.

import { h, put } from "./dom.js";

const PAUSE = 2000; // milliseconds between two looks for the server
const WORDS =
  "The server cannot be reached. Puzzles, exercises and saved reviews still work; " +
  "games and analysis need it, and continue by themselves when it is back.";

let looking = null; // a timer while the server is away

/** Show the line, and take it away as soon as the server answers. */
function lost() {
  if (looking !== null) return;
  put(place(), h("p", {}, WORDS));
  looking = setTimeout(look, PAUSE);
}

async function look() {
  const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
  if (answer === null) {
    looking = setTimeout(look, PAUSE);
    return;
  }
  looking = null;
  put(place());
  document.dispatchEvent(new Event("server-back"));
  if (document.querySelector(".view-missing")) location.reload();
}

function place() {
  const found = document.getElementById("offline");
  if (found !== null) return found;
  const made = h("div", { id: "offline", role: "status" });
  document.querySelector("header.top").after(made);
  return made;
}

/** Start the worker, and have it fetch what may be wanted later. */
async function register() {
  if (!("serviceWorker" in navigator)) return; // such as over plain http from another machine
  try {
    await navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" });
    (await navigator.serviceWorker.ready).active?.postMessage("fetch");
  } catch {
    // Not allowed here, such as in a private window: everything works, but not without the server.
  }
}

export function start() {
  document.addEventListener("server-lost", lost);
  addEventListener("offline", lost);
  if (!navigator.onLine) lost();
  register();
}
