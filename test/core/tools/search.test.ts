import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWalkSearch } from '../../../src/core/tools/walk-search.ts';
import { systemClock } from '../../../src/node/clock.ts';
import type { SearchRequest } from '../../../src/core/ports/search.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

const search = (pattern: string, more: object = {}) => bench.text('search', { pattern, ...more });

describe('search', () => {
  it('groups lines by file', async () => {
    bench.put('ws/a.ts', 'one\nfound 1\nfound 2\n');
    bench.put('ws/src/b.ts', 'found 3\n');
    expect(await search('found \\d')).toMatchInlineSnapshot(`
      "a.ts
           2	found 1
           3	found 2

      src/b.ts
           1	found 3"
    `);
    expect(await search('FOUND', { case_sensitive: false, glob: 'src/**' })).toBe(
      'src/b.ts\n     1\tfound 3',
    );
    expect(await search('absent')).toBe('(no matches)');
  });

  it('in a folder or a file, whose paths are given from the workspace', async () => {
    bench.put('ws/src/deep/a.ts', 'found\n');
    bench.put('ws/src/b.ts', 'found\n');
    expect(await search('found', { path: 'src/deep' })).toBe('src/deep/a.ts\n     1\tfound');
    expect(await search('found', { path: 'src/b.ts' })).toBe('src/b.ts\n     1\tfound');
    expect(await bench.refusal('search', { pattern: 'x', path: 'nowhere' })).toMatchObject({
      code: 'not_found',
    });
  });

  it('in several roots, by their names', async () => {
    bench.dispose();
    bench = toolBench({ roots: ['one', 'two'] });
    bench.put('one/a', 'found\n');
    bench.put('two/a', 'found\n');
    expect(await search('found')).toBe('one/a\n     1\tfound\n\ntwo/a\n     1\tfound');
  });

  it('is bounded in matches and in characters, and says so', async () => {
    bench.put('ws/many', 'found\n'.repeat(600));
    expect(await search('found')).toMatch(/\n\[the first 500 matches; there are more: /);
    bench.put('ws/many', `found ${'🎉'.repeat(300)}\n`.repeat(400));
    const long = await search('found');
    expect(long.length).toBeLessThanOrEqual(40_000);
    expect(long.isWellFormed()).toBe(true);
    expect(long).toMatch(/\[the first \d+ matches; there are more: /);
  });

  it('a pattern that cannot be read is explained', async () => {
    expect((await bench.refusal('search', { pattern: 'f(' })).message).toContain(
      'not a valid regular expression',
    );
    expect(await bench.refusal('search', { pattern: 'a\nb' })).toMatchObject({ code: 'invalid_input' });
  });

  it.each(['(a+)+$', '(a?){40}b', '(a|a)*b', '(a{1,30}){1,30}b', '.*.*.*.*.*.*.*b'])(
    '%s, which takes for ever on an engine that backtracks, is answered',
    async (pattern) => {
      bench.put('ws/evil', `${'a'.repeat(2_000)}!\n`);
      expect(await search(pattern)).toBe('(no matches)');
    },
  );

  it('what compiles to too much is refused', async () => {
    for (const pattern of ['((a{0,100}){0,100}){0,100}', 'a'.repeat(4_001)])
      expect(await bench.refusal('search', { pattern })).toMatchObject({ code: 'invalid_input' });
  });

  it('a line is searched in its first 100,000 characters, and what was left out is said', async () => {
    bench.put('ws/min.js', `${' '.repeat(99_995)}found${' '.repeat(100_000)}hidden\nfound\n`);
    expect(await search('found$')).toBe(
      'min.js\n     1\t' +
        `${' '.repeat(500)}…` +
        '\n     2\tfound\n[of 1 very long lines only the beginning was searched]',
    );
    expect(await search('hidden')).toBe(
      '(no matches)\n[of 1 very long lines only the beginning was searched]',
    );
  });

  it('at the time limit it ends, and says so', async () => {
    let now = 0;
    const clock = { ...systemClock, now: () => new Date((now += 1_000)) };
    const { files, codec } = bench.context;
    bench.dispose();
    bench = toolBench({ context: { search: createWalkSearch({ files, codec, clock }) } });
    bench.put('ws/f', `found\n${'x\n'.repeat(100)}found\n`);
    expect(await search('found')).toBe(
      'f\n     1\tfound\n[the time was up before all was searched; there may be more: use a narrower pattern, path or glob]',
    );
    expect(await search('absent')).toMatch(/^\(no matches\)\n\[the time was up /);
  });

  it('hands the stop signal on', async () => {
    const requests: SearchRequest[] = [];
    const port = {
      search: (request: SearchRequest) => {
        requests.push(request);
        return Promise.resolve({ matches: [], isCut: false });
      },
    };
    bench.dispose();
    bench = toolBench({ context: { search: port } });
    await search('x');
    expect(requests[0]?.signal).toBe(bench.context.signal);
  });
});

describe('Z1: lines of a private key', () => {
  const body = Array.from({ length: 5 }, (_, n) => `${n}aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z`.repeat(2));
  const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----'];

  it('are not told, what is around them is', async () => {
    bench.put('ws/pem', ['token aB3dE5gH7jK9mN1pQ2rS', ...key, 'behind aB3d', ''].join('\r\n'));
    expect(await search('aB3d')).toBe(
      [
        'pem',
        '     1\ttoken aB3dE5gH7jK9mN1pQ2rS',
        ...[3, 4, 5, 6, 7].map((n) => `     ${n}\t[redacted: private key]`),
        '     9\tbehind aB3d',
      ].join('\n'),
    );
  });

  it('and base64 that is no key is told', async () => {
    bench.put('ws/base64', body.join('\n'));
    expect(await search('3aB3')).toContain(body[3]);
  });
});
