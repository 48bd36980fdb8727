// Telling a player what happens: the sounds of a game, and a notification when it is their turn. Both are off
// until somebody switches them on; the title of the window says it too.

import { h, put, tell } from "../dom.js";
import { icon } from "../icons.js";

// ---- sounds, made by the browser ----

const SOUNDS = "sounds";
const TONES = {
  mine: [[420, 0.05]],
  theirs: [[300, 0.06]],
  offer: [[660, 0.12]],
  end: [
    [392, 0.14],
    [523, 0.22],
  ],
};
const LOUD = 0.12; // of 1

let audio = null;

export function soundsOn() {
  try {
    return localStorage.getItem(SOUNDS) === "on";
  } catch {
    return false; // storage is not available
  }
}

export function setSounds(on) {
  try {
    localStorage.setItem(SOUNDS, on ? "on" : "off");
  } catch {
    // It lasts until the page is left.
  }
  if (on) sound("mine"); // a browser allows sounds only after a click, such as this one
}

/** Play a sound by its name, if they are on: each tone has a pitch and a length in seconds. */
export function sound(name) {
  if (!soundsOn() || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  let time = audio.currentTime;
  for (const [pitch, length] of TONES[name]) {
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: LOUD });
    volume.gain.setValueAtTime(LOUD, time);
    volume.gain.exponentialRampToValueAtTime(0.001, time + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(time);
    tone.stop(time + length);
    time += length;
  }
}

/** Make a room heard: the moves of both players, and the end of the game. */
export function listenTo(room) {
  let { head } = room.tree;
  let over = room.game?.result ?? null;
  return room.on("game", (game) => {
    const moved = room.tree.head.parent === head;
    if (game?.result && !over) sound("end");
    else if (moved) sound(game.you.includes(game.position.to_move) ? "theirs" : "mine");
    head = room.tree.head;
    over = game?.result ?? null;
  });
}

// ---- notifications of the browser ----

const NOTIFICATION = "turn notification";

/** Has the user switched it on in this browser? */
function wanted() {
  try {
    return localStorage.getItem(NOTIFICATION) === "on";
  } catch {
    return false; // storage is not available
  }
}

function want(on) {
  try {
    localStorage.setItem(NOTIFICATION, on ? "on" : "off");
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
