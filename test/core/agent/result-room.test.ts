import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResultRoom } from '../../../src/core/agent/result-room.ts';

describe('C13: the room that the results of one step share', () => {
  it('is all there for a single call', () => {
    expect(new ResultRoom(1).next).toBe(40_000);
  });

  it('goes to whoever needs it, but for what each of the others is sure of', () => {
    const room = new ResultRoom(4);
    expect(room.next).toBe(25_000);
    room.take(100);
    room.take(100);
    expect(room.next).toBe(34_800);
  });

  it('is never more than the step has, however many calls there are and whatever they take', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }),
        (greeds) => {
          const room = new ResultRoom(greeds.length);
          let sum = 0;
          for (const greed of greeds) {
            const taken = Math.floor(room.next * greed);
            sum += taken;
            room.take(taken);
          }
          expect(sum).toBeLessThanOrEqual(40_000);
        },
      ),
    );
  });
});
