// A game in a frame of another site: /embed/board?game=SPEC&start=TEXT&moves=TEXT&at=PLY&theme=dark.
// It only shows: whoever wants to play follows the link to the analysis board.

import { Film } from "../js/board/film.js";
import { h, put } from "../js/dom.js";
import { icon } from "../js/icons.js";

const PACE = 900; // milliseconds on each position while it plays

const host = document.getElementById("board");
const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

/** The frames of the game that the address names; an Error with the server's line if it is refused. */
async function load() {
  const asked = new URLSearchParams([...query].filter(([name]) => ["game", "start", "moves"].includes(name)));
  const answer = await fetch(`/api/pictures/film?${asked}`);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  const frames = found.frames.map((frame) => ({ ...frame, shapes: frame.shapes.map((at) => found.shapes[at]) }));
  return { ...found, frames, link: `/board?${asked}` };
}

function show({ title, moves, frames, link }) {
  document.title = title;
  const picture = h("div", { class: "picture", role: "img" });
  const film = new Film(picture, frames[0]);
  const words = h("output", {});
  let at = null;
  let timer = null;

  function go(next, animate = false) {
    at = Math.min(frames.length - 1, Math.max(0, next));
    const scene = frames[at];
    film.draw(scene);
    if (animate) film.move(scene.motion);
    picture.setAttribute("aria-label", `${scene.title}. ${scene.description}`);
    words.textContent = at === 0 ? title : `${at} of ${moves.length}: ${moves[at - 1]}`;
    back.disabled = first.disabled = at === 0;
    on.disabled = last.disabled = at === frames.length - 1;
    words.title = scene.title;
  }

  function play() {
    timer = setInterval(() => {
      if (at === frames.length - 1) stop();
      else go(at + 1, true);
    }, PACE);
    go(at === frames.length - 1 ? 0 : at + 1, true);
    name(run, "pause", "Pause");
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    name(run, "play", "Play");
  }

  const name = (button, drawn, label) => {
    put(button, icon(drawn));
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  const button = (drawn, label, onclick) => {
    const made = h("button", { type: "button", onclick });
    name(made, drawn, label);
    return made;
  };
  const step = (next) => () => {
    stop();
    go(next(), true);
  };
  const first = button("first", "First", step(() => 0));
  const back = button("previous", "Previous", step(() => at - 1));
  const run = button("play", "Play", () => (timer === null ? play() : stop()));
  const on = button("next", "Next", step(() => at + 1));
  const last = button("last", "Last", step(() => frames.length - 1));
  const keys = { ArrowLeft: back, ArrowRight: on, Home: first, End: last };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    keys[event.key].click();
    event.preventDefault();
  });
  const buttons = moves.length > 0 ? [first, back, run, on, last] : [];
  const outside = h("a", { href: link, target: "_blank", rel: "noopener" }, "plywise");
  put(host, picture, h("div", { class: "steps" }, buttons, words, outside));
  const wanted = query.get("at");
  go(wanted === null || !/^\d+$/.test(wanted) ? frames.length - 1 : Number(wanted));
}

/** Tell the page around the frame how high it would like to be. */
function measure() {
  if (window.parent === window) return;
  const { height } = host.getBoundingClientRect();
  // Any origin may know it: the server has decided who may show this page.
  window.parent.postMessage({ plywise: "height", height: Math.ceil(height) }, "*");
}

try {
  show(await load());
} catch (problem) {
  put(host, h("p", { role: "alert" }, problem.message));
}
new ResizeObserver(measure).observe(host);
measure();
