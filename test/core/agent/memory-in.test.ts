import { describe, expect, it } from 'vitest';
import { memoryWrite } from '../../../src/core/tools/memory/memory-write.ts';
import { engineSession, look, ofKind, rounds } from '../../support/builders/engine-session.ts';
import { NotedMemory } from '../../support/noted-memory.ts';

/** The notes to the model that a long quiet turn gets. */
async function nudges(isUnavailable?: () => boolean) {
  const memory = Object.assign(new NotedMemory(), { ...(isUnavailable && { isUnavailable }) });
  const session = await engineSession(
    { work: rounds(17, (round) => `file-${round}.txt`) },
    { tools: [look, memoryWrite], world: { memory } },
  );
  await session.say('Read the files.');
  return ofKind(session.entries(), 'reminder').filter(({ topic }) => topic === 'memory_nudge');
}

describe('a memory that cannot be opened', () => {
  it('is not asked to be written to: only one that can be is', async () => {
    expect(await nudges()).toHaveLength(1);
    expect(await nudges(() => false)).toHaveLength(1);
    expect(await nudges(() => true)).toEqual([]);
  });
});
