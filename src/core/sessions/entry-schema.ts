import * as z from 'zod';
import type { Entry } from '../model/entry.ts';

/** What a line of a log must look like. Unknown fields pass: a newer version may have written them. */

const base = { id: z.templateLiteral(['e', z.number().int().positive()]), at: z.iso.datetime() };

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const image = z.looseObject({
  type: z.literal('image'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
  width: z.number(),
  height: z.number(),
});
const assistantBlock = z.discriminatedUnion('type', [
  text,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
]);
const resultBlock = z.discriminatedUnion('type', [text, image]);

const stopReasons = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'aborted',
] as const;

const usage = z.looseObject({
  input: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  output: z.number(),
});

const budget = z.looseObject({
  window: z.number().optional(),
  reservedOutput: z.number(),
  margin: z.number(),
  tokens: z.number().optional(),
  lines: z.looseObject({
    evict: z.number().optional(),
    prepare: z.number().optional(),
    compact: z.number().optional(),
    fold: z.number().optional(),
  }),
  cap: z.number().optional(),
});

const trigger = z.enum(['line', 'cap', 'asked', 'too_long']);

const workState = z.looseObject({
  goal: z.string(),
  step: z.string(),
  completed: z.array(z.string()),
  pending: z.array(z.string()),
  errors: z.array(z.string()),
  files: z.array(z.string()),
  updated: base.id,
});

const carriedFacts = z.looseObject({
  messages: z.array(z.looseObject({ entryId: base.id, text: z.string() })),
  files: z.array(
    z.looseObject({ path: z.string(), reads: z.array(base.id), edits: z.array(base.id), lines: z.string() }),
  ),
  steps: z.array(
    z.looseObject({
      entryId: base.id,
      said: z.string(),
      calls: z.array(z.looseObject({ entryId: base.id, what: z.string(), outcome: z.string() })),
      more: z.number().optional(),
    }),
  ),
});

const signedSummary = z.looseObject({
  provider: z.string(),
  model: z.string(),
  text: z.string(),
  block: z.record(z.string(), z.unknown()),
});

const output = z.looseObject({
  path: z.string(),
  parts: z.array(z.looseObject({ file: z.string(), bytes: z.number() })),
  bytes: z.number(),
  lines: z.number(),
  lostBytes: z.number().optional(),
  lostFirstBytes: z.number().optional(),
  isUnfinished: z.literal(true).optional(),
});

const details = z.looseObject({
  seen: z.array(z.looseObject({ file: z.string(), hash: z.string() })).optional(),
  patch: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  exitCode: z.number().nullable().optional(),
  totalBytes: z.number().optional(),
  output: output.optional(),
});

const kinds = {
  session: {
    version: z.literal(1),
    sessionId: z.string(),
    workspace: z.array(z.string()),
    product: z.string(),
  },
  user: { text: z.string(), images: z.array(image).optional(), queueId: base.id.optional() },
  queue: { text: z.string() },
  assistant: {
    provider: z.string(),
    model: z.string(),
    messageId: z.string(),
    blocks: z.array(assistantBlock),
    stopReason: z.enum(stopReasons),
  },
  tool_intent: {
    toolUseId: z.string(),
    name: z.string(),
    target: z.string(),
    consent: z.enum(['free', 'once', 'session', 'always', 'mode']),
    grants: z.array(z.string()).optional(),
  },
  output: { toolUseId: z.string(), output },
  tool_result: {
    toolUseId: z.string(),
    name: z.string(),
    target: z.string(),
    status: z.enum(['ok', 'error', 'denied', 'interrupted']),
    content: z.array(resultBlock),
    durationMs: z.number(),
    details: details.optional(),
  },
  prompt: {
    hash: z.string(),
    sections: z.array(z.looseObject({ name: z.string(), text: z.string() })),
    tools: z.array(
      z.looseObject({
        name: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
      }),
    ),
  },
  reminder: {
    topic: z.string(),
    text: z.string(),
    section: z.string().optional(),
    isTurnScoped: z.literal(true).optional(),
  },
  usage: {
    assistantId: base.id,
    lastEntryId: base.id,
    provider: z.string(),
    model: z.string(),
    usage,
    estimated: z.number(),
    isClipped: z.literal(true).optional(),
    counted: z.looseObject({ tokens: z.number(), billed: z.number() }).optional(),
    cacheMiss: z.looseObject({ reason: z.string(), missedTokens: z.number().optional() }).optional(),
    budget,
  },
  note: {
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    error: z.looseObject({}).optional(),
    isLimit: z.boolean().optional(),
    relief: z.enum(['skipped', 'failed', 'cancelled']).optional(),
    load: z.number().optional(),
  },
  eviction: {
    trigger,
    items: z.array(
      z.looseObject({
        entryId: base.id,
        reason: z.enum(['duplicate', 'superseded', 'large', 'image', 'asked']),
        see: base.id.optional(),
        keep: z.number().optional(),
      }),
    ),
    before: z.number(),
    after: z.number(),
  },
  compaction: {
    method: z.enum(['summary', 'signed', 'fold', 'window']),
    trigger,
    through: base.id,
    text: z.string(),
    summary: z.array(
      z.looseObject({
        title: z.string(),
        bullets: z.array(z.looseObject({ text: z.string(), sources: z.array(base.id) })),
      }),
    ),
    state: workState,
    facts: carriedFacts,
    signed: signedSummary.optional(),
    before: z.number(),
    after: z.number(),
    cost: usage.optional(),
    model: z.string().optional(),
    focus: z.string().optional(),
    fallback: z.string().optional(),
  },
  undo: { of: base.id },
  pin: { entryId: base.id, isPinned: z.boolean() },
  rewind: { to: base.id },
} satisfies Record<Entry['kind'], z.ZodRawShape>;

const entrySchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('session'), ...base, ...kinds.session }),
  z.looseObject({ kind: z.literal('user'), ...base, ...kinds.user }),
  z.looseObject({ kind: z.literal('queue'), ...base, ...kinds.queue }),
  z.looseObject({ kind: z.literal('assistant'), ...base, ...kinds.assistant }),
  z.looseObject({ kind: z.literal('tool_intent'), ...base, ...kinds.tool_intent }),
  z.looseObject({ kind: z.literal('output'), ...base, ...kinds.output }),
  z.looseObject({ kind: z.literal('tool_result'), ...base, ...kinds.tool_result }),
  z.looseObject({ kind: z.literal('prompt'), ...base, ...kinds.prompt }),
  z.looseObject({ kind: z.literal('reminder'), ...base, ...kinds.reminder }),
  z.looseObject({ kind: z.literal('usage'), ...base, ...kinds.usage }),
  z.looseObject({ kind: z.literal('note'), ...base, ...kinds.note }),
  z.looseObject({ kind: z.literal('eviction'), ...base, ...kinds.eviction }),
  z.looseObject({ kind: z.literal('compaction'), ...base, ...kinds.compaction }),
  z.looseObject({ kind: z.literal('undo'), ...base, ...kinds.undo }),
  z.looseObject({ kind: z.literal('pin'), ...base, ...kinds.pin }),
  z.looseObject({ kind: z.literal('rewind'), ...base, ...kinds.rewind }),
]);

/** The entry that `value` is, or undefined. */
export function parseEntry(value: unknown): Entry | undefined {
  const parsed = entrySchema.safeParse(value);
  // The schema allows more than the type says (unknown fields), never less: the kinds are checked against it above.
  return parsed.success ? (value as Entry) : undefined;
}
