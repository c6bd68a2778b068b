import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import { engineSession, lastEnd, looking, ofKind } from '../../support/builders/engine-session.ts';
import { text } from '../../support/builders/entries.ts';
import { waitFor } from '../../support/test-session.ts';

const MINUTE = 60_000;

const working = (_: ModelRequest, call: number): Partial<ModelMessage> =>
  call % 60 === 0
    ? { blocks: [text('Done.')] }
    : { blocks: [text(`Step ${call}.`), looking(`c${call}`, `f${call}:500`)], stopReason: 'tool_use' };

/** A turn that stands still because its summary never comes; without a background one unless `prepareAt` says so. */
async function standingStill(prepareAt: number | null = null) {
  let asked = 0;
  const session = await engineSession(
    {
      info: { window: 40_000 },
      work: working,
      summary: () => {
        asked += 1;
        return new Promise<never>(() => undefined); // deaf to its signal, too
      },
    },
    { rules: { prepareAt } },
  );
  const said = session.say('one');
  const waits = () => session.events.some((event) => event.type === 'relief_started' && event.isWaitedFor);
  await waitFor(waits);
  return { ...session, said, asked: () => asked };
}

describe('P11: a summary that never comes', () => {
  it('is given up after two minutes without a word, and the conversation is folded', async () => {
    const session = await standingStill();
    const { length } = session.model.work;
    session.clock.pass(MINUTE);
    expect(session.session.isRunning).toBe(true);
    expect(session.model.work).toHaveLength(length);
    session.clock.pass(2 * MINUTE);
    await waitFor(() => ofKind(session.entries(), 'compaction').length > 0);
    expect(ofKind(session.entries(), 'compaction')[0]).toMatchObject({
      method: 'fold',
      fallback: 'the model said nothing for two minutes',
    });
    await waitFor(() => session.model.work.length > length + 10);
    await session.session.stop();
  });

  it('is given up in the background too, and what waits for it goes on', async () => {
    const session = await standingStill(0.7);
    session.clock.pass(2 * MINUTE);
    await waitFor(() => ofKind(session.entries(), 'compaction').length > 0);
    expect(ofKind(session.entries(), 'compaction')[0]).toMatchObject({ method: 'fold' });
    await session.session.stop();
  });

  it('called off by the person is not asked for again before the load has grown', async () => {
    const session = await standingStill();
    const { length } = session.model.work;
    session.session.cancelRelief();
    await waitFor(() => session.asked() > 1);
    expect(session.model.work.length).toBeGreaterThan(length + 1);
    await session.session.stop();
    expect(lastEnd(session.events)).toMatchObject({ end: 'stopped' });
  });
});
