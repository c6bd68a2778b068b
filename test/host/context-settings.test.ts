import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { DEFAULT_CONTEXT } from '../../src/core/model/settings.ts';
import { readContext } from '../../src/host/context-settings.ts';
import { readSettings } from '../../src/host/settings.ts';

const read = (values: Readonly<Record<string, unknown>>) => readContext((name) => values[name]);

describe('the settings of the context engine', () => {
  it('are the defaults where nothing is set', () => {
    deepEqual(read({}), DEFAULT_CONTEXT);
  });

  it('have defaults in the manifest that are the engine’s own', () => {
    deepEqual(readSettings().context, DEFAULT_CONTEXT);
  });

  it('are taken as they are where they make sense; null switches a line or the cap off', () => {
    const values = {
      evictAt: null,
      prepareAt: 0.001,
      compactAt: 1,
      foldAt: 0.9,
      strategy: 'slidingWindow',
      compactionModel: ' small-model ',
      keepRounds: 1,
      maxTokens: 100_000,
    };
    deepEqual(read(values), { ...values, compactionModel: 'small-model', perModel: {} });
    equal(read({ maxTokens: null }).maxTokens, null);
  });

  for (const [name, wrong] of [
    ['evictAt', [0, -0.1, 1.01, 60, '0.6', true, Number.NaN]],
    ['foldAt', [0, 2, {}]],
    ['strategy', ['Fold', '', 3, null]],
    ['compactionModel', [3, null]],
    ['keepRounds', [0, -1, 2.5, '3', null]],
    ['maxTokens', [0, 1_023, 2_000.5, '100000']],
    ['perModel', [[], 'x', null, { 'model-1': 3 }]],
  ] as const)
    it(`${name} is as if it were not set where it makes no sense`, () => {
      for (const value of wrong) deepEqual(read({ [name]: value }), DEFAULT_CONTEXT, JSON.stringify(value));
    });

  it('can be set for one model, where what makes no sense leaves what holds for all', () => {
    const perModel = {
      'model-1': { compactAt: 0.7, evictAt: 7, unknown: 1 },
      'model-2': { maxTokens: null },
    };
    deepEqual(read({ perModel }).perModel, { 'model-1': { compactAt: 0.7 }, 'model-2': { maxTokens: null } });
  });

  describe('in the editor', () => {
    const set = (name: string, value: unknown) =>
      vscode.workspace
        .getConfiguration('plimsoll.context')
        .update(name, value, vscode.ConfigurationTarget.Global);

    afterEach(async () => {
      for (const name of ['compactAt', 'perModel']) await set(name, undefined);
    });

    it('are read anew each time', async () => {
      await set('compactAt', null);
      await set('perModel', { 'model-1': { keepRounds: 5 } });
      equal(readSettings().context.compactAt, null);
      deepEqual(readSettings().context.perModel, { 'model-1': { keepRounds: 5 } });
      await set('compactAt', 0.5);
      equal(readSettings().context.compactAt, 0.5);
    });
  });
});
