// Tabs: panels of which one is visible at a time.

import { active, h } from "./dom.js";

let count = 0;

/** `panels` maps names to elements. `select(name)` shows one of them. */
export function createTabs(label, panels) {
  const names = Object.keys(panels);
  const prefix = `tab-${(count += 1)}`;
  const buttons = new Map();
  for (const [index, name] of names.entries()) {
    const ids = { id: `${prefix}-${index}`, panel: `${prefix}-${index}-panel` };
    const attributes = { role: "tab", type: "button", class: "tab", id: ids.id, "aria-controls": ids.panel };
    buttons.set(name, h("button", { ...attributes, onclick: () => select(name) }, name));
    const panel = panels[name];
    panel.id = ids.panel;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", ids.id);
    panel.classList.add("tab-panel");
  }

  function select(chosen) {
    for (const name of names) {
      buttons.get(name).setAttribute("aria-selected", String(name === chosen));
      buttons.get(name).tabIndex = name === chosen ? 0 : -1;
      panels[name].hidden = name !== chosen;
    }
  }

  function key(event) {
    const at = names.findIndex((name) => buttons.get(name) === active());
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -at, End: names.length - 1 - at }[event.key];
    if (step === undefined || event.altKey) return;
    const name = names[(at + step + names.length) % names.length];
    select(name);
    buttons.get(name).focus();
    event.preventDefault();
  }

  const list = h("div", { role: "tablist", class: "tabs", "aria-label": label, onkeydown: key });
  list.append(...buttons.values());
  select(names[0]);
  return { element: h("div", { class: "tabbed" }, list, names.map((name) => panels[name])), select };
}
