import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { evictionCandidates } from '../../../src/core/context/evict.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import {
  assistant,
  eviction,
  image,
  logOf,
  pin,
  result,
  text,
  toolUse,
  user,
} from '../../support/builders/entries.ts';

/** A call and its result: the `n`th of a log is e2n (the call) and e2n+1 (the result), behind the user's e1. */
function reads(path: string, value: string, input: object = {}): readonly EntryDraft[] {
  return [assistant(toolUse('c', { path, ...input })), result('c', value, { target: path })];
}
const edits = (path: string) => [
  assistant(toolUse('c', { path, new_text: 'x' }, 'edit_file')),
  result('c', 'changed', { name: 'edit_file', target: path }),
];
const runs = (command: string, options: Parameters<typeof result>[2] = {}) => [
  assistant(toolUse('c', { command }, 'run_command')),
  result('c', `output of ${command}`, { name: 'run_command', target: command, ...options }),
];

/** What may leave, as `entry: reason (where it is again)`; a result weighs a thousand tokens unless said otherwise. */
function leaving(
  drafts: readonly (readonly EntryDraft[])[],
  options: { readonly weight?: number; readonly until?: number } = {},
): readonly string[] {
  const conversation = conversationOf(logOf(user('go'), ...drafts.flat()));
  const { weight = 1_000, until = Number.POSITIVE_INFINITY } = options;
  const weigh = ({ kind }: { kind: string }) => (kind === 'tool_result' ? weight : 20);
  return evictionCandidates({ conversation, weigh, until }).map(
    ({ item: { entryId, reason, see } }) => `${entryId}: ${reason}${see === undefined ? '' : ` (${see})`}`,
  );
}

describe('what may leave the view', () => {
  it('is first what stands there again, word for word', () => {
    expect(leaving([reads('a', 'same'), reads('b', 'same')])).toEqual(['e3: duplicate (e5)']);
  });

  it('is a read whose file was read again', () => {
    expect(leaving([reads('a', 'old'), reads('a', 'new')])).toEqual(['e3: superseded (e5)']);
  });

  it('is a part that a later part shows too, and not one that it does not', () => {
    const lines = (first: number, last: number) => ({ start_line: first, end_line: last });
    expect(leaving([reads('a', 'old', lines(5, 9)), reads('a', 'new', lines(1, 20))])).toEqual([
      'e3: superseded (e5)',
    ]);
    expect(leaving([reads('a', 'old', lines(5, 30)), reads('a', 'new', lines(1, 20))])).toEqual([
      'e3: large',
    ]);
  });

  it('is a read that a later change has made stale, where the file was looked at since', () => {
    const lines = { start_line: 1, end_line: 9 };
    expect(leaving([reads('a', 'old'), edits('a'), reads('a', 'new', lines)])).toEqual([
      'e3: superseded (e5)',
      'e5: large',
    ]);
  });

  it('is what is large, and an image at any size that is worth a reference', () => {
    expect(leaving([runs('make'), reads('a', 'in play')])).toEqual(['e3: large']);
    const shows = runs('shot', { content: [image()] });
    expect(leaving([shows], { weight: 300 })).toEqual(['e3: image']);
    expect(leaving([runs('make')], { weight: 300 })).toEqual([]);
  });

  it('is a duplicate before it is superseded, and superseded before it is large', () => {
    expect(leaving([reads('a', 'same'), reads('a', 'same'), runs('make')])).toEqual([
      'e3: duplicate (e5)',
      'e7: large',
    ]);
  });
});

describe('what stays', () => {
  it('is the newest read of a file in play, also behind a change of it', () => {
    expect(leaving([reads('a', 'text'), edits('a')], { weight: 300 })).toEqual([]);
    expect(leaving([reads('a', 'text'), edits('a')])).toEqual(['e5: large']);
  });

  it('is a good read that a failed one came after', () => {
    const failed = [assistant(toolUse('c', { path: 'a' })), result('c', 'no such file', { status: 'error' })];
    expect(leaving([reads('a', 'text'), failed])).not.toContain('e3: superseded (e5)');
  });

  it('is what a person holds, and what left before', () => {
    const old = reads('a', 'old');
    expect(leaving([old, reads('a', 'new'), [pin('e3')]])).toEqual([]);
    expect(leaving([old, reads('a', 'new'), [eviction({ entryId: 'e3', reason: 'large' })]])).toEqual([]);
  });

  it('is what a reference would hardly be smaller than', () => {
    expect(leaving([reads('a', 'same'), reads('b', 'same')], { weight: 270 })).toEqual([]);
    expect(leaving([reads('a', 'same'), reads('b', 'same')], { weight: 280 })).toHaveLength(1);
  });

  it('is everything from a place on, and what was not called at all', () => {
    expect(leaving([runs('one'), runs('two')], { until: 4 })).toEqual(['e3: large']);
    expect(leaving([[assistant(text('Hm.')), result('nobody', 'x')]])).toEqual([]);
  });
});
