import { describe, expect, it } from 'vitest';
import { promptChanges, toldSection } from '../../../src/core/agent/prompt-step.ts';
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

describe('what is remembered of the project', () => {
  const before = [
    '# Project memory',
    `Notes of earlier sessions. ${'They may be out of date. '.repeat(9)}`,
    '- Use httpie',
    '- Never touch db.sqlite',
  ];
  const withMemory = (...lines: readonly string[]) => ({
    tools,
    sections: [
      { name: 'base', text: 'base' },
      ...(lines.length > 0 ? [{ name: 'memory', text: lines.join('\n') }] : []),
    ],
  });
  const changesTo = (entries: readonly Entry[], ...lines: readonly string[]) =>
    promptChanges(entries, withMemory(...lines), sha256);
  const empty = after(logOf(user('hi')), changesTo(logOf(user('hi'))));
  const begun = after(logOf(user('hi')), changesTo(logOf(user('hi')), ...before));

  it('is told by what has changed, and the log still says all that the model knows', () => {
    const now = [...before.slice(0, 3), '- Port 8080 is taken', '  on the old machine'];
    const [said, ...more] = changesTo(begun, ...now);
    expect(more).toEqual([]);
    expect(said).toEqual({
      kind: 'reminder',
      topic: 'memory',
      text: [
        'The project memory has changed since it was shown to you; the rest of it is as it was.',
        'New in it:',
        '- Port 8080 is taken',
        '  on the old machine',
        'No longer in it:',
        '- Never touch db.sqlite',
      ].join('\n'),
      section: now.join('\n'),
    });
  });

  it('is told once, and the next change is told from there', () => {
    const long = Array.from({ length: 20 }, (_, index) => `- fact ${index} of the project`);
    const first = [...before, ...long];
    const log = after(begun, changesTo(begun, ...first));
    expect(changesTo(log, ...first)).toEqual([]);
    expect(toldSection(log, 'memory')).toBe(first.join('\n'));
    const [said] = changesTo(log, ...first, '- one more');
    expect(said).toMatchObject({ text: expect.stringMatching(/^.*\nNew in it:\n- one more$/) as string });
    expect(toldSection(after(log, [said!]), 'memory')).toBe([...first, '- one more'].join('\n'));
  });

  it('is told whole where there was none, or most of it is new, and as gone where nothing is left', () => {
    expect(changesTo(empty, ...before)).toEqual([
      { kind: 'reminder', topic: 'memory', text: before.join('\n') },
    ]);
    expect(changesTo(begun, '- all new')).toEqual([{ kind: 'reminder', topic: 'memory', text: '- all new' }]);
    const gone = changesTo(begun);
    expect(gone).toEqual([{ kind: 'reminder', topic: 'memory', text: 'This no longer applies.' }]);
    expect(toldSection(after(begun, gone), 'memory')).toBeUndefined();
    expect(changesTo(after(begun, gone), ...before)).toMatchObject([{ text: before.join('\n') }]);
  });

  it('needs no word where only its order has changed', () => {
    expect(changesTo(begun, ...before.slice(0, 2), ...before.slice(2).toReversed())).toEqual([]);
  });

  it('of a log from before sections were kept is what its reminders say', () => {
    const old = after(begun, [{ kind: 'reminder', topic: 'memory', text: '- Use curl' }]);
    expect(toldSection(old, 'memory')).toBe('- Use curl');
  });
});
