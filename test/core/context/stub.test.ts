import { describe, expect, it } from 'vitest';
import { evictedContent } from '../../../src/core/context/stub.ts';
import type { ToolResultEntry } from '../../../src/core/model/entry.ts';
import type { EvictedItem } from '../../../src/core/model/relief-entry.ts';
import { image, logOf, result } from '../../support/builders/entries.ts';

const [entry] = logOf(
  result('c', 'abcde'.repeat(2_469), { name: 'read_file', target: 'src/tide.ts' }),
) as readonly ToolResultEntry[];
const stub = (item: Partial<EvictedItem>) =>
  evictedContent(entry!, { entryId: 'e1', reason: 'large', ...item });

describe('a reference to a result that left the view', () => {
  it.each([
    ['large', ''],
    ['image', ''],
    ['asked', ''],
    ['duplicate', '; the same text stands further on (e7)'],
    ['superseded', '; the file was read again or changed later (e7)'],
  ] as const)('C23: names tool, path, size and how to fetch it, where it was %s', (reason, why) => {
    expect(stub({ reason, ...(why !== '' && { see: 'e7' }) })).toBe(
      `[Out of view to save room: read_file src/tide.ts, 12,345 characters${why}. Nothing is lost: recall with entry "e1" shows it as it was.]`,
    );
  });

  it('C23: does not tell the model to run the tool again', () => {
    for (const reason of ['duplicate', 'superseded', 'large', 'image', 'asked'] as const)
      expect(stub({ reason })).not.toMatch(/\bre-?run|run (?:it|the)|call (?:it|the)|read it again|repeat/i);
  });

  it('stands between a beginning and an end where some of it stays', () => {
    const kept = stub({ keep: 10 }).split('\n');
    expect(kept).toEqual(['abcde', stub({}), 'abcde']);
  });

  it('stands alone where all of it would stay anyway', () => {
    expect(stub({ keep: 12_345 })).toBe(stub({}));
  });

  it('says of an image that there was one', () => {
    const [shot] = logOf(result('c', '', { content: [image()] })) as readonly ToolResultEntry[];
    expect(evictedContent(shot!, { entryId: 'e1', reason: 'image' })).toContain('recall with entry "e1"');
  });
});
