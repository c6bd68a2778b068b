import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/model/content.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { text } from '../support/model-server/scenario.ts';
import type { RawServer } from '../support/raw-sse-server.ts';
import { jsonOf, startRawServer, streamOf } from '../support/raw-sse-server.ts';
import { collect, failureOf, INFO, messageOf, modelAt, noSignal, request } from './support.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function modelServer(options: object = {}): Promise<ModelServer> {
  const server = await startModelServer({ scenario: () => text('ok'), ...options });
  running.push(server);
  return server;
}

async function rawServer(answer?: RawServer['answer']): Promise<RawServer> {
  const server = await startRawServer(answer);
  running.push(server);
  return server;
}

describe('the server\u2019s own count', () => {
  it('is what the request then costs', async () => {
    const server = await modelServer();
    const port = modelAt(server.url);
    const info = await port.resolve('', noSignal());
    const nudge: Message = {
      role: 'system',
      content: [{ type: 'text', text: 'Be quick.' }],
      clearAt: 'next_user_message',
    };
    const asked = request({ model: info.id, messages: [...request().messages, nudge] });
    const count = await port.countTokens!(asked, info, noSignal());
    await collect(port.stream(asked, info, noSignal()));
    const { usage } = server.requests.at(-1)!;
    expect(count).toBe(usage!.input + usage!.cacheRead + usage!.cacheWrite);
    expect(server.failures).toEqual([]);
  });

  it.each<[string, readonly [number, string, string]]>([
    ['no such path', [404, 'application/json', '{"detail":"Not Found"}']],
    ['no such method', [405, 'text/plain', 'Method Not Allowed']],
    ['not implemented', [501, 'text/plain', 'no']],
    ['a page', [200, 'text/html', '<html>It works!</html>']],
    ['other JSON', [200, 'application/json', '{"tokens":"many"}']],
  ])('is unknown where the answer is %s, and not asked for again', async (_, [status, type, body]) => {
    const server = await rawServer(
      (response) => void response.writeHead(status, { 'content-type': type }).end(body),
    );
    const port = modelAt(server.url);
    await expect(port.countTokens!(request(), INFO, noSignal())).resolves.toBeUndefined();
    await expect(port.countTokens!(request(), INFO, noSignal())).resolves.toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('fails like any call, and is asked for again', async () => {
    const server = await modelServer();
    const port = modelAt(server.url);
    const info = await port.resolve('', noSignal());
    server.faults.next({ kind: 'status', status: 529 }, { endpoint: 'count_tokens' });
    const asked = request({ model: info.id });
    expect(await failureOf(port.countTokens!(asked, info, noSignal()))).toMatchObject({ code: 'overloaded' });
    await expect(port.countTokens!(asked, info, noSignal())).resolves.toBeGreaterThan(0);
  });

  it('of a model that the server does not know is an error, and no sign of a server without counts', async () => {
    const server = await modelServer({ expects: ['known-model'] });
    const port = modelAt(server.url);
    expect(await failureOf(port.countTokens!(request(), INFO, noSignal()))).toMatchObject({
      code: 'not_found',
    });
    const info = await port.resolve('', noSignal());
    const asked = request({ model: info.id });
    await expect(port.countTokens!(asked, info, noSignal())).resolves.toBeGreaterThan(0);
  });
});

describe('why the cache was missed', () => {
  const long = (words: string): Message => ({
    role: 'user',
    content: [{ type: 'text', text: words.repeat(1_000) }],
  });

  it('is told by the server that can say it', async () => {
    const server = await modelServer();
    const port = modelAt(server.url);
    const info = await port.resolve('', noSignal());
    const ask = async (messages: readonly Message[], previousMessageId?: string) => {
      const cacheMarks = { system: false, messages: [0] };
      const asked = request({
        model: info.id,
        messages,
        cacheMarks,
        ...(previousMessageId && { previousMessageId }),
      });
      return messageOf(await collect(port.stream(asked, info, noSignal())));
    };
    const first = await ask([long('one ')]);
    const second = await ask([long('one ')], first.id);
    const third = await ask([long('two ')], second.id);
    expect(first).not.toHaveProperty('cacheMiss');
    expect(second).not.toHaveProperty('cacheMiss');
    expect(third.cacheMiss).toMatchObject({ reason: 'messages_changed' });
    expect(third.cacheMiss?.missedTokens).toBeGreaterThan(500);
  });

  it('is never the reason for a refusal: a server that refuses the question is asked without it from then on', async () => {
    const refusal = {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'diagnostics: Extra inputs are not permitted',
      },
    };
    const reply = streamOf(
      { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 1 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    );
    const server = await rawServer((response, asked) =>
      (asked.body.includes('"diagnostics"') ? jsonOf(400, refusal) : reply)(response, asked),
    );
    const port = modelAt(server.url);
    const told = { ...INFO, traits: {} };
    for (let times = 0; times < 2; times++) await collect(port.stream(request(), told, noSignal()));
    expect(server.requests.map(({ body }) => body.includes('diagnostics'))).toEqual([true, false, false]);
  });
});
