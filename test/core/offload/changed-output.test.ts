import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputPlace } from '../../../src/core/model/output-page.ts';
import { PagedOutput } from '../../../src/core/offload/paged-output.ts';
import type { OutputNow } from '../../../src/core/offload/paged-output.ts';
import { anyOutput, outputBytes, shelfOf } from '../../support/outputs.ts';

const none = () => Promise.resolve();

function opened(bytes: Uint8Array, parts?: number) {
  const shelf = shelfOf(bytes, parts);
  const paged = new PagedOutput(shelf.files, none);
  const pageNow = async (output: OutputNow, at: OutputPlace, count: number) => {
    const page = await paged.page(output, at, count);
    if (page.kind === 'missing') throw new Error(page.reason);
    return page;
  };
  return { shelf, pageNow, output: shelf.output() };
}

describe('an output whose file is changed while it is looked at', () => {
  const lines = (word: string, count: number) => `${word}\n`.repeat(count);

  /** Looks, has the file written, and looks again; `mayGrow` while its command runs. */
  async function changed(before: string, after: string, { isGrowing = false, parts = 1 } = {}) {
    const { shelf, pageNow } = opened(outputBytes(before), parts);
    const asItWas = shelf.output();
    await pageNow({ ...asItWas, isGrowing }, 'end', 1_000);
    const [file] = [...shelf.contents.keys()].slice(-1) as [string];
    const kept = before.length - (shelf.contents.get(file)?.length ?? 0);
    shelf.contents.set(file, outputBytes(after.slice(kept)));
    shelf.times.set(file, 1);
    const now = isGrowing ? shelf.output() : asItWas;
    const fresh = new PagedOutput(shelf.files, none);
    const { generation, ...page } = await pageNow({ ...now, isGrowing }, 'end', 1_000);
    const { generation: _, ...asNew } = (await fresh.page(now, 'end', 1_000)) as typeof page & {
      generation: number;
    };
    return { generation, page, asNew };
  }

  it.each([
    ['a longer one', 'one\ntwo\n', 'a\nb\nc\nd\ne\n'],
    ['one of the same length', lines('four', 3_000), lines('a\nbc', 3_000)],
    [
      'one with the same ends',
      `${lines('same', 2_000)}one two\n${lines('same', 2_000)}`,
      `${lines('same', 2_000)}one\ntwo\n${lines('same', 2_000)}`,
    ],
    ['one with other colours', `\u001b[31m${lines('x', 9_000)}`, `\u001b[32m${lines('x', 9_000)}`],
  ])(
    'is counted again, and says that it is another, after %s has taken its place',
    async (_, before, after) => {
      for (const parts of [1, 2]) {
        if (parts === 2 && before.slice(0, before.length / 2) !== after.slice(0, before.length / 2)) continue;
        const { generation, page, asNew } = await changed(before, after, { parts });
        expect(page).toEqual(asNew);
        expect(generation).toBe(1);
      }
    },
  );

  it('is counted again where a longer one has taken its place while its command runs', async () => {
    for (const after of [
      `other ${lines('line', 4_000)}`,
      lines('line\n', 3_000),
      `${lines('lin', 3_000)}at the end`,
    ]) {
      const { generation, page, asNew } = await changed(lines('line', 2_000), after, { isGrowing: true });
      expect(page).toEqual(asNew);
      expect(generation).toBe(1);
    }
  });

  it('is the same while its command goes on, also where the time is told before the bytes are there', async () => {
    for (const after of [lines('line', 3_000), lines('line', 2_000)]) {
      const { generation, page, asNew } = await changed(lines('line', 2_000), after, { isGrowing: true });
      expect(page).toEqual(asNew);
      expect(generation).toBe(0);
    }
  });

  it('is the same after its command has ended, with all that it printed last', async () => {
    const { shelf, pageNow } = opened(outputBytes(lines('line', 2_000)));
    const [file] = [...shelf.contents.keys()] as [string];
    await pageNow({ ...shelf.output(), isGrowing: true }, 'end', 1);
    shelf.contents.set(file, outputBytes(lines('line', 2_500)));
    shelf.times.set(file, 1);
    const ended = await pageNow(shelf.output(), 'end', 1);
    expect(ended).toMatchObject({ generation: 0, counted: { lines: 2_500 } });
    expect(await pageNow(shelf.output(), 'end', 1)).toEqual(ended);
  });

  it('is known again by few bytes of its ends, however it was read', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyOutput,
        anyOutput,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (first, second, share) => {
          const whole = new Uint8Array(Buffer.concat([first, second]));
          const { shelf, pageNow } = opened(whole);
          const [file] = [...shelf.contents.keys()] as [string];
          const stages = [Math.floor(first.length * share), first.length, whole.length];
          for (const [time, length] of stages.entries()) {
            shelf.contents.set(file, whole.slice(0, length));
            shelf.times.set(file, time);
            const page = await pageNow({ ...shelf.output(), isGrowing: true }, 'end', 1);
            expect(page.generation).toBe(0);
          }
          if (whole.length === 0) return;
          const other = whole.slice();
          other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
          shelf.contents.set(file, other);
          shelf.times.set(file, stages.length);
          expect((await pageNow({ ...shelf.output(), isGrowing: true }, 'end', 1)).generation).toBe(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('tells looks that overlap the same', async () => {
    const { shelf, pageNow, output } = opened(outputBytes(lines('line', 2_000)));
    const [file] = [...shelf.contents.keys()] as [string];
    await pageNow(output, 'end', 1);
    shelf.contents.set(file, outputBytes(lines('more', 2_000)));
    shelf.times.set(file, 1);
    const looks = await Promise.all([0, 1, 2].map((row) => pageNow(output, { row }, 1)));
    expect(looks.map(({ generation, rows }) => [generation, rows[0]?.text])).toEqual(
      [0, 1, 2].map(() => [1, 'more']),
    );
  });
});
