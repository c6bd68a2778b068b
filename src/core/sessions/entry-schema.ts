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
  lines: z.looseObject({ evict: z.number(), prepare: z.number(), compact: z.number(), fold: z.number() }),
});

const details = z.looseObject({
  seen: z.array(z.looseObject({ file: z.string(), hash: z.string() })).optional(),
  patch: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  exitCode: z.number().nullable().optional(),
  totalBytes: z.number().optional(),
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
  reminder: { topic: z.string(), text: z.string() },
  usage: {
    assistantId: base.id,
    lastEntryId: base.id,
    provider: z.string(),
    model: z.string(),
    usage,
    estimated: z.number(),
    budget,
  },
  note: {
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    error: z.looseObject({}).optional(),
    isLimit: z.boolean().optional(),
  },
} satisfies Record<Entry['kind'], z.ZodRawShape>;

const entrySchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('session'), ...base, ...kinds.session }),
  z.looseObject({ kind: z.literal('user'), ...base, ...kinds.user }),
  z.looseObject({ kind: z.literal('queue'), ...base, ...kinds.queue }),
  z.looseObject({ kind: z.literal('assistant'), ...base, ...kinds.assistant }),
  z.looseObject({ kind: z.literal('tool_intent'), ...base, ...kinds.tool_intent }),
  z.looseObject({ kind: z.literal('tool_result'), ...base, ...kinds.tool_result }),
  z.looseObject({ kind: z.literal('prompt'), ...base, ...kinds.prompt }),
  z.looseObject({ kind: z.literal('reminder'), ...base, ...kinds.reminder }),
  z.looseObject({ kind: z.literal('usage'), ...base, ...kinds.usage }),
  z.looseObject({ kind: z.literal('note'), ...base, ...kinds.note }),
]);

/** The entry that `value` is, or undefined. */
export function parseEntry(value: unknown): Entry | undefined {
  const parsed = entrySchema.safeParse(value);
  // The schema allows more than the type says (unknown fields), never less: the kinds are checked against it above.
  return parsed.success ? (value as Entry) : undefined;
}
