import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECRETS } from '../../support/secrets.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

const read = (input: object = {}) => bench.text('read_file', { path: 'f', ...input });
const refusal = (input: object = {}) => bench.refusal('read_file', { path: 'f', ...input });

const PAGE_NOTE = /\n\[bytes \d+–\d+ of \d+(?:; read on with byte_offset=(\d+)|, the end)\]$/;

/** All pages put together, each read from where the one before says. */
async function allPages(first: object): Promise<{ readonly text: string; readonly pages: number }> {
  let text = '';
  for (let offset = 0, pages = 1; ; pages++) {
    const page = await read({ ...first, byte_offset: offset });
    const note = PAGE_NOTE.exec(page);
    text += page.slice(0, note?.index);
    if (note?.[1] === undefined) return { text, pages };
    expect(Number(note[1])).toBeGreaterThan(offset);
    offset = Number(note[1]);
  }
}

describe('by lines', () => {
  it('numbers them, and says nothing more where that is all', async () => {
    bench.put('ws/f', 'one\r\n\ttwo\nthree');
    expect(await read()).toBe('     1\tone\n     2\t\ttwo\n     3\tthree');
  });

  it('a page says where it is and how to read on', async () => {
    bench.put('ws/f', 'a\nb\nc\nd\n');
    expect(await read({ offset: 2, limit: 2 })).toBe(
      '     2\tb\n     3\tc\n[lines 2–3 of 4; read on with offset=4]',
    );
    expect(await read({ offset: 4 })).toBe('     4\td\n[lines 4–4 of 4, the end]');
  });

  it('stops at 2,000 lines and before 40,000 characters, and every line can be reached', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'x'.repeat(index % 60)}`);
    bench.put('ws/f', lines.join('\n'));
    const found: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const page: string = await read({ offset });
      expect(page.length).toBeLessThanOrEqual(40_000);
      const body = page.split('\n').filter((line) => !line.startsWith('['));
      expect(body.length).toBeLessThanOrEqual(2_000);
      found.push(...body.map((line) => line.slice(line.indexOf('\t') + 1)));
      const next: string | undefined = /read on with offset=(\d+)\]$/.exec(page)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(found).toEqual(lines);
  });

  it('of a long line only the beginning is shown, with the byte to read on from', async () => {
    bench.put('ws/f', `short é\n${'é'.repeat(3_000)}!\n`);
    const page = await read();
    const offset = Number(/read on with byte_offset=(\d+)\]/.exec(page)?.[1]);
    expect(page).toContain('[line 2 has 3001 characters, of which 2000 are shown; read on with byte_offset=');
    expect(await read({ byte_offset: offset })).toMatch(/^é{1000}!\n\n\[bytes/);
  });

  it('of many long lines each is shown with the byte to read on from, and none is left out', async () => {
    const long = (n: number) => `${n}:${'y'.repeat(3_000)}#${n}`;
    const lines = Array.from({ length: 60 }, (_, n) => (n % 10 < 6 ? long(n) : `line ${n}`));
    bench.put('ws/f', lines.join('\n'));
    const reached: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const page: string = await read({ offset });
      expect(page.length).toBeLessThanOrEqual(40_000);
      for (const [, number, text = ''] of page.matchAll(/^ *(\d+)\t(.*)$/gm)) {
        const next = new RegExp(`\\[line ${number} has .*; read on with byte_offset=(\\d+)\\]`).exec(
          page,
        )?.[1];
        const rest = next === undefined ? '' : await read({ byte_offset: Number(next), byte_limit: 2_000 });
        reached.push(text.replace(/…$/, '') + (rest.split('\n')[0] ?? ''));
      }
      const next: string | undefined = /read on with offset=(\d+)\]$/.exec(page)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(reached).toEqual(lines);
  });

  it('Z1: of a long line that is cut in a secret nothing of the secret is shown', async () => {
    const { secret = '' } = SECRETS['google'] ?? {};
    for (const padding of [1_964, 1_980, 1_998]) {
      bench.put('ws/f', `${'x'.repeat(padding)} ${secret} ${'z'.repeat(300)}\n`);
      const page = await read();
      expect(page).toContain(`${'x'.repeat(padding)} …\n[line 1 has`);
      expect(page).toContain(`read on with byte_offset=${padding + 1}]`);
    }
  });

  it('P1: a line is never cut inside a character that is shown as one', async () => {
    const family = '👨‍👩‍👧‍👦';
    for (const padding of [1_990, 1_995, 1_999]) {
      bench.put('ws/f', `${'x'.repeat(padding)}${family}${'y'.repeat(50)}`);
      expect((await read()).split('…')[0]).toBe(`     1\t${'x'.repeat(padding)}`);
    }
    bench.put('ws/f', `${'x'.repeat(1_999)}🎉${'y'.repeat(50)}`);
    expect((await read()).isWellFormed()).toBe(true);
  });

  it('an empty file says so', async () => {
    bench.put('ws/f', '');
    expect(await read()).toBe('(the file is empty)');
  });

  it('an encoding other than plain UTF-8 is named', async () => {
    bench.put('ws/f', iconv.encode('\ufeffa\n', 'utf16le'));
    expect(await read()).toBe('     1\ta\n[encoding: utf16le with BOM]');
  });
});

describe('by bytes', () => {
  it('a file of one line is read in pages that are the whole file', async () => {
    const line = JSON.stringify(Array.from({ length: 9_000 }, (_, index) => `é${index}世🎉`));
    bench.put('ws/f', line);
    const { text, pages } = await allPages({});
    expect(text).toBe(line);
    expect(pages).toBeGreaterThan(3);
  });

  it.each([1, 2, 3, 4, 5, 7])('pages of %i bytes still go on, and no character is torn', async (limit) => {
    const text = 'aé世🎉b\nç';
    bench.put('ws/f', text);
    expect((await allPages({ byte_limit: limit })).text).toBe(text);
  });

  it('text in another encoding is paged as well', async () => {
    const text = 'é世🎉'.repeat(20);
    bench.put('ws/f', iconv.encode(`\ufeff${text}`, 'utf16le'));
    expect((await allPages({ byte_limit: 50 })).text).toBe(text);
  });

  it('lines and bytes do not mix, and nothing is behind the end', async () => {
    bench.put('ws/f', 'abc');
    expect(await refusal({ offset: 1, byte_offset: 1 })).toMatchObject({ code: 'invalid_input' });
    expect((await refusal({ byte_offset: 3 })).message).toBe('f has 3 bytes; byte 3 is behind its end.');
    expect((await refusal({ offset: 2 })).message).toBe('f has 1 lines; line 2 is behind its end.');
  });
});

describe('what is not read', () => {
  it('a folder: list_files is named', async () => {
    bench.put('ws/f/x', '');
    expect((await refusal()).message).toBe('f is a folder. list_files shows what is in it.');
  });

  it('a file that is not there', async () => {
    expect(await refusal()).toMatchObject({ code: 'not_found' });
  });

  it('a binary file', async () => {
    bench.put('ws/f', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
    expect((await refusal()).message).toBe('f is a binary file (7 bytes), not text.');
    expect(await refusal({ byte_offset: 0 })).toMatchObject({ code: 'encoding' });
  });
});

it('what was seen is recorded, whole or in part', async () => {
  bench.put('ws/f', 'a\nb\n');
  const hash = bench.context.hash('a\nb\n');
  const seen = async (input: object) =>
    (await bench.call('read_file', { path: 'f', ...input })).details?.seen;
  expect(await seen({})).toEqual([{ file: `${bench.ws}/f`, hash }]);
  expect(await seen({ limit: 1 })).toEqual([{ file: `${bench.ws}/f`, hash, isPartial: true }]);
  expect(bench.context.seen.get(`${bench.ws}/f`)).toEqual({ file: `${bench.ws}/f`, hash });
});

describe('Z1: a page that begins in a private key shows nothing of it', () => {
  const body = Array.from({ length: 40 }, (_, n) => `${n % 10}aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z`.repeat(2));
  const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body, 'Qg==', '-----END RSA PRIVATE KEY-----'];
  const text = ['# keys', ...key, 'after', ''].join('\n');
  const BODY = /aB3dE5gH7jK9/;

  it('by lines, whose numbers stay, and what is behind it is shown', async () => {
    bench.put('ws/pem', text);
    for (const offset of [3, 20, 42]) {
      const page = await bench.text('read_file', { path: 'pem', offset, limit: 5 });
      expect(page).not.toMatch(BODY);
      expect(page).toContain(`${offset}\t[redacted: private key]\n`);
    }
    expect(await bench.text('read_file', { path: 'pem', offset: 44 })).toContain(
      '44\t[redacted: private key]\n',
    );
    expect(await bench.text('read_file', { path: 'pem', offset: 44 })).toContain('45\tafter');
    const behind = await bench.text('read_file', { path: 'pem', offset: 45 });
    expect(behind).toBe('    45\tafter\n[lines 45–45 of 45, the end]');
  });

  it('by bytes, wherever it begins', async () => {
    bench.put('ws/pem', `é${text}`);
    for (const byte_offset of [12, 100, 1_000, 2_000]) {
      const part = await bench.text('read_file', { path: 'pem', byte_offset, byte_limit: 300 });
      expect(part).not.toMatch(BODY);
      expect(part.startsWith('[redacted: private key]')).toBe(true);
    }
    expect(await bench.text('read_file', { path: 'pem', byte_offset: 1_000 })).toContain('key]\nafter\n');
  });

  it('of a file too large to be held', async () => {
    bench.put('ws/pem', `${'x'.repeat(99)}\n`.repeat(210_000) + text);
    const page = await bench.text('read_file', { path: 'pem', offset: 210_020 });
    expect(page).not.toMatch(BODY);
    expect(page).toContain('210045\tafter');
  });
});

describe('Z1: a page by bytes shows of a secret nothing, wherever it begins and ends', () => {
  const rest = (page: string) => page.slice(0, PAGE_NOTE.exec(page)?.index);

  it.each(Object.entries(SECRETS))('%s', async (_, { text, secret, what }) => {
    const before = `é${'q'.repeat(150)} `;
    const whole = `${before}${text} ${'z'.repeat(100)}`;
    bench.put('ws/f', whole);
    const first = Buffer.byteLength(whole.slice(0, whole.indexOf(secret)));
    const last = first + Buffer.byteLength(secret);
    const step = Math.max(1, Math.floor((last - first) / 40));
    for (let at = first; at < last; at += step) {
      const behind = rest(await read({ byte_offset: at }));
      expect(behind, `${at}`).toBe(
        `[redacted: ${what}]${whole.slice(whole.indexOf(secret) + secret.length)}`,
      );
      const until = rest(await read({ byte_offset: 0, byte_limit: Math.max(at, first + 1) }));
      expect(whole.slice(0, whole.indexOf(secret)).startsWith(until), `${at}`).toBe(true);
    }
  });

  it('and the pages go on', async () => {
    const key = SECRETS['anthropic']?.secret ?? '';
    bench.put('ws/f', `${'q'.repeat(39_730)}"k":"${key}",${'z'.repeat(30_000)}`);
    const { text, pages } = await allPages({});
    expect(pages).toBe(2);
    expect(text.replaceAll(/q{9,}|z{9,}/g, '')).toBe('"k":"[redacted: Anthropic API key]",');
    for (const byte_limit of [1, 7, 50]) {
      bench.put('ws/f', `q"k":"${key}",z\n`);
      expect((await allPages({ byte_limit })).text).toMatch(
        /^q"k":"(\[redacted: Anthropic API key\])+",z\n$/,
      );
    }
  });
});
