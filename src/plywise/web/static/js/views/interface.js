// The API for programs, from the OpenAPI document.

import { h, put } from "../dom.js";
import { get } from "../net.js";

const DOCUMENT = "/api/openapi.json";

export async function show(root, params, app) {
  const api = await get(DOCUMENT);
  app.title("API");
  put(
    root,
    h(
      "article",
      { class: "page narrow guide" },
      h("h1", {}, "API"),
      h(
        "p",
        { class: "lead" },
        "A program can do everything this page can. This is an overview; ",
        h("a", { href: DOCUMENT, download: "plywise-openapi.json" }, "the OpenAPI document"),
        " has the details. Moves go over the socket ",
        h("code", {}, "/api/live?game=ID"),
        ".",
      ),
      Object.entries(api.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, asked]) => operation(api, path, method, asked)),
      ),
    ),
  );
}

function operation(api, path, method, asked) {
  const body = asked.requestBody?.content["application/json"]?.schema;
  const answered = Object.entries(asked.responses).find(([status]) => status < "300");
  const schema = answered?.[1].content?.["application/json"]?.schema;
  return h(
    "details",
    { class: "operation" },
    h("summary", {}, h("code", {}, `${method.toUpperCase()} ${path}`), ` ${asked.summary ?? ""}`),
    asked.description ? h("p", {}, asked.description) : null,
    asked.parameters?.length ? fields("URL parameters", asked.parameters.map(parameter)) : null,
    body ? fields("Request body", properties(api, body)) : null,
    schema ? fields(`Response (${answered[0]})`, properties(api, schema)) : null,
  );
}

function parameter({ name, schema, required }) {
  return [name, kind(schema), required ? "" : "optional"];
}

function properties(api, schema) {
  const found = schema.$ref ? api.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  const needed = new Set(found.required ?? []);
  return Object.entries(found.properties ?? {}).map(([name, property]) => [
    name,
    kind(property),
    property.description ?? (needed.has(name) ? "" : "optional"),
  ]);
}

/** The type of a schema in a few words. */
function kind(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return schema.items ? `list of ${kind(schema.items)}` : "list";
  return schema.type ?? "anything";
}

function fields(title, rows) {
  if (!rows.length) return null;
  return h(
    "div",
    { class: "table" },
    h(
      "table",
      {},
      h("caption", {}, title),
      h(
        "tbody",
        {},
        rows.map(([name, ...words]) =>
          h("tr", {}, h("th", { scope: "row" }, h("code", {}, name)), words.map((text) => h("td", {}, text))),
        ),
      ),
    ),
  );
}
