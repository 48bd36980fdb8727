// The keyboard of a room: letters that do something, and moves that are typed.
//
// A letter can be both, as "a" on a board with columns a to c. It begins a move while the board has
// the keyboard, and with Shift or anywhere else it does what the list of keys says. Digits always
// begin a move.

import { typing } from "./dom.js";

/**
 * `field` shows what is typed; `legal()` are the moves there are; `submit()` plays what the field
 * says; `actions` are the functions of the letters, `walk` those of the arrows with Alt; `point(key)`
 * takes an arrow that nothing else has, and says whether it was of use.
 */
export function listen({ field, board, legal, submit, actions, walk, point }) {
  const fits = (text) => legal().filter((move) => move.toLowerCase().startsWith(text.toLowerCase()));

  function type(key, event) {
    const text = field.value + key;
    const found = fits(text);
    const meant = /\d/.test(key) || field.value !== "" || board.contains(document.activeElement);
    if (event.shiftKey || !meant || found.length === 0) return false;
    field.value = text;
    if (found.length === 1 && found[0].toLowerCase() === text.toLowerCase()) submit();
    return true;
  }

  function edit(key) {
    if (field.value === "") return false;
    if (key === "Enter") submit();
    else if (key === "Backspace") field.value = field.value.slice(0, -1);
    else if (key === "Escape") field.value = "";
    else return false;
    return true;
  }

  function handle(event) {
    const { key } = event;
    if (event.altKey && key in walk) return run(walk[key]);
    if (document.activeElement === document.body && key in walk && point(key)) return true;
    if (edit(key)) return true;
    if (key.length === 1 && key !== " " && type(key, event)) return true;
    return run(actions[key.toLowerCase()]);
  }

  function run(action) {
    action?.();
    return action !== undefined;
  }

  function onKey(event) {
    const bracket = event.key === "[" || event.key === "]"; // on some keyboards with Ctrl and Alt
    if (typing(event) || event.isComposing || ((event.ctrlKey || event.metaKey) && !bracket)) return;
    if (document.querySelector("dialog[open]") || !handle(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("keydown", onKey, { capture: true });
  return () => document.removeEventListener("keydown", onKey, { capture: true });
}
