// Helpers that make elements, and announcements for screen readers.

const SVG = "http://www.w3.org/2000/svg";

/** h("button", {class: "play", onclick: f, "aria-label": "Play"}, "Play", child, ...) */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG elements. */
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

/** Replace the children of an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

let page = document; // what holds the announcements and the notices

/** Show them in the shadow tree of a board, where the page belongs to somebody else. */
export function settleIn(root) {
  page = root;
}

/** The element that has the focus, also in a shadow tree. */
export function active() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Announce a text through the live region; a repeated text is read again. */
export function announce(text) {
  const region = page.getElementById("announcer");
  if (!region) return;
  region.textContent = region.textContent === text ? `${text} ` : text;
}

let notice = null;

/** Show a notice that disappears by itself; `kind` is "error" or "done". */
export function tell(text, kind = "error") {
  const place = page.getElementById("notices");
  if (!place) return;
  clearTimeout(notice);
  put(place, h("p", { class: `notice ${kind}` }, text));
  notice = setTimeout(hush, 6000);
}

/** Take the notice away: the user has gone on. */
export function hush() {
  const place = page.getElementById("notices");
  if (place?.firstChild) put(place);
}

/** Scroll the page until an element is in view: all of it, or its beginning if it is too high. */
export function reveal(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(element);
  const [over, under] = [scrollMarginTop, scrollMarginBottom].map(parseFloat);
  if (top >= over && bottom <= innerHeight - under) return;
  const behavior = calm() ? "instant" : "smooth";
  element.scrollIntoView({ block: height > innerHeight - over - under ? "start" : "nearest", behavior });
}

/** True if the user prefers reduced motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** True if a key event belongs to a form field. */
export function typing(event) {
  const element = event.target;
  return element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
}
