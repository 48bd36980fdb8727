// Telling a player that it is their turn: a sound and a browser notification, both only on request.
// The title of the window says it too; that is up to the page.

import { h, put, tell } from "../dom.js";
import { icon } from "../icons.js";

const TONES = [660, 880]; // hertz, one after the other
const TONE = 0.12; // seconds

/** What the user has switched on, remembered in this browser. */
function wanted(name) {
  try {
    return localStorage.getItem(`turn ${name}`) === "on";
  } catch {
    return false; // storage is not available
  }
}

function want(name, on) {
  try {
    localStorage.setItem(`turn ${name}`, on ? "on" : "off");
  } catch {
    // Storage is not available: it cannot be switched on.
  }
}

const allowed = () => "Notification" in window && Notification.permission === "granted";

let audio = null;

/** Two short tones. A browser may refuse to play them before the first click on the page. */
function chime() {
  audio ??= new AudioContext();
  TONES.forEach((tone, index) => {
    const source = new OscillatorNode(audio, { frequency: tone });
    const volume = new GainNode(audio, { gain: 0.15 });
    const start = audio.currentTime + index * TONE;
    source.connect(volume).connect(audio.destination);
    source.start(start);
    source.stop(start + TONE);
  });
}

/** Alert the user with these words, in the ways that they have switched on. */
export function alertUser(title, words) {
  if (wanted("sound")) chime();
  if (!wanted("notification") || !allowed() || !document.hidden) return;
  const shown = new Notification(title, { body: words, tag: location.pathname, icon: "/static/icon.svg" });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/** Two switches; `update(shown)` shows or hides them. */
export function create(host) {
  const toggle = (name, drawn, text, title, ask) => {
    const button = h("button", { type: "button", class: "button plain", title }, icon(drawn), text);
    const draw = () => button.setAttribute("aria-pressed", String(wanted(name) && (name === "sound" || allowed())));
    button.addEventListener("click", async () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      want(name, on && (await ask()));
      draw();
    });
    draw();
    return button;
  };
  const box = h(
    "div",
    { class: "alerts", role: "group", "aria-label": "When it is your turn" },
    toggle("sound", "sound", "Turn sound", "Play a sound when it is your turn", async () => {
      chime();
      return true;
    }),
    toggle("notification", "bell", "Notify me", "Show a browser notification when it is your turn", mayNotify),
  );
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
