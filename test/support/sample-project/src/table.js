import { canCross } from './harbour.js';
import { heightAt } from './tide.js';

const saltmouth = { name: 'Saltmouth', barDepth: 0.8 };
const plover = { name: 'Plover', draught: 2.1 };
const ebb = { from: 4.2, to: 0.6, minutes: 372 };

console.log(`${saltmouth.name} bar, falling tide`);
for (let minutes = 0; minutes <= ebb.minutes; minutes += 31) {
  const height = heightAt(ebb, minutes);
  const verdict = canCross(saltmouth, plover, height) ? `${plover.name} sails` : 'wait';
  console.log(`${String(minutes).padStart(4)} min  ${height.toFixed(2)} m  ${verdict}`);
}
