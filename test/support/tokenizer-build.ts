import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import o200k from 'js-tiktoken/ranks/o200k_base';

/** The tokenizer's worker as the product ships it, in a folder of its own. */
export interface TokenizerBuild {
  readonly script: string;
  readonly ranks: string;
  readonly directory: string;
  remove(): void;
}

export async function buildTokenizer(): Promise<TokenizerBuild> {
  const directory = mkdtempSync(path.join(tmpdir(), 'plimsoll-tokenizer-'));
  const script = path.join(directory, 'tokenizer-worker.js');
  const ranks = path.join(directory, 'o200k_base.json');
  writeFileSync(ranks, JSON.stringify(o200k));
  await build({
    entryPoints: [path.join(import.meta.dirname, '../../src/node/tokenizer-worker.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  return { script, ranks, directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
