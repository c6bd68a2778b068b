import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEARNT } from '../../../src/core/memory/document.ts';
import { parseDocument } from '../../../src/core/memory/parse.ts';
import { changesOf, documentOf } from '../../../src/core/memory/reconcile.ts';
import { renderDocument } from '../../../src/core/memory/render.ts';
import { tidyText } from '../../../src/core/memory/tidy.ts';
import type { Memory } from '../../../src/core/model/memory.ts';
import { anyText, linesIn, memory, wordsOf } from './memory-texts.ts';

const NOW = 5_000;

interface Forgotten {
  readonly ids?: readonly string[];
  /** those whose words are still known */
  readonly past?: readonly Memory[];
}

function changes(text: string, memories: readonly Memory[], { ids = [], past = [] }: Forgotten = {}) {
  let next = 1;
  const result = changesOf({
    document: parseDocument(text),
    memories,
    newId: () => `mnew000${next++}`,
    nowMs: NOW,
    isForgotten: (id) => ids.includes(id),
    past: (id) => past.find((each) => each.id === id),
  });
  return { changes: result.changes, text: renderDocument(result.document) };
}

const user = (id: string, text: string, others: Partial<Memory> = {}) =>
  memory(id, text, { source: 'user', importance: 4, category: 'convention', ...others });

describe('MEMORY.md as the store would have it', () => {
  const file = (layout: string, memories: readonly Memory[]) =>
    renderDocument(documentOf(parseDocument(layout), memories));

  it('keeps the layout, has the texts of now, and leaves out what is gone', () => {
    const layout =
      '# Notes\n\n* old text <!-- m0000001 -->\n- gone <!-- m0000002 -->\n- typed since\n\nProse.\n';
    expect(file(layout, [user('m0000001', 'new text')])).toBe(
      '# Notes\n\n* new text <!-- m0000001 -->\n- typed since\n\nProse.\n',
    );
  });

  it('has what was learnt in order: pinned, important, lately used or changed, then by id', () => {
    const memories = [
      memory('m0000004', 'd'),
      memory('m0000003', 'c'),
      memory('m0000002', 'b', { usedMs: 2_000 }),
      memory('m0000001', 'a', { updatedMs: 1_500 }),
      memory('m0000005', 'e', { importance: 5 }),
      memory('m0000006', 'f', { importance: 1, isPinned: true }),
      memory('m0000007', 'proposed', { status: 'proposed' }),
    ];
    const { learnt } = documentOf(parseDocument(''), memories);
    expect(learnt.map(({ text }) => text).join('')).toBe('febacd');
  });

  it('has at the end of the person’s part what they wrote in another worktree', () => {
    const memories = [user('m0000001', 'here'), user('m0000002', 'there'), memory('m0000003', 'learnt')];
    expect(file('# Notes\n\n- here <!-- m0000001 -->\n', memories)).toBe(
      `# Notes\n\n- here <!-- m0000001 -->\n- there <!-- m0000002 -->\n\n${LEARNT}\n\n- learnt <!-- m0000003 3 fact -->\n`,
    );
  });
});

describe('what the store has to be told of MEMORY.md', () => {
  it('a bullet that somebody typed becomes a memory with the rank of a person', () => {
    expect(changes('- use pnpm\n  everywhere\n', [])).toEqual({
      changes: [
        {
          kind: 'put',
          memory: user('mnew0001', 'use pnpm\neverywhere', { createdMs: NOW, updatedMs: NOW }),
        },
      ],
      text: '- use pnpm <!-- mnew0001 -->\n  everywhere\n',
    });
  });

  it('an edited text, importance or category is told, with another day for the text only, and nothing where nothing was', () => {
    const known = [user('m0000001', 'tabs'), memory('m0000002', 'slow')];
    const text = `- tabs <!-- m0000001 -->\n\n${LEARNT}\n\n- slow <!-- m0000002 3 fact -->\n`;
    expect(changes(text, known)).toEqual({ changes: [], text });
    const edited = text.replace('tabs', 'spaces').replace('3 fact', '5 lesson');
    expect(changes(edited, known).changes).toEqual([
      { kind: 'put', memory: { ...known[0], text: 'spaces', updatedMs: NOW } },
      { kind: 'put', memory: { ...known[1], importance: 5, category: 'lesson' } },
    ]);
  });

  it('M10: what is no longer there is forgotten, proposals excepted', () => {
    const known = [user('m0000001', 'tabs'), memory('m0000002', 'slow', { status: 'proposed' })];
    expect(changes('', known).changes).toEqual([{ kind: 'forget', id: 'm0000001', atMs: NOW }]);
  });

  it('what was forgotten and is there again is put back, as is what came with a clone', () => {
    const text = `- tabs <!-- m0000001 -->\n\n${LEARNT}\n\n- slow <!-- m0000002 5 lesson -->\n`;
    const put = changes(text, [], { ids: ['m0000001'] });
    expect(put.text).toBe(text);
    expect(put.changes).toEqual([
      { kind: 'put', memory: user('m0000001', 'tabs', { createdMs: NOW, updatedMs: NOW }) },
      {
        kind: 'put',
        memory: memory('m0000002', 'slow', {
          ...{ importance: 5, category: 'lesson', createdMs: NOW, updatedMs: NOW },
        }),
      },
    ]);
  });

  it('what is there again in the same process is what it was, with the words of the file', () => {
    const past = [
      memory('m0000001', 'tabs', {
        ...{ source: 'user', importance: 5, category: 'decision', isPinned: true, uses: 7, usedMs: 3_000 },
        ...{ origin: { sessionId: 's', entryId: 'e1' }, expiresMs: NOW + 1 },
      }),
      memory('m0000002', 'slow', { importance: 2, uses: 1, expiresMs: NOW + 1 }),
    ];
    const text = `- tabs <!-- m0000001 -->\n\n${LEARNT}\n\n- very slow <!-- m0000002 2 fact -->\n`;
    expect(changes(text, [], { ids: ['m0000001', 'm0000002'], past }).changes).toEqual([
      { kind: 'put', memory: past[0] },
      { kind: 'put', memory: { ...past[1], text: 'very slow', updatedMs: NOW } },
    ]);
  });

  it('what a person brings back after its time has no end any more', () => {
    const past = [memory('m0000001', 'tabs', { source: 'user', expiresMs: NOW - 1 })];
    const [put] = changes('- tabs <!-- m0000001 -->\n', [], { past }).changes;
    expect(put).toMatchObject({ kind: 'put', memory: { text: 'tabs', createdMs: 1_000 } });
    expect(put).not.toHaveProperty('memory.expiresMs');
  });

  it('a proposal that a person types is taken in by that, but for one that is remembered already', () => {
    const proposed = memory('m0000001', 'Use pnpm.', { status: 'proposed', source: 'extractor' });
    const taken = { ...proposed, text: 'use pnpm', source: 'user', status: 'active', updatedMs: NOW };
    expect(changes('- use pnpm\n', [proposed])).toEqual({
      changes: [{ kind: 'put', memory: taken }],
      text: '- use pnpm <!-- m0000001 -->\n',
    });
    const known = [user('m0000002', 'use pnpm'), proposed];
    expect(changes('- use pnpm\n', known).changes).toEqual([]);
  });

  it('what a person has moved up is theirs from then on, with its rank', () => {
    const known = [memory('m0000001', 'slow', { importance: 5, uses: 3 })];
    const { changes: told, text } = changes('- slow <!-- m0000001 5 fact -->\n', known);
    expect(told).toEqual([{ kind: 'put', memory: { ...known[0], source: 'user' } }]);
    expect(text).toBe('- slow <!-- m0000001 -->\n');
  });

  it('a text that is remembered already is not remembered twice', () => {
    const known = [memory('m0000001', 'Use pnpm.'), memory('m0000002', 'slow', { status: 'proposed' })];
    expect(changes('- use pnpm\n- slow\n', known)).toEqual({
      changes: [
        { kind: 'put', memory: { ...known[0], text: 'use pnpm', source: 'user', updatedMs: NOW } },
        { kind: 'put', memory: { ...known[1], source: 'user', status: 'active' } },
      ],
      text: '- use pnpm <!-- m0000001 -->\n- slow <!-- m0000002 -->\n',
    });
    const twice = '- tabs <!-- m0000003 -->\n- tabs\n';
    expect(changes(twice, [user('m0000003', 'tabs')])).toEqual({ changes: [], text: twice });
  });

  it('no id is given twice, nor one of a memory that was forgotten', () => {
    const known = [memory('mnew0001', 'other', { status: 'proposed' })];
    expect(changes('- a\n- b\n', known, { ids: ['mnew0002'] }).text).toBe(
      '- a <!-- mnew0003 -->\n- b <!-- mnew0004 -->\n',
    );
  });

  it('the document that comes back is what the store makes of it', () => {
    const text = `- b\n-   spaced   \n\n${LEARNT}\n\n- low <!-- m0000001 1 fact -->\n- high <!-- m0000002 5 fact -->\n`;
    const first = changes(text, []);
    const now = first.changes.flatMap((change) => (change.kind === 'put' ? [change.memory] : []));
    expect(renderDocument(documentOf(parseDocument(first.text), now))).toBe(first.text);
    expect(changes(first.text, now)).toEqual({ changes: [], text: first.text });
  });
});

describe('for any file and any store', () => {
  const some = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 12 }).map((at) => `m${at.toString(36).padStart(7, '0')}`),
      text: fc.oneof(anyText, fc.constantFrom('use pnpm', 'Use pnpm.', 'a', 'b', 'stars', '```', LEARNT)),
      source: fc.constantFrom('user' as const, 'agent' as const, 'extractor' as const),
      status: fc.constantFrom('active' as const, 'active' as const, 'proposed' as const),
      importance: fc.constantFrom(1 as const, 3 as const, 5 as const),
      isPinned: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  );
  const memories = some.map((list) =>
    list.flatMap(({ id, text, ...others }) =>
      tidyText(text) === '' ? [] : [memory(id, tidyText(text), others)],
    ),
  );

  it('the store’s side is a document as it is read', () => {
    fc.assert(
      fc.property(anyText, memories, (text, known) => {
        const document = documentOf(parseDocument(text), known);
        expect(parseDocument(renderDocument(document))).toEqual(document);
      }),
      { numRuns: 3_000 },
    );
  });

  it('what was told is told once: the store then says what the document says', () => {
    fc.assert(
      fc.property(anyText, memories, (text, known) => {
        let next = 1;
        const options = {
          newId: () => `mnew${String(next++).padStart(4, '0')}`,
          nowMs: NOW,
          isForgotten: () => false,
          past: () => undefined,
        };
        const { changes: told, document } = changesOf({
          ...options,
          document: parseDocument(text),
          memories: known,
        });
        const store = new Map(known.map((each) => [each.id, each]));
        for (const change of told) {
          if (change.kind === 'put') store.set(change.memory.id, change.memory);
          if (change.kind === 'forget') store.delete(change.id);
        }
        const after = [...store.values()];
        expect(after.every((each) => each.text !== '' && tidyText(each.text) === each.text)).toBe(true);
        expect(documentOf(document, after)).toEqual(document);
        expect(changesOf({ ...options, document, memories: after })).toEqual({ changes: [], document });
        const said = linesIn(document).map(tidyText);
        for (const line of wordsOf(parseDocument(text)))
          if (tidyText(line) !== '') expect(said).toContain(tidyText(line));
      }),
      { numRuns: 3_000 },
    );
  });
});
