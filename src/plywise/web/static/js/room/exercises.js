// The exercises of a game: which there are, one of them, those of a day, and what a filter leaves.

import { get } from "../net.js";

const KEY = "exercises-saved"; // the names that were fetched for later, by game

export class Exercises {
  constructor(name, list, storage = localStorage) {
    this.path = `/api/exercises/${encodeURIComponent(name)}`;
    this.name = name;
    this.list = list;
    this.storage = storage;
    this.known = new Map(); // name -> the exercise
    this.films = new Map(); // name -> the pictures of its lines
    this.days = new Map();
  }

  static async of(name) {
    return new Exercises(name, await get(`/api/exercises/${encodeURIComponent(name)}`));
  }

  /** An exercise by name; fetched once. */
  one(name) {
    return kept(this.known, name, `${this.path}/${encodeURIComponent(name)}`);
  }

  /** The pictures of its lines. */
  async frames(name) {
    const { frames } = await kept(this.films, name, `${this.path}/${encodeURIComponent(name)}/frames`);
    return frames;
  }

  /** The exercises of a day: {daily, names}. */
  day(day) {
    return kept(this.days, day, `${this.path}/day/${day}`);
  }

  /** Fetch all exercises of a day, so that they are there without the server. */
  async save(day, onProgress) {
    const { names } = await this.day(day);
    for (const [count, name] of names.entries()) {
      onProgress(count, names.length);
      await this.one(name);
      await this.frames(name);
    }
    const all = this.saved();
    try {
      this.storage.setItem(KEY, JSON.stringify({ ...all, [this.name]: names }));
    } catch {
      // Private windows may not save anything.
    }
    onProgress(names.length, names.length);
  }

  saved() {
    try {
      return JSON.parse(this.storage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  /** What can be shown without the server. */
  get atHand() {
    const names = new Set([...(this.saved()[this.name] ?? []), ...this.known.keys()]);
    return this.list.exercises.filter(({ name }) => names.has(name));
  }

  /** All themes, the most frequent first; those that every exercise has say nothing. */
  get themes() {
    const counts = new Map();
    for (const { themes } of this.list.exercises) {
      for (const theme of themes) counts.set(theme, (counts.get(theme) ?? 0) + 1);
    }
    const some = [...counts].filter(([, count]) => count < this.list.exercises.length);
    return some.sort(([, one], [, two]) => two - one);
  }

  get lengths() {
    return [...new Set(this.list.exercises.map(({ length }) => length))].sort((one, two) => one - two);
  }
}

function kept(map, key, path) {
  if (!map.has(key)) {
    const asked = get(path);
    asked.catch(() => map.delete(key));
    map.set(key, asked);
  }
  return map.get(key);
}

/** Steps of difficulty: name -> the lowest and the highest rating. */
export const STEPS = { easy: [0, 799], medium: [800, 1199], hard: [1200, 9999] };

/** The exercises that a filter {theme, length, step} leaves; "" stands for all. */
export function filtered(exercises, { theme = "", length = "", step = "" }) {
  const [low, high] = STEPS[step] ?? [0, 9999];
  return exercises.filter(
    (each) =>
      (!theme || each.themes.includes(theme)) &&
      (!length || each.length === Number(length)) &&
      each.rating >= low &&
      each.rating <= high,
  );
}

/** The position after a frame: what changes is drawn, and nobody plays on it. */
export function after(position, frame, move) {
  const { gone, shapes, standing, ...scene } = frame;
  const out = new Set(gone);
  const fresh = new Map(shapes.map((shape) => [shape.id, shape]));
  const old = position.scene.shapes.filter(({ id }) => !out.has(id));
  const stays = new Set(old.map(({ id }) => id));
  const all = [...old.map((shape) => fresh.get(shape.id) ?? shape), ...shapes.filter(({ id }) => !stays.has(id))];
  return {
    ...position,
    standing,
    legal: [],
    moves: [...position.moves, move],
    scene: { ...position.scene, ...scene, shapes: all, targets: [] },
  };
}
