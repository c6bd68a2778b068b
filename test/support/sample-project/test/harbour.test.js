import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canCross, clearance, firstCrossing } from '../src/harbour.js';

const saltmouth = { name: 'Saltmouth', barDepth: 1 };
const plover = { name: 'Plover', draught: 2 };
const flood = { from: 0, to: 3.6, minutes: 360 };

test('clearance is what is left under the keel', () => {
  assert.equal(clearance(saltmouth, plover, 2.5), 1.5);
});

test('half a metre has to be left', () => {
  assert.equal(canCross(saltmouth, plover, 1.5), true);
  assert.equal(canCross(saltmouth, plover, 1.4), false);
});

test('the Plover crosses on the rising tide', () => {
  assert.equal(firstCrossing(saltmouth, plover, flood), 160);
});

test('a deep ship has to wait for another tide', () => {
  assert.equal(firstCrossing(saltmouth, { name: 'Kraken', draught: 9 }, flood), undefined);
});
