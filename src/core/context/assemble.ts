import type { Entry, UsageEntry } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { ModelInfo, ModelRequest } from '../model/request.ts';
import type { WindowSettings } from '../model/settings.ts';
import { isKnownUsage } from '../model/usage.ts';
import { budgetFor, outputRoom } from './budget.ts';
import { cacheMarks } from './cache-marks.ts';
import type { Conversation } from './conversation.ts';
import { conversationOf } from './conversation.ts';
import { factorFor, factorIn } from './calibration.ts';
import type { AddedPart, Anchor } from './ledger.ts';
import { estimateLedger, usageLedger } from './ledger.ts';
import { rawItems, signedBlock } from './ledger-items.ts';
import { repair } from './repair.ts';
import type { Countable, TokenTable } from './token-table.ts';
import { signedFor, toMessages, viewOf } from './view.ts';

export interface AssembleOptions {
  readonly info: ModelInfo;
  readonly settings: WindowSettings;
  readonly tokens: TokenTable;
  /** what the provider has reported is not believed: all of it is counted by ourselves */
  readonly isAfresh?: boolean;
}

/** What one model call gets to see, and what it costs. */
export interface Assembled {
  readonly request: ModelRequest;
  readonly ledger: Ledger;
  /** what its report will tell the price of, for calibration */
  readonly added: AddedPart;
}

/**
 * The page to read first: decides what the model sees. A pure function of the log: no model call, no file, no clock.
 * The same log gives the same bytes, today and after every restart.
 */
export function assemble(entries: readonly Entry[], options: AssembleOptions): Assembled {
  const { info, settings, tokens, isAfresh = false } = options;
  // 1. The log, folded: what is in force of it, without what was rewound, undone, compacted.
  const conversation = conversationOf(entries);
  const { prompt } = conversation;
  const previousMessageId = previousReplyOf(conversation, info);
  const signed = signedFor(conversation, info);
  // 2. The conversation as the model is to see it, evicted results as references.
  // 3. Repair, the one choke point: whatever the log holds, the view is valid.
  const view = repair(viewOf(conversation, info), { isBehindSummary: signed !== undefined });
  // 4. The budget, and what every item takes of it.
  const budget = budgetFor(info, settings);
  const { ledger, added } = estimateLedger(rawItems({ conversation, view, signed, tokens }), {
    budget,
    anchor: isAfresh ? undefined : anchorOf(conversation, info),
    factor: factorFor(conversation.calibration, info.provider, info.id),
    promptFactor: factorIn(conversation.opening, info),
  });
  // 5. Where the provider is asked to cache the prefix.
  const messages = toMessages(view);
  const request: ModelRequest = {
    model: info.id,
    maxTokens: outputRoom(ledger.total, budget),
    system: prompt?.sections ?? [],
    tools: prompt?.tools ?? [],
    ...(signed && { signedSummary: signed }),
    messages,
    cacheMarks: cacheMarks(messages),
    ...(previousMessageId !== undefined && { previousMessageId }),
  };
  return { request, ledger, added };
}

/** The ledger of a request that was made, by what the provider reported for it; undefined where the log lost it. */
export function reportedLedger(
  entries: readonly Entry[],
  report: UsageEntry,
  tokens: TokenTable,
): Ledger | undefined {
  const last = entries.findIndex((entry) => entry.id === report.lastEntryId);
  if (last < 0) return undefined;
  const conversation = conversationOf(entries.slice(0, last + 1));
  const reader = { id: report.model };
  const signed = signedFor(conversation, reader);
  const view = repair(viewOf(conversation, reader), { isBehindSummary: signed !== undefined });
  const items = rawItems({ conversation, view, signed, tokens }).map(({ item, measure }) => ({
    ...item,
    tokens: measure.tokens,
  }));
  return usageLedger(items, report.budget, report.usage);
}

/** The last report of real usage, or undefined before the first. */
export function lastReport(entries: readonly Entry[]): UsageEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'usage' && isTrue(entry)) as UsageEntry | undefined;
}

function isTrue({ usage, isClipped, budget }: UsageEntry): boolean {
  return isClipped !== true && isKnownUsage(usage, budget.window);
}

/** Everything in the next request that a tokenizer can count. */
export function countables(entries: readonly Entry[], info: ModelInfo): readonly Countable[] {
  const conversation = conversationOf(entries);
  const signed = signedFor(conversation, info);
  const found: Countable[] = [
    ...(conversation.prompt?.sections ?? []),
    ...(conversation.prompt?.tools ?? []),
    ...(signed ? [signedBlock(signed)] : []),
  ];
  for (const message of viewOf(conversation, info)) for (const { block } of message.blocks) found.push(block);
  return found;
}

/** Also across a break: then the provider says what the break has cost. */
function previousReplyOf({ lastReply }: Conversation, { provider }: ModelInfo): string | undefined {
  const isKnown = lastReply?.provider === provider && lastReply.messageId !== '';
  return isKnown ? lastReply.messageId : undefined;
}

/** A report says something of the next request only if it is of the same model and of the same prefix. */
function anchorOf({ anchor }: Conversation, info: ModelInfo): Anchor | undefined {
  return anchor?.usage.model === info.id && anchor.usage.provider === info.provider ? anchor : undefined;
}
