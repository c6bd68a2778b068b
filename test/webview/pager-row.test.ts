import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showRows } from '../../webview/pager/terminal-row.ts';
import { linesOf } from './fake-output.ts';

const esc = '\u001b';
const rowsOf = (texts: readonly string[], style = '') =>
  showRows(
    linesOf(texts).map((row) => ({ ...row, byte: 0 })),
    style,
  );
const shown = (text: string) => rowsOf([text])[0]!.text;
const looks = (text: string, style = '') =>
  rowsOf([text], style)[0]!.spans.map((span) => [
    span.text,
    span.look.foreground ?? undefined,
    span.look.background ?? undefined,
    ...span.look.decorations,
  ]);

describe('the colours of a row', () => {
  it('are the 16, the 256 and all others, in front and behind', () => {
    expect(looks(`${esc}[31ma${esc}[97;44mb${esc}[38;5;208mc${esc}[48;2;1;2;3md`)).toEqual([
      ['a', { type: 'named', name: 'red' }, undefined],
      ['b', { type: 'named', name: 'brightWhite' }, { type: 'named', name: 'blue' }],
      ['c', { type: 'table', index: 208 }, { type: 'named', name: 'blue' }],
      ['d', { type: 'table', index: 208 }, { type: 'rgb', rgb: [1, 2, 3] }],
    ]);
  });

  it('come with weight, slant, lines and their turning about', () => {
    expect(looks(`${esc}[1;2;3;4;7;9mall${esc}[22;23;24;27;29mnone`)).toEqual([
      ['all', undefined, undefined, 'bold', 'dim', 'italic', 'underline', 'reverse', 'strikethrough'],
      ['none', undefined, undefined],
    ]);
  });

  it.each([`${esc}[m`, `${esc}[0m`, `${esc}[;m`, `${esc}[39m`])('end with %j', (reset) => {
    expect(looks(`${esc}[32mgreen${reset}plain`)[1]).toEqual(['plain', undefined, undefined]);
  });

  it('may be written with colons, and underlines in a colour of their own', () => {
    const orange = { type: 'rgb', rgb: [255, 128, 0] };
    expect(looks(`${esc}[38:2::255:128:0ma`)[0]![1]).toEqual(orange);
    expect(looks(`${esc}[38:2:255:128:0ma`)[0]![1]).toEqual(orange);
    expect(looks(`${esc}[38:5:9ma`)[0]![1]).toEqual({ type: 'table', index: 9 });
    expect(looks(`${esc}[4:3;58;5;196ma`)[0]).toEqual(['a', undefined, undefined, 'underline']);
    expect(looks(`${esc}[58;2;1;2;3;35ma`)[0]![1]).toEqual({ type: 'named', name: 'magenta' });
  });

  it('go on from row to row, and begin as the page says', () => {
    const rows = rowsOf(['one', `two${esc}[m`, 'three'], `${esc}[1;35m`);
    expect(rows.map(({ spans }) => spans[0]?.look.foreground)).toEqual([
      { type: 'named', name: 'magenta' },
      { type: 'named', name: 'magenta' },
      null,
    ]);
  });

  it('are understood where a long line was cut inside of a sequence', () => {
    const [first, second] = showRows(
      [
        { line: 1, text: `red ${esc}[3`, byte: 0 },
        { text: '1mhere', byte: 7 },
      ],
      '',
    );
    expect([first!.text, second!.text]).toEqual(['red ', 'here']);
    expect(second!.spans[0]!.look.foreground).toEqual({ type: 'named', name: 'red' });
  });
});

describe('the text of a row', () => {
  it.each([
    ['what overwrites', '10%\r20%\rdone', 'done'],
    ['the end of what was there before', 'longer\rlong', 'longer'],
    ['nothing of an erased end', `downloading\r${esc}[Kok`, 'ok'],
    ['nothing of an erased line', `building${esc}[2K\rbuilt`, 'built'],
    ['what backspaces left', 'abc\b\bX', 'aXc'],
    ['the text of a link', `${esc}]8;;https://example.com${esc}\\here${esc}]8;;${esc}\\!`, 'here!'],
    ['no title', `${esc}]0;title\u0007text`, 'text'],
    ['no cursor', `${esc}[?25l${esc}[2J${esc}[10;20Htext${esc}[?25h`, 'text'],
    [
      'nothing of a palette, a title of tmux or what one control begins',
      `a${esc}]P0a1b2c3b${esc}kt${esc}\\c\u009d0;t\u009cd`,
      'abcd',
    ],
    ['no bells', 'a\u0007b\u0000c', 'abc'],
    ['no sequence without an end', `a${esc}[31`, 'a'],
    ['what comes behind a broken sequence', `a${esc}[é mum`, 'aé mum'],
    ['line ends of Windows as line ends', 'text\r', 'text'],
    ['tabs', 'a\tb', 'a\tb'],
  ])('is %s', (_, raw, expected) => {
    expect(shown(raw)).toBe(expected);
  });

  it('keeps the colour of what overwrites', () => {
    expect(looks(`red\r${esc}[32mgre`)).toEqual([['gre', { type: 'named', name: 'green' }, undefined]]);
  });

  it('has no control characters in it, whatever comes', () => {
    const pieces = fc.constantFrom(
      'a',
      'é',
      '🙂',
      '\r',
      '\b',
      '\t',
      esc,
      `${esc}[`,
      `${esc}]`,
      '3',
      ';',
      'm',
      'K',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        for (const { text, spans } of rowsOf([parts.join('')])) {
          expect(text).not.toMatch(/[\u0000-\b\n-\u001f\u007f-\u009f]/);
          expect(spans.map((span) => span.text).join('')).toBe(text);
        }
      }),
    );
  });

  it('is all of a text without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/\p{Cc}/gu, '');
        expect(shown(plain)).toBe(plain);
      }),
    );
  });
});
