// How somebody does in exercises, saved in this browser: a rating for each game, what is solved, and daily streaks.

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
