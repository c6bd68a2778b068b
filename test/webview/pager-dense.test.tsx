// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shortPieces } from '../../webview/pager/match-highlights.ts';
import { giveLayout, linesOf } from './fake-output.ts';
import { openPager, pause } from './pager-harness.tsx';
import { click, press, type } from './panel-harness.tsx';

/** The part of the browser that draws over a text, which jsdom has not. */
class Highlights extends Set<AbstractRange> {}
class PlainRange {
  constructor(init: StaticRangeInit) {
    Object.assign(this, init);
  }
}

beforeEach(() => {
  giveLayout();
  Object.assign(globalThis, {
    Highlight: Highlights,
    StaticRange: PlainRange,
    CSS: { highlights: new Map() },
  });
});
afterEach(() => {
  for (const name of ['Highlight', 'StaticRange', 'CSS']) Reflect.deleteProperty(globalThis, name);
});

describe('a row with very many matches', () => {
  const drawn = () =>
    [...(CSS.highlights.get('output-match') ?? [])].map(({ startContainer, startOffset, endOffset }) =>
      (startContainer as Text).data.slice(startOffset, endOffset),
    );

  async function searched(rows: readonly string[], text: string) {
    const panel = await openPager({ rows: linesOf(rows) });
    await type(panel.field('Search output'), text);
    await press(panel.field('Search output'), 'Enter');
    await pause(20);
    const marks = () => [...panel.root.querySelectorAll('mark')].map((mark) => mark.textContent);
    return { ...panel, marks, count: () => panel.find('.pager-count').textContent };
  }

  it('has an element for the one that is looked at alone, and the browser draws the others', async () => {
    const panel = await searched(['tide '.repeat(400)], 'tide');
    expect(panel.count()).toBe('1 of 400');
    expect(panel.marks()).toEqual(['tide']);
    expect(panel.find('mark').className).toContain('current-match');
    expect(drawn().join('')).toBe('tide'.repeat(399));
    await click(panel.button('Previous match')!);
    expect(panel.marks()).toEqual(['tide']);
    expect(drawn().join('')).toBe('tide'.repeat(399));
    expect(panel.find('mark').nextSibling?.textContent).toBe(' ');
  });

  it('has elements for all of them where they are few', async () => {
    const panel = await searched(['tide '.repeat(20), 'tide'], 'tide');
    expect(panel.marks()).toHaveLength(21);
    expect(drawn()).toEqual([]);
  });

  it('shows matches that touch as one, and those that colours cut as whole', async () => {
    const panel = await searched(['a'.repeat(600), 'x', 'b\u001b[31ma\u001b[0m '.repeat(30)], 'a');
    expect(panel.marks()).toEqual(['a']);
    expect(drawn().join('')).toBe('a'.repeat(599 + 30));
    expect(drawn().length).toBeLessThan(30 + 10);
    await type(panel.field('Search output'), 'ba');
    await press(panel.field('Search output'), 'Enter');
    await pause(20);
    expect(panel.marks()).toEqual(['b', 'a']);
    expect(drawn().join('')).toBe('ba'.repeat(29));
  });

  it('shows each where it is, also behind characters that are named in their place', async () => {
    const panel = await searched(['tide\u202e tide \u{e0041}tide '.repeat(59)], 'tide');
    expect(panel.marks()).toEqual(['tide']);
    expect(drawn().join('')).toBe('tide'.repeat(176));
    await type(panel.field('Search output'), 'e\u202e t');
    await press(panel.field('Search output'), 'Enter');
    await pause(20);
    expect(panel.marks().join('')).toBe('e⟨U+202E⟩ t');
    expect(drawn().join('')).toBe('e⟨U+202E⟩ t'.repeat(58));
  });

  it('leaves nothing drawn when it is out of sight, or nothing is searched for', async () => {
    const rows = Array.from({ length: 500 }, (_, row) => (row < 100 ? 'tide '.repeat(50) : `row ${row}`));
    const panel = await searched(rows, 'tide');
    expect(drawn().length).toBeGreaterThan(1_000);
    await panel.scroll(18 * 400);
    await pause(20);
    expect(drawn()).toEqual([]);
    await panel.scroll(0);
    await pause(20);
    expect(drawn().length).toBeGreaterThan(1_000);
    await type(panel.field('Search output'), '');
    await pause(20);
    expect(drawn()).toEqual([]);
    expect(panel.marks()).toEqual([]);
  });

  it('is made of pieces that lose nothing, and are cut in no character that is made of several', () => {
    const unit = fc.constantFrom('a', ' ', 'tide ', '🙂', '👩‍🚀', 'e\u0301', '\u202e', '\n');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (units) => {
        const text = units.join('');
        const pieces = shortPieces(text);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces.slice(1)) expect(piece).toMatch(/^[ -~]/);
        for (const piece of pieces.slice(0, -1)) expect(piece).toMatch(/[ -~]$/);
      }),
    );
    expect(Math.max(...shortPieces('a '.repeat(1_000)).map(({ length }) => length))).toBe(100);
  });
});
