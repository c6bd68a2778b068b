import type { Entry, UsageEntry } from '../../src/core/model/entry.ts';
import type { RecordedRequest, RecordedUsage } from './model-server/recording.ts';
import type { PromptBody } from './model-server/wire.ts';

/** A request of the conversation itself, with the report that the log holds of it. */
export interface Sent {
  readonly body: PromptBody;
  readonly usage: RecordedUsage;
  readonly report: UsageEntry;
}

/** What was asked of a compacted stretch: what is worth remembering of it. */
export function isForMemories({ body }: RecordedRequest): boolean {
  return body?.messages.length === 1 && /note what later sessions/.test(JSON.stringify(body.system));
}

/** What was asked beside the conversation: a summary, in the provider's own way or as a message. */
export function isForSummary({ body }: RecordedRequest): boolean {
  if (body === undefined) return false;
  return Boolean(body.compaction) || /Write that summary now/.test(JSON.stringify(body.messages.at(-1)));
}

/** Answered requests of the conversation, in order, each with its report. */
export function sentRequests(
  requests: readonly RecordedRequest[],
  entries: readonly Entry[],
): readonly Sent[] {
  const reports = entries.filter((entry) => entry.kind === 'usage');
  const answered = requests.filter(
    (request) =>
      request.path === '/v1/messages' &&
      request.verdict.kind === 'answered' &&
      !isForSummary(request) &&
      !isForMemories(request),
  );
  if (answered.length !== reports.length)
    throw new Error(`${answered.length} answered requests and ${reports.length} reports`);
  return answered.flatMap(({ body, usage }, index) => {
    const report = reports[index];
    return body && usage && report ? [{ body, usage, report }] : [];
  });
}

/** The prefix as the model reads it: system and tools, then message by message. Cache marks are no part of it. */
function prefixOf({ system, tools, messages }: PromptBody): readonly string[] {
  return [system, tools, ...messages].map((part) =>
    JSON.stringify(part ?? null, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  );
}

/** The first place where `later` does not go on from `earlier`, byte for byte; undefined where it does. */
export function firstDifference(earlier: PromptBody, later: PromptBody): string | undefined {
  const now = prefixOf(later);
  const before = prefixOf(earlier);
  const at = before.findIndex((part, index) => part !== now[index]);
  if (at < 0) return undefined;
  return `part ${at}: ${before[at]?.slice(0, 300)} → ${now[at]?.slice(0, 300)}`;
}

const BREAKS: ReadonlySet<Entry['kind']> = new Set(['prompt', 'eviction', 'compaction', 'undo', 'rewind']);

/** Whether the log says that the prefix was broken on purpose between two requests. */
export function isPlannedBreak(entries: readonly Entry[], before: UsageEntry, after: UsageEntry): boolean {
  const order = ({ id }: { readonly id: string }) => Number(id.slice(1));
  const [from, to] = [before.lastEntryId, after.lastEntryId].map((id) => order({ id }));
  const isModelChange = before.model !== after.model;
  return isModelChange || entries.some((e) => BREAKS.has(e.kind) && order(e) > from! && order(e) <= to!);
}
