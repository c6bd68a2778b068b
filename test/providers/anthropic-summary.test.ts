import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/model/content.ts';
import { AbortedError } from '../../src/core/model/errors.ts';
import type { ModelInfo, ModelRequest } from '../../src/core/model/request.ts';
import type { ModelPort, SummaryReply } from '../../src/core/ports/model.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import { fail, stop, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import { collect, failureOf, messageOf, modelAt, noSignal, request } from './support.ts';

let server: ModelServer;
let model: ModelPort;
let info: ModelInfo;
beforeAll(async () => {
  const scenario = () => [thinking('hm'), text('reading'), toolUse('read_file', { path: 'src/a.ts' })];
  server = await startModelServer({ scenario });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  model = modelAt(server.url);
  info = await model.resolve('', noSignal());
});

const TOOL = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } };
const ASK = 'Summarize.\n## Goal\n## Files\n## Next steps';
const say = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] });

const asked = (changes: Partial<ModelRequest>): ModelRequest =>
  request({ model: info.id, tools: [TOOL], ...changes });

const summarize = (changes: Partial<ModelRequest>, signal = noSignal()): Promise<SummaryReply> =>
  model.summarize!({ request: asked(changes), instructions: ASK }, info, signal);

/** So many rounds of reading behind these messages. */
async function converse(rounds: number, messages: readonly Message[], more: Partial<ModelRequest> = {}) {
  const all = [...messages];
  for (let count = 0; count < rounds; count++) {
    const call = model.stream(asked({ messages: all, ...more }), info, noSignal());
    const { blocks } = messageOf(await collect(call));
    const content = blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, toolUseId: block.id, content: [], isError: false }]
        : [],
    );
    all.push({ role: 'assistant', content: blocks }, { role: 'user', content });
  }
  return all;
}

describe('a signed summary', () => {
  afterEach(() => expect(server.failures).toEqual([]));

  it('is what this model offers, by its own account', () => {
    expect(info.traits).toEqual({ bindsThinking: true, systemMessages: true, signedSummaries: true });
  });

  it('T12: takes the place of what it covers, and the thinking of kept rounds stays valid, again and again', async () => {
    let messages = await converse(3, [say('Fix src/a.ts.')]);
    let signedSummary: ModelRequest['signedSummary'];
    for (let times = 0; times < 3; times++) {
      const cut = messages.length - 4;
      const before = signedSummary && { signedSummary };
      const { summary } = await summarize({ messages: messages.slice(0, cut), ...before });
      expect(summary).toMatchObject({ provider: 'anthropic', model: info.id, block: { type: 'compaction' } });
      expect(summary?.text).toContain('## Goal\n- Fix src/a.ts.');
      // Through the log and back.
      signedSummary = JSON.parse(JSON.stringify(summary)) as NonNullable<typeof summary>;
      messages = await converse(1, messages.slice(cut), { signedSummary });
    }
  });

  it('tells what writing it has cost, though there was no reply to bill', async () => {
    const { usage } = await summarize({ messages: [say('Fix src/a.ts.')] });
    expect(usage).toEqual(server.requests.at(-1)?.usage);
    expect(usage?.output).toBeGreaterThan(0);
  });

  it.each<[string, Parameters<ModelServer['summarize']>[0]]>([
    ['empty', [badSummaries.empty]],
    ['white space', [badSummaries.blank]],
    ['only thinking', [badSummaries.onlyThinking]],
    ['a tool call', [badSummaries.toolCall]],
    ['cut', [badSummaries.cut]],
    ['refused', [badSummaries.refusal]],
    ['failed by its own account', [stop('compaction')]],
  ])('C6: that is %s is none, and has cost all the same', async (_, script) => {
    server.summarize(script);
    const reply = await summarize({ messages: [say('Fix src/a.ts.')] });
    expect(reply.summary).toBeUndefined();
    expect(reply.usage?.input).toBeGreaterThan(0);
  });

  it('C6: that ends in an error is an error, in the provider\u2019s own words', async () => {
    server.summarize([fail(529, 'busy')]);
    const error = await failureOf(summarize({ messages: [say('a')] }));
    expect(error).toMatchObject({ code: 'overloaded', message: 'busy' });
  });

  it('can be stopped while it is written', async () => {
    const controller = new AbortController();
    server.summarize([badSummaries.slow(new Promise(() => undefined))]);
    const call = summarize({ messages: [say('a')] }, controller.signal);
    await expect.poll(() => server.requests.at(-1)?.path).toBe('/v1/messages');
    controller.abort();
    expect(await failureOf(call)).toBeInstanceOf(AbortedError);
    await expect.poll(() => server.requests.at(-1)?.verdict.kind).toBe('hung_up');
  });

  it('that never comes is given up like any silent stream', async () => {
    model = modelAt(server.url, { idleTimeoutMs: 50 });
    server.summarize([badSummaries.slow(new Promise(() => undefined))]);
    expect(await failureOf(summarize({ messages: [say('a')] }))).toMatchObject({ code: 'stream_cut' });
  });
});

describe('a refused summary', () => {
  it('tells itself apart, so that another form can be tried: one that is sent back, and one that is asked for', async () => {
    const { summary } = await summarize({ messages: [say('Fix src/a.ts.')] });
    const changed = { ...summary!, block: { ...summary!.block, content: 'Forged.' } };
    const call = collect(model.stream(asked({ signedSummary: changed }), info, noSignal()));
    expect(await failureOf(call)).toMatchObject({ code: 'signed_summary', status: 400, isTransient: false });

    const open: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'read_file', input: {} }],
    };
    const error = await failureOf(summarize({ messages: [say('a'), open] }));
    expect(error).toMatchObject({ code: 'signed_summary' });
    expect(server.failures.map(({ rule }) => rule)).toEqual(['compaction-content', 'compaction-finished']);
  });

  it('of an older model tells itself apart too, by the words alone', async () => {
    const { summary } = await summarize({ messages: [say('Fix src/a.ts.')] });
    const older = { ...info, id: 'claude-sim-classic', thinking: 'none' } as const;
    const call = model.stream(asked({ model: older.id, signedSummary: summary! }), older, noSignal());
    expect(await failureOf(collect(call))).toMatchObject({ code: 'signed_summary' });
  });
});
