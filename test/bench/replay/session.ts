import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { deepFreeze } from '../../support/builders/entries.ts';
import type { RecordedBlock, RecordedMessage, RecordedTool } from '../recorded.ts';
import { toTool } from '../recorded.ts';
import type { Needle } from './needles.ts';
import { plant } from './needles.ts';

/** A session that is replayed: valid, frozen, with facts planted in it. */
export interface ReplaySession {
  readonly id: string;
  readonly system: string;
  readonly tools: readonly RecordedTool[];
  readonly messages: readonly RecordedMessage[];
  readonly needles: readonly Needle[];
}

/** Shorter recordings say nothing of long work. */
const LEAST_ROUNDS = 100;
const SYSTEM = 'You are a coding agent. Work step by step with the tools you have.';

/** Recordings in the form of the Messages API, one in a `.json` or `.json.gz`. */
export function loadSessions(folder: string): readonly ReplaySession[] {
  return readdirSync(folder)
    .filter((file) => /\.json(?:\.gz)?$/.test(file))
    .sort()
    .map((file) => parse(path.join(folder, file)))
    .filter(({ messages }) => messages.filter(({ role }) => role === 'assistant').length >= LEAST_ROUNDS)
    .map(toSession);
}

export interface Recording {
  readonly id?: string;
  readonly system?: string;
  /** some recordings have no more than their names */
  readonly tools?: readonly (RecordedTool | string)[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export function toSession({ id = 'session', system = '', tools = [], messages }: Recording): ReplaySession {
  const { messages: planted, needles } = plant(id, valid(messages));
  return deepFreeze({
    id,
    system: system === '' ? SYSTEM : system,
    tools: tools.length > 0 ? tools.map(toTool) : toolsIn(planted),
    messages: planted,
    needles,
  });
}

function parse(file: string): Recording {
  const bytes = readFileSync(file);
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as Recording;
}

type Loose = Readonly<Record<string, unknown>>;

/** Roles in turn, the user's first; every call answered at the start of the next message, once; ids unique. */
function valid(messages: Recording['messages']): readonly RecordedMessage[] {
  const ids = new Set<string>();
  const out: { role: 'user' | 'assistant'; content: RecordedBlock[] }[] = [];
  for (const { role, content } of messages) {
    if (role !== 'user' && role !== 'assistant') continue;
    const last = out.at(-1);
    if (last === undefined && role !== 'user') continue;
    const blocks = blocksOf(content).filter(({ type }) =>
      role === 'user' ? type !== 'tool_use' : type !== 'tool_result',
    );
    if (blocks.length === 0) continue;
    if (last?.role === role) last.content.push(...blocks);
    else out.push({ role, content: blocks });
  }
  return out.map((message, index) => {
    if (message.role === 'assistant')
      return { ...message, content: spoken(message.content, ids, out[index + 1]) };
    return { ...message, content: heard(message.content, out[index - 1]?.content ?? []) };
  });
}

/** Words before calls, as the API gives them; calls that nothing answers, or that have the id of another, are left out. */
function spoken(
  content: readonly RecordedBlock[],
  ids: Set<string>,
  next: { readonly content: readonly RecordedBlock[] } | undefined,
): RecordedBlock[] {
  const answered = new Set(
    next?.content.map((block) => (block.type === 'tool_result' ? block.tool_use_id : '')),
  );
  const isKept = (block: RecordedBlock) => {
    if (block.type !== 'tool_use') return false;
    const isNew = !ids.has(block.id) && answered.has(block.id);
    ids.add(block.id);
    return isNew;
  };
  const said = [...content.filter(({ type }) => type === 'text'), ...content.filter(isKept)];
  return said.length > 0 ? said : [{ type: 'text', text: '(nothing)' }];
}

function heard(content: readonly RecordedBlock[], before: readonly RecordedBlock[]): RecordedBlock[] {
  const results = new Map(
    content.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
  );
  const answers = before.flatMap((block) => {
    const answer = block.type === 'tool_use' ? results.get(block.id) : undefined;
    return answer === undefined ? [] : [answer];
  });
  const said = [...answers, ...content.filter(({ type }) => type === 'text')];
  return said.length > 0 ? said : [{ type: 'text', text: '(go on)' }];
}

function blocksOf(content: unknown): readonly RecordedBlock[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.flatMap((block) => toBlock(block as Loose)) : [];
}

/** Thinking is signed for the session it was made in, and left out. */
function toBlock(block: Loose): readonly RecordedBlock[] {
  switch (block.type) {
    case 'text':
      return String(block.text).trim() === '' ? [] : [{ type: 'text', text: String(block.text) }];
    case 'image':
      return [{ type: 'text', text: '[image]' }];
    case 'tool_use':
      return [{ type: 'tool_use', id: String(block.id), name: String(block.name), input: block.input ?? {} }];
    case 'tool_result': {
      const text = resultText(block.content);
      return [
        {
          type: 'tool_result',
          tool_use_id: String(block.tool_use_id),
          content: text === '' ? '(no output)' : text,
          ...(block.is_error === true && { is_error: true }),
        },
      ];
    }
    default:
      return [];
  }
}

function resultText(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.map((part: Loose) => (part.type === 'text' ? String(part.text) : '[image]')).join('\n');
}

/** Recordings without a list of tools had those that were called. */
function toolsIn(messages: readonly RecordedMessage[]): readonly RecordedTool[] {
  const names = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    ),
  );
  return [...names].map(toTool);
}
