import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { clientOf, request, result, TOOL, use } from './sdk-client.ts';
import { serverWith } from './servers.ts';

const SYSTEM = 'You are careful. '.repeat(200);
const ephemeral = { type: 'ephemeral' } as const;
const MINUTE = 60_000;

const marked = (text: string, ttl: '5m' | '1h' = '5m') =>
  ({ type: 'text', text, cache_control: { ...ephemeral, ttl } }) as const;

async function usage(server: ModelServer, changes: Parameters<typeof request>[0]) {
  const message = await clientOf(server).messages.create(
    request({ max_tokens: 100, tools: [TOOL], ...changes }),
  );
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message.usage;
  return { input: input_tokens, read: cache_read_input_tokens!, written: cache_creation_input_tokens! };
}

function sum({ input, read, written }: Awaited<ReturnType<typeof usage>>): number {
  return input + read + written;
}

/** A round of a tool loop: as many calls, and their results. */
function round(index: number, calls = 1): Anthropic.MessageParam[] {
  const ids = Array.from({ length: calls }, (_, at) => `call_${index}_${at}`);
  return [
    { role: 'assistant', content: [{ type: 'text', text: `Round ${index}` }, ...ids.map((id) => use(id))] },
    { role: 'user', content: ids.map((id) => result(id, `result of ${id}`)) },
  ];
}

const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user', content }) as const;

describe('the prompt cache', () => {
  it('gives back what the request before has left', async () => {
    const server = await serverWith();
    const system = [marked(SYSTEM)];
    const cache_control = ephemeral;
    const messages: Anthropic.MessageParam[] = [user('go')];
    const first = await usage(server, { system, messages, cache_control });
    expect(first).toMatchObject({ read: 0, input: 0 });
    for (let index = 0, before = first; index < 8; index++) {
      messages.push(...round(index));
      const next = await usage(server, { system, messages, cache_control });
      expect(next.read).toBe(before.read + before.written);
      expect(next.input).toBe(0);
      before = next;
    }
    expect(server.requests.at(-1)?.usage?.cacheRead).toBeGreaterThan(first.written);
  });

  it('counts the same whatever is cached', async () => {
    const server = await serverWith();
    const body = { system: [marked(SYSTEM)], messages: [user('hello')] };
    const counted = await clientOf(server).messages.countTokens({
      model: request().model,
      tools: [TOOL],
      ...body,
    });
    const [cold, warm] = [await usage(server, body), await usage(server, body)];
    expect([sum(cold), sum(warm)]).toEqual([counted.input_tokens, counted.input_tokens]);
    expect(warm).toMatchObject({ read: cold.written, written: 0 });
    expect(cold.input).toBeGreaterThan(0);
  });

  it('is not used without a mark, nor for a short prefix', async () => {
    const server = await serverWith();
    const plain = { system: SYSTEM, messages: [user('hello')] };
    const short = { system: [marked('Short.')], messages: [user('hello')] };
    for (const body of [plain, plain, short, short])
      expect(await usage(server, body)).toMatchObject({ read: 0, written: 0 });
  });

  it.each([
    ['system', { system: [marked(`${SYSTEM}!`)] }],
    ['tools', { tools: [{ ...TOOL, description: 'Reads' }] }],
    ['the model', { model: 'claude-sim-classic' }],
  ])('misses when %s changed', async (_, change) => {
    const server = await serverWith();
    const body = { system: [marked(SYSTEM)], messages: [user('hello')] };
    await usage(server, body);
    expect((await usage(server, { ...body, ...change })).read).toBe(0);
  });

  it.each<[string, Parameters<typeof request>[0]]>([
    ['system_changed', { system: [marked(`${SYSTEM}!`)] }],
    ['tools_changed', { tools: [{ ...TOOL, description: 'Reads' }] }],
    ['model_changed', { model: 'claude-sim-classic' }],
    ['messages_changed', { messages: [user([marked('hallo')])] }],
    ['unavailable', { thinking: { type: 'adaptive' } }],
  ])('says why it missed: %s', async (type, change) => {
    const server = await serverWith();
    const body = request({ system: [marked(SYSTEM)], tools: [TOOL], messages: [user([marked('hello')])] });
    const first = await clientOf(server).messages.create(body);
    const again = { ...body, diagnostics: { previous_message_id: first.id } };
    expect((await clientOf(server).messages.create(again)).diagnostics).toBeNull();
    const { diagnostics } = await clientOf(server).messages.create(request({ ...again, ...change }));
    expect(diagnostics?.cache_miss_reason).toMatchObject({ type });
    server.reset();
    expect(await clientOf(server).messages.create(again)).toMatchObject({
      diagnostics: { cache_miss_reason: { type: 'previous_message_not_found' } },
    });
  });

  it('keeps tools and system, but not the messages, when thinking or tool choice change', async () => {
    const server = await serverWith();
    const body = { system: [marked(SYSTEM)], messages: [user([marked('hello')])] };
    const first = await usage(server, body);
    const second = await usage(server, { ...body, thinking: { type: 'adaptive' } });
    const third = await usage(server, { ...body, tool_choice: { type: 'none' } });
    for (const { read, written } of [second, third]) {
      expect(read).toBeGreaterThan(0);
      expect(read + written).toBe(first.written);
      expect(written).toBeGreaterThan(0);
    }
  });

  it('forgets after five minutes unless it is read, or after an hour where it is told to', async () => {
    let now = 0;
    const server = await serverWith({ now: () => now });
    const short = { system: [marked(SYSTEM)] };
    const long = { system: [marked(`Long. ${SYSTEM}`, '1h')] };
    const reads = async (body: { system: Anthropic.TextBlockParam[] }) =>
      (await usage(server, body)).read > 0;
    expect([await reads(short), await reads(long)]).toEqual([false, false]);
    now += 4 * MINUTE;
    expect(await reads(short)).toBe(true);
    now += 4 * MINUTE;
    expect(await reads(short)).toBe(true);
    now += 6 * MINUTE;
    expect([await reads(short), await reads(long)]).toEqual([false, true]);
  });

  it('can be filled by a request for no answer', async () => {
    const server = await serverWith();
    const body = { system: [marked(SYSTEM)] };
    const warming = await clientOf(server).messages.create(
      request({ ...body, tools: [TOOL], max_tokens: 0 }),
    );
    expect(warming).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    expect((await usage(server, body)).read).toBe(warming.usage.cache_creation_input_tokens);
  });

  it('tells what it keeps for an hour', async () => {
    const server = await serverWith();
    const system = [marked(SYSTEM, '1h'), marked(SYSTEM)];
    const { usage: used } = await clientOf(server).messages.create(request({ system }));
    const { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: minutes } = used.cache_creation!;
    expect(hour).toBeGreaterThan(0);
    expect(hour + minutes).toBe(used.cache_creation_input_tokens);
  });

  it('looks back twenty places, and takes a run of calls or results for one', async () => {
    const server = await serverWith();
    const tail = async (rounds: Anthropic.MessageParam[]) => {
      const base: Anthropic.MessageParam[] = [user(SYSTEM)];
      server.reset();
      const first = await usage(server, { messages: base, cache_control: ephemeral });
      const second = await usage(server, { messages: [...base, ...rounds], cache_control: ephemeral });
      return second.read === first.written;
    };
    const rounds = (count: number, calls = 1) =>
      Array.from({ length: count }, (_, index) => round(index, calls)).flat();
    // A round is three places: a text, a run of calls, a run of results.
    expect(await tail(rounds(6))).toBe(true);
    expect(await tail(rounds(7))).toBe(false);
    expect(await tail(rounds(6, 10))).toBe(true);
  });
});
