// The time a puzzle takes, and the best times, saved in this browser.

const KEY = "bests";

/** 0:09, 12:30, 1:02:03 */
export function timeText(seconds) {
  const pad = (number) => String(number).padStart(2, "0");
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds) % 60];
  return minutes < 60 ? `${minutes}:${pad(rest)}` : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(rest)}`;
}

/** 12.3 ms, 2.5 s */
export const shortTime = (seconds) => (seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(1)} s`);

/** The class of puzzles that times are compared in: the same size, and the same grade if it is known. */
export const classOf = ({ heading }, grade) => (grade ? `${heading}, ${grade}` : heading);

/** The best time in a class, or null. */
export function bestOf(name) {
  const found = all()[name];
  return typeof found === "number" ? found : null;
}

/** Enter a time; returns the best one before it, or null. */
export function enter(name, seconds) {
  const before = bestOf(name);
  if (before !== null && before <= seconds) return before;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [name]: seconds }));
  } catch {
    // Storage is not available.
  }
  return before;
}

/** What to say about a time, given the best one before it. */
export function verdict(seconds, before) {
  if (before === null) return "Your first time for this size.";
  if (seconds < before) return `A new best: before it was ${timeText(before)}.`;
  return `Your best is ${timeText(before)}.`;
}

function all() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
