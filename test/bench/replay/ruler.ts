import { textCounter } from '../../support/billed-session.ts';
import type { RecordedBlock, RecordedMessage, RecordedTool } from '../recorded.ts';

/** The common ruler: o200k tokens of everything that is sent, and a flat price of each message. */
export interface Sent {
  readonly system: string | readonly { readonly text: string }[];
  readonly messages: readonly RecordedMessage[];
  readonly tools?: readonly RecordedTool[] | undefined;
}

const MESSAGE = 25;
const NAMES = /[A-Za-z_][A-Za-z0-9_./-]{7,}/g;

/** A block as it is measured; equal ones are the same object. */
export interface Measured {
  readonly text: string;
  readonly tokens: number;
  /** names that a next step may need */
  readonly names: ReadonlySet<string>;
}

/** A request as a row of blocks, in the order a provider reads them. */
export interface Layout {
  readonly row: readonly Measured[];
  readonly costs: readonly number[];
  readonly total: number;
}

const count = textCounter();
const counted = new Map<string, number>();

export function tokensOf(text: string): number {
  const known = counted.get(text) ?? count(text);
  counted.set(text, known);
  return known;
}

const equal = new Map<string, Measured>();
const byBlock = new WeakMap<RecordedBlock, Measured>();

export function layoutOf({ system, messages, tools = [] }: Sent): Layout {
  const sections = typeof system === 'string' ? [{ text: system }] : system;
  const head = [
    measuredText('tools', JSON.stringify(tools)),
    ...sections.map(({ text }) => measuredText('system', text)),
  ];
  const row = [...head];
  const costs = head.map(({ tokens }) => tokens);
  for (const { role, content } of messages)
    content.forEach((block, at) => {
      const measured = measuredBlock(role, block);
      row.push(measured);
      costs.push(measured.tokens + (at === 0 ? MESSAGE : 0));
    });
  return { row, costs, total: costs.reduce((sum, cost) => sum + cost, 0) };
}

export function measuredBlock(role: string, block: RecordedBlock): Measured {
  const known = byBlock.get(block);
  if (known !== undefined) return known;
  const made = measuredText(`${role} ${block.type} ${idOf(block)}`, textOf(block));
  byBlock.set(block, made);
  return made;
}

function measuredText(kind: string, text: string): Measured {
  const key = `${kind}\n${text}`;
  const known = equal.get(key);
  if (known !== undefined) return known;
  const made = { text, tokens: tokensOf(text), names: namesIn(text) };
  equal.set(key, made);
  return made;
}

export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(NAMES) ?? []);
}

function idOf(block: RecordedBlock): string {
  if (block.type === 'tool_use') return block.id;
  return block.type === 'tool_result' ? `${block.tool_use_id} ${block.is_error === true}` : '';
}

export function textOf(block: RecordedBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `${block.name} ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return block.content;
  }
}

/** Tokens of the longest prefix that the two have in common: what is read from the cache. */
export function commonPrefix(before: Layout | undefined, now: Layout): number {
  let tokens = 0;
  for (let at = 0; at < now.row.length && before?.row[at] === now.row[at]; at += 1)
    tokens += now.costs[at] ?? 0;
  return tokens;
}

/** Why the Messages API would not take these messages; undefined where it would. */
export function objectionTo(messages: readonly RecordedMessage[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'the first message is not the user’s';
  if (messages.at(-1)?.role !== 'user') return 'the last message is not the user’s';
  const ids = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    const before = messages[index - 1];
    if (before?.role === role) return 'two messages of one role';
    const objection = objectionToContent(content, before?.content ?? [], ids);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function objectionToContent(
  content: readonly RecordedBlock[],
  before: readonly RecordedBlock[],
  ids: Set<string>,
): string | undefined {
  const open = before.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  if (content.length === 0) return 'a message without content';
  if (content.some((block) => block.type === 'text' && block.text.trim() === '')) return 'a blank text';
  if ([...open].sort().join() !== [...results].sort().join()) return 'calls and results that do not match';
  if (content.slice(0, results.length).some(({ type }) => (type === 'tool_result') !== results.length > 0))
    return 'a result behind other content';
  for (const block of content)
    if (block.type === 'tool_use') {
      if (ids.has(block.id)) return 'an id twice';
      ids.add(block.id);
    }
  return undefined;
}
