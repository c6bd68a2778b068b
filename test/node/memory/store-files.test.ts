import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreFiles } from '../../../src/node/memory/store-files.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a look at the files finds what was written, however far a checkpoint gets meanwhile', async () => {
  for (let round = 0; round < 500; round += 1) {
    const files = new StoreFiles(path.join(folder, String(round)));
    mkdirSync(files.folder);
    const sealed = files.at('memory.000001-0a.jsonl');
    writeFileSync(sealed, 'a line\n');
    const looking = files.look();
    // The last steps of a checkpoint, as quick as they can be.
    linkSync(sealed, files.image);
    rmSync(sealed);
    const seen = await looking;
    const found = seen.sealed.length > 0 || seen.image !== undefined;
    expect(found, `round ${round}`).toBe(true);
  }
});
