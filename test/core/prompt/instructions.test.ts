import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInstructions } from '../../../src/core/prompt/instructions.ts';
import { createDiskFiles } from '../../../src/node/disk-files.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder();
  mkdirSync(`${base}/ws/docs`, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const found = async (location = `${base}/ws`) =>
  (await readInstructions(createDiskFiles(), [{ name: 'ws', location }])).map(({ text }) => text);

describe('Z5: AGENTS.md that is a link', () => {
  it.each(['../id_rsa', '../ws-evil/file', 'docs/out'])(
    'out of the workspace (%s) is not read',
    async (target) => {
      writeFileSync(`${base}/id_rsa`, 'PRIVATE KEY');
      mkdirSync(`${base}/ws-evil`);
      writeFileSync(`${base}/ws-evil/file`, 'PRIVATE KEY');
      symlinkSync('../../id_rsa', `${base}/ws/docs/out`);
      symlinkSync(target, `${base}/ws/AGENTS.md`);
      expect(await found()).toEqual([]);
    },
  );

  it('to another file of the workspace is read', async () => {
    writeFileSync(`${base}/ws/docs/agents.md`, 'Use tabs.');
    symlinkSync('docs/agents.md', `${base}/ws/AGENTS.md`);
    expect(await found()).toEqual(['Use tabs.']);
  });

  it('is judged by the real path of the folder that is open', async () => {
    writeFileSync(`${base}/ws/AGENTS.md`, 'Use tabs.');
    symlinkSync('ws', `${base}/alias`);
    expect(await found(`${base}/alias`)).toEqual(['Use tabs.']);
  });
});
