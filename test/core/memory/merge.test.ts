import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEARNT } from '../../../src/core/memory/document.ts';
import { mergeDocuments } from '../../../src/core/memory/merge.ts';
import { parseDocument } from '../../../src/core/memory/parse.ts';
import { renderDocument } from '../../../src/core/memory/render.ts';
import { anyText, linesIn, wordsOf } from './memory-texts.ts';

function merge(base: string, mine: string, theirs: string) {
  const sides = { base: parseDocument(base), mine: parseDocument(mine), theirs: parseDocument(theirs) };
  const { document, conflicts } = mergeDocuments(sides);
  return { text: renderDocument(document), conflicts };
}

const base = `# Notes

- use pnpm <!-- m0000001 -->
- tabs <!-- m0000002 -->

Prose.

${LEARNT}

- the build is slow <!-- m0000003 4 fact -->
- tests need a key <!-- m0000004 3 lesson -->
`;

describe('M1: two who change MEMORY.md at once', () => {
  it('each have their words: edits, additions and removals of both are there', () => {
    const mine = base.replace('tabs', 'spaces').replace('Prose.', 'Prose.\nMore of it.');
    const theirs = base
      .replace('- use pnpm <!-- m0000001 -->\n', '')
      .replace('4 fact', '5 fact')
      .concat('- learnt since <!-- m0000005 2 fact -->\n');
    const { text, conflicts } = merge(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(text).toBe(`# Notes

- spaces <!-- m0000002 -->

Prose.
More of it.

${LEARNT}

- the build is slow <!-- m0000003 5 fact -->
- tests need a key <!-- m0000004 3 lesson -->
- learnt since <!-- m0000005 2 fact -->
`);
  });

  it('hear that a memory was changed by both: mine keeps the id, theirs stands behind it', () => {
    const { text, conflicts } = merge(
      base,
      base.replace('tabs', 'spaces'),
      base.replace('tabs', 'four spaces'),
    );
    expect(text).toContain('- spaces <!-- m0000002 -->\n- four spaces\n');
    expect(conflicts).toEqual([
      'A memory was changed in two places: “spaces” and “four spaces”. Both are kept.',
    ]);
  });

  it('hear that what one removed and the other changed is kept', () => {
    const removed = base.replace('- tabs <!-- m0000002 -->\n', '');
    const edited = base.replace('tabs', 'spaces');
    for (const [mine, theirs] of [
      [removed, edited],
      [edited, removed],
    ] as const) {
      const { text, conflicts } = merge(base, mine, theirs);
      expect(text).toBe(edited);
      expect(conflicts).toEqual(['“spaces” was removed in one place and changed in another. It is kept.']);
    }
  });

  it('hear that a line of prose was changed by both', () => {
    const { text, conflicts } = merge(
      base,
      base.replace('Prose.', 'Mine.'),
      base.replace('Prose.', 'Theirs.'),
    );
    expect(text).toBe(base.replace('Prose.', 'Mine.\nTheirs.'));
    expect(conflicts).toEqual(['A line was changed in two places: “Mine.” and “Theirs.”. Both are kept.']);
  });

  it('have once what both added, with an id or without, in one place or in two', () => {
    const first = base.replace('- tabs', '- new\n- tabs');
    const last = base.replace('<!-- m0000002 -->', '<!-- m0000002 -->\n- new');
    expect(merge(base, first, first).text).toBe(first);
    expect(merge(base, first, last).text).toBe(first);
    const named = first.replace('- new', '- new <!-- m0000009 -->');
    expect(merge(base, last, named).text.match(/- new/g)).toHaveLength(1);
    expect(merge(base, last, named).text).toContain('- new <!-- m0000009 -->');
    expect(merge(first, first.replace('- new\n', ''), named).text).toBe(base);
  });

  it('find a memory in the person’s part once one of them has moved it there', () => {
    const line = '- the build is slow <!-- m0000003 4 fact -->\n';
    const mine = base.replace(line, '').replace('- tabs', `${line}- tabs`);
    const theirs = base.replace(
      'the build is slow <!-- m0000003 4',
      'the build is very slow <!-- m0000003 4',
    );
    for (const { text } of [merge(base, mine, theirs), merge(base, theirs, mine)]) {
      expect(text).toContain('- the build is very slow <!-- m0000003 4 fact -->\n- tabs');
      expect(text.match(/m0000003/g)).toHaveLength(1);
    }
    expect(merge(base, mine, base.replace(line, '')).text).toContain(`${line}- tabs`);
  });

  it('may use different line ends', () => {
    const windows = base.replaceAll('\n', '\r\n');
    expect(merge(base, windows, base.replace('tabs', 'spaces')).text).toBe(windows.replace('tabs', 'spaces'));
    const mixed = windows.concat('- appended\n');
    const merged = merge(windows, mixed, windows.replace('Prose.', 'Prose.\r\nMore.'));
    expect(merged.text).toContain('- appended');
    expect(merged.text).toContain('More.');
    expect(merged.text).not.toContain('\r\r');
  });

  it('have once the lines that both put into one place, also in another order', () => {
    const both = (lines: string) => base.replace('Prose.', `Prose.\n${lines}`);
    expect(merge(base, both('one\ntwo'), both('two\none\nthree')).text).toBe(both('one\ntwo\nthree'));
    expect(
      merge(base, both('```\na\n```'), both('```\nb\n```\n```\nc\n```')).text.match(/```/g),
    ).toHaveLength(4);
  });

  it('are merged in linear time, whatever the file consists of', () => {
    // Squared, they would not come to an end here.
    for (const unit of ['\n', '```\n', '- a\n\n', 'prose\n']) {
      const text = unit.repeat(15_000);
      const merged = merge(`first\n${text}last`, `mine\n${text}\n\nmine`, `theirs\n\n${text}theirs`);
      expect(merged.text).toMatch(/mine[^]*theirs|theirs[^]*mine/);
    }
  });
});

describe('a merge of any texts', () => {
  const three = fc.tuple(anyText, anyText, anyText);

  it('is what one side made of it where the other made nothing of it', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const [a, b] = [parseDocument(one), parseDocument(other)];
        expect(mergeDocuments({ base: a, mine: b, theirs: a })).toEqual({ document: b, conflicts: [] });
        expect(mergeDocuments({ base: a, mine: a, theirs: b })).toEqual({ document: b, conflicts: [] });
        expect(mergeDocuments({ base: a, mine: b, theirs: b })).toEqual({ document: b, conflicts: [] });
      }),
      { numRuns: 3_000 },
    );
  });

  it('has every line that one wrote or neither removed, is stable, and never throws', () => {
    fc.assert(
      fc.property(three, ([before, mine, theirs]) => {
        const sides = {
          base: parseDocument(before),
          mine: parseDocument(mine),
          theirs: parseDocument(theirs),
        };
        const { document } = mergeDocuments(sides);
        expect(parseDocument(renderDocument(document))).toEqual(document);
        const [old, own, others] = [wordsOf(sides.base), wordsOf(sides.mine), wordsOf(sides.theirs)];
        const merged = new Set(linesIn(document));
        for (const line of [...own, ...others]) {
          if (line === LEARNT) continue; // a person's becomes ours where what was learnt comes to stand below it
          const isNew = !old.includes(line);
          const isOne = old.indexOf(line) === old.lastIndexOf(line); // of two alike, each may have removed another
          const isKept = isOne && own.includes(line) && others.includes(line);
          if (isNew || isKept) expect(merged).toContain(line);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  /** What a side did: of the lines of the base some are gone, and new ones are there. */
  const edits = fc.array(
    fc.record({ at: fc.nat(12), remove: fc.boolean(), add: fc.integer({ min: 0, max: 2 }) }),
    { maxLength: 6 },
  );
  const lines = fc.array(fc.constantFrom('prose', '- named', '- bare'), { minLength: 1, maxLength: 12 });

  it('has no line that one removed and the other left alone, and is the same the other way round but for the order', () => {
    fc.assert(
      fc.property(lines, edits, edits, (kinds, mine, theirs) => {
        const all = kinds.map((kind, at) =>
          kind === 'prose'
            ? `prose ${at}`
            : `${kind} ${at}${kind === '- named' ? ` <!-- m000000${at.toString(36)} -->` : ''}`,
        );
        const apply = (list: typeof mine, who: string) => {
          const removed = new Set(list.filter(({ remove }) => remove).map(({ at }) => at));
          return all
            .flatMap((line, at) => [
              ...list.flatMap((edit, index) =>
                edit.at === at
                  ? Array.from({ length: edit.add }, (_, nth) => `- ${who} ${index} ${nth}`)
                  : [],
              ),
              ...(removed.has(at) ? [] : [line]),
            ])
            .join('\n');
        };
        const [own, others] = [apply(mine, 'mine'), apply(theirs, 'theirs')];
        const sorted = (text: string) => wordsOf(parseDocument(text)).toSorted();
        const [before, a, b] = [sorted(all.join('\n')), sorted(own), sorted(others)];
        const expected = [
          ...before.filter((line) => a.includes(line) && b.includes(line)),
          ...[...a, ...b].filter((line) => !before.includes(line)),
        ].toSorted();
        expect(sorted(merge(all.join('\n'), own, others).text)).toEqual(expected);
        expect(sorted(merge(all.join('\n'), others, own).text)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
