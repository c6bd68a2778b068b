import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../src/core/ports/search.ts';
import { compileGlob } from '../../src/core/tools/path-glob.ts';
import { createRipgrep } from '../../src/node/ripgrep.ts';
import { temporaryFolder } from '../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = (): SearchRequest => ({
  ...{ pattern: 'x', directory: folder, caseSensitive: true, maxMatches: 10 },
  signal: new AbortController().signal,
});

/** A program in ripgrep's place. */
function program(script: string): string {
  const file = `${folder}/rg`;
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const MATCH = JSON.stringify({
  type: 'match',
  data: { path: { text: './a.ts' }, lines: { text: 'x\n' }, line_number: 1, submatches: [{ start: 0 }] },
});

describe('ripgrep', () => {
  it('that does not come to an end is killed at the time limit; what it found is the answer', async () => {
    const binary = program(`printf '%s\\n' '${MATCH}'; exec sleep 300`);
    const search = createRipgrep({ binary, compileGlob, timeLimitMs: 500 });
    expect(await search.search(request())).toEqual({
      matches: [{ path: 'a.ts', line: 1, text: 'x' }],
      isCut: true,
    });
  });

  it('that comes to its end in time is not cut', async () => {
    const search = createRipgrep({ binary: program(`printf '%s\\n' '${MATCH}'`), compileGlob });
    expect(await search.search(request())).toMatchObject({ matches: { length: 1 }, isCut: false });
  });

  it('that says what nobody understands is an error, not a crash', async () => {
    const binary = program(`echo '{"type":"match"'; exec sleep 300`);
    await expect(createRipgrep({ binary, compileGlob }).search(request())).rejects.toThrow('JSON');
  });

  it('that is not there is unavailable', async () => {
    const search = createRipgrep({ binary: `${folder}/nothing`, compileGlob });
    await expect(search.search(request())).rejects.toMatchObject({ code: 'unavailable' });
  });
});
