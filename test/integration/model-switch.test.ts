import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Settings } from '../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../../src/core/model/settings.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { workingSession } from '../support/working-session.ts';
import type { WorkingSession } from '../support/working-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let work: WorkingSession;
afterEach(() => work.close());

const current = currentModel();
const classic = classicModel();
const methods = () => work.entries.flatMap((entry) => (entry.kind === 'compaction' ? [entry.method] : []));

/** Settings that a person changes between two messages. */
function settingsFor(model: string): { model: string } & Partial<Settings> {
  return { model, maxOutputTokens: 4_000, context: DEFAULT_CONTEXT };
}

describe('a model switch and back', () => {
  it('C5, T12: in a long session with signed summaries is never refused, and goes on compacting on either side', async () => {
    const settings = settingsFor(current.id);
    work = await workingSession({
      profile: current,
      models: [current, classic],
      window: 32_000,
      rounds: 20,
      session: { settings, skipsWaiting: true },
    });
    for (const model of [current.id, classic.id, current.id]) {
      settings.model = model;
      await work.say(`Read on with ${model}. Use httpie only.`);
      expect(work.server.failures).toEqual([]);
      expect(work.events.at(-1)).toEqual({ type: 'turn_ended', end: 'done' });
    }
    expect(new Set(methods())).toEqual(new Set(['signed', 'summary']));
    expect(JSON.stringify(work.server.requests.at(-1)?.body)).toContain('Use httpie only.');
  });
});
