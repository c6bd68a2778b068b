import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import { engineSession, lastEnd, looking, ofKind } from '../../support/builders/engine-session.ts';
import { image, text, thinking } from '../../support/builders/entries.ts';
import { extendsRequest, textIn } from '../../support/builders/request-text.ts';

const BINDS = { bindsThinking: true, systemMessages: true, signedSummaries: false };

const working =
  (rounds: number, tokens: number, thinks = false) =>
  (_: ModelRequest, call: number): Partial<ModelMessage> => {
    const thought = thinks ? [thinking(`hm ${call}`, `sig${call}`)] : [];
    return call % rounds === 0
      ? { blocks: [...thought, text('Done.')] }
      : {
          blocks: [...thought, text(`Step ${call}.`), looking(`c${call}`, `f${call}:${tokens}`)],
          stopReason: 'tool_use',
        };
  };

const first = <T>(items: readonly T[]): T => items[0]!;

describe('T11, T12: holding what was evicted', () => {
  it.each([
    ['a model without thinking', false],
    ['a model that signs its thinking over the prefix', true],
  ])('is a planned break that the estimate knows of: %s', async (_, thinks) => {
    const session = await engineSession({
      info: { window: 400_000, ...(thinks && { traits: BINDS }) },
      work: working(6, 3_000, thinks),
    });
    await session.say('one');
    const result = first(ofKind(session.entries(), 'tool_result'));
    const items = [{ entryId: result.id, reason: 'asked' as const }];
    await session.transcript.append({
      kind: 'eviction',
      trigger: 'asked',
      items,
      before: 30_000,
      after: 24_000,
    });
    await session.say('two');
    for (const isPinned of [true, false]) {
      const seen = session.entries().length;
      const sent = session.model.work.length;
      await session.session.pin(result.id, isPinned);
      await session.say('go on');
      const since = session.entries().slice(seen);
      expect(since.some(({ kind }) => kind === 'prompt')).toBe(true);
      const report = first(ofKind(since, 'usage'));
      expect(Math.abs(report.estimated - report.usage.input)).toBeLessThan(0.02 * report.usage.input);
      expect(textIn(session.model.work[sent]!).includes('f1 says')).toBe(isPinned);
      expect(lastEnd(session.events)).toMatchObject({ end: 'done' });
    }
  });

  it('changes nothing where it is in view as it is', async () => {
    const session = await engineSession({ work: working(6, 300) });
    await session.say('one');
    await session.session.pin(first(ofKind(session.entries(), 'tool_result')).id, true);
    const sent = session.model.work.length;
    await session.say('two');
    expect(extendsRequest(session.model.work[sent - 1]!, session.model.work[sent]!)).toBe(true);
  });
});

describe('T12: holding what a compaction covers', () => {
  it('brings it into view with the next request, and letting go takes it away, without another compaction', async () => {
    const session = await engineSession({ info: { window: 700_000 }, work: working(13, 3_000) });
    await session.say('one');
    await session.session.compact();
    await session.say('two');
    const { id } = first(ofKind(session.entries(), 'tool_result'));
    for (const isPinned of [true, false, true]) {
      await session.session.pin(id, isPinned);
      await session.say('go on');
      const view = textIn(session.model.work.at(-1)!);
      expect(view.includes('f1 says')).toBe(isPinned);
      expect(view.includes('Held in view by the user')).toBe(isPinned);
    }
    expect(ofKind(session.entries(), 'compaction')).toHaveLength(1);
  });

  it('keeps the images of a message', async () => {
    const session = await engineSession({ info: { window: 700_000 }, work: working(13, 3_000) });
    const seen = await session.transcript.append({
      kind: 'user',
      text: 'look at this picture',
      images: [image(1_000, 1_000)],
    });
    await session.session.pin(seen.id, true);
    await session.say('one');
    await session.session.compact();
    await session.say('two');
    const request = session.model.work.at(-1)!;
    expect(textIn(request)).toContain('look at this picture');
    expect(JSON.stringify(request.messages)).toContain('"type":"image"');
    await session.session.pin(seen.id, false);
    await session.say('three');
    expect(JSON.stringify(session.model.work.at(-1)!.messages)).not.toContain('"type":"image"');
  });
});

it('where what is held fills the window, it says so and how to get out', async () => {
  const session = await engineSession({ info: { window: 20_000 }, work: working(30, 700) });
  await session.say('one');
  for (const { id } of ofKind(session.entries(), 'tool_result').slice(0, 12))
    await session.session.pin(id, true);
  await session.session.compact();
  await session.say('two');
  expect(lastEnd(session.events)).toMatchObject({ error: { code: 'context_full' } });
  const told = JSON.stringify(lastEnd(session.events));
  expect(told).toMatch(/Held in view by you \(pinned\): 12 entries, [\d,]+\./);
  expect(told).toContain('Let go of some of what is held in view');
  for (const { id } of ofKind(session.entries(), 'tool_result')) await session.session.pin(id, false);
  await session.say('three');
  expect(lastEnd(session.events)).toMatchObject({ end: 'done' });
});

it('an older compaction is not taken back while a later one covers what it covered', async () => {
  const session = await engineSession({ info: { window: 700_000 }, work: working(13, 3_000) });
  await session.say('one');
  await session.session.compact();
  await session.say('two');
  await session.session.compact();
  const [older, later] = ofKind(session.entries(), 'compaction');
  const before = session.entries().length;
  expect(await session.session.undo(older!.id)).toBe(false);
  expect(session.entries()).toHaveLength(before);
  expect(await session.session.undo(later!.id)).toBe(true);
  expect(await session.session.undo(older!.id)).toBe(true);
  await session.say('three');
  expect(textIn(session.model.work.at(-1)!)).toContain('f1 says');
});
