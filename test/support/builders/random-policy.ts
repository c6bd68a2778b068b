import fc from 'fast-check';
import type { ModelInfo } from '../../../src/core/model/request.ts';
import type { WindowSettings } from '../../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import { MODEL, PROVIDER } from './entries.ts';

const line = (usual: number) => fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constant(null));
const trait = fc.boolean();

export interface Policy {
  readonly info: ModelInfo;
  readonly settings: WindowSettings;
}

/** A model and what a person may have set for it. */
export const randomPolicy: fc.Arbitrary<Policy> = fc
  .record({
    window: fc.oneof(fc.integer({ min: 4_000, max: 200_000 }), fc.integer({ min: 4_000, max: 16_000 })),
    id: fc.constantFrom(MODEL, MODEL, 'another-model'),
    bindsThinking: trait,
    systemMessages: trait,
    maxOutputTokens: fc.constantFrom(1_000, 8_000, 32_000),
    rules: fc.record({
      evictAt: line(0.6),
      prepareAt: line(0.7),
      compactAt: line(0.8),
      foldAt: line(0.95),
      strategy: fc.constantFrom('summarize' as const, 'fold' as const, 'slidingWindow' as const),
      keepRounds: fc.integer({ min: 0, max: 6 }),
      maxTokens: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        fc.integer({ min: 3_000, max: 60_000 }),
      ),
    }),
  })
  .map(({ id, window, rules, maxOutputTokens, ...traits }) => ({
    info: {
      id,
      displayName: 'Random',
      provider: PROVIDER,
      thinking: 'none',
      window,
      traits: { ...traits, signedSummaries: id === MODEL },
    },
    settings: {
      maxOutputTokens,
      context: { ...DEFAULT_CONTEXT, ...rules },
    },
  }));
