import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { DEFAULT_CONTEXT } from '../../src/core/model/settings.ts';
import { contextObjections, readContext } from '../../src/host/context-settings.ts';
import { readSettings, settingObjections } from '../../src/host/settings.ts';

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

  describe('that are not taken as they stand', () => {
    const told = (values: Readonly<Record<string, unknown>>) => contextObjections((name) => values[name]);

    it('are none where everything makes sense', () => {
      deepEqual(told({}), []);
      deepEqual(told({ ...DEFAULT_CONTEXT }), []);
      deepEqual(told({ evictAt: null, prepareAt: null, compactAt: null, foldAt: null, maxTokens: null }), []);
    });

    for (const [name, value, said] of [
      ['evictAt', 60, 'is 60, but must be a share over 0 and up to 1, or null for never; 0.6 is used.'],
      [
        'compactAt',
        '0.7',
        'is "0.7", but must be a share over 0 and up to 1, or null for never; 0.8 is used.',
      ],
      [
        'foldAt',
        Number.NaN,
        'is NaN, but must be a share over 0 and up to 1, or null for never; 0.95 is used.',
      ],
      [
        'strategy',
        'Fold',
        'is "Fold", but must be "summarize" or "fold" or "slidingWindow"; "summarize" is used.',
      ],
      ['keepRounds', 0, 'is 0, but must be a whole number from 1; 3 is used.'],
      ['maxTokens', 9, 'is 9, but must be a whole number from 1024, or null for no cap; null is used.'],
      ['perModel', 3, 'is 3, but must be an object by model id; nothing is set for single models.'],
    ] as const)
      it(`are named with what is used instead: ${name} = ${String(value)}`, () => {
        deepEqual(told({ [name]: value }), [`plimsoll.context.${name} ${said}`]);
      });

    it('are lines out of order too, which are used all the same', () => {
      const said = 'so compactAt acts first; both are used as they are.';
      deepEqual(told({ compactAt: 0.5 }), [
        `plimsoll.context.prepareAt (0.7) is above compactAt (0.5), ${said}`,
      ]);
      deepEqual(told({ evictAt: null, prepareAt: null, compactAt: 0.5 }), []);
      deepEqual(told({ evictAt: 0.9, prepareAt: null }), [
        `plimsoll.context.evictAt (0.9) is above compactAt (0.8), ${said}`,
      ]);
    });

    it('are told of single models with what holds for them', () => {
      const perModel = { 'model-1': { compactAt: 7 }, 'model-2': 3, 'model-3': { foldAt: 0.75 } };
      deepEqual(told({ compactAt: 0.85, perModel }), [
        'plimsoll.context.perModel["model-1"].compactAt is 7, but must be a share over 0 and up to 1, or null for never; 0.85 is used.',
        'plimsoll.context.perModel["model-2"] is 3, but must be an object of settings; what is set for all models holds.',
        'plimsoll.context.perModel["model-3"]: compactAt (0.85) is above foldAt (0.75), so foldAt acts first; both are used as they are.',
      ]);
    });
  });

  describe('in the editor', () => {
    const set = (name: string, value: unknown) =>
      vscode.workspace
        .getConfiguration('plimsoll.context')
        .update(name, value, vscode.ConfigurationTarget.Global);

    afterEach(async () => {
      for (const name of ['compactAt', 'perModel']) await set(name, undefined);
    });

    it('are told where a settings file is wrong, and no longer when it is mended', async () => {
      deepEqual(settingObjections(), []);
      await set('compactAt', 80);
      equal(settingObjections().length, 1);
      match(settingObjections()[0] ?? '', /plimsoll\.context\.compactAt is 80.*0\.8 is used/);
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
