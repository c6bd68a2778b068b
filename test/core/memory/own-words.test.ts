import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinePlaces } from '../../../src/core/memory/line-places.ts';
import { parseDocument } from '../../../src/core/memory/parse.ts';
import { changesOf, documentOf } from '../../../src/core/memory/reconcile.ts';
import { renderDocument } from '../../../src/core/memory/render.ts';
import type { Memory } from '../../../src/core/model/memory.ts';
import { memory } from './memory-texts.ts';

function changes(text: string, memories: readonly Memory[]) {
  let next = 1;
  const result = changesOf({
    ...{ document: parseDocument(text), memories, newId: () => `mnew000${next++}`, nowMs: 5_000 },
    ...{ isForgotten: () => false, past: () => undefined },
  });
  return { changes: result.changes, text: renderDocument(result.document) };
}

const user = (id: string, text: string) =>
  memory(id, text, { source: 'user', importance: 4, category: 'convention' });

describe('a person’s words in MEMORY.md', () => {
  const file = (layout: string, memories: readonly Memory[]) =>
    renderDocument(documentOf(parseDocument(layout), memories));
  const nested =
    '-  two\twords <!-- m0000001 -->  \n  ```ts\n  \tfirst();\n\n  \tthen();  \n  ```\n\n  after\n- next\n';

  it('stay byte for byte where the store has the same, tidied: tabs, blank lines, blanks at the ends, code', () => {
    const typed = nested.replace(' <!-- m0000001 -->', '');
    const told = changes(typed, []);
    expect(told.text.replaceAll(/ <!-- mnew000\d -->/g, '')).toBe(typed);
    const [put] = told.changes;
    expect(put).toMatchObject({ memory: { text: 'two words\n```ts\n first();\n then();\n```\nafter' } });
    const known = [user('m0000001', 'two words\n```ts\n first();\n then();\n```\nafter')];
    expect(file(nested, known)).toBe(nested);
  });

  it('give way to the store’s where that has others', () => {
    expect(file(nested, [user('m0000001', 'other words')])).toBe('- other words <!-- m0000001 -->\n- next\n');
  });

  it('behind a blank line stay also where the store is from a time when they were not the bullet’s', () => {
    const text = '- first <!-- m0000001 -->\n\n  second\n';
    const known = [user('m0000001', 'first')];
    expect(file(text, known)).toBe(text);
    expect(changes(text, known).changes).toMatchObject([{ memory: { text: 'first\nsecond' } }]);
  });

  it('said twice are one memory: the copy without an id goes with it, and is changed with it', () => {
    const text = '- tabs <!-- m0000001 -->\n- other <!-- m0000002 -->\n\nProse.\n\n* tabs\n';
    const other = user('m0000002', 'other');
    expect(file(text, [user('m0000001', 'tabs'), other])).toBe(text);
    expect(file(text, [other])).toBe('- other <!-- m0000002 -->\n\nProse.\n\n');
    expect(file(text, [user('m0000001', 'spaces'), other])).toBe(text.replaceAll('tabs', 'spaces'));
  });

  it('said by two memories and a third time stay until both are gone', () => {
    const text = '- tabs <!-- m0000001 -->\n- tabs <!-- m0000002 -->\n- tabs\n';
    expect(file(text, [user('m0000002', 'tabs')])).toBe('- tabs <!-- m0000002 -->\n- tabs\n');
    expect(file(text, [])).toBe('');
  });

  it('of which one of two is deleted are remembered by the other', () => {
    expect(changes('* tabs\n', [user('m0000001', 'tabs')])).toEqual({
      changes: [],
      text: '* tabs <!-- m0000001 -->\n',
    });
  });

  it('come back where they stood: behind the same neighbour, under the same heading, in any order', () => {
    const text =
      '# One\n\n- a <!-- m0000001 -->\n- b\tb  <!-- m0000002 -->\n- c <!-- m0000003 -->\n\n# Two\n\n- d <!-- m0000004 -->\n';
    const all = ['a', 'b b', 'c', 'd'].map((words, at) => user(`m000000${at + 1}`, words));
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 12 }), (toggles) => {
        const places = new LinePlaces();
        let [document, known] = [parseDocument(text), all];
        places.note(document);
        const now = () => {
          document = documentOf(document, known, places.items);
          places.note(document);
        };
        for (const at of toggles) {
          const { id } = all[at]!;
          const isThere = known.some((each) => each.id === id);
          known = isThere ? known.filter((each) => each.id !== id) : [...known, all[at]!];
          now();
        }
        known = all;
        now();
        expect(renderDocument(document)).toBe(renderDocument(parseDocument(text)));
      }),
    );
  });
});
