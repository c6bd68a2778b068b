import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/core/text/redact-stream.ts';
import { redactText } from '../../../src/core/text/redact.ts';
import { BEGIN, body, ENCODED, END, LONG_RUNS } from '../../support/long-runs.ts';
import { SECRETS } from '../../support/secrets.ts';

const samples = Object.values(SECRETS);
/** Given in pieces of these sizes, over and over. */
function stream(bytes: Uint8Array, sizes: readonly number[]): Buffer {
  const redactor = new Redactor();
  const out: Uint8Array[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    out.push(redactor.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, redactor.end()]);
}

const UNSEEN = [
  '\u001b[01;31m\u001b[K',
  '\u001b[m\u001b[K',
  '\u001b[m',
  '\u001b[0m'.repeat(20),
  '\u001b[0m'.repeat(90),
  '\u001bP1q\u001b\\',
  '\0',
  '\0\0\0',
  '\u001b]8;;\u001b\\',
  '\u001b]8;;https://host/a/path?q=1#x\u0007',
  '\u001b(B\u001b[m',
  '\u001b[2C',
  '\b',
  '\u001b[38;2;101;102;103;48;2;104;105;106m',
  '\u001b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m',
  '\u001b#8',
  '\u001b%G',
  '\u001b]P0a1b2c3',
  '\u001b]R',
  '\u001bktitle\u001b\\',
  '\u009b31m',
  '\u009d8;;https://host/a\u009c',
  '\u0085',
  `\u001b]8;;https://host/${'x'.repeat(5_000)}\u0007`,
];
const unseen = fc.constantFrom(
  ...UNSEEN,
  '\u001b',
  '\u001b[',
  '\u001b[3',
  '\0'.repeat(300),
  '\0'.repeat(5_000),
);
/** As it comes when something in it is coloured. */
const interrupted = fc
  .tuple(
    fc.constantFrom(...samples.map(({ text }) => text), [BEGIN, body, body, END].join('\n')),
    fc.array(fc.tuple(fc.nat({ max: 200 }), fc.constantFrom(...UNSEEN)), { maxLength: 4 }),
  )
  .map(([said, cuts]) => cuts.reduce((all, [at, cut]) => all.slice(0, at) + cut + all.slice(at), said));

const plainFragment = fc.oneof(
  fc.constantFrom(...samples.map(({ text }) => text), ...samples.map(({ secret }) => secret)),
  fc.constantFrom(
    BEGIN,
    END,
    body,
    `${body}\n`,
    `${body.slice(0, 44)}\n`,
    'Qg==\n',
    `-${body}\n`,
    `${body}\\n`,
    '+',
    ` ${body}`,
    [BEGIN, body, body, 'Qg==', END].join(' '),
    '---- BEGIN SSH2 PRIVATE KEY ----\n',
    '---- END SSH2 PRIVATE KEY ----',
    'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n',
    'Private-MAC: 0a',
    ENCODED,
  ),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    ' ',
    '-',
    '_',
    '/',
    '.',
    ':',
    '=',
    '"',
    '\\n',
    '\u001b[32m',
    'Bearer ',
    '://a:',
    '@b',
  ),
  fc.string({ maxLength: 20 }),
  fc
    .constantFrom('x', 'a ', 'sk-', 'eyJ', 'a\n', `${body}\n`)
    .chain((unit) => fc.integer({ min: 1, max: 9_000 }).map((n) => unit.repeat(n).slice(0, 40_000))),
);
const text = fc.array(plainFragment, { maxLength: 12 }).map((parts) => parts.join(''));
const fragment = fc.oneof({ weight: 3, arbitrary: plainFragment }, unseen, interrupted);
const coloured = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
const ascii = coloured.map((mixed) => mixed.replaceAll(/[^\0-\x7f]/g, '?'));
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 70_000 })), {
  minLength: 1,
  maxLength: 5,
});

/** What once was redacted otherwise when it was redacted again. */
const GLUED = [
  `npm_${body.slice(0, 36)}${BEGIN}${body}`,
  `Bearer ${body}==sk_live_${body.slice(0, 24)}`,
  `${BEGIN}${body}==sk-ant-api03-${body}- a`,
  `${BEGIN}${BEGIN}${`${body}\n`.repeat(300)}`,
  `${BEGIN}key: sk-ant-api03-${body} and more${ENCODED}`,
];

describe('Z1: secrets in a stream', () => {
  it('wherever it is cut, what comes out is the same, and the same as of the text', () => {
    fc.assert(
      fc.property(ascii, sizes, (said, cuts) => {
        expect(stream(Buffer.from(said), cuts).toString('latin1')).toBe(redactText(said));
      }),
      { numRuns: 300 },
    );
  });

  it.each(
    UNSEEN.filter((cut) => cut.length <= 64 || cut.includes('xxx')).map(
      (cut) => [JSON.stringify(cut), cut] as const,
    ),
  )('none is hidden by %s in it', (_, cut) => {
    for (const { text: said, secret, what } of samples)
      for (const at of [1, 4, secret.length - 1]) {
        const hidden = said.replace(secret, () => secret.slice(0, at) + cut + secret.slice(at));
        const shown = said.replace(secret, () => `[redacted: ${what}]`);
        expect(stream(Buffer.from(`a\n${hidden}\nb`), [5]).toString()).toBe(`a\n${shown}\nb`);
      }
  });

  it('as grep and git colour it', () => {
    const token = body.slice(0, 36);
    const grep = `\u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${token}\n`;
    expect(stream(Buffer.from(grep), [3]).toString()).toBe('\u001b[01;31m\u001b[K[redacted: GitHub token]\n');
    const diff = [BEGIN, body, body, END].map((line) => `\u001b[31m-${line}\u001b[m\n`).join('');
    expect(stream(Buffer.from(diff), [3]).toString()).toBe('\u001b[31m-[redacted: private key]\u001b[m\n');
  });

  it('once is enough', () => {
    fc.assert(
      fc.property(text, (said) => {
        const once = redactText(said);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 300, examples: GLUED.map((said) => [said]) },
    );
  });

  it('every byte that is no secret comes out as it went in, whatever it means', () => {
    const bytes = fc.uint8Array({ maxLength: 3_000 });
    const secret = Buffer.from(`\n${samples[0]?.text}\n`);
    const shown = Buffer.from(redactText(secret.toString('latin1')), 'latin1');
    fc.assert(
      fc.property(bytes, bytes, sizes, (before, after, cuts) => {
        const out = stream(Buffer.concat([before, secret, after]), cuts);
        expect(out.equals(Buffer.concat([before, shown, after]))).toBe(true);
      }),
    );
  });

  it.each(['utf8', 'windows1252', 'shiftjis', 'gb18030', 'euckr', 'koi8r'])('in %s', (encoding) => {
    const around = {
      utf8: '世é🎉',
      windows1252: 'é€',
      shiftjis: '世界',
      gb18030: '世界',
      euckr: '한국',
      koi8r: 'Привет',
    }[encoding];
    for (const { text: said } of samples) {
      const bytes = iconv.encode(`${around}\n${said}\n${around}`, encoding);
      const shown = iconv.encode(`${around}\n${redactText(said)}\n${around}`, encoding);
      expect(stream(bytes, [7]).equals(shown)).toBe(true);
    }
  });

  it.each(['utf16le', 'utf16be'])('%s passes through', (encoding) => {
    const bytes = iconv.encode(
      `\ufeff${samples.map((sample) => sample.text).join('\n')}\n${BEGIN}\n${body}\n${END}`,
      encoding,
    );
    expect(stream(bytes, [1, 1_000]).equals(bytes)).toBe(true);
  });

  it('one of 16 KB is found whole', () => {
    const key = [BEGIN, ...Array.from({ length: 240 }, () => body), END].join('\n');
    expect(key.length).toBeGreaterThan(15_500);
    for (const size of [1, 1_000, 16_384, 100_000])
      expect(stream(Buffer.from(`a\n${key}\nb`), [size]).toString()).toBe('a\n[redacted: private key]\nb');
  });

  it('holds back no more than a line, and 64 KB of one that does not end', () => {
    const redactor = new Redactor();
    expect(Buffer.from(redactor.push(Buffer.from('ready\nPassword: '))).toString()).toBe('ready\n');
    for (const unit of ['a', 'a ', 'sk-ant-', `${body}\n`, '\n', '=', `${BEGIN}\n${body}`]) {
      const other = new Redactor();
      let held = 0;
      for (let at = 0; at < 400; at += 1) {
        const piece = Buffer.from(unit.repeat(1_000 / unit.length));
        held += piece.length - other.push(piece).length;
        if (unit !== `${BEGIN}\n${body}`) expect(held).toBeLessThan(70_000);
      }
      other.end();
    }
  });

  it('the memory of what was given may be used again', () => {
    const redactor = new Redactor();
    const piece = Buffer.from('abc');
    redactor.push(piece);
    piece.fill('x');
    expect(Buffer.from(redactor.end()).toString()).toBe('abc');
  });
});

/* A long run of anything takes the time that reading takes: that it comes to an end is the proof, see linear-time.test.ts. */
describe('a long run of anything', () => {
  const LENGTH = 480_000;
  it.each(LONG_RUNS.map((unit) => [JSON.stringify(unit), unit] as const))('%s', (_, unit) => {
    const run = unit.repeat(LENGTH / unit.length);
    const shown = redactText(`${run}!`);
    expect(shown.length).toBeGreaterThan(0);
    expect(stream(Buffer.from(`${run}!`), [4_096, 1, 60_000]).toString()).toBe(shown);
  });
});
