import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/core/model/errors.ts';
import { createAnthropicModel } from '../../src/providers/anthropic.ts';
import type { RawServer } from '../support/raw-sse-server.ts';
import { jsonOf, startRawServer } from '../support/raw-sse-server.ts';
import { failureOf, modelAt, noSignal } from './support.ts';

let server: RawServer;
beforeEach(async () => {
  server = await startRawServer();
});
afterEach(() => server.close());

const resolve = (id: string) => modelAt(server.url).resolve(id, noSignal());

const model = (id: string, more: object = {}) => ({
  type: 'model',
  id,
  display_name: `The ${id}`,
  created_at: '2026-01-01T00:00:00Z',
  lifecycle: 'active',
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: { thinking: { supported: true, types: { adaptive: { supported: true } } } },
  ...more,
});

/** A Models API with these models. */
function serve(...models: readonly { readonly id: string }[]): void {
  server.answer = (response, request) => {
    const id = decodeURIComponent(/^\/v1\/models\/(.+)$/.exec(request.path)?.[1] ?? '');
    const found = models.find((candidate) => candidate.id === id);
    const missing = { type: 'error', error: { type: 'not_found_error', message: `model: ${id}` } };
    if (id === '') return jsonOf(200, { data: models, has_more: false })(response, request);
    return jsonOf(found ? 200 : 404, found ?? missing)(response, request);
  };
}

describe('T4: the limits of a model', () => {
  it('come from its metadata, prompt and output apart', async () => {
    serve(model('opus', { max_input_tokens: 1_000_000, max_tokens: 128_000 }));
    await expect(resolve('opus')).resolves.toEqual({
      id: 'opus',
      displayName: 'The opus',
      provider: 'anthropic',
      window: 1_000_000,
      maxOutput: 128_000,
      thinking: 'adaptive',
      traits: { bindsThinking: true },
    });
  });

  it('are absent where the metadata has none: unknown is not guessed', async () => {
    serve(model('opus', { max_input_tokens: null, max_tokens: 0, capabilities: null }));
    const info = await resolve('opus');
    expect(info).toEqual({ id: 'opus', displayName: 'The opus', provider: 'anthropic', thinking: 'none' });
  });

  it('are those of the model itself for an id with a suffix, and not what the suffix promises', async () => {
    serve(model('opus'));
    await expect(resolve('opus[1m]')).resolves.toMatchObject({ id: 'opus', window: 200_000 });
  });

  it('are taken for the id with its suffix where the server knows that', async () => {
    serve(model('opus'), model('opus[1m]', { max_input_tokens: 1_000_000 }));
    await expect(resolve('opus[1m]')).resolves.toMatchObject({ id: 'opus[1m]', window: 1_000_000 });
  });

  it('are read from the list entry of a server that is not Anthropic\u2019s', async () => {
    serve({ id: 'qwen', object: 'model', max_model_len: 32_768 } as { id: string });
    await expect(resolve('qwen')).resolves.toEqual({
      id: 'qwen',
      displayName: 'qwen',
      provider: 'anthropic',
      window: 32_768,
      thinking: 'none',
    });
  });
});

describe('what sets a model\u2019s generation apart', () => {
  const yes = { supported: true };
  const no = { supported: false };
  const thinking = (adaptive: object, enabled: object) => ({ thinking: { types: { adaptive, enabled } } });
  const traitsOf = async (more: object) => {
    serve(model('m', more));
    return (await resolve('m')).traits;
  };

  it('is unknown where the server tells no capabilities, and nothing where it has none of it', async () => {
    await expect(traitsOf({ capabilities: null })).resolves.toBeUndefined();
    await expect(traitsOf({ capabilities: {} })).resolves.toBeUndefined();
    await expect(traitsOf({ capabilities: thinking(no, yes) })).resolves.toEqual({});
  });

  it('T12: thinking without a budget is taken for bound, and thinking with one is not', async () => {
    await expect(traitsOf({ capabilities: thinking(yes, no) })).resolves.toEqual({ bindsThinking: true });
    await expect(traitsOf({ capabilities: thinking(yes, yes) })).resolves.toEqual({});
  });

  it.each<[string, string, boolean]>([
    ['opus', '2026-09-15T00:00:00Z', true],
    ['opus', '2026-04-16T00:00:00Z', false],
    ['fable', '2026-08-20T00:00:00Z', true],
    ['mythos', '2026-04-07T00:00:00Z', false],
    ['sonnet', '2026-06-30T00:00:00Z', false],
    ['opus', '1970-01-01T00:00:00Z', false],
    ['opus', '', false],
  ])('%s of %s takes system messages: %s', async (line, created_at, expected) => {
    const traits = await traitsOf({ line, created_at, capabilities: thinking(no, yes) });
    expect(traits?.systemMessages ?? false).toBe(expected);
  });

  it('is told of signed summaries only where the beta is named', async () => {
    const capabilities = { ...thinking(no, yes), compaction: { supported: true, summarize: yes } };
    await expect(traitsOf({ capabilities })).resolves.toEqual({ signedSummaries: true });
    expect(server.requests.at(-1)?.headers['anthropic-beta']).toBe('compact-2026-09-04');
  });

  it('is asked for without the beta where the server refuses its name', async () => {
    serve(model('m'));
    const answer = server.answer;
    const words = 'Unexpected value(s) `compact-2026-09-04` for the `anthropic-beta` header.';
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: words } };
    server.answer = (response, request) =>
      (request.headers['anthropic-beta'] ? jsonOf(400, refusal) : answer)(response, request);
    await expect(resolve('m')).resolves.toMatchObject({ window: 200_000, traits: { bindsThinking: true } });
    await expect(resolve('')).resolves.toMatchObject({ id: 'm' });
  });
});

describe('an empty id', () => {
  it('is the newest active model, wherever it stands in the list', async () => {
    serve(
      model('gone', { created_at: '2026-11-01T00:00:00Z', lifecycle: 'deprecated' }),
      model('old', { created_at: '2026-02-01T00:00:00Z' }),
      model('new', { created_at: '2026-09-15T00:00:00Z' }),
    );
    await expect(resolve('')).resolves.toMatchObject({ id: 'new' });
  });

  it('is the first model of a list without dates', async () => {
    serve({ id: 'first' }, { id: 'second' });
    await expect(resolve('')).resolves.toMatchObject({ id: 'first', displayName: 'first' });
  });

  it('asks for plimsoll.model where the server lists none', async () => {
    serve();
    const error = await failureOf(resolve(''));
    expect(error).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/plimsoll\.model/) as string,
    });
    server.answer = jsonOf(404, { detail: 'Not Found' });
    expect(await failureOf(resolve(''))).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/plimsoll\.model/) as string,
    });
  });
});

describe('T4: a server without a Models API', () => {
  const unknown = { id: 'local[1m]', displayName: 'local[1m]', provider: 'anthropic', thinking: 'none' };

  it.each<[string, readonly [number, string, string]]>([
    ['no such path', [404, 'text/plain', '404 page not found']],
    ['no such path, in JSON', [404, 'application/json', '{"detail":"Not Found"}']],
    ['no such method', [405, 'text/plain', 'Method Not Allowed']],
    ['a page', [200, 'text/html', '<html><body>It works!</body></html>']],
    ['broken JSON', [200, 'application/json', '{"id": ']],
    ['other JSON', [200, 'application/json', '["llama"]']],
  ])('that answers with %s takes the configured id, limits unknown', async (_, [status, type, body]) => {
    server.answer = (response) => void response.writeHead(status, { 'content-type': type }).end(body);
    await expect(resolve('local[1m]')).resolves.toEqual(unknown);
  });
});

describe('resolving a model', () => {
  it('fails for an id that the server does not know', async () => {
    serve(model('opus'));
    expect(await failureOf(resolve('opsu'))).toMatchObject({ code: 'not_found', message: 'model: opsu' });
  });

  it('asks the server once, and again after a failure', async () => {
    const port = modelAt(server.url);
    server.answer = jsonOf(529, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } });
    expect(await failureOf(port.resolve('opus', noSignal()))).toMatchObject({ code: 'overloaded' });
    serve(model('opus'));
    await port.resolve('opus', noSignal());
    await port.resolve('opus', noSignal());
    expect(server.requests).toHaveLength(2);
  });

  it('can be stopped', async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort();
    expect(await failureOf(modelAt(server.url).resolve('opus', controller.signal))).toBeInstanceOf(
      AbortedError,
    );
  });
});

describe('address and key', () => {
  it('come from the options, never from the process environment', async () => {
    serve(model('opus'));
    const saved = { ...process.env };
    process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:1';
    process.env['ANTHROPIC_API_KEY'] = 'key-of-the-environment';
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'token-of-the-environment';
    await resolve('opus').finally(() => (process.env = saved));
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer test-key' });
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('environment');
  });

  it('may have the version in the address, and a slash', async () => {
    serve(model('opus'));
    await modelAt(`${server.url}/v1/`).resolve('opus', noSignal());
    expect(server.requests[0]?.path).toBe('/v1/models/opus');
  });

  it('need no key for a server of one\u2019s own', async () => {
    serve(model('opus'));
    await modelAt(server.url, { key: '' }).resolve('opus', noSignal());
    expect(server.requests[0]?.headers.authorization).toBe('Bearer no-key');
  });

  it('need a key for Anthropic itself', async () => {
    const port = createAnthropicModel({ apiKey: () => Promise.resolve(undefined), baseUrl: undefined });
    expect(await failureOf(port.resolve('opus', noSignal()))).toMatchObject({ code: 'no_key' });
  });

  it('are checked before anything is sent', async () => {
    expect(await failureOf(modelAt('localhost:8080').resolve('', noSignal()))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/localhost:8080/) as string,
    });
    const pasted = modelAt(server.url, { key: '“sk-ant-secret”' });
    const error = await failureOf(pasted.resolve('', noSignal()));
    expect(error.code).toBe('auth');
    expect(error.message).not.toContain('secret');
    expect(server.requests).toEqual([]);
  });

  it('is the key of the moment', async () => {
    serve(model('a'), model('b'));
    let key = 'first';
    const port = createAnthropicModel({ apiKey: () => Promise.resolve(key), baseUrl: server.url });
    await port.resolve('a', noSignal());
    key = 'second';
    await port.resolve('b', noSignal());
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
  });
});
