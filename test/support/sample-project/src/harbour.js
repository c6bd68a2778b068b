import { heightAt } from './tide.js';

/** Water that must stay between the keel and the sand, in metres. */
export const MARGIN = 0.5;

/** Metres of water under the keel as a ship crosses the bar. */
export function clearance(harbour, ship, height) {
  return harbour.barDepth + height - ship.draught;
}

export function canCross(harbour, ship, height) {
  return clearance(harbour, ship, height) >= MARGIN;
}

/** The first minute of the tide at which the ship gets across; undefined when she has to wait for another. */
export function firstCrossing(harbour, ship, tide) {
  for (let minutes = 0; minutes <= tide.minutes; minutes++) {
    if (canCross(harbour, ship, heightAt(tide, minutes))) return minutes;
  }
  return undefined;
}
