import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DraftFile } from '../../../src/node/memory/draft-file.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('M8: what is typed in one worktree is not in the panel of another, though they share the store', async () => {
  const [here, there] = ['/main/MEMORY.md', '/tree/MEMORY.md'].map((file) => new DraftFile(folder, file));
  await here!.keep({ text: 'typed here', base: '' });
  expect(await there!.load()).toBeUndefined();
  await there!.keep({ text: 'typed there', base: 'x' });
  expect(await new DraftFile(folder, '/main/MEMORY.md').load()).toEqual({ text: 'typed here', base: '' });
  await there!.keep(undefined);
  expect(await there!.load()).toBeUndefined();
  expect(await here!.load()).toMatchObject({ text: 'typed here' });
});

it('a draft that is damaged is none', async () => {
  const draft = new DraftFile(folder, '/main/MEMORY.md');
  await draft.keep({ text: 'typed', base: '' });
  for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), '{"text": 3');
  expect(await draft.load()).toBeUndefined();
});
