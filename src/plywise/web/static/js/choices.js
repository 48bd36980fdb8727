// What a player chose on the set-up page of a game, remembered for the next time.

/** The choices of a game by name; empty if there are none or storage is not available. */
export function remembered(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(`setup:${name}`) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** Remember choices; what is not among them stays as it was. */
export function remember(name, chosen) {
  try {
    localStorage.setItem(`setup:${name}`, JSON.stringify({ ...remembered(name), ...chosen }));
  } catch {
    // Storage is not available.
  }
}

/** Is the chosen colour, 0 or 1 as a text or empty, not the usual one of player 1 or 2? */
export const swaps = (colour, player) =>
  (colour === "0" || colour === "1") && Number(colour) !== player - 1;
