// The clocks, counted down in the page from the server's last figures.

/** 1:05, 0:09.4 near the end, 2:00:00. */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${(Math.floor(10 * left) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const pad = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const end = pad(whole % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}

/** The seconds a player (0 or 1) has left. Only the clock of the player to move runs, if any does. */
export function timeLeft(room, player) {
  const { clocks, clock_runs, position } = room.game;
  const runs = clock_runs && position.to_move === player + 1;
  const passed = runs ? (performance.now() - room.gameAt) / 1000 : 0;
  return clocks[player] - passed;
}
