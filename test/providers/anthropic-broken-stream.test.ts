import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/core/model/errors.ts';
import type { RawEvent, RawServer } from '../support/raw-sse-server.ts';
import { end, sse, start, startRawServer, streamOf, textBlock } from '../support/raw-sse-server.ts';
import { callAt, collect, failureOf, INFO, messageOf, modelAt, noSignal, request } from './support.ts';

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

describe('a stream that goes wrong', () => {
  it('is cut when it ends before its message does', async () => {
    const error = await failureOf(reply(start(), ...textBlock(0, 'half an ans')));
    expect(error).toMatchObject({ code: 'stream_cut', isTransient: true });
  });

  it('is cut when the connection breaks in the middle', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([start(), ...textBlock(0, 'half')].map(sse).join(''), () => response.destroy());
    };
    expect(await failureOf(callAt(server.url))).toMatchObject({ code: 'stream_cut' });
  });

  it('is cut when an event cannot be read', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${sse(start())}event: content_block_delta\ndata: {"type": "content_bl\n\n`);
    };
    expect(await failureOf(callAt(server.url))).toMatchObject({ code: 'stream_cut' });
  });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['rate_limit_error', 'rate_limit'],
    ['api_error', 'server'],
    ['timeout_error', 'server'],
    ['invalid_request_error', 'invalid_request'],
    ['new_kind_of_error', 'server'],
  ])('with an error event of type %s is %s, in the provider\u2019s own words', async (type, code) => {
    const failed = { type: 'error', error: { type, message: 'Own words.' }, request_id: 'req_1' };
    const error = await failureOf(reply(start(), ...textBlock(0, 'so far'), failed));
    expect(error).toMatchObject({ code, message: 'Own words.', requestId: 'req_1' });
  });

  it('is cut when nothing comes any more, not even a ping', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(start()));
    };
    const model = modelAt(server.url, { idleTimeoutMs: 60 });
    const error = await failureOf(collect(model.stream(request(), INFO, noSignal())));
    expect(error).toMatchObject({ code: 'stream_cut', isTransient: true });
  });

  it('is alive as long as pings come', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let pings = 0;
      const timer = setInterval(() => {
        if (++pings < 8) return response.write(sse({ type: 'ping' }));
        clearInterval(timer);
        response.end([start(), ...textBlock(0, 'late'), ...end('end_turn')].map(sse).join(''));
      }, 100);
    };
    const model = modelAt(server.url, { idleTimeoutMs: 500 });
    const events = await collect(model.stream(request(), INFO, noSignal()));
    expect(messageOf(events).blocks).toEqual([{ type: 'text', text: 'late' }]);
  });

  it('that is a page or a JSON body says what came instead', async () => {
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><title>Sign in to the network</title></html>');
    };
    const error = await failureOf(callAt(server.url));
    expect(error.code).toBe('server');
    expect(error.message).toContain('text/html');
  });
});

describe('stopping', () => {
  it('before the call makes none', async () => {
    const before = server.requests.length;
    const call = collect(modelAt(server.url).stream(request(), INFO, AbortSignal.abort()));
    expect(await failureOf(call)).toBeInstanceOf(AbortedError);
    expect(server.requests).toHaveLength(before);
  });

  it('while the server has not answered yet ends the call', async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort();
    const call = collect(modelAt(server.url).stream(request(), INFO, controller.signal));
    expect(await failureOf(call)).toBeInstanceOf(AbortedError);
  });

  it('in mid-stream ends the call and closes the connection', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    server.answer = (response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([start(), ...textBlock(0, 'half')].map(sse).join(''));
    };
    const call = (async () => {
      for await (const event of modelAt(server.url).stream(request(), INFO, controller.signal))
        if (event.type === 'block_finished') controller.abort();
    })();
    expect(await failureOf(call)).toBeInstanceOf(AbortedError);
    await closed;
  });

  it('by leaving the stream closes the connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    server.answer = (response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write([start(), ...textBlock(0, 'half')].map(sse).join(''));
    };
    for await (const event of modelAt(server.url).stream(request(), INFO, noSignal()))
      if (event.type === 'text_delta') break;
    await closed;
  });
});
