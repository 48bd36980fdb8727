// Reviews that are kept in this browser, and the games that they are of: shown without the server.

import { Refused, get } from "../net.js";
import { Room } from "./room.js";

const CACHE = "reviews";
const MOST = 50; // the oldest are dropped first

const addressOf = (id) => `/saved/${encodeURIComponent(id)}`;

/** Keep the review of a game, with a picture of every position. */
export async function keepReview(room, review) {
  if (room.game === null || !("caches" in globalThis)) return;
  const { spec: game, start, tree } = room;
  const query = new URLSearchParams({ game, moves: (await room.positionOf(tree.head)).notation });
  if (start) query.set("start", start);
  const film = await get(`/api/pictures/film?${query}`).catch(() => null);
  if (film === null) return; // too long, or the server is gone
  const cache = await caches.open(CACHE);
  const address = addressOf(room.game.id);
  await cache.delete(address); // so that it is the newest
  await cache.put(address, Response.json({ game: room.game, review, film, saved: Date.now() }));
  const known = await cache.keys();
  await Promise.all(known.slice(0, -MOST).map((old) => cache.delete(old)));
}

/** Every saved review, the newest first. */
export async function savedReviews() {
  if (!("caches" in globalThis)) return [];
  const cache = await caches.open(CACHE);
  const answers = await Promise.all((await cache.keys()).map((each) => cache.match(each)));
  return (await Promise.all(answers.map((answer) => answer.json()))).reverse();
}

/** Open the saved review of a game that the server did not send; without one, throw the `error`. */
export async function openSaved(app, id, error) {
  if (error.status !== 0 || !("caches" in globalThis)) throw error;
  const found = await (await caches.open(CACHE)).match(addressOf(id));
  if (found === undefined) throw error;
  return new SavedRoom(app, await found.json());
}

/** A connection that is never there. */
const nobody = {
  ended: true,
  socket: {},
  on: () => () => {},
  close() {},
  async do() {
    throw new Refused("This needs the server, which cannot be reached right now.", 0);
  },
};

class SavedRoom extends Room {
  constructor(app, { game, review, film }) {
    super(app, game.game, game.start, nobody);
    const can = Object.fromEntries(Object.keys(game.can).map((name) => [name, false]));
    this.take({ ...game, can, you: [], thinking: false });
    this.saved = review;
    for (const [ply, node] of this.tree.head.path.entries()) {
      const frame = film.frames[ply];
      if (frame === undefined) break;
      const scene = { ...frame, shapes: frame.shapes.map((number) => film.shapes[number]) };
      const standing = frame.title.slice(frame.title.indexOf(", ") + 2);
      const moves = film.moves.slice(0, ply);
      this.know(node, { ...game.position, moves, notation: moves.join(" "), legal: [], over: false, standing, scene });
    }
    this.know(this.tree.head, { ...game.position, scene: this.known.get(this.tree.head)?.scene ?? game.position.scene });
  }

  get playable() {
    return false;
  }

  get mayAsk() {
    return false;
  }

  /** Show the review that was kept. */
  showSaved() {
    for (const [index, node] of this.tree.head.path.entries()) this.values.set(node, this.saved.values[index]);
    this.emit("review", this.saved);
    this.emit("values");
  }
}
