import { expect, it } from 'vitest';
import { assemble } from '../../../src/core/context/assemble.ts';
import { TokenTable } from '../../../src/core/context/token-table.ts';
import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import {
  assistant,
  eviction,
  logOf,
  MODEL,
  prompt,
  PROVIDER,
  result,
  text,
  toolUse,
  user,
} from '../../support/builders/entries.ts';

const info = {
  id: MODEL,
  displayName: 'Test',
  provider: PROVIDER,
  window: 100_000,
  thinking: 'none',
} as const;
const settings = { maxOutputTokens: 1_000, context: DEFAULT_CONTEXT };

it('O4: of a turn with two calls, evicting one result changes its content and nothing else', () => {
  const drafts = [
    prompt(),
    user('look at both'),
    assistant(text('I look.'), toolUse('a', { path: 'a' }), toolUse('b', { path: 'b' })),
    result('a', 'what a says'),
    result('b', 'what b says'),
    assistant(text('Both are fine.')),
    user('go on'),
  ];
  const requestOf = (...more: typeof drafts) =>
    assemble(logOf(...drafts, ...more), { info, settings, tokens: new TokenTable() }).request;
  const whole = structuredClone(requestOf()) as unknown as {
    messages: { content: { content?: unknown }[] }[];
  };
  const evicted = structuredClone(
    requestOf(eviction({ entryId: 'e4', reason: 'large' })),
  ) as unknown as typeof whole;
  const place = evicted.messages[2]!.content[0]!;
  expect(JSON.stringify(place)).toContain('Out of view');
  place.content = whole.messages[2]!.content[0]!.content;
  expect(evicted.messages).toEqual(whole.messages);
});
