import { expect, it } from 'vitest';
import { sampleWindows } from '../../../src/core/model/sample-windows.ts';

const SIZE = { whole: 256 * 1024, window: 8 * 1024 };

it('a short text is taken whole, a long one by windows that do not overlap and reach both ends', () => {
  expect(sampleWindows(SIZE.whole, SIZE)).toEqual({ windows: [{ start: 0, end: SIZE.whole }], scale: 1 });
  for (const length of [SIZE.whole + 1, 1_000_003, 40_000_000]) {
    const { windows, scale } = sampleWindows(length, SIZE);
    const sizes = windows.map(({ start, end }) => end - start);
    const read = sizes.reduce((sum, size) => sum + size);
    expect(read).toBe(SIZE.whole);
    expect(read * scale).toBeCloseTo(length);
    expect([windows[0]?.start, windows.at(-1)?.end]).toEqual([0, length]);
    windows.slice(1).forEach(({ start }, index) => expect(start).toBeGreaterThanOrEqual(windows[index]!.end));
  }
});
