/** Twelfths of the range by which the sea moves in each sixth of a tide. */
const TWELFTHS = [1, 2, 3, 3, 2, 1];

/**
 * One tide, from a turn of the water to the next.
 * @typedef {{ from: number, to: number, minutes: number }} Tide heights in metres at both turns, and how long it takes
 */

/** Twelfths of its range that the sea has moved, `minutes` after the turn. */
export function twelfthsMoved(tide, minutes) {
  const steps = Math.min(Math.max(minutes / tide.minutes, 0), 1) * TWELFTHS.length;
  const whole = Math.floor(steps);
  const done = TWELFTHS.slice(0, whole).reduce((sum, twelfths) => sum + twelfths, 0);
  return done + (TWELFTHS[whole] ?? 0) * (steps - whole);
}

/** Height of the water in metres, `minutes` after the turn. */
export function heightAt(tide, minutes) {
  const range = Math.abs(tide.to - tide.from);
  return tide.from + (range * twelfthsMoved(tide, minutes)) / 12;
}
