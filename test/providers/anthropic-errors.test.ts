import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelErrorCode } from '../../src/core/model/errors.ts';
import { describeNetworkCause } from '../../src/providers/network-cause.ts';
import { retryAfterMs } from '../../src/providers/retry-after.ts';
import type { RawServer } from '../support/raw-sse-server.ts';
import { jsonOf, startRawServer } from '../support/raw-sse-server.ts';
import { callAt, failureOf } from './support.ts';

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());

function failWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  server.answer = jsonOf(status, body, headers);
  return failureOf(callAt(server.url));
}

const errorBody = (type: string, message = 'Own words.', more: object = {}) => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: 'req_body',
});

describe('a refused call', () => {
  it.each(['<', '<title', '<title>', ' ', '<a', '>'])(
    'with a megabyte of %j instead of words is read in linear time',
    async (unit) => {
      server.answer = (response) => void response.writeHead(502).end(unit.repeat(1_000_000 / unit.length));
      expect((await failureOf(callAt(server.url))).message.length).toBeLessThan(3_000);
    },
  );

  it.each<[number, string, ModelErrorCode]>([
    [400, 'invalid_request_error', 'invalid_request'],
    [401, 'authentication_error', 'auth'],
    [402, 'billing_error', 'billing'],
    [403, 'permission_error', 'permission'],
    [404, 'not_found_error', 'not_found'],
    [408, 'timeout_error', 'server'],
    [409, 'conflict_error', 'server'],
    [413, 'request_too_large', 'too_long'],
    [422, 'invalid_request_error', 'invalid_request'],
    [429, 'rate_limit_error', 'rate_limit'],
    [500, 'api_error', 'server'],
    [503, 'api_error', 'server'],
    [504, 'timeout_error', 'server'],
    [529, 'overloaded_error', 'overloaded'],
  ])('with %i %s is %s, in the provider\u2019s own words', async (status, type, code) => {
    const error = await failWith(status, errorBody(type), { 'request-id': 'req_header' });
    expect(error).toMatchObject({ code, status, message: 'Own words.', requestId: 'req_header' });
  });

  it('is made once: the agent retries, visibly', async () => {
    const before = server.requests.length;
    await failWith(529, errorBody('overloaded_error'), { 'x-should-retry': 'true' });
    expect(server.requests.length - before).toBe(1);
  });

  it('because of a spending limit is no rate limit: waiting does not help', async () => {
    const details = { error_code: 'enforced_spend_limit_reached' };
    const error = await failWith(429, errorBody('rate_limit_error', 'Limit reached.', { details }));
    expect(error).toMatchObject({ code: 'billing', isTransient: false });
    const old = await failWith(400, errorBody('invalid_request_error', 'Your credit balance is too low.'));
    expect(old.code).toBe('billing');
  });

  it('T12: because of thinking that is bound elsewhere is told apart', async () => {
    const words = 'messages.1.content.0: thinking block is bound to a different conversation';
    expect((await failWith(400, errorBody('invalid_request_error', words))).code).toBe('thinking_binding');
  });

  it.each<[string, string, object]>([
    ['by its code', 'The block was changed.', { details: { error_code: 'compaction_content_mismatch' } }],
    ['by a server that does not know the block', "messages.0.content.0: Input tag 'compaction' found", {}],
    ['by a server that does not know the question', 'compaction: Extra inputs are not permitted', {}],
  ])('C6: because of a signed summary is told apart: %s', async (_, words, more) => {
    const error = await failWith(400, errorBody('invalid_request_error', words, more));
    expect(error).toMatchObject({ code: 'signed_summary', isTransient: false });
  });

  it('C6: because no summary can be made just now is worth a retry', async () => {
    const details = { error_code: 'compaction_unavailable' };
    const error = await failWith(529, errorBody('overloaded_error', 'Later.', { details }));
    expect(error).toMatchObject({ code: 'overloaded', isTransient: true });
  });

  it('P3: because of its length names the limit', async () => {
    const words = 'prompt is too long: 213507 tokens > 199999 maximum';
    const error = await failWith(400, errorBody('invalid_request_error', words));
    expect(error).toMatchObject({ code: 'too_long', learntLimit: 199_999, isTransient: false });
  });

  it('P3: names the limit that llama.cpp has in a field', async () => {
    const body = {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    };
    expect(await failWith(400, body)).toMatchObject({ code: 'too_long', learntLimit: 4096 });
  });

  it.each<[string, unknown]>([
    ['as Ollama says it', { error: 'model not found' }],
    ['as a web framework says it', { detail: 'model not found' }],
    ['as a gateway says it', { message: 'model not found' }],
  ])('has the words %s', async (_, body) => {
    expect(await failWith(404, body)).toMatchObject({ code: 'not_found', message: 'model not found' });
  });

  it('P11: by a gateway\u2019s page shows what the page says, and no markup', async () => {
    server.answer = (response) => {
      response.writeHead(504, { 'content-type': 'text/html' });
      response.end(
        `<html><head><title>504 Gateway Time-out</title></head><body>${'x'.repeat(9999)}</body></html>`,
      );
    };
    const error = await failureOf(callAt(server.url));
    expect(error).toMatchObject({ code: 'server', status: 504, message: '504 Gateway Time-out' });
  });

  it('never carries a book', async () => {
    const error = await failWith(400, errorBody('invalid_request_error', '🎉'.repeat(50_000)));
    expect(error.message.length).toBeLessThan(1100);
    expect(error.message.isWellFormed()).toBe(true);
  });

  it('honours how long to wait', async () => {
    const error = await failWith(429, errorBody('rate_limit_error'), { 'retry-after': '30' });
    expect(error.retryAfterMs).toBe(30_000);
  });
});

describe('how long a server asks to wait', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const asked = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now);

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%o is %s ms', (headers, ms) => {
    expect(asked(headers)).toBe(ms);
  });
});

describe('P9: a call that reaches no server', () => {
  it('names the address that refused', async () => {
    const gone = await startRawServer();
    await gone.close();
    const error = await failureOf(callAt(gone.url));
    expect(error).toMatchObject({ code: 'connection', isTransient: true });
    expect(error.message).toContain(`127.0.0.1:${new URL(gone.url).port}`);
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('names the host that does not exist', async () => {
    const error = await failureOf(callAt('http://no-such-host.invalid'));
    expect(error.code).toBe('connection');
    expect(error.message).toContain('no-such-host.invalid');
  });

  it('says that a proxy asks for a sign-in', async () => {
    server.answer = (response) => void response.writeHead(407).end();
    expect(await failureOf(callAt(server.url))).toMatchObject({
      code: 'connection',
      message: expect.stringMatching(/proxy.*407/i) as string,
    });
    const tunnel = new TypeError('fetch failed', {
      cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
    });
    expect(describeNetworkCause(tunnel)).toMatch(/proxy.*407/i);
  });

  it('says that a certificate is not trusted', () => {
    const cause = Object.assign(new Error('self-signed certificate in certificate chain'), {
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
    });
    const words = describeNetworkCause(new TypeError('fetch failed', { cause }));
    expect(words).toContain('certificate');
    expect(words).toContain('SELF_SIGNED_CERT_IN_CHAIN');
  });

  it('finds the address where several were tried', () => {
    const refused = (address: string) =>
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address, port: 8080 });
    const all = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), {
      code: 'ECONNREFUSED',
    });
    expect(describeNetworkCause(new TypeError('fetch failed', { cause: all }))).toContain('[::1]:8080');
  });

  it('ends with causes that go in circles', () => {
    const error = new Error('round and round');
    error.cause = error;
    expect(describeNetworkCause(error)).toBe('round and round');
  });
});
