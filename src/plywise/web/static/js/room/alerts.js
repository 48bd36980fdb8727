// Telling a player that it is their turn: a browser notification, on request only.
// The title of the window says it too, and so do the sounds, which are switched on elsewhere.

import { h, put, tell } from "../dom.js";
import { icon } from "../icons.js";

const KEY = "turn notification";

/** Has the user switched it on in this browser? */
function wanted() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is not available
  }
}

function want(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Storage is not available: it cannot be switched on.
  }
}

const allowed = () => "Notification" in window && Notification.permission === "granted";

/** Notify the user, if they have asked for it and do not see the page. */
export function alertUser(title, words) {
  if (!wanted() || !allowed() || !document.hidden) return;
  const shown = new Notification(title, { body: words, tag: location.pathname, icon: "/static/icon.svg" });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/** A switch; `update(shown)` shows or hides it. */
export function create(host) {
  const title = "Show a browser notification when it is your turn";
  const button = h("button", { type: "button", class: "button plain", title }, icon("bell"), "Notify me");
  const draw = () => button.setAttribute("aria-pressed", String(wanted() && allowed()));
  button.addEventListener("click", async () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    want(on && (await mayNotify()));
    draw();
  });
  draw();
  const box = h("div", { class: "alerts" }, button);
  put(host, box);
  return { update: (shown) => (box.hidden = !shown) };
}

async function mayNotify() {
  if (!("Notification" in window)) {
    tell("This browser has no notifications.");
    return false;
  }
  if ((await Notification.requestPermission()) === "granted") return true;
  tell("The browser does not allow notifications from this page. You can change that in its settings.");
  return false;
}
