import fc from 'fast-check';
import { LEARNT, VIEW_ENDS } from '../../../src/core/memory/document.ts';
import type { MemoryDocument } from '../../../src/core/memory/document.ts';
import { linesOf } from '../../../src/core/memory/render.ts';
import type { Memory } from '../../../src/core/model/memory.ts';

const ODD_LINES = [
  ...[
    '',
    ' ',
    '  ',
    '\t',
    '-',
    '- ',
    '-  ',
    '* * *',
    '- - -',
    '---',
    '===',
    '# Notes',
    'prose',
    '  indented',
  ],
  ...[
    '- use pnpm',
    '* stars',
    '+ plus',
    '-   far',
    '- trailing   ',
    '- - nested',
    '  - nested',
    '- [ ] task',
  ],
  ...[
    '```',
    '```ts',
    '````',
    '~~~',
    ' ```',
    '  ```',
    '- ```',
    LEARNT,
    `${LEARNT} `,
    VIEW_ENDS,
    `  ${VIEW_ENDS}`,
  ],
  ...[
    '<!--',
    ' <!-- note',
    '-->',
    '  --> after',
    '<!-- one line -->',
    '---',
    '...',
    '   ```',
    '  ~~~',
    ' ~~~~',
  ],
  ...[
    '- tail  ',
    '  \tcode\tof it',
    '    - deep',
    '  ```ts',
    '  ',
    '\t',
    '- a -->',
    '- two\twords',
    '- a <!-- m0000001 -->  ',
  ],
  ...['- a <!-- m0000001 -->', '- b <!-- m0000002 4 decision -->', '- c <!-- m0000003 3 fact -->'],
  ...['- d <!-- m0000001 --> <!-- m0000004 -->', '- <!-- m0000005 -->', '- <!-- m0000006 3 lesson -->'],
  ...[
    '- e <!-- m0000007 9 fact -->',
    '- f <!-- M0000001 -->',
    '- g <!-- m0000008 2 fact -->   ',
    'h <!-- m0000009 -->',
  ],
  ...[
    '- 日本語 🎉',
    '- 👨‍👩‍👧‍👦 <!-- m000000a -->',
    '- lone \ud83d',
    '- nul \0',
    '\r',
    '- x\r',
    '- y <!-- m000000b -->\r',
  ],
  ...[
    '- b <!-- m0000002 4 decision -->',
    '- b changed <!-- m0000002 4 decision -->',
    '\uFEFF',
    '- <!-- mm -->',
  ],
];

/** What belongs together, and comes about by chance too seldom. */
const ODD_BLOCKS = [
  ['---', 'title: notes', '- tag', '---'],
  ['<!--', '- hidden', '', '- too', '-->'],
  ['  ```', '- code', '  ```'],
  [' ~~~', LEARNT, '', '- code', ' ~~~'],
  ['- steps', '', '  ```ts', '  \tfirst();', '', '  \tthen();  ', '  ```', '', '  after'],
  [LEARNT, '', '- of a person'],
  ['- twice <!-- m000000c -->', '- twice'],
].map((lines) => lines.join('\n'));

const oddLine = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ODD_LINES) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_BLOCKS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

/** Texts of MEMORY.md as bad as they come. */
export const anyText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.tuple(oddLine, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 14 }),
    fc.constantFrom('mixed', '\n', '\r\n'),
    oddLine,
  )
  .map(
    ([bom, lines, eol, last]) =>
      bom + lines.map(([line, own]) => line + (eol === 'mixed' ? own : eol)).join('') + last,
  );

/** What people would call the lines of a document: without bullets (also one in another), comments, blanks at the ends and empty ones. */
export function wordsOf({ items, learnt }: MemoryDocument): readonly string[] {
  return [...items, ...learnt]
    .flatMap((item) => linesOf(item))
    .map((line) =>
      line
        .trim()
        .replace(/^(?:[-*+] +)+|( *<!-- m[0-9a-z]{7}( \d \w+)? -->)+$/g, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** The same, and our heading: a person's with nothing below it becomes that. */
export function linesIn(document: MemoryDocument): readonly string[] {
  return [...wordsOf(document), ...(document.learnt.length > 0 ? [LEARNT] : [])];
}

export function memory(id: string, text: string, others: Partial<Memory> = {}): Memory {
  return {
    ...{ id, text, category: 'fact', importance: 3, source: 'agent', status: 'active' },
    ...{ isPinned: false, createdMs: 1_000, updatedMs: 1_000, uses: 0 },
    ...others,
  };
}
