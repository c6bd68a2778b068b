import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { contextTokens } from '../../src/core/model/usage.ts';
import { CONTENTS, counterOf, textCounter } from '../support/billed-session.ts';
import { hiddenTokenizer } from '../support/model-server/hidden-tokenizer.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { workingSession } from '../support/working-session.ts';
import type { WorkingSession } from '../support/working-session.ts';

let work: WorkingSession;
afterEach(() => work.close());

/** Each kind once while the engine learns, and once more after it. */
const ROUNDS = 2 * CONTENTS.length;
const SKIPPED = 3;

describe.each([currentModel(), classicModel()])('the estimate on $id', (profile) => {
  it('T8: is within 3% of what a request added is billed, by a tokenizer nobody has, after three usages', async () => {
    work = await workingSession({
      profile,
      rounds: ROUNDS,
      tokenize: hiddenTokenizer(),
      session: { counter: counterOf(textCounter()) },
      scenario: ({ served }) =>
        served === ROUNDS
          ? text('Done.')
          : [thinking('What is in the next one?'), toolUse('read_file', { path: `text-${served}.txt` })],
    });
    for (let round = 0; round < ROUNDS; round += 1)
      writeFileSync(
        path.join(work.place.folder, `text-${round}.txt`),
        CONTENTS[round % CONTENTS.length]![1].replaceAll(/(.{400})/gsu, '$1\n'),
      );
    await work.say('Read the texts.');
    expect(work.server.failures).toEqual([]);
    const reports = work.entries.filter((entry) => entry.kind === 'usage');
    expect(reports).toHaveLength(ROUNDS + 1);
    const misses = reports.slice(SKIPPED).map(({ estimated, usage, counted }) => ({
      added: counted?.billed,
      miss: Math.abs(estimated - contextTokens(usage)) / (counted?.billed ?? 1),
    }));
    for (const { miss, added } of misses) {
      expect(added).toBeGreaterThan(500);
      expect(miss).toBeLessThanOrEqual(0.03);
    }
  });
});
