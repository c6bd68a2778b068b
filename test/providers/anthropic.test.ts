import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/model/content.ts';
import type { ModelInfo, ModelRequest } from '../../src/core/model/request.ts';
import type { ModelPort } from '../../src/core/ports/model.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import { currentModel } from '../support/model-server/profiles.ts';
import { fact, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { collect, failureOf, messageOf, modelAt, noSignal, request } from './support.ts';

const WINDOW = 30_000;

let server: ModelServer;
let model: ModelPort;
let info: ModelInfo;
beforeAll(async () => {
  server = await startModelServer({ scenario: [], models: [currentModel({ window: WINDOW })] });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  model = modelAt(server.url);
  info = await model.resolve('', noSignal());
});

const read = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

const ask = (messages: readonly Message[], changes: Partial<ModelRequest> = {}) =>
  collect(
    model.stream(
      request({
        model: info.id,
        // Long enough to be cached.
        system: [{ name: 'base', text: 'You read files and say what they hold. '.repeat(200) }],
        tools: [read],
        messages,
        cacheMarks: { system: true, messages: [messages.length - 1] },
        ...changes,
      }),
      info,
      noSignal(),
    ),
  );

const say = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] });
const results = (toolUseId: string, words: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId, content: [{ type: 'text', text: words }], isError: false }],
});

describe('a conversation with a strict server', () => {
  it('goes round after round: thinking is sent back valid, and each request reads what the one before wrote', async () => {
    server.play([
      [thinking('I should look. 🔎'), text('Reading.'), toolUse('read_file', { path: 'a.txt' })],
      [thinking('It says so.'), text('The word is ', fact(/word: (\w+)/), '.')],
      text('You are welcome.'),
    ]);
    const first = messageOf(await ask([say('What is the word?')]));
    const call = first.blocks.find((block) => block.type === 'tool_use');
    const soFar: Message[] = [
      say('What is the word?'),
      { role: 'assistant', content: first.blocks },
      results(call!.id, 'word: plimsoll'),
    ];
    const second = messageOf(await ask(soFar));
    const third = messageOf(
      await ask([...soFar, { role: 'assistant', content: second.blocks }, say('Thanks')]),
    );

    expect(first.stopReason).toBe('tool_use');
    expect(second.blocks.at(-1)).toEqual({ type: 'text', text: 'The word is plimsoll.' });
    expect(third.stopReason).toBe('end_turn');
    expect(first.usage?.cacheWrite).toBeGreaterThan(0);
    expect(second.usage?.cacheRead).toBe(first.usage!.cacheWrite + first.usage!.cacheRead);
    expect(third.usage?.cacheRead).toBe(second.usage!.cacheWrite + second.usage!.cacheRead);
    expect(server.failures).toEqual([]);
  });

  it('reports the usage that the server recorded', async () => {
    server.play([text('Hello.')]);
    const { usage } = messageOf(await ask([say('Hi')]));
    expect(usage).toEqual(server.requests.at(-1)?.usage);
  });

  it('leaves out a call that was cut in mid-input', async () => {
    server.play([[text('So'), toolUse('read_file', { path: 'a-long-name.txt' }, { cutAfter: 12 })]]);
    const message = messageOf(await ask([say('Read it')]));
    expect(message.stopReason).toBe('max_tokens');
    expect(message.blocks).toEqual([{ type: 'text', text: 'So' }]);
  });

  it('P3: names the limit when the conversation is over it', async () => {
    server.play([text('never said')]);
    const error = await failureOf(ask([say('word '.repeat(WINDOW * 2))]));
    expect(error).toMatchObject({ code: 'too_long', learntLimit: WINDOW });
  });

  it('T12: tells a binding error from every other', async () => {
    server.play([[thinking('Hm.'), text('Yes.')], text('never said')]);
    const { blocks } = messageOf(await ask([say('Is it?')]));
    const changed = [say('Was it?'), { role: 'assistant', content: blocks }, say('Sure?')] as const;
    expect(await failureOf(ask(changed))).toMatchObject({ code: 'thinking_binding', status: 400 });
  });

  it('C29: hears how long to wait', async () => {
    server.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 30 });
    server.play([text('later')]);
    expect(await failureOf(ask([say('Hi')]))).toMatchObject({ code: 'rate_limit', retryAfterMs: 30_000 });
  });
});
