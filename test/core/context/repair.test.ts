import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair } from '../../../src/core/context/repair.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { toMessages, viewOf } from '../../../src/core/context/view.ts';
import type { Message } from '../../../src/core/model/content.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import {
  assistant,
  logOf,
  MODEL,
  result,
  text,
  thinking,
  toolUse,
  user,
} from '../../support/builders/entries.ts';

const repaired = (...drafts: readonly EntryDraft[]): readonly Message[] =>
  toMessages(repair(viewOf(conversationOf(logOf(...drafts)), { id: MODEL })));

/** Role and gist of each message, short enough to read in a test. */
const gist = (messages: readonly Message[]): string[] =>
  messages.map(({ role, content }) => `${role}: ${content.map((block) => gistOf(block)).join(' | ')}`);

function gistOf(block: Message['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text.replaceAll('\n', ' ');
    case 'tool_use':
      return `use ${block.id}`;
    case 'tool_result':
      return `result ${block.toolUseId}${block.isError ? '!' : ''} ${block.content.map(gistOf).join('')}`;
    default:
      return block.type;
  }
}

describe('repair', () => {
  it('leaves a valid view as it is', () => {
    const view = viewOf(
      conversationOf(
        logOf(
          user('hi'),
          assistant(text('ok'), toolUse('a')),
          result('a'),
          assistant(text('done')),
          user('thanks'),
        ),
      ),
      { id: MODEL },
    );
    expect(repair(view)).toEqual(view);
  });

  it('C3: answers a call whose result is missing with an error result', () => {
    expect(
      gist(repaired(user('hi'), assistant(toolUse('a'), toolUse('b')), result('a'), user('go on'))),
    ).toEqual([
      'user: hi',
      'assistant: use a | use b',
      'user: result a fine | result b! [Tool result unavailable: the call was interrupted and its outcome is unknown] | go on',
    ]);
  });

  it('puts results first and in the order of their calls', () => {
    expect(
      gist(
        repaired(
          user('hi'),
          assistant(toolUse('a'), toolUse('b')),
          result('b', 'B'),
          user('and?'),
          result('a', 'A'),
        ),
      ),
    ).toEqual(['user: hi', 'assistant: use a | use b', 'user: result a A | result b B | and?']);
  });

  it('drops results that answer nothing, and second answers', () => {
    expect(
      gist(repaired(user('hi'), result('x'), assistant(toolUse('a')), result('a', '1'), result('a', '2'))),
    ).toEqual(['user: hi', 'assistant: use a', 'user: result a 1']);
  });

  it('tells calls apart that a server gave the same id, by position', () => {
    const messages = repaired(
      user('hi'),
      assistant(toolUse('call_0')),
      result('call_0', 'first'),
      assistant(toolUse('call_0')),
      result('call_0', 'second'),
      user('ok'),
    );
    expect(gist(messages)).toEqual([
      'user: hi',
      'assistant: use call_0',
      'user: result call_0 first',
      'assistant: use call_0_2',
      'user: result call_0_2 second | ok',
    ]);
  });

  it('makes ids and names that no request may hold into ones it may, for call and result alike', () => {
    const messages = repaired(
      user('hi'),
      assistant(toolUse('functions.x:0', {}, 'functions.x'), toolUse('', {}, '')),
      result('functions.x:0'),
      result(''),
    );
    const uses = messages[1]!.content.map((block) =>
      block.type === 'tool_use' ? `${block.id} ${block.name}` : '',
    );
    expect(uses).toEqual(['functions_x_0 functions_x', 'unnamed unnamed']);
    expect(gist(messages)[2]).toBe('user: result functions_x_0 fine | result unnamed fine');
  });

  it('P2: drops blank text, and a command that printed nothing says so', () => {
    const blank = { ...result('a', ''), content: [{ type: 'text' as const, text: ' \n ' }] } as EntryDraft;
    expect(
      gist(repaired(user('  '), user('hi'), assistant(text(' '), toolUse('a')), blank, user(''))),
    ).toEqual(['user: hi', 'assistant: use a', 'user: result a (no output)']);
  });

  it('P2: an assistant message of nothing but thinking is left out, and none ends in thinking', () => {
    expect(
      gist(
        repaired(
          user('hi'),
          assistant(thinking('hm')),
          user('well?'),
          assistant(text('yes'), thinking('or')),
          user('ok'),
        ),
      ),
    ).toEqual(['user: hi | well?', 'assistant: yes', 'user: ok']);
  });

  it('begins and ends with the user', () => {
    expect(gist(repaired(assistant(text('hello'))))).toEqual([
      'user: [The beginning of this conversation is not available]',
      'assistant: hello',
      'user: <system-reminder topic="resume"> Go on from here. </system-reminder>',
    ]);
  });

  it('makes any log valid, without touching it, and repairing twice changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyDraft(), { maxLength: 30 }), (drafts) => {
        const once = repair(viewOf(conversationOf(logOf(...drafts)), { id: MODEL }));
        expect(faultsOf(toMessages(once))).toEqual([]);
        expect(repair(once)).toEqual(once);
      }),
      { numRuns: 1500 },
    );
  });
});

function anyDraft(): fc.Arbitrary<EntryDraft> {
  const id = fc.constantFrom('a', 'b', 'c', 'a_2');
  const block = fc.oneof(
    fc.constantFrom('words', '', ' \n').map(text),
    id.map((value) => toolUse(value)),
    fc.constant(thinking('…')),
  );
  return fc.oneof(
    fc.constantFrom('hi', ' ', '').map(user),
    fc.array(block, { maxLength: 4 }).map((blocks) => assistant(...blocks)),
    fc.tuple(id, fc.constantFrom('out', '')).map(([toolUseId, out]) => result(toolUseId, out)),
  );
}

/** What the Messages API would refuse. */
function faultsOf(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    const next = messages[index + 1];
    if (message.content.length === 0) faults.push(`${index}: empty`);
    if (message.role !== (index % 2 === 0 ? 'user' : 'assistant')) faults.push(`${index}: role`);
    if (message.content.some((block) => block.type === 'text' && block.text.trim() === ''))
      faults.push(`${index}: blank`);
    if (message.role === 'user') return;
    const uses = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    for (const id of uses) if (ids.size === ids.add(id).size) faults.push(`${index}: id ${id} twice`);
    const answers = (next?.content ?? [])
      .slice(0, uses.length)
      .map((block) => (block.type === 'tool_result' ? block.toolUseId : '?'));
    const extra = (next?.content ?? []).slice(uses.length).filter(({ type }) => type === 'tool_result');
    if (answers.join() !== uses.join() || extra.length > 0) faults.push(`${index}: pairs`);
    if (message.content.at(-1)?.type === 'thinking') faults.push(`${index}: ends in thinking`);
  });
  if (messages.length > 0 && messages.at(-1)?.role !== 'user') faults.push('last');
  return faults;
}
