// Making elements, and telling people who cannot see them what happened.

const SVG = "http://www.w3.org/2000/svg";

/** h("button", {class: "play", onclick: f, "aria-label": "Play"}, "Play", child, ...) */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for the elements of a drawing. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Put these children in place of whatever is there. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Say something through the live region; the same words twice are heard twice. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = region.textContent === text ? `${text} ` : text;
}

let notice = null;

/** A line at the bottom of the page that goes away by itself; `kind` is "error" or "done". */
export function tell(text, kind = "error") {
  const place = document.getElementById("notices");
  if (!place) return;
  clearTimeout(notice);
  put(place, h("p", { class: `notice ${kind}` }, text));
  notice = setTimeout(() => put(place), 6000);
}

/** Does this person want things to stay where they are? */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Is the keyboard meant for a field, and not for the board? */
export function typing(event) {
  const element = event.target;
  return element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
}
