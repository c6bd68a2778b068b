import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/model-server/faults.ts';
import { text } from '../support/model-server/scenario.ts';
import { clientOf, failureOf, request } from './sdk-client.ts';
import { serverWith } from './servers.ts';

const {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} = Anthropic;

describe('a fault on demand', () => {
  it.each([
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [429, RateLimitError],
    [500, InternalServerError],
    [529, InternalServerError],
  ])('answers %i once, and is no failure of the client', async (status, as) => {
    const server = await serverWith();
    server.faults.next({ kind: 'status', status });
    expect(await failureOf(clientOf(server).messages.create(request()))).toBeInstanceOf(as);
    expect(await clientOf(server).messages.create(request())).toMatchObject({ stop_reason: 'end_turn' });
    expect(server.requests.map(({ verdict }) => verdict.kind)).toEqual(['faulted', 'answered']);
    expect(server.failures).toEqual([]);
  });

  it('says when to come back, in seconds or milliseconds', async () => {
    const server = await serverWith();
    server.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 30 });
    server.faults.next({ kind: 'status', status: 429, retryAfterMs: 5 }, { times: 2 });
    const error = (await failureOf(clientOf(server).messages.create(request()))) as InstanceType<
      typeof RateLimitError
    >;
    expect(error.headers.get('retry-after')).toBe('30');
    const patient = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 2 });
    expect(await patient.messages.create(request())).toMatchObject({ role: 'assistant' });
    expect(server.faults.pending).toBe(0);
  });

  it('refuses connections until it listens again', async () => {
    const server = await serverWith();
    const { url } = server;
    await server.suspend();
    expect(await failureOf(clientOf(server).messages.create(request()))).toBeInstanceOf(APIConnectionError);
    await server.resume();
    expect(server.url).toBe(url);
    expect(await clientOf(server).messages.create(request())).toMatchObject({ role: 'assistant' });
  });

  it('resets the connection', async () => {
    const server = await serverWith();
    server.faults.next({ kind: 'reset' });
    expect(await failureOf(clientOf(server).messages.create(request()))).toBeInstanceOf(APIConnectionError);
  });

  it('never answers', async () => {
    const server = await serverWith();
    server.faults.next({ kind: 'hang' });
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 0, timeout: 100 });
    expect(await failureOf(client.messages.create(request()))).toBeInstanceOf(APIConnectionTimeoutError);
  });

  const streamed = async (fault: Fault) => {
    const server = await serverWith({ scenario: () => text('one two three four five'), deltaChars: 4 });
    server.faults.next(fault);
    let heard = '';
    const stream = clientOf(server).messages.stream(request());
    stream.on('text', (delta) => (heard += delta));
    const error = await failureOf(stream.finalMessage());
    return { error, heard, message: stream.currentMessage };
  };

  it('cuts the stream after so many events', async () => {
    const { error, heard } = await streamed({ kind: 'cut', afterEvents: 5 });
    expect(error).toBeInstanceOf(Anthropic.AnthropicError);
    expect(heard).toBe('one two ');
  });

  it('sends an error in the middle of a stream', async () => {
    const { error, heard } = await streamed({ kind: 'error_event', afterEvents: 4 });
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ type: 'overloaded_error' });
    expect(heard).toBe('one ');
  });

  it('is slow', async () => {
    const { error, heard } = await streamed({ kind: 'slow', ms: 1 });
    expect([error, heard]).toEqual([undefined, 'one two three four five']);
  });

  it.each([
    ['no_usage', undefined],
    ['zero_usage', 0],
  ] as const)('reports %s', async (kind, input_tokens) => {
    const server = await serverWith();
    server.faults.next({ kind });
    const { data } = await clientOf(server).messages.create(request()).withResponse();
    expect((data.usage as Anthropic.Usage | undefined)?.input_tokens).toBe(input_tokens);
  });
});
