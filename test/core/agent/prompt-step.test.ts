import { describe, expect, it } from 'vitest';
import { promptChanges } from '../../../src/core/agent/prompt-step.ts';
import type { Entry, EntryDraft } from '../../../src/core/model/entry.ts';
import { sha256 } from '../../../src/node/hash.ts';
import { logOf, user } from '../../support/builders/entries.ts';

const tools = [{ name: 'look', description: 'Looks.', inputSchema: {} }];
const promptOf = (environment: string, instructions?: string, base = 'base') => ({
  tools,
  sections: [
    { name: 'base', text: base },
    { name: 'environment', text: environment },
    ...(instructions === undefined ? [] : [{ name: 'instructions', text: instructions }]),
  ],
});
const changes = (entries: readonly Entry[], ...now: Parameters<typeof promptOf>) =>
  promptChanges(entries, promptOf(...now), sha256);

/** The log after the changes were appended to it. */
const after = (entries: readonly Entry[], drafts: readonly EntryDraft[]) =>
  logOf(...entries.map(({ id: _id, at: _at, ...draft }) => draft), ...drafts);

describe('the system prompt', () => {
  const begun = after(logOf(user('hi')), changes(logOf(user('hi')), 'Monday', 'rule 1'));

  it('is logged before the first request, and not again while it holds', () => {
    expect(begun.at(-1)).toMatchObject({
      kind: 'prompt',
      sections: [{ name: 'base' }, { name: 'environment' }, { name: 'instructions' }],
    });
    expect(changes(begun, 'Monday', 'rule 1')).toEqual([]);
  });

  it('T11: midnight and an edited AGENTS.md are said at the tail, once, and leave the prefix alone', () => {
    const said = changes(begun, 'Tuesday', 'rule 2');
    expect(said).toEqual([
      { kind: 'reminder', topic: 'environment', text: 'Tuesday' },
      { kind: 'reminder', topic: 'instructions', text: 'rule 2' },
    ]);
    expect(changes(after(begun, said), 'Tuesday', 'rule 2')).toEqual([]);
  });

  it('says what is new and what is gone', () => {
    expect(changes(begun, 'Monday')).toEqual([
      { kind: 'reminder', topic: 'instructions', text: 'This no longer applies.' },
    ]);
    const gone = after(begun, changes(begun, 'Monday'));
    expect(changes(gone, 'Monday')).toEqual([]);
    expect(changes(gone, 'Monday', 'rule 1')).toMatchObject([{ topic: 'instructions', text: 'rule 1' }]);
  });

  it('breaks only where what is frozen changed: another version’s base or tools', () => {
    expect(changes(begun, 'Monday', 'rule 1', 'a newer base')).toMatchObject([{ kind: 'prompt' }]);
    const otherTools = { ...promptOf('Monday', 'rule 1'), tools: [] };
    expect(promptChanges(begun, otherTools, sha256)).toMatchObject([{ kind: 'prompt', tools: [] }]);
  });
});
