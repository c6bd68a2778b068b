import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heightAt, twelfthsMoved } from '../src/tide.js';

const flood = { from: 1, to: 4.6, minutes: 360 };
const ebb = { from: 4.6, to: 1, minutes: 360 };

test('the sea moves by the rule of twelfths', () => {
  const moved = [0, 60, 120, 180, 240, 300, 360].map((minutes) => twelfthsMoved(flood, minutes));
  assert.deepEqual(moved, [0, 1, 3, 6, 9, 11, 12]);
});

test('it does not move beyond the turns', () => {
  assert.equal(twelfthsMoved(flood, -10), 0);
  assert.equal(twelfthsMoved(flood, 400), 12);
});

test('a rising tide ends at high water', () => {
  assert.equal(heightAt(flood, 0), 1);
  assert.equal(heightAt(flood, 360), 4.6);
});

test('a falling tide ends at low water', () => {
  assert.equal(heightAt(ebb, 0), 4.6);
  assert.equal(heightAt(ebb, 360), 1);
});
