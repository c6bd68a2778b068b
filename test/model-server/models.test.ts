import { BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { currentModel } from '../support/model-server/profiles.ts';
import { hiddenTokenizer } from '../support/model-server/hidden-tokenizer.ts';
import { referenceCount } from '../support/reference-tokenizer.ts';
import { COMPACTION } from './compaction-cases.ts';
import { CLASSIC, clientOf, failureOf, request } from './sdk-client.ts';
import { serverWith } from './servers.ts';

describe('models and tokens', () => {
  it('lists the models newest first, page by page', async () => {
    const dates = ['2026-01-01', '2026-03-01', '2026-02-01'];
    const models = dates.map((date) => currentModel({ id: `m-${date}`, createdAt: `${date}T00:00:00Z` }));
    const server = await serverWith({ models });
    const ids: string[] = [];
    for await (const model of clientOf(server).models.list({ limit: 2 })) ids.push(model.id);
    expect(ids).toEqual(['m-2026-03-01', 'm-2026-02-01', 'm-2026-01-01']);
    expect(server.requests).toHaveLength(2);
    const { data } = await clientOf(server).models.list({ limit: 1, before_id: 'm-2026-01-01' });
    expect(data.map(({ id }) => id)).toEqual(['m-2026-02-01']);
  });

  it('tells limits and capabilities, or keeps them to itself', async () => {
    const models = [currentModel(), currentModel({ id: 'silent', tellsLimits: false })];
    const client = clientOf(await serverWith({ models }));
    expect(await client.models.retrieve('claude-sim-current')).toMatchObject({
      display_name: 'Simulated model (no API key)',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: {
        thinking: {
          supported: true,
          types: { adaptive: { supported: true }, enabled: { supported: false } },
        },
      },
    });
    expect(await client.models.retrieve('silent')).toMatchObject({
      max_input_tokens: null,
      capabilities: null,
    });
    expect(await failureOf(client.models.retrieve('nobody'))).toBeInstanceOf(NotFoundError);
    expect(await failureOf(client.models.list({ limit: 0 }))).toBeInstanceOf(BadRequestError);
  });

  it('lacks what other servers lack', async () => {
    const server = await serverWith({ lacks: ['models', 'count_tokens', 'usage'] });
    const client = clientOf(server);
    const { max_tokens: _, ...prompt } = request();
    expect(await failureOf(client.models.list())).toBeInstanceOf(NotFoundError);
    expect(await failureOf(client.messages.countTokens(prompt))).toBeInstanceOf(NotFoundError);
    expect(await client.messages.create(request())).not.toHaveProperty('usage');
    expect(server.failures).toEqual([]);
  });

  it('counts a million equal letters as quickly as anything else', async () => {
    const server = await serverWith();
    const { max_tokens: _, ...prompt } = request({
      messages: [{ role: 'user', content: 'a'.repeat(1_000_000) }],
    });
    expect((await clientOf(server).messages.countTokens(prompt)).input_tokens).toBe(200_003);
    const own = await serverWith({ tokenize: () => 7 });
    expect((await clientOf(own).messages.countTokens(prompt)).input_tokens).toBe(10);
  });

  it('can count as no client does: 13% more than the reference, and linearly', async () => {
    const tokenize = hiddenTokenizer();
    const code =
      'export function heightAt(tide, hour) {\n  return tide.from + (tide.to - tide.from) * hour;\n}\n';
    expect(tokenize(code) / referenceCount(code)).toBeGreaterThan(1.12);
    expect(tokenize(code) / referenceCount(code)).toBeLessThan(1.18);
    expect(tokenize(code.repeat(200))).toBe(tokenize(code.repeat(200)));
    expect(tokenize('a'.repeat(200_000))).toBeGreaterThan(10_000);
    const server = await serverWith({ tokenize });
    const { max_tokens: _, ...prompt } = request({ messages: [{ role: 'user', content: code }] });
    expect((await clientOf(server).messages.countTokens(prompt)).input_tokens).toBe(tokenize(code) + 3);
  });

  it('has the window it is given', async () => {
    const server = await serverWith({ window: 2_000, expects: ['prompt-length'] });
    const client = clientOf(server);
    expect(await client.models.retrieve('claude-sim-classic')).toMatchObject({ max_input_tokens: 2_000 });
    const messages = [{ role: 'user' as const, content: 'word '.repeat(3_000) }];
    const refused = await failureOf(client.messages.create(request({ model: CLASSIC, messages })));
    expect(String(refused)).toMatch(/prompt is too long: 3\d\d\d tokens > 2000 maximum/);
  });

  it('holds refusals that a test expects against nobody, and records them all the same', async () => {
    const server = await serverWith({ maxBodyBytes: 500, expects: ['body-size'] });
    const messages = [{ role: 'user' as const, content: 'x'.repeat(1_000) }];
    expect(await failureOf(clientOf(server).messages.create(request({ messages })))).toMatchObject({
      status: 413,
    });
    expect(server.failures).toEqual([]);
    expect(server.requests[0]?.verdict).toMatchObject({ kind: 'refused', rule: 'body-size' });
    await failureOf(clientOf(server).messages.create(request({ temperature: 1 })));
    expect(server.failures).toMatchObject([{ rule: 'sampling' }]);
  });

  it('tells of compaction only to those who name its beta', async () => {
    const client = clientOf(await serverWith());
    const plain = await client.models.retrieve('claude-sim-current');
    const asked = await client.models.retrieve('claude-sim-current', {}, { headers: COMPACTION });
    expect(plain.capabilities).not.toHaveProperty('compaction');
    expect(asked.capabilities).toMatchObject({ compaction: { summarize: { supported: true } } });
  });

  it('counts an image by its size in pixels', async () => {
    const header = Buffer.alloc(24);
    header.writeUInt32BE(750, 16);
    header.writeUInt32BE(100, 20);
    const image = (bytes: number) => ({
      type: 'image' as const,
      source: {
        type: 'base64' as const,
        media_type: 'image/png' as const,
        data: Buffer.concat([header, Buffer.alloc(bytes)]).toString('base64'),
      },
    });
    const server = await serverWith();
    const count = async (bytes: number) => {
      const { max_tokens: _, ...prompt } = request({ messages: [{ role: 'user', content: [image(bytes)] }] });
      return (await clientOf(server).messages.countTokens(prompt)).input_tokens;
    };
    expect([await count(10), await count(100_000)]).toEqual([103, 103]);
  });

  it('shows its recording to other processes', async () => {
    const server = await serverWith();
    await clientOf(server).messages.create(request());
    const read = async (what: string) => (await fetch(`${server.url}/__test/${what}`)).json();
    expect(await read('requests')).toMatchObject([{ path: '/v1/messages', verdict: { kind: 'answered' } }]);
    expect(await read('failures')).toEqual([]);
    expect(await read('nothing')).toMatchObject({ error: { type: 'not_found_error' } });
  });

  it('takes the key as a bearer token or as a header of its own', async () => {
    const server = await serverWith({ apiKey: 'secret' });
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/v1/models`, { headers: { 'anthropic-version': '2026-10-21', ...headers } }))
        .status;
    expect(await status({ authorization: 'Bearer secret' })).toBe(200);
    expect(await status({ 'x-api-key': 'secret' })).toBe(200);
    expect(await status({ 'x-api-key': '' })).toBe(401);
  });

  it('knows no other path', async () => {
    const server = await serverWith();
    expect(await failureOf(clientOf(server).get('/v1/files'))).toBeInstanceOf(NotFoundError);
    expect(server.failures).toMatchObject([{ rule: 'known-path' }]);
  });
});
