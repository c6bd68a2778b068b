import { expect, it } from 'vitest';
import { cutAfter, cutBefore } from '../../../src/core/model/cut-text.ts';

it('P1: a cut falls before or after a pair of surrogates, never into it, and elsewhere where it was asked for', () => {
  const text = 'a🎉b';
  expect([0, 1, 2, 3, 4, 9].map((at) => cutBefore(text, at))).toEqual([0, 1, 1, 3, 4, 9]);
  expect([0, 1, 2, 3, 4, 9].map((at) => cutAfter(text, at))).toEqual([0, 1, 3, 3, 4, 9]);
});
