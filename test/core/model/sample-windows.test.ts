import { expect, it } from 'vitest';
import { sampleWindows } from '../../../src/core/model/sample-windows.ts';

it('a short text is taken whole, a long one by windows that do not overlap and reach both ends', () => {
  expect(sampleWindows(256 * 1024)).toEqual({ windows: [{ start: 0, end: 256 * 1024 }], scale: 1 });
  for (const length of [256 * 1024 + 1, 1_000_003, 40_000_000]) {
    const { windows, scale } = sampleWindows(length);
    const sizes = windows.map(({ start, end }) => end - start);
    expect(sizes.reduce((sum, size) => sum + size) * scale).toBeCloseTo(length);
    expect([windows[0]?.start, windows.at(-1)?.end]).toEqual([0, length]);
    windows.slice(1).forEach(({ start }, index) => expect(start).toBeGreaterThanOrEqual(windows[index]!.end));
  }
});
