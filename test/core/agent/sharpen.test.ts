import { describe, expect, it } from 'vitest';
import { sharpen } from '../../../src/core/agent/sharpen.ts';
import type { Turn } from '../../../src/core/agent/turn-deps.ts';
import type { Assembled } from '../../../src/core/context/assemble.ts';
import { AbortedError } from '../../../src/core/model/errors.ts';
import type { ModelPort } from '../../../src/core/ports/model.ts';

const lines = { evict: 0.6, prepare: 0.7, compact: 0.8, fold: 0.95 };

/** A request of `base` billed and `counted` counted tokens, under a budget of 100,000. */
function assembledOf(base: number, counted: number, uncounted = 0): Assembled {
  const total = base + counted + uncounted;
  const added = { tokens: counted + uncounted, imageTokens: 0, isCounted: uncounted === 0, uncounted, base };
  const item = (tokens: number) =>
    ({ entryId: 'e1', category: 'user', label: 'message', state: 'kept', tokens }) as const;
  const budget = { window: 120_000, reservedOutput: 16_000, margin: 4_000, tokens: 100_000, lines };
  const ledger = { phase: 'estimate', items: [item(base), item(total - base)], total, budget } as const;
  return { ledger, added } as unknown as Assembled;
}

type Count = NonNullable<ModelPort['countTokens']>;

/** A turn whose clock never gives up, unless told so. */
function turnWith(countTokens: Count | undefined, sleep: (ms: number) => Promise<void> = never): Turn {
  const model = { countTokens };
  return { deps: { model, clock: { sleep } }, signal: new AbortController().signal } as unknown as Turn;
}
const never = () => new Promise<void>(() => undefined);

async function totalOf(assembled: Assembled, count: Count): Promise<{ total: number; asked: number }> {
  let asked = 0;
  const { ledger } = await sharpen(
    turnWith((...args) => {
      asked += 1;
      return count(...args);
    }),
    assembled,
  );
  expect(ledger.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(ledger.total);
  return { total: ledger.total, asked };
}

const says = (tokens: number) => () => Promise.resolve(tokens);

describe('the provider’s own count', () => {
  it('is asked for where a load line lies within what the estimate may be off by', async () => {
    expect(await totalOf(assembledOf(0, 79_000), says(81_234))).toEqual({ total: 81_234, asked: 1 });
    expect(await totalOf(assembledOf(70_000, 0, 8_500), says(80_001))).toEqual({ total: 80_001, asked: 1 });
  });

  it('is asked for where the budget does', async () => {
    expect(await totalOf(assembledOf(0, 101_000), says(99_000))).toEqual({ total: 99_000, asked: 1 });
  });

  it('is not asked for where a real usage makes the estimate certain, or no line is near', async () => {
    expect(await totalOf(assembledOf(79_000, 0), says(1))).toEqual({ total: 79_000, asked: 0 });
    expect(await totalOf(assembledOf(77_000, 2_000), says(1))).toEqual({ total: 79_000, asked: 0 });
    expect(await totalOf(assembledOf(0, 40_000), says(1))).toEqual({ total: 40_000, asked: 0 });
  });

  it('leaves the estimate where it fails, or the server does not count', async () => {
    expect((await totalOf(assembledOf(0, 79_000), () => Promise.reject(new Error('no')))).total).toBe(79_000);
    expect((await totalOf(assembledOf(0, 79_000), () => Promise.resolve(undefined))).total).toBe(79_000);
    expect((await sharpen(turnWith(undefined), assembledOf(0, 79_000))).ledger.total).toBe(79_000);
  });

  it('is waited for two seconds and no longer, and then given up', async () => {
    let given: AbortSignal | undefined;
    const waited: number[] = [];
    const hanging: Count = (_request, _info, signal) => {
      given = signal;
      return new Promise<number>(() => undefined);
    };
    const turn = turnWith(hanging, (ms) => Promise.resolve(void waited.push(ms)));
    expect((await sharpen(turn, assembledOf(0, 79_000))).ledger.total).toBe(79_000);
    expect(waited).toEqual([2_000]);
    expect(given?.aborted).toBe(true);
  });

  it('ends with the turn', async () => {
    const abort = new AbortController();
    const turn = { ...turnWith(() => Promise.reject(new AbortedError())), signal: abort.signal };
    abort.abort();
    await expect(sharpen(turn, assembledOf(0, 79_000))).rejects.toThrow(AbortedError);
  });
});
