import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveRedactor } from '../../../src/core/text/redact-live.ts';
import { redactText } from '../../../src/core/text/redact.ts';
import { SECRETS } from '../../support/secrets.ts';

function live(...pieces: readonly string[]): readonly string[] {
  const redactor = new LiveRedactor();
  return pieces.map((piece) => redactor.push(piece));
}

describe('Z1: output that people watch', () => {
  it.each(Object.entries(SECRETS))('%s is never shown, wherever it is cut', (_, { text }) => {
    const line = `before\n${text}\nafter\n`;
    for (let at = 1; at < line.length; at += 1)
      expect(live(line.slice(0, at), line.slice(at)).join('')).toBe(redactText(line));
  });

  it('nor is one that comes in many pieces, between others', () => {
    const sample = fc.constantFrom(
      ...Object.values(SECRETS).map(({ text }) => text),
      'a b',
      '12% ',
      '\n',
      '...',
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 8 }), sizes, (said, cuts) => {
        const text = `${said.join('\n')}\n`;
        const pieces: string[] = [];
        for (let at = 0; at < text.length;) {
          const size = cuts[pieces.length % cuts.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(live(...pieces).join('')).toBe(redactText(text));
      }),
    );
  });

  it('nor the lines of a key that come one by one', () => {
    const line = `${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'.repeat(2)}\n`;
    const key = [
      '-----BEGIN PRIVATE KEY-----\n',
      line.slice(0, 30),
      line.slice(30),
      line,
      '-----END PRIVATE KEY-----\n',
    ];
    expect(live('a\n', ...key, 'b\n').join('')).toBe('a\n[redacted: private key]\nb\n');
  });

  it.each([' ', '  ', '\t', ', ', '|', '&#10;', '%0A', '\\u000a', '\\n', '', '\n', ' \u001b[31m'])(
    'nor a key whose lines are joined by %j, in pieces of any size',
    (joiner) => {
      const body = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcDeFgHiJkLmNoPqRsTuVwXyZ01234567';
      const lines = ['-----BEGIN PRIVATE KEY-----', ...Array.from({ length: 12 }, () => body), 'Qg=='];
      const text = `a\nKEY=${[...lines, '-----END PRIVATE KEY-----'].join(joiner)}\nb\n`;
      for (const size of [1, 7, 64, 100, 150, 400, 1_000, 5_000]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(live(...pieces).join('')).toBe('a\nKEY=[redacted: private key]\nb\n');
      }
    },
  );

  it.each(['Password: ', 'Continue? [y/N] ', 'working...', 'a 10% 20% '])('"%s" is shown at once', (said) => {
    expect(live(`one\n${said}`)).toEqual([`one\n${said}`]);
  });

  it('a word that has not ended is shown when it has', () => {
    expect(live('one two', ' three', '\n')).toEqual(['one ', 'two ', 'three\n']);
  });
});
