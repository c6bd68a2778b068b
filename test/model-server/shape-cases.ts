import Anthropic from '@anthropic-ai/sdk';
import { CLASSIC, request, result, TOOL, use } from './sdk-client.ts';
import { assistant, create, ephemeral, marked, messages, said, user } from './rule-case.ts';
import type { Case } from './rule-case.ts';

const { AuthenticationError, ContentTooLargeError, NotFoundError } = Anthropic;

/** Door, fields, parameters and cache marks. */
export const SHAPE_CASES: readonly Case[] = [
  {
    rule: 'credentials',
    send: create({}),
    says: /invalid x-api-key/,
    as: AuthenticationError,
    key: 'wrong',
    server: { apiKey: 'right' },
  },
  {
    rule: 'version-header',
    send: (client) => client.messages.create(request(), { headers: { 'anthropic-version': null } }),
    says: /anthropic-version: header is required/,
  },
  {
    rule: 'beta-header',
    send: (client) =>
      client.messages.create(request(), { headers: { 'anthropic-beta': 'mind-reading-2030-01-01' } }),
    says: /Unexpected value\(s\) `mind-reading-2030-01-01`/,
  },
  {
    rule: 'body-size',
    send: create({ messages: [user('x'.repeat(2_000))] }),
    says: /exceeds the maximum size/,
    as: ContentTooLargeError,
    server: { maxBodyBytes: 1_000 },
  },
  {
    rule: 'json',
    send: (client) =>
      client.post('/v1/messages', { body: '{', headers: { 'content-type': 'application/json' } }),
    says: /not valid JSON/,
  },
  { rule: 'unicode', send: messages(user('half a fish \ud83d')), says: /no low surrogate/ },
  { rule: 'unknown-field', send: create({ mood: 'good' }), says: /mood: Extra inputs are not permitted/ },
  {
    rule: 'unknown-field',
    when: 'a cache mark on thinking',
    send: messages(
      user('a'),
      assistant([{ type: 'thinking', thinking: 'x', signature: 'y', ...{ cache_control: ephemeral } }]),
    ),
    says: /messages\.1\.content\.0\.cache_control: Extra inputs/,
  },
  {
    rule: 'required-field',
    send: create({ tools: [{ name: 'read_file' } as never] }),
    says: /tools\.0\.input_schema: Field required/,
  },
  {
    rule: 'tool-name-pattern',
    send: create({ tools: [{ ...TOOL, name: 'read file' }] }),
    says: /tools\.0\.name: String should match/,
  },
  {
    rule: 'tool-id-pattern',
    send: messages(user('a'), assistant([use('no good')]), user([result('no good')])),
    says: /messages\.1\.content\.0\.id: String should match/,
  },
  { rule: 'field-value', send: create({ max_tokens: 1.5 }), says: /max_tokens: / },
  {
    rule: 'field-value',
    when: 'a block of no known type',
    send: create({ messages: [user([{ type: 'song' } as never])] }),
    says: /messages\.0\.content\.0/,
  },
  {
    rule: 'known-model',
    send: create({ model: 'claude-nobody' }),
    says: /model: claude-nobody/,
    as: NotFoundError,
  },
  { rule: 'sampling', send: create({ temperature: 0 }), says: /temperature/ },
  { rule: 'sampling', when: 'top_k', send: create({ top_k: 5 }), says: /top_k/ },
  {
    rule: 'max-tokens',
    send: (client) => client.messages.stream(request({ max_tokens: 64_001 })).finalMessage(),
    says: /64001 > 64000/,
  },
  {
    rule: 'thinking-type',
    send: create({ thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 4_000 }),
    says: /"thinking\.type\.enabled" is not supported/,
  },
  {
    rule: 'thinking-type',
    when: 'adaptive on an older model',
    send: create({ model: CLASSIC, thinking: { type: 'adaptive' } }),
    says: /adaptive/,
  },
  {
    rule: 'thinking-budget',
    send: create({ model: CLASSIC, thinking: { type: 'enabled', budget_tokens: 5 } }),
    says: /greater than or equal to 1024/,
  },
  {
    rule: 'thinking-budget',
    when: 'not under max_tokens',
    send: create({ model: CLASSIC, thinking: { type: 'enabled', budget_tokens: 1_024 } }),
    says: /must be greater than/,
  },
  {
    rule: 'cache-mark-empty',
    send: messages(user([said('a'), marked('')])),
    says: /cache_control cannot be set for empty text/,
  },
  {
    rule: 'cache-mark-count',
    send: messages(user(['a', 'b', 'c', 'd', 'e'].map((word) => marked(word)))),
    says: /maximum of 4 blocks .* Found 5/,
  },
  {
    rule: 'cache-mark-order',
    send: messages(user([marked('a', '5m'), marked('b', '1h')])),
    says: /must not come after/,
  },
];
