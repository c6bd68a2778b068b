import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveOutput } from '../../../src/core/tools/live-output.ts';
import { completeEnd, renderTerminal } from '../../../src/core/text/terminal-text.ts';

describe('X10: what a terminal would show in the end', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m\n', 'red\n'],
    ['progress', '0%\r1%\r100%\n', '100%\n'],
    ['a shorter line over a longer one', 'abcdef\rxy\n', 'xycdef\n'],
    ['a line that is erased first', 'abcdef\r\u001b[Kxy\n', 'xy\n'],
    ['a line erased as a whole', 'abcdef\u001b[2K\rxy', 'xy'],
    ['a line erased and written at its end', 'abc\u001b[2Kx\u001b[2Kyz', '    yz'],
    ['what is erased behind stays erased', 'abcdef\rx\u001b[K\rabc', 'abc'],
    ['a gap that was erased', 'abcdef\u001b[2K\rx\b\bab', 'ab'],
    ['links', '\u001b]8;;https://a.b\u001b\\text\u001b]8;;\u001b\\!', 'text!'],
    ['links ended by a bell', '\u001b]8;;https://a.b\u0007text\u001b]8;;\u0007', 'text'],
    ['backspaces', 'abc\b\bX', 'aXc'],
    ['over-struck bold', 'b\bbo\bol\bld\bd', 'bold'],
    ['titles and bells', '\u001b]0;title\u0007a\u0007b', 'ab'],
    ['colours as one control', 'a\u009b31mb', 'ab'],
    ['links as one control', 'a\u009d8;;https://a.b\u009cb', 'ab'],
    ['a palette', 'a\u001b]P0a1b2c3b', 'ab'],
    ['the screen filled with a letter', 'a\u001b#8b', 'ab'],
    ['a set of characters', 'a\u001b(B\u001b%Gb', 'ab'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['tabs', 'a\tb', 'a\tb'],
    ['plain text', 'a世🎉\n\nb', 'a世🎉\n\nb'],
  ])('%s', (_, raw, shown) => expect(renderTerminal(raw)).toBe(shown));

  it('text without controls is what it was, and no control is left', () => {
    const controls = fc.constantFrom(
      '\r',
      '\b',
      '\u001b[K',
      '\u001b[2K',
      '\u001b[31m',
      '\u0007',
      '\u001b]0;t\u0007',
      'a',
      '世',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(controls), (parts) => {
        expect(renderTerminal(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '\t', 'é') }),
        (text) => renderTerminal(text) === text,
      ),
    );
  });
});

describe('output for people', () => {
  const collect = () => {
    const pieces: string[] = [];
    return { pieces, push: liveOutput((text) => void pieces.push(text)) };
  };

  it('a sequence that is torn between two pieces is none in the end', () => {
    const { pieces, push } = collect();
    for (const raw of ['a\u001b', '[3', '1mb\u001b]8;;http', '://x\u001b', '\\c']) push(raw);
    expect(pieces.join('')).toBe('abc');
  });

  it('is not endless', () => {
    const { pieces, push } = collect();
    for (let count = 0; count < 1_000; count++) push(`${'x'.repeat(999)}\n`);
    expect(pieces.join('').length).toBeLessThan(101_000);
    expect(pieces.at(-1)).toContain('[… the rest is in the result …]');
  });
});

describe('a text that goes on', () => {
  it.each([
    ['a colour', '\u001b[1;31m'],
    ['a link', '\u001b]8;;https://a.b\u001b\\'],
    ['a device control string', '\u001bP12q#0;1\u001b\\'],
    ['an application command', '\u001b_some words\u001b\\'],
    ['the title of a window', '\u001bktitle\u001b\\'],
  ])('is cut before %s, and not in it', (_, sequence) => {
    for (let cut = 1; cut < sequence.length; cut += 1)
      expect(completeEnd(`text${sequence.slice(0, cut)}`), `${cut}`).toBe(4);
    expect(completeEnd(`text${sequence}`)).toBe(4 + sequence.length);
    expect(completeEnd(`text${sequence}more`)).toBe(8 + sequence.length);
  });
});
