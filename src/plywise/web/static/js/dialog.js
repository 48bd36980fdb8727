// A modal dialog. Escape, the cross and a click outside close it and remove it.

import { h } from "./dom.js";
import { icon } from "./icons.js";

let number = 0;

/** Open a dialog and return its element; call close() on it to end it. */
export function openDialog(title, ...content) {
  const name = `dialog-${(number += 1)}`;
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { "aria-labelledby": name, onclose: () => dialog.remove() },
    h(
      "div",
      { class: "title" },
      h("h2", { id: name }, title),
      h(
        "button",
        { class: "button plain square", type: "button", "aria-label": "Close", onclick: close },
        icon("close"),
      ),
    ),
    content,
  );
  let outside = false; // a press that began inside, such as selecting text, does not close it
  dialog.addEventListener("pointerdown", (event) => (outside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (outside && event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Ask for confirmation; resolves to true or false. */
export function confirmed(title, words, action) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(
      title,
      h("p", {}, words),
      h(
        "div",
        { class: "buttons end" },
        h(
          "button",
          { class: "button", type: "button", autofocus: true, onclick: () => dialog.close() },
          "Cancel",
        ),
        h(
          "button",
          {
            class: "button main danger",
            type: "button",
            onclick: () => {
              answer = true;
              dialog.close();
            },
          },
          action,
        ),
      ),
    );
    dialog.addEventListener("close", () => resolve(answer));
  });
}
