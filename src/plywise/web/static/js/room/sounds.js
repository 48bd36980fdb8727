// The sounds of a game, made by the browser: off until somebody switches them on.

const KEY = "sounds";
const TONES = {
  mine: [[420, 0.05]],
  theirs: [[300, 0.06]],
  offer: [[660, 0.12]],
  end: [
    [392, 0.14],
    [523, 0.22],
  ],
};
const LOUD = 0.12; // of 1

let audio = null;

export function soundsOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is not available
  }
}

export function setSounds(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // It lasts until the page is left.
  }
  if (on) sound("mine"); // a browser allows sounds only after a click, such as this one
}

/** Play a sound by its name, if they are on: each tone has a pitch and a length in seconds. */
export function sound(name) {
  if (!soundsOn() || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  let time = audio.currentTime;
  for (const [pitch, length] of TONES[name]) {
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: LOUD });
    volume.gain.setValueAtTime(LOUD, time);
    volume.gain.exponentialRampToValueAtTime(0.001, time + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(time);
    tone.stop(time + length);
    time += length;
  }
}

/** Make a room heard: the moves of both players, and the end of the game. */
export function listenTo(room) {
  let { head } = room.tree;
  let over = room.game?.result ?? null;
  return room.on("game", (game) => {
    const moved = room.tree.head.parent === head;
    if (game?.result && !over) sound("end");
    else if (moved) sound(game.you.includes(game.position.to_move) ? "theirs" : "mine");
    head = room.tree.head;
    over = game?.result ?? null;
  });
}
