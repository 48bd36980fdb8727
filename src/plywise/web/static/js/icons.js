// Small icons in the colour of the text beside them.

import { s } from "./dom.js";

const DRAWN = {
  play: "M7 4.5v15l12-7.5z",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  paste: "M12 15V4M8 8l4-4 4 4M4 15v5h16v-5",
  close: "M6 6l12 12M18 6 6 18",
  pause: "M8 5v14M16 5v14",
  computer: "M5 5h14v10H5zM2 19h20M10 15l-1 4M14 15l1 4",
  people:
    "M8.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c2.5.7 4 2.6 4 5.5",
  link: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7",
  watch:
    "M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  hint: "M9 18h6M10 21.5h4M12 2.5a6.5 6.5 0 0 0-3.8 11.8c.5.4.8 1 .8 1.7h6c0-.7.3-1.3.8-1.7A6.5 6.5 0 0 0 12 2.5z",
  check: "M4.5 12.5l5 5L19.5 7",
  drop: "M12 3c4.2 5 6.2 7.8 6.2 10.8a6.2 6.2 0 0 1-12.4 0C5.8 10.8 7.8 8 12 3z",
  undo: "M8.5 5 4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15.5 5 20 9.5 15.5 14M20 9.5H10a5.5 5.5 0 0 0 0 11h3",
  flip: "M4 8h14M14.5 4.5 18 8l-3.5 3.5M20 16H6M9.5 12.5 6 16l3.5 3.5",
  chart: "M4 20h16M7 16v-5M12 16V5M17 16V9",
  dots: "M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01",
  flag: "M6 21V4M6 4h12l-2.5 4L18 12H6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  rewind: "M20 6v12l-8-6zM12 6v12l-8-6z",
  pin: "M6 4h12v16l-6-4-6 4z",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  share: "M12 3v12M8 7l4-4 4 4M5 12v8h14v-8",
  day: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M8 14h3",
  hurry: "M13 3 5 13.5h6L10 21l9-11h-6.5z",
  draw: "M5 9h14M5 15h14",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l2 2.5H4zM10 21.5h4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};

/** An icon by name; it is hidden from screen readers, so a button needs a label too. */
export function icon(name) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: DRAWN[name] }),
  );
}
