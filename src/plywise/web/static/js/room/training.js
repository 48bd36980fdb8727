// Training: the exercises of a game, how somebody does in them, and timed runs. All of it is saved in this browser.

import { get } from "../net.js";

// ---- the exercises: which there are, one of them, those of a day, and what a filter leaves ----

const FETCHED = "exercises-saved"; // the names that were fetched for later, by game

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
      this.storage.setItem(FETCHED, JSON.stringify({ ...all, [this.name]: names }));
    } catch {
      // Private windows may not save anything.
    }
    onProgress(names.length, names.length);
  }

  saved() {
    try {
      return JSON.parse(this.storage.getItem(FETCHED)) ?? {};
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

// ---- how somebody does: a rating for each game, what is solved, and daily streaks ----

const KEY = "exercises";
const FIRST = 1000; // the rating of somebody new
const STEP = 40; // how far one exercise can move a rating
const SPREAD = 400; // ratings this far apart: ten to one
const NEAR = 12; // exercises nearest to a rating from which one is drawn

/** The day of a date, such as "2026-11-17". */
export const dayOf = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export class Training {
  constructor(game, storage = localStorage) {
    this.game = game;
    this.storage = storage;
    const kept = this.all()[game] ?? {};
    this.rating = kept.rating ?? FIRST;
    this.seen = new Set(kept.seen ?? []); // the names of exercises that were tried
    this.solved = kept.solved ?? 0; // how many at the first try
    this.daily = kept.daily ?? null; // {day, streak}: the last daily one that was solved
    this.best = kept.best ?? 0; // solved in one timed run
    this.filter = kept.filter ?? {}; // {theme, length, step}
  }

  all() {
    try {
      return JSON.parse(this.storage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  keep() {
    const { rating, seen, solved, daily, best, filter } = this;
    const every = { ...this.all(), [this.game]: { rating, seen: [...seen], solved, daily, best, filter } };
    try {
      this.storage.setItem(KEY, JSON.stringify(every));
    } catch {
      // Private windows may not save anything.
    }
  }

  /** Count the first try at an exercise. */
  count({ name, rating }, right) {
    if (this.seen.has(name)) return;
    const expected = 1 / (1 + 10 ** ((rating - this.rating) / SPREAD));
    this.rating = Math.round(this.rating + STEP * ((right ? 1 : 0) - expected));
    this.seen.add(name);
    if (right) this.solved += 1;
    this.keep();
  }

  /** Count the daily exercise; solved the day before as well, it continues the streak. */
  countDaily(day) {
    if (this.daily?.day === day) return;
    const goesOn = this.daily?.day === dayBefore(day);
    this.daily = { day, streak: goesOn ? this.daily.streak + 1 : 1 };
    this.keep();
  }

  /** Days in a row, up to today or yesterday. */
  streak(today) {
    const goesOn = this.daily && [today, dayBefore(today)].includes(this.daily.day);
    return goesOn ? this.daily.streak : 0;
  }

  /** An exercise that suits: one that is new and near a rating, by default your own. */
  choose(exercises, { near = this.rating, random = Math.random } = {}) {
    const fresh = exercises.filter(({ name }) => !this.seen.has(name));
    const far = ({ rating }) => Math.abs(rating - near);
    const suits = (fresh.length ? fresh : exercises).toSorted((one, two) => far(one) - far(two)).slice(0, NEAR);
    return suits[Math.floor(random() * suits.length)];
  }
}

function dayBefore(day) {
  const before = new Date(`${day}T12:00`);
  before.setDate(before.getDate() - 1);
  return dayOf(before);
}

// ---- a timed run: as many as one can solve in three minutes, each harder than the one before ----

const SECONDS = 180;
const EASY = 700; // the rating of the first exercise
const HARDER = 60; // how much harder the next one is
const TICK = 250; // milliseconds

export const LIVES = 3; // mistakes that end it

export class Run {
  /** It begins now; `onTick` is called until it is stopped. */
  constructor(onTick) {
    this.ends = Date.now() + 1000 * SECONDS;
    this.solved = 0;
    this.lives = LIVES;
    this.timer = setInterval(onTick, TICK);
  }

  get isOver() {
    return Date.now() >= this.ends;
  }

  /** The rating of the next exercise. */
  get rating() {
    return EASY + HARDER * this.solved;
  }

  /** The time left, such as "2:59". */
  get clock() {
    const left = Math.max(0, Math.ceil((this.ends - Date.now()) / 1000));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }

  stop() {
    clearInterval(this.timer);
  }
}
