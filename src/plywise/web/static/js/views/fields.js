// The fields of the set-up page: parameters, the agent, radio buttons.
// Every field has a name and starts with the previous choice, if `kept` has one.

import { h, put } from "../dom.js";
import { LEVELS, allowed, written, writeSpec } from "../kinds.js";

export const BY_LEVEL = "auto"; // the agent whose strength is a level
export const USUAL_LEVEL = 4;

/** A field with a label, a line of help and a place for an error. */
export function field(label, input, help = "") {
  const id = `field-${input.name}`;
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
  return h(
    "div",
    { class: "field", "data-for": input.name },
    h("label", { for: id }, label),
    input,
    h("span", { class: "help", id: `${id}-help` }, help),
    h("span", { class: "wrong", id: `${id}-wrong`, role: "alert" }),
  );
}

/** Show an error at a field, or clear it. */
export function complain(form, name, text) {
  const place = form.querySelector(`[data-for="${CSS.escape(name)}"] .wrong`);
  if (!place) return;
  place.textContent = text;
  const input = form.elements[name];
  if (text) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** Radio buttons; each option is [value, label, icon]. */
export function choice(name, label, options, chosen, style = "segments") {
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, label),
    h(
      "div",
      { class: style },
      options.map(([value, words, sign = null]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value, checked: value === chosen }),
          h("span", {}, sign, words),
        ),
      ),
    ),
  );
}

/** A number field; empty means the default, if there is one. */
export function number(name, value, attributes) {
  return h("input", {
    type: "number",
    name,
    value,
    inputmode: attributes.step === 1 ? "numeric" : "decimal",
    ...attributes,
  });
}

/** The field of a parameter, with a label and help. */
export function parameterField(parameter, name, kept, [label, help]) {
  const { kind, low, high, choices } = parameter;
  const usual = written(parameter.default);
  const value = parameter.drawn ? randomFor(parameter) : (kept[name] ?? usual);
  if (kind === "bool" || choices.length) {
    const options = choices.length ? choices : ["yes", "no"];
    const select = h(
      "select",
      { name },
      options.map((option) => h("option", { value: option, selected: option === value }, option)),
    );
    return field(label, select, help);
  }
  if (kind === "str")
    return field(
      label,
      h("input", { type: "text", name, value, autocomplete: "off", spellcheck: "false" }),
      help,
    );
  const limits = {
    min: low,
    max: high,
    step: kind === "int" ? 1 : "any",
    placeholder: usual === "" ? "default" : null,
  };
  const range = low !== null && high !== null && high < 1000 ? `${help && ", "}${allowed(parameter)}` : "";
  const input = number(name, value, limits);
  const box = field(label, input, help + range);
  return parameter.drawn ? withRandom(box, input, parameter) : box;
}

const LARGEST = 9999; // of a random number: it is said and typed
function randomFor({ low, high }) {
  const first = low ?? 0;
  return first + Math.floor((Math.min(high ?? LARGEST, LARGEST) - first + 1) * Math.random());
}

/** Add a button that fills the field with another random number. */
function withRandom(box, input, parameter) {
  const draw = () => {
    input.value = randomFor(parameter);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const button = h("button", { type: "button", class: "button", onclick: draw }, "Random");
  const row = h("div", { class: "beside" });
  input.replaceWith(row);
  row.append(input, button);
  return box;
}

/** The label of a board's parameter (its help up to ";"), and the rest of the help. */
export function words({ name, help }) {
  const [first, ...rest] = help.split("; ");
  return [first || name, rest.join("; ")];
}

/** The values of these parameters' fields, without defaults; one that is drawn has none. */
export function given(form, parameters, prefix) {
  const found = {};
  for (const parameter of parameters) {
    const value = form.elements[prefix + parameter.name]?.value.trim() ?? "";
    if (value !== "" && (parameter.drawn || value !== written(parameter.default))) found[parameter.name] = value;
  }
  return found;
}

/** Choose an agent: a level, and, for those who want another engine, that with its parameters. */
export function agentPicker(kind, prefix, kept, label) {
  const single = prefix === ""; // then the choice above already names it
  const others = kind.agents.filter(({ name }) => name !== BY_LEVEL);
  const chosen = kept[`${prefix}agent`] ?? BY_LEVEL;
  const strength = h("div", {});
  const more = h("div", { class: "fields" });
  const select = h(
    "select",
    { name: `${prefix}agent`, onchange: () => fill(select.value) },
    h("option", { value: BY_LEVEL, selected: chosen === BY_LEVEL }, "auto (by level)"),
    others.map(({ name, help }) =>
      h("option", { value: name, selected: chosen === name }, help ? `${name}: ${help}` : name),
    ),
  );
  const fill = (name) => {
    const agent = others.find((other) => other.name === name);
    const fields = agent?.parameters.map((found) =>
      parameterField(found, `${prefix}${name}.${found.name}`, kept, [found.name, found.help]),
    );
    put(more, fields ?? []);
    const other = () => h("p", { class: "help" }, `The engine ${name}, chosen under More options.`);
    put(strength, agent ? other() : level(kind, prefix, kept));
  };
  fill(select.value);
  const legend = h("legend", { class: single ? "unseen" : null }, label);
  return {
    level: h("fieldset", { class: "agent" }, legend, strength),
    engine: h("fieldset", { class: "agent" }, h("legend", { class: "unseen" }, label), field(single ? "Engine" : `Engine: ${label.toLowerCase()}`, select), more),
  };
}

function level(kind, prefix, kept) {
  const name = `${prefix}level`;
  const slider = h("input", { type: "range", name, id: `field-${name}`, min: 1, max: kind.levels, step: 1 });
  slider.value = kept[name] ?? USUAL_LEVEL;
  const word = h("strong", {});
  const help = h("span", { class: "help" });
  const say = () => {
    const [title, words] = LEVELS[Math.min(slider.value, LEVELS.length) - 1];
    put(word, `${slider.value} · ${title}`);
    put(help, words);
    slider.setAttribute("aria-valuetext", `${slider.value}, ${title}. ${words}`);
  };
  slider.addEventListener("input", say);
  say();
  return h(
    "div",
    { class: "field level" },
    h("div", { class: "between" }, h("label", { for: slider.id }, "Level"), word),
    slider,
    help,
  );
}

/** The spec of the chosen agent. */
export function agentSpec(form, kind, prefix) {
  const name = form.elements[`${prefix}agent`].value;
  if (name === BY_LEVEL) {
    const chosen = form.elements[`${prefix}level`].value;
    return Number(chosen) === kind.levels ? BY_LEVEL : writeSpec(BY_LEVEL, { level: chosen });
  }
  const { parameters } = kind.agents.find((agent) => agent.name === name);
  return writeSpec(name, given(form, parameters, `${prefix}${name}.`));
}
