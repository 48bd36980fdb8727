// A timed run: as many exercises as one can solve in three minutes, each harder than the one before.

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
