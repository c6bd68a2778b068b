import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RESULT_CHARS } from '../../../../src/core/text/bound-text.ts';
import { textPages } from '../../../../src/core/tools/recall/recall-entry.ts';
import { entryText } from '../../../../src/core/tools/recall/recall-text.ts';
import {
  assistant,
  logOf,
  result,
  text,
  thinking,
  toolUse,
  user,
} from '../../../support/builders/entries.ts';
import { recall, refusal } from '../../../support/recall.ts';

describe('recall by the id of an entry', () => {
  const log = logOf(
    user('Look.'),
    assistant(thinking('secret'), text('I look.'), toolUse('c1', { path: 'src/a.ts', note: 'two\nlines' })),
    { kind: 'tool_intent', toolUseId: 'c1', name: 'read_file', target: 'src/a.ts', consent: 'free' },
    result('c1', 'content', { target: 'src/a.ts' }),
    { kind: 'queue', text: 'later' },
    { kind: 'user', text: 'later', queueId: 'e5' },
  );

  it('shows a result with its call', async () => {
    expect(await recall(log, { entry: 'e4' })).toMatchInlineSnapshot(`
      "e4 result of read_file: src/a.ts (ok, called in e2), this round
      content"
    `);
  });

  it('shows an answer with its calls in full, and without its thinking', async () => {
    expect(await recall(log, { entry: 'e2' })).toMatchInlineSnapshot(`
      "e2 answer, result of read_file: e4, this round
      I look.

      [call of read_file]
      path: src/a.ts
      note:
      two
      lines"
    `);
  });

  it.each(['e4', 'E4', ' e4 ', '[e4]', '#4', 'e04'])('takes the id written as “%s”', async (entry) => {
    expect(await recall(log, { entry })).toContain('content');
  });

  it('an id that does not exist: says which do', async () => {
    expect(await refusal(log, { entry: 'e99' })).toBe('There is no entry "e99". They go from e1 to e6.');
    expect(await refusal(log, { entry: 'the first' })).toContain('They go from e1 to e6.');
    expect(await refusal([], { entry: 'e1' })).toContain('There are none yet.');
  });

  it('a record that says nothing leads to the entry that does', async () => {
    expect(await refusal(log, { entry: 'e3' })).toContain('What you look for is e4.');
    expect(await refusal(log, { entry: 'e5' })).toContain('What you look for is e6.');
  });

  it('names images instead of showing their bytes', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA', width: 8, height: 6 } as const;
    expect(entryText(logOf(result('c', '', { content: [image] }))[0]!)).toBe('[an image, image/png, 8×6]');
    expect(entryText(logOf({ kind: 'user', text: 'see', images: [image] })[0]!)).toBe(
      'see\n[an image, image/png, 8×6]',
    );
  });

  it('goes in pages, each of which names the call for the next', async () => {
    const long = logOf(result('c', 'line of text\n'.repeat(7_000)));
    const first = await recall(long, { entry: 'e1' });
    expect(first.length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
    expect(first).toMatch(/page 1 of 3\n/);
    expect(first).toMatch(/\[More: recall with entry "e1" and page 2\.\]$/);
    expect(await recall(long, { entry: 'e1', page: 3 })).not.toContain('[More');
    expect(await refusal(long, { entry: 'e1', page: 4 })).toContain('e1 has 3');
  });

  it('the pages together are the text, whatever it is', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('x'.repeat(30_000), '👩‍👩‍👧'.repeat(9_000), '\n'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const value = parts.join('').toWellFormed();
        const pages = textPages(value);
        expect(pages.join('')).toBe(value);
        for (const page of pages) {
          expect(page.length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
          expect(page.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
