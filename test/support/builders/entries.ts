import type { AssistantBlock, ImageBlock } from '../../../src/core/model/content.ts';
import type { Entry, EntryDraft, EntryId } from '../../../src/core/model/entry.ts';
import type { EvictedItem } from '../../../src/core/model/relief-entry.ts';
import type { Usage } from '../../../src/core/model/usage.ts';

export const MODEL = 'test-model';
export const PROVIDER = 'anthropic';

/** A deep-frozen log of the drafts, numbered from e1: what mutates an entry throws. */
export function logOf(...drafts: readonly EntryDraft[]): readonly Entry[] {
  return deepFreeze(
    drafts.map((draft, index) => ({ id: `e${index + 1}`, at: '2026-03-01T12:00:00.000Z', ...draft })),
  );
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

export const user = (text: string): EntryDraft => ({ kind: 'user', text });
export const text = (value: string): AssistantBlock => ({ type: 'text', text: value });
export const thinking = (value: string, signature = 'sig'): AssistantBlock => ({
  type: 'thinking',
  thinking: value,
  signature,
});
export const toolUse = (
  id: string,
  input: unknown = { path: 'a.txt' },
  name = 'read_file',
): AssistantBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export function assistant(...blocks: readonly AssistantBlock[]): EntryDraft {
  return {
    kind: 'assistant',
    provider: PROVIDER,
    model: MODEL,
    messageId: 'msg',
    blocks,
    stopReason: 'end_turn',
  };
}

export function result(
  toolUseId: string,
  value = 'fine',
  options: Partial<EntryDraft & { kind: 'tool_result' }> = {},
): EntryDraft {
  return {
    kind: 'tool_result',
    toolUseId,
    name: 'read_file',
    target: 'a.txt',
    status: 'ok',
    content: [{ type: 'text', text: value }],
    durationMs: 5,
    ...options,
  };
}

export const prompt = (base = 'You are a test.'): EntryDraft => ({
  kind: 'prompt',
  hash: 'h',
  sections: [{ name: 'base', text: base }],
  tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } }],
});

export const reminder = (topic: string, value: string): EntryDraft => ({
  kind: 'reminder',
  topic,
  text: value,
});

export function usageReport(assistantId: EntryId, lastEntryId: EntryId, usage: Partial<Usage>): EntryDraft {
  return {
    kind: 'usage',
    assistantId,
    lastEntryId,
    provider: PROVIDER,
    model: MODEL,
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, ...usage },
    estimated: 0,
    budget: {
      reservedOutput: 1000,
      margin: 0,
      lines: { evict: 0.6, prepare: 0.7, compact: 0.8, fold: 0.95 },
    },
  };
}

export const image = (width = 100, height = 100): ImageBlock => ({
  type: 'image',
  mediaType: 'image/png',
  data: 'iVBORw0KGgo=',
  width,
  height,
});

export const eviction = (...items: readonly EvictedItem[]): EntryDraft => ({
  kind: 'eviction',
  trigger: 'line',
  items,
  before: 0,
  after: 0,
});

export function compaction(
  through: EntryId,
  options: Partial<EntryDraft & { kind: 'compaction' }> = {},
): EntryDraft {
  return {
    kind: 'compaction',
    method: 'summary',
    trigger: 'line',
    through,
    text: '<context-summary>\nWhat was said before.\n</context-summary>',
    summary: [],
    state: { goal: '', step: '', completed: [], pending: [], errors: [], files: [], updated: through },
    facts: { messages: [], files: [], steps: [] },
    before: 0,
    after: 0,
    ...options,
  };
}

/** A compaction whose summary the provider signed. */
export const signedCompaction = (through: EntryId): EntryDraft =>
  compaction(through, {
    method: 'signed',
    signed: {
      provider: PROVIDER,
      model: MODEL,
      text: 'What was said before.',
      block: { type: 'compaction', content: 'What was said before.', signature: 'signed' },
    },
  });

export const undo = (of: EntryId): EntryDraft => ({ kind: 'undo', of });
export const pin = (entryId: EntryId, isPinned = true): EntryDraft => ({ kind: 'pin', entryId, isPinned });
export const rewind = (to: EntryId): EntryDraft => ({ kind: 'rewind', to });
