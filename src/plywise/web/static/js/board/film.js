// A sample game that plays itself in a picture, move by move.

import { calm, put } from "../dom.js";
import { drawScene } from "./scene.js";

const REST = 3500; // milliseconds on the last picture before it begins again
const FALL = 420; // ... for a stone to reach its place

/**
 * `still` is shown while nothing plays; `load` fetches the frames on first use.
 * `onChange(playing)` is called when it starts and when it stops.
 */
export class Film {
  constructor(host, still, load, onChange = () => {}) {
    this.host = host;
    this.still = still;
    this.load = load;
    this.onChange = onChange;
    this.frames = null;
    this.timer = null;
    this.playing = false;
    this.draw(still);
  }

  draw(scene) {
    put(this.host, drawScene(scene, { decorative: true }));
  }

  /** Start, with `pace` milliseconds per move. */
  async play(pace) {
    if (this.playing) return;
    this.playing = true;
    this.onChange(true);
    try {
      this.frames ??= await this.load();
      if (this.playing) this.step(this.frames, 0, pace);
    } catch {
      this.stop(); // the still picture is good enough
    }
  }

  step(frames, index, pace) {
    this.draw(frames[index]);
    if (index > 0 && !calm()) this.move(frames[index].motion);
    const last = index === frames.length - 1;
    const next = last ? 0 : index + 1;
    this.timer = setTimeout(() => this.step(frames, next, pace), last ? REST : pace);
  }

  /** Animate the stones of the last move. */
  move(motion) {
    if (!motion) return;
    const [x, y] = [motion.start[0] - motion.end[0], motion.start[1] - motion.end[1]];
    const frames =
      motion.kind === "place"
        ? [{ opacity: 0 }, { opacity: 1 }]
        : [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    const easing = motion.kind === "drop" ? "cubic-bezier(0.5, 0, 0.9, 0.8)" : "ease-out";
    for (const id of motion.shapes) {
      this.host.querySelector(`[data-id="${CSS.escape(id)}"]`)?.animate(frames, { duration: FALL, easing });
    }
    for (const mark of this.host.querySelectorAll(":is(.last, .winning):not(.stone)")) {
      mark.animate([{ opacity: 0 }, { opacity: 0 }], FALL); // shown only when the stone has arrived
    }
  }

  /** Stop, and show the still picture again. */
  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.draw(this.still);
    this.onChange(false);
  }
}
