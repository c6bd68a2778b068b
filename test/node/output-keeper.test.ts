import { describe, expect, it } from 'vitest';
import { OutputKeeper } from '../../src/node/output-keeper.ts';

const KEPT = 100_000;
/** What may pile up behind the kept parts before it is trimmed. */
const SLACK = 2_000_000;

describe('X9: output of any size', () => {
  it.each([1_000, 65_536, 5_000_000])(
    'in chunks of %i bytes is held in bounded memory, at any time',
    (size) => {
      const keeper = new OutputKeeper(KEPT);
      for (let total = 0; total < 50_000_000; total += size) {
        keeper.add(Buffer.alloc(size, 'x'));
        expect(keeper.heldBytes).toBeLessThanOrEqual(KEPT + SLACK);
      }
    },
  );

  it('is its beginning and its end, with what is missing counted', () => {
    const keeper = new OutputKeeper(10);
    for (let index = 0; index < 1_000_000; index++) keeper.add(Buffer.from(String(index % 10)));
    expect(keeper.finish()).toEqual({
      head: '01234',
      tail: '56789',
      totalBytes: 1_000_000,
      droppedBytes: 999_990,
    });
  });
});
