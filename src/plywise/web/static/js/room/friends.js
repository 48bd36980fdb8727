// Two people at one game: their names, offers, and whether a link can reach anybody.

const KEY = "name";
export const LONGEST = 24; // characters of a name, as on the server

/** The name of this user, as they last gave it. */
export function ownName() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage is not available
  }
}

export function rememberName(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Storage is not available.
  }
}

/** True if this client plays against another person. */
export const facing = (game) =>
  game !== null && game.you.length === 1 && game.players.every(({ person }) => person);

/** What to call the opponent at the beginning of a sentence. */
export function opponentOf(game) {
  const other = game.players[2 - game.you[0]];
  return other.named ? other.name : "Your opponent";
}

const OFFERED = { draw: "offers a draw", takeback: "asks to take back their last move", rematch: "wants a rematch" };
const OWN = {
  draw: ["You have offered a draw.", "Your draw offer was declined."],
  takeback: ["You have asked to take back your last move.", "Your takeback was declined."],
  rematch: ["You have offered a rematch.", "Your rematch was declined."],
};

/** An offer in a sentence, for the player who made it or the one who was asked; null if there is none. */
export function offerWords(game) {
  const { offer } = game;
  if (offer === null || !facing(game)) return null;
  if (offer.by === game.you[0]) return OWN[offer.kind][Number(offer.declined)];
  return offer.declined ? null : `${opponentOf(game)} ${OFFERED[offer.kind]}.`;
}

/** True if only this computer can open links to a host. */
export const loopback = (host) => host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

export const ONLY_HERE =
  "Only this computer can open links to this page. To play with others, start the server with --host and open the page by its address.";

/** "300 + 2" as players write it, "5 + 2": minutes and seconds. "7 a move" is 7 seconds for each move. */
export function clockWords(clock) {
  const move = /^(\S+) a move$/.exec(clock);
  if (move) return `${move[1]} s a move`;
  const [total, added = "0"] = clock.split(" + ");
  return `${Number((Number(total) / 60).toFixed(2))} + ${added}`;
}
