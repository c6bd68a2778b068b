import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawEvent, RawServer } from '../support/raw-sse-server.ts';
import {
  close,
  delta,
  end,
  open,
  sse,
  start,
  startRawServer,
  streamOf,
  textBlock,
  toolBlock,
} from '../support/raw-sse-server.ts';
import { callAt, finishedBlocks, messageOf } from './support.ts';

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());

/** One call, answered with these events. */
function reply(...events: readonly RawEvent[]) {
  server.answer = streamOf(...events);
  return callAt(server.url);
}

describe('a streamed reply', () => {
  it('comes as deltas, blocks as they finish, and one message at the end', async () => {
    const events = await reply(
      start(),
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'sig==' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'secret' }),
      close(1),
      ...textBlock(2, 'Reading.'),
      ...toolBlock(3, '{"path": "a.txt"}', 'toolu_a'),
      ...end('tool_use'),
    );
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig==' };
    const call = { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: { path: 'a.txt' } };
    const blocks = [
      thinking,
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'text', text: 'Reading.' },
      call,
    ];
    expect(events).toEqual([
      { type: 'thinking_delta', text: 'hm' },
      { type: 'block_finished', block: blocks[0] },
      { type: 'block_finished', block: blocks[1] },
      { type: 'text_delta', text: 'Reading.' },
      { type: 'block_finished', block: blocks[2] },
      { type: 'tool_use_started', toolUseId: 'toolu_a', name: 'read_file' },
      { type: 'block_finished', block: blocks[3] },
      {
        type: 'message',
        message: {
          id: 'msg_1',
          model: 'm',
          blocks,
          stopReason: 'tool_use',
          usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 },
        },
      },
    ]);
  });

  it('skips events, blocks and deltas that it does not know', async () => {
    const events = await reply(
      start(),
      { type: 'ping' },
      { type: 'weather_report', degrees: 20 },
      open(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"q"' }),
      close(0),
      open(1, { type: 'text', text: '' }),
      delta(1, { type: 'citations_delta', citation: {} }),
      delta(1, { type: 'text_delta', text: 'Fine.' }),
      close(1),
      delta(7, { type: 'text_delta', text: 'lost' }),
      close(7),
      ...end('end_turn'),
    );
    expect(messageOf(events).blocks).toEqual([{ type: 'text', text: 'Fine.' }]);
  });

  it('is read to the end of its connection, so that the next call can use it', async () => {
    let hasEnded: Promise<boolean> = Promise.resolve(false);
    server.answer = (response) => {
      hasEnded = new Promise((resolve) => response.once('close', () => resolve(response.writableFinished)));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([start(), ...textBlock(0, 'a'), ...end('end_turn')].map(sse).join(''));
      setTimeout(() => response.end(), 150);
    };
    await callAt(server.url);
    expect(await hasEnded).toBe(true);
  });

  it('takes an unknown or missing reason to stop for the end of the turn', async () => {
    expect(messageOf(await reply(start(), ...textBlock(0, 'a'), ...end('bored'))).stopReason).toBe(
      'end_turn',
    );
    expect(messageOf(await reply(start(), ...textBlock(0, 'a'), ...end(null))).stopReason).toBe('end_turn');
    expect(messageOf(await reply(start(), ...textBlock(0, 'a'), ...end('refusal'))).stopReason).toBe(
      'refusal',
    );
  });

  it('leaves an empty text block out: no server takes one back', async () => {
    const events = await reply(start(), open(0, { type: 'text', text: '' }), close(0), ...end('end_turn'));
    expect(messageOf(events).blocks).toEqual([]);
    expect(finishedBlocks(events)).toEqual([]);
  });

  it('keeps thinking that a server does not sign', async () => {
    const unsigned = [
      open(0, { type: 'thinking', thinking: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      close(0),
    ];
    const events = await reply(start(), ...unsigned, ...textBlock(1, 'ok'), ...end('end_turn'));
    expect(messageOf(events).blocks[0]).toEqual({ type: 'thinking', thinking: 'hm', signature: '' });
  });
});

describe('a tool call in a reply', () => {
  const cuts = ['max_tokens', 'model_context_window_exceeded', 'refusal'];

  it.each(cuts)('that is cut by %s in mid-input never comes out', async (reason) => {
    const events = await reply(
      start(),
      ...textBlock(0, 'So'),
      ...toolBlock(1, '{"path": "a.tx'),
      ...end(reason),
    );
    expect(messageOf(events).blocks).toEqual([{ type: 'text', text: 'So' }]);
    expect(finishedBlocks(events)).toHaveLength(1);
  });

  it.each(cuts)('that is cut by %s before its input began never comes out', async (reason) => {
    expect(messageOf(await reply(start(), ...toolBlock(0, ''), ...end(reason))).blocks).toEqual([]);
  });

  it('that was whole before the cut is kept', async () => {
    const events = await reply(
      start(),
      ...toolBlock(0, '{"a": 1}'),
      ...toolBlock(1, '{"b": '),
      ...end('max_tokens'),
    );
    expect(messageOf(events).blocks).toEqual([
      { type: 'tool_use', id: 'toolu_0', name: 'read_file', input: { a: 1 } },
    ]);
  });

  it('without input has an empty one', async () => {
    const events = await reply(start(), ...toolBlock(0, ''), ...toolBlock(1, '{}'), ...end('tool_use'));
    const blocks = messageOf(events).blocks;
    expect(blocks).toMatchObject([{ input: {} }, { input: {} }]);
    expect(finishedBlocks(events)).toEqual(expect.arrayContaining([...blocks]));
  });

  it('whose input is no JSON object comes out as the text it is, for validation to refuse', async () => {
    const events = await reply(start(), ...toolBlock(0, '{"path": oops}'), ...end('tool_use'));
    expect(messageOf(events).blocks).toMatchObject([{ input: '{"path": oops}' }]);
  });

  it('may have its input in the block itself', async () => {
    const block = { type: 'tool_use', id: 't', name: 'read_file', input: { path: 'a' } };
    const events = await reply(start(), open(0, block), close(0), ...end('tool_use'));
    expect(messageOf(events).blocks).toEqual([block]);
  });
});

describe('usage', () => {
  it('T10: counts what was read from and written to the cache beside the uncached input', async () => {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 19464,
      cache_creation_input_tokens: 1124,
      output_tokens: 1,
    };
    const { usage: told } = messageOf(await reply(start(usage), ...textBlock(0, 'a'), ...end('end_turn')));
    expect(told).toEqual({ input: 3, cacheRead: 19464, cacheWrite: 1124, output: 5 });
  });

  it('is cumulative: a later number replaces, null and a missing field do not', async () => {
    const later = { input_tokens: 900, cache_read_input_tokens: null, output_tokens: 42 };
    const events = await reply(
      start({ input_tokens: 0, cache_read_input_tokens: 7, output_tokens: 1 }),
      ...textBlock(0, 'a'),
      ...end('end_turn', later),
    );
    expect(messageOf(events).usage).toEqual({ input: 900, cacheRead: 7, cacheWrite: 0, output: 42 });
  });

  it('T2: that is missing or all zero is unknown', async () => {
    const zero = { input_tokens: 0, output_tokens: 0 };
    const none = messageOf(await reply(start({}), ...textBlock(0, 'a'), ...end('end_turn', {})));
    const zeros = messageOf(await reply(start(zero), ...textBlock(0, 'a'), ...end('end_turn', zero)));
    expect(none).not.toHaveProperty('usage');
    expect(zeros).not.toHaveProperty('usage');
  });
});
