import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentMemory } from '../../../src/core/memory/document.ts';
import { LEARNT, VIEW_ENDS } from '../../../src/core/memory/document.ts';
import { parseDocument } from '../../../src/core/memory/parse.ts';
import { renderDocument } from '../../../src/core/memory/render.ts';
import { tidyText } from '../../../src/core/memory/tidy.ts';
import { anyText } from './memory-texts.ts';

const text = `# Notes

Free prose.
- use pnpm <!-- m0000001 -->
  - also in CI
* no id yet

\`\`\`
- code <!-- m0000002 -->
\`\`\`

${LEARNT}

- the build takes a minute <!-- m0000003 4 fact -->
  unless it is warm
`;

describe('MEMORY.md', () => {
  it('is read into what people wrote and what was learnt', () => {
    const { items, learnt } = parseDocument(text);
    expect(items.filter(({ kind }) => kind === 'memory')).toEqual([
      { kind: 'memory', bullet: '-', id: 'm0000001', text: 'use pnpm\n- also in CI' },
      { kind: 'memory', bullet: '*', text: 'no id yet' },
    ]);
    expect(learnt).toEqual([
      {
        ...{ kind: 'memory', bullet: '-', id: 'm0000003', importance: 4, category: 'fact' },
        text: 'the build takes a minute\nunless it is warm',
      },
    ]);
    expect(renderDocument(parseDocument(text))).toBe(text);
  });

  it('gives to a person what they append behind what was learnt', () => {
    const appended = `${text}- at the end\n\nAnd prose.\n`;
    const { items, learnt } = parseDocument(appended);
    expect(learnt).toHaveLength(1);
    expect(items.slice(-5)).toEqual([
      { kind: 'prose', text: '' },
      { kind: 'memory', bullet: '-', text: 'at the end' },
      { kind: 'prose', text: '' },
      { kind: 'prose', text: 'And prose.' },
      { kind: 'prose', text: '' },
    ]);
  });

  it('takes a second comment with an id for a copy', () => {
    const { items } = parseDocument('- a <!-- m0000001 -->\n- b <!-- m0000001 -->\n');
    expect(items[1]).toEqual({ kind: 'memory', bullet: '-', text: 'b' });
  });

  it('knows what was moved up with its comment, also where the old line was left', () => {
    const moved = text.replace(
      '* no id yet',
      '- the build takes a minute <!-- m0000003 4 fact -->\n  unless it is warm',
    );
    const { items, learnt } = parseDocument(moved);
    expect(learnt).toEqual([]);
    expect(items).toContainEqual(expect.objectContaining({ id: 'm0000003', importance: 4 }));
  });

  it('reads only the last comment of a line, and only one that is exactly so', () => {
    const ids = (line: string) =>
      parseDocument(line).items.map((item) => (item.kind === 'memory' ? item.id : ''));
    expect(ids('- a <!-- m0000001 --> <!-- m0000002 -->')).toEqual(['m0000002']);
    expect(ids('- a <!-- m0000001 --> b')).toEqual([undefined]);
    expect(ids('- a <!-- M0000001 -->')).toEqual([undefined]);
    expect(ids('- a <!-- m0000001 6 fact -->')).toEqual([undefined]);
  });

  it('reads no memory from code, but from what is below a fence that nothing closes', () => {
    expect(parseDocument('```\n- a\n```\n').items.every(({ kind }) => kind === 'prose')).toBe(true);
    expect(parseDocument('```\n- a\n').items.map(({ kind }) => kind)).toEqual(['prose', 'memory', 'prose']);
  });

  const prose = (text: string) => {
    const document = parseDocument(text);
    expect(renderDocument(document)).toBe(text);
    expect(document.learnt).toEqual([]);
    return document.items.every(({ kind }) => kind === 'prose');
  };

  it.each([
    ['front matter', '---\ntags:\n- a\n---\n'],
    ['front matter behind a byte order mark', '\uFEFF---\n- a\n---\n'],
    ['a comment over several lines', 'Prose.\n<!-- hidden:\n- a\n\n- b -->\n'],
    ['a comment that is indented', '   <!--\n- a\n-->\n'],
    ['a fence indented by one blank', ' ```\n- a\n ```\n'],
    ['a fence indented by two', '  ~~~\n- a\n  ~~~\n'],
    ['a fence indented by three', '   ```\n- a\n```\n'],
  ])('reads no memory from %s', (_, text) => {
    expect(prose(text)).toBe(true);
  });

  it('reads memories from what is only like that', () => {
    for (const text of [
      'Prose.\n---\n- a\n---\n',
      '---\n- a <!-- m0000001 -->\n---\n',
      '---\n- a\n',
      '<!--\n- a\n',
      '<!-- one line -->\n- a\n',
      '<!--\n- a <!-- m0000001 -->\n',
      '    ```\n- a\n    ```\n',
      '```\n- a <!-- m0000001 -->\n  ```\n',
    ])
      expect(prose(text), text).toBe(false);
  });

  it('gives to a bullet what is indented below it, also behind blank lines, and no other', () => {
    const nested = '- a\n\n  ```\n  \tcode\n\n  ```\n   \n\n- b\n\nProse.\n';
    const { items } = parseDocument(nested);
    expect(items.slice(0, 4)).toEqual([
      { kind: 'memory', bullet: '-', text: 'a\n\n```\n\tcode\n\n```' },
      { kind: 'prose', text: '   ' },
      { kind: 'prose', text: '' },
      { kind: 'memory', bullet: '-', text: 'b' },
    ]);
    expect(renderDocument(parseDocument(nested))).toBe(nested);
  });

  it('takes only the heading above memories with a rank for that of what was learnt', () => {
    expect(prose(`${LEARNT}\n`)).toBe(true);
    expect(prose(`\`\`\`\n${LEARNT}\n\n- a <!-- m0000001 3 fact -->\n\`\`\`\n`)).toBe(true);
    expect(prose(`<!--\n${LEARNT}\n-->\n`)).toBe(true);
    const own = `${LEARNT}\n\n- mine <!-- m0000009 -->\n\n${text}`;
    expect(parseDocument(own).learnt).toEqual(parseDocument(text).learnt);
    expect(renderDocument(parseDocument(own))).toBe(own);
    const below = parseDocument(`${text}\n${LEARNT}\n\nMine.\n`);
    expect(below.learnt).toEqual(parseDocument(text).learnt);
    expect(below.items.slice(-4).map((item) => item.text)).toEqual([LEARNT, '', 'Mine.', '']);
  });

  it('uses the heading that is left when all that was learnt is gone', () => {
    const left = parseDocument(`- a\n\n${LEARNT}\n\n${LEARNT}\n\n- b <!-- m0000001 3 fact -->\n`);
    expect(renderDocument(left)).toBe(`- a\n\n${LEARNT}\n\n- b <!-- m0000001 3 fact -->\n`);
  });

  it.each([
    '',
    '\uFEFF',
    '\n',
    '\n\n\n',
    ' ',
    'a',
    '- a',
    '\r\n',
    '\r',
    '- a\n  \n b',
    'a\r\nb\n- c\r\n  d\n',
    '- a <!-- m0000001 -->  \n  b\n',
    'x\n- a <!-- m0000001 -->\r\n\r\n  b\r\n',
    '- a <!-- m0000001 -->\n \n  \tb\n\n\n  c  \n\n',
  ])('M12: comes back byte for byte: %j', (odd) => {
    expect(renderDocument(parseDocument(odd))).toBe(odd);
  });

  it('comes back byte for byte where there are neither ids nor what was learnt', () => {
    fc.assert(
      fc.property(anyText, (odd) => {
        fc.pre(!/<!-- m[0-9a-z]{7}/.test(odd) && !odd.includes(LEARNT) && !odd.includes(VIEW_ENDS));
        expect(renderDocument(parseDocument(odd))).toBe(odd);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is the same when it is written and read again', () => {
    fc.assert(
      fc.property(anyText, fc.option(fc.nat(20), { nil: undefined }), (odd, end) => {
        const document = parseDocument(odd);
        const options = end === undefined ? {} : { endsAt: end };
        const rendered = renderDocument(document, options);
        expect(parseDocument(rendered)).toEqual(document);
        expect(renderDocument(parseDocument(rendered), options)).toBe(rendered);
      }),
      { numRuns: 5_000 },
    );
  });

  it('marks where the view ends in a line of its own', () => {
    const marked = renderDocument(parseDocument('- a\n- b\n'), { endsAt: 1 });
    expect(marked).toBe(`- a\n${VIEW_ENDS}\n- b\n`);
  });

  it('M12: a megabyte is read in linear time, whatever it consists of', () => {
    const times = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length));
    const bad = [
      'x',
      '- ',
      ' ',
      '\n',
      '\r\n',
      '\r',
      '`',
      '```\n',
      '- a <!-- m0000001 -->\n',
      '<!-- m0000001 -->',
      '- -',
      '---\n',
      '<!--\n',
      '-->\n',
      ' ```\n<!--\n',
      '- a\n\n',
      '\n\n  x\n',
      `${LEARNT}\n`,
      `${LEARNT}\n- a <!-- m0000001 3 fact -->\n`,
    ];
    // Squared, it would not come to an end here.
    for (const text of bad.map((unit) => `- ${times(unit)}`))
      expect(renderDocument(parseDocument(text)).length, text.slice(0, 20)).toBeLessThan(2 * text.length);
  });
});

describe('a text of a memory', () => {
  const bullet = (id: string, words: string): DocumentMemory => ({
    ...{ kind: 'memory', id, text: words, bullet: '-', importance: 3, category: 'fact' },
  });
  const odd = fc.array(fc.oneof(anyText, fc.constantFrom('<!--', 'm0000001 -->', '<!-- m0000001 -->')), {
    maxLength: 4,
  });

  it('is tidied once and for all', () => {
    fc.assert(
      fc.property(odd, (parts) => {
        const tidy = tidyText(parts.join(''));
        expect(tidyText(tidy)).toBe(tidy);
        expect(tidy).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|<!-- m[0-9a-z]{7} -->|\n\s*\n|^\s|\s$/,
        );
        expect(tidy.isWellFormed()).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('comes back as it was, whatever it consists of, in either part', () => {
    fc.assert(
      fc.property(odd, anyText, (parts, around) => {
        const words = tidyText(parts.join(''));
        fc.pre(words !== '');
        const { hasBom, eol } = parseDocument(around);
        const read = parseDocument(
          renderDocument({
            hasBom,
            eol,
            items: [bullet('m0000001', words)],
            learnt: [bullet('m0000002', words)],
          }),
        );
        expect(read.items[0]).toEqual(bullet('m0000001', words));
        expect(read.learnt).toEqual([bullet('m0000002', words)]);
      }),
      { numRuns: 3_000 },
    );
  });
});
