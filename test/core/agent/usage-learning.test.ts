import { describe, expect, it } from 'vitest';
import type { TokenCounter } from '../../../src/core/ports/token-counter.ts';
import { text, toolUse } from '../../support/builders/entries.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { testSession } from '../../support/test-session.ts';
import { testTool } from '../../support/test-tools.ts';

/** A token a character. */
const byLength: TokenCounter = {
  count: (texts) => Promise.resolve(texts.map(({ length }) => length)),
};
const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0, output: 10 });

/** A session of two rounds: the second request adds the result `seen a.txt` to the first and its reply. */
async function reportedParts(counter?: TokenCounter) {
  const model = scriptedModel([
    { blocks: [toolUse('a', { path: 'a.txt' }, 'look')], stopReason: 'tool_use', usage: usage(1_000) },
    { blocks: [text('Done.')], usage: usage(1_100) },
  ]);
  const look = testTool('look', 'read', (what) => Promise.resolve(`seen ${what}`));
  const { session, say } = await testSession({ model, tools: [look], ...(counter && { counter }) });
  await say('look at a.txt');
  return session.entries.flatMap((entry) => (entry.kind === 'usage' ? [entry.counted] : []));
}

describe('the report of a request', () => {
  it('says what its new part was counted and billed: all of the first, then only what was added', async () => {
    const [first, second] = await reportedParts(byLength);
    expect(first?.billed).toBe(1_000);
    expect(first?.tokens).toBeGreaterThan('You are a test.look at a.txt'.length);
    expect(second).toEqual({ tokens: 14 + 'seen a.txt'.length, billed: 1_100 - 1_000 - 10 });
  });

  it('teaches nothing where no tokenizer was up: an estimate is no count', async () => {
    expect(await reportedParts()).toEqual([undefined, undefined]);
  });
});
