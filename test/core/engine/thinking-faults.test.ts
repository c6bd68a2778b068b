import { describe, expect, it } from 'vitest';
import type { AssistantBlock, Block } from '../../../src/core/model/content.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { ModelRequest, ModelTraits } from '../../../src/core/model/request.ts';
import { look, looking, ofKind, prose } from '../../support/builders/engine-session.ts';
import { eviction, MODEL, reminder, text, thinking } from '../../support/builders/entries.ts';
import { textIn } from '../../support/builders/request-text.ts';
import type { WorkingModel } from '../../support/builders/working-model.ts';
import { workingModel } from '../../support/builders/working-model.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { testSession } from '../../support/test-session.ts';

const isThought = ({ type }: Block) => type === 'thinking' || type === 'redacted_thinking';
const thoughtsIn = ({ messages }: ModelRequest) =>
  messages.flatMap(({ content }) => (content as readonly Block[]).filter(isThought));

/** Thinks before each step, every third time where nobody may read it; `pace` rounds with a call, then an answer. */
function thinker(traits: ModelTraits, pace: { rounds: number }): WorkingModel {
  const thought = (call: number, by: string): AssistantBlock =>
    call % 3 === 0
      ? { type: 'redacted_thinking', data: `data of ${by} ${call}` }
      : thinking(`thought ${call}`, `signed by ${by} ${call}`);
  const work = (request: ModelRequest, call: number) => {
    const mine = thought(call, request.model);
    pace.rounds -= 1;
    return pace.rounds >= 0
      ? {
          blocks: [mine, text(`Step ${call}.`), looking(`c${call}`, `f${call}:300`)],
          stopReason: 'tool_use' as const,
        }
      : { blocks: [mine, text(`Done ${call}. ${prose(300)}`)] };
  };
  const kind = traits.systemMessages === true ? ('adaptive' as const) : ('none' as const);
  const info = { window: 40_000, thinking: kind, traits };
  return workingModel({ info, others: { other: info }, work });
}

/** A session that can be restarted, given another model, and told something at the tail of its next request. */
async function livedIn(traits: ModelTraits) {
  const pace = { rounds: 0 };
  const model = thinker(traits, pace);
  const store = new MemoryLogStore();
  const settings = { model: '', maxRounds: 200, approvalMode: 'auto' as const };
  const clock = fixedClock();
  const tail: EntryDraft[] = [];
  let today = clock.now().toISOString().slice(0, 10);
  const open = async () => {
    const opened = await testSession({
      ...{ model, store, settings, tools: [look] },
      sections: async () => {
        for (const draft of tail.splice(0)) await opened.transcript.append(draft);
        return [
          { name: 'base', text: 'You are a test.' },
          { name: 'environment', text: `Today is ${today}` },
        ];
      },
    });
    return opened;
  };
  let current = await open();
  const work = async (words: string, rounds: number) => {
    pace.rounds = rounds;
    await current.say(words);
    expect(current.events.findLast(({ type }) => type === 'turn_ended')).toMatchObject({ end: 'done' });
    return model.work.at(-1)!;
  };
  return {
    ...{ model, settings, work },
    entries: () => current.session.entries,
    session: () => current.session,
    sayAtTail: (draft: EntryDraft) => tail.push(draft),
    midnight: () => (today = '2026-03-02'),
    restart: async () => (current = await open()),
  };
}

const nudge: EntryDraft = {
  ...(reminder('nudge', 'Write down what you learnt.') as object),
  isTurnScoped: true,
} as EntryDraft;

describe.each<[string, ModelTraits]>([
  ['that takes system messages in mid-conversation', { bindsThinking: true, systemMessages: true }],
  ['that takes none', { bindsThinking: true, systemMessages: false }],
])('a model whose thinking is bound to its conversation, %s', (_, traits) => {
  it('T12: is never sent thinking behind another conversation, whatever happens in a long session', async () => {
    const life = await livedIn(traits);
    const { model, work } = life;
    const keepsThinking = (request: ModelRequest) => expect(thoughtsIn(request).length).toBeGreaterThan(0);

    keepsThinking(await work('twelve rounds', 12));
    life.sayAtTail(nudge);
    const nudged = await work('with a nudge', 2);
    keepsThinking(nudged);
    expect(textIn(nudged)).toContain('Write down what you learnt.');
    keepsThinking(await work('the nudge is over', 2));
    life.sayAtTail(reminder('memory', 'The customer likes spring tides.'));
    keepsThinking(await work('with a memory', 2));
    life.midnight();
    expect(textIn(await work('after midnight', 2))).toContain('Today is 2026-03-02');
    life.sayAtTail(reminder('mode', 'You may only read now.'));
    const untouched = await work('in another mode', 2);
    expect(thoughtsIn(untouched).length).toBe(model.work.length - 1); // nothing of it was left out so far

    await life.session().compact();
    expect(ofKind(life.entries(), 'compaction')).toHaveLength(1);
    const compacted = await work('after a compaction', 3);
    expect(textIn(compacted)).toContain('in another mode');
    expect(textIn(compacted)).toContain('Today is 2026-03-02');
    keepsThinking(compacted);

    life.sayAtTail(eviction({ entryId: ofKind(life.entries(), 'tool_result').at(-1)!.id, reason: 'asked' }));
    keepsThinking(await work('after an eviction', 3));
    await life.restart();
    const resumed = await work('after a restart', 0);
    expect(thoughtsIn(resumed)).toHaveLength(4);

    life.settings.model = 'other';
    const switched = await work('to another model', 2);
    expect(thoughtsIn(switched)).toHaveLength(2);
    for (const block of thoughtsIn(switched)) expect(JSON.stringify(block)).toMatch(/(?:by|of) other/);
    life.settings.model = '';
    keepsThinking(await work('and back', 3));

    // A refused request is one that nobody answered.
    expect(ofKind(life.entries(), 'assistant')).toHaveLength(model.work.length);
  });

  it('C5: signed thinking goes out as it came or not at all, and never to another model', async () => {
    const life = await livedIn(traits);
    await life.work('go', 8);
    await life.session().compact();
    await life.work('go on', 8);
    await life.session().compact();
    life.settings.model = 'other';
    await life.work('you go on', 4);
    life.settings.model = '';
    await life.work('and back', 4);
    expect(ofKind(life.entries(), 'compaction').length).toBeGreaterThan(0);
    const replies = ofKind(life.entries(), 'assistant');
    for (const request of life.model.work) {
      const own = replies.filter(({ model }) => model === (request.model === '' ? MODEL : request.model));
      for (const { role, content } of request.messages) {
        if (role !== 'assistant') continue;
        const step = content.find(({ type }) => type === 'text');
        const stored = replies.find(({ blocks }) => blocks.some((block) => block === step))!;
        const sent = content.filter(isThought);
        if (sent.length > 0) {
          expect(content).toEqual(stored.blocks);
          expect(own).toContain(stored);
        } else expect(content).toEqual(stored.blocks.filter((block) => !isThought(block)));
      }
    }
  });
});

describe('a refusal of thinking that is bound elsewhere', () => {
  const refusal = () =>
    new ModelError('thinking_binding', 'bound to a different conversation', { status: 400 });
  async function refused(times: number) {
    let left = times;
    const model = workingModel({
      info: { thinking: 'adaptive', traits: { bindsThinking: true, systemMessages: true } },
      work: (_, call) => {
        if (call > 2 && left > 0) {
          left -= 1;
          return refusal();
        }
        return { blocks: [thinking(`thought ${call}`, `sig ${call}`), text('ok')] };
      },
    });
    const session = await testSession({ model });
    for (const words of ['one', 'two', 'three']) await session.say(words);
    return { model, end: session.events.findLast(({ type }) => type === 'turn_ended') };
  }

  it('T12: is healed once, by leaving the thinking out', async () => {
    const { model, end } = await refused(1);
    expect(end).toMatchObject({ end: 'done' });
    expect(model.work.map((request) => thoughtsIn(request).length)).toEqual([0, 1, 2, 0]);
  });

  it('T12: is told when it comes again, and told apart from others', async () => {
    const { model, end } = await refused(9);
    expect(end).toMatchObject({ end: 'failed', error: { code: 'thinking_binding' } });
    expect(model.work).toHaveLength(4);
  });
});
