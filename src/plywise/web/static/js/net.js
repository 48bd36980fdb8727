// Talking to the server: requests, and the WebSocket.

/** A request that failed, with the server's message. */
export class Refused extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    document.dispatchEvent(new Event("server-lost"));
    throw new Refused("The server is not responding.", 0);
  }
  const kind = answer.headers.get("Content-Type") ?? "";
  const json = kind.startsWith("application/json");
  const found = await (json ? answer.json() : kind.startsWith("image/") ? answer.blob() : answer.text());
  if (!answer.ok) throw new Refused(found.error ?? `The server returned status ${answer.status}.`, answer.status);
  return found;
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, body);
export const remove = (path, body) => ask("DELETE", path, body);

const PAUSE = 2000; // milliseconds between two looks for the server

/** Call `back` once the server answers again; returns a function that gives up. */
export function whenBack(back) {
  let timer = null;
  const look = async () => {
    const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
    if (answer?.ok && timer !== null) back();
    else if (timer !== null) timer = setTimeout(look, PAUSE);
  };
  timer = setTimeout(look, PAUSE);
  return () => {
    clearTimeout(timer);
    timer = null;
  };
}

const kinds = new Map();

/** A game by name; fetched once. */
export function kind(name) {
  if (!kinds.has(name)) {
    const asked = get(`/api/kinds/${encodeURIComponent(name)}`);
    asked.catch(() => kinds.delete(name));
    kinds.set(name, asked);
  }
  return kinds.get(name);
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/** A connection on which every command is answered; frames that answer none are events. */
export class Channel {
  constructor() {
    this.listeners = new Map();
    this.waiting = new Map();
    this.number = 0;
    this.ended = false;
  }

  receive(frame) {
    if (frame.re === undefined) {
      this.emit(frame.type, frame);
      return;
    }
    const asked = this.waiting.get(frame.re);
    this.waiting.delete(frame.re);
    if (!asked) return;
    if (frame.error === undefined) asked.resolve(frame);
    else asked.reject(new Refused(frame.error, frame.status));
  }

  /** Give a command a number and pass it to `send`; resolves to the answer. */
  request(send, name, values) {
    const n = (this.number += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(n, { resolve, reject });
      send({ do: name, n, ...values });
    });
  }

  /** Reject all that wait for an answer. */
  refuse(words) {
    for (const { reject } of this.waiting.values()) reject(new Refused(words, 0));
    this.waiting.clear();
  }

  on(type, listener) {
    if (!this.listeners.has(type)) this.listeners.set(type, new Set());
    this.listeners.get(type).add(listener);
    return () => this.listeners.get(type).delete(listener);
  }

  emit(type, value) {
    for (const listener of this.listeners.get(type) ?? []) listener(value);
  }
}

/**
 * The WebSocket. It reconnects by itself; requests still unanswered when the connection breaks are
 * rejected, and the first frame after reconnecting is the whole game again.
 *
 * `on(type, listener)`: a frame's type, or "open", "closed" (with the code) and "lost".
 */
export class Live extends Channel {
  constructor(game = null) {
    super();
    this.path = game === null ? "/api/live" : `/api/live?game=${encodeURIComponent(game)}`;
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.opened = new Promise((resolve) => {
      this.decided = resolve; // open or broken: waiting callers continue
      this.socket.onopen = () => {
        this.wait = FIRST_WAIT;
        resolve();
        this.emit("open");
      };
    });
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = (event) => this.broken(event.code);
  }

  broken(code) {
    this.decided();
    this.refuse("The connection to the server was lost.");
    if (this.ended) return;
    if (code >= 4000) {
      this.ended = true;
      this.emit("closed", code);
      return;
    }
    this.emit("lost");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** Send a command; resolves to the answer. */
  async do(name, values = {}) {
    if (this.ended) throw new Refused("The connection to the server is closed.", 0);
    await this.opened;
    if (this.socket.readyState !== WebSocket.OPEN) {
      throw new Refused("The connection to the server was lost.", 0);
    }
    return this.request((frame) => this.socket.send(JSON.stringify(frame)), name, values);
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
