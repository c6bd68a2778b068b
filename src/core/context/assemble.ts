import type { AssistantEntry, Entry, PromptEntry, UsageEntry } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { ModelInfo, ModelRequest } from '../model/request.ts';
import type { Settings } from '../model/settings.ts';
import { isKnownUsage } from '../model/usage.ts';
import { budgetFor } from './budget.ts';
import { cacheMarks } from './cache-marks.ts';
import type { Calibration } from './calibration.ts';
import { factorFor, learn, UNCALIBRATED } from './calibration.ts';
import type { AddedPart, Anchor, RawItem } from './ledger.ts';
import { estimateLedger, usageLedger } from './ledger.ts';
import { repair } from './repair.ts';
import type { Countable, TokenTable } from './token-table.ts';
import type { ViewMessage } from './view.ts';
import { currentPrompt, toMessages, viewOf } from './view.ts';

export interface AssembleOptions {
  readonly info: ModelInfo;
  readonly settings: Settings;
  readonly tokens: TokenTable;
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
export function assemble(entries: readonly Entry[], { info, settings, tokens }: AssembleOptions): Assembled {
  // 1. The frozen prefix: system sections and tools, as last logged.
  const prompt = currentPrompt(entries);
  // 2. The conversation, in log order.
  // 3. Repair, the one choke point: whatever the log holds, the view is valid.
  const view = repair(viewOf(entries, info.id));
  // 4. The budget, and what every item takes of it.
  const budget = budgetFor(info, settings);
  const { ledger, added } = estimateLedger(rawItems({ prompt, view, tokens }), {
    budget,
    anchor: anchorOf(entries, info),
    factor: factorFor(calibrate(entries, tokens), info.provider, info.id),
  });
  // 5. Where the provider is asked to cache the prefix.
  const messages = toMessages(view);
  const request: ModelRequest = {
    model: info.id,
    maxTokens: budget.reservedOutput,
    system: prompt?.sections ?? [],
    tools: prompt?.tools ?? [],
    messages,
    cacheMarks: cacheMarks(messages),
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
  const sent = entries.slice(0, last + 1);
  const view = repair(viewOf(sent, report.model));
  const items = rawItems({ prompt: currentPrompt(sent), view, tokens }).map(({ item, measure }) => ({
    ...item,
    tokens: measure.tokens,
  }));
  return usageLedger(items, report.budget, report.usage);
}

/** The last report of real usage, or undefined before the first. */
export function lastReport(entries: readonly Entry[]): UsageEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'usage' && isKnownUsage(entry.usage)) as
    UsageEntry | undefined;
}

/** Everything in the next request that a tokenizer can count. */
export function countables(entries: readonly Entry[], model: string): readonly Countable[] {
  const prompt = currentPrompt(entries);
  const blocks = viewOf(entries, model).flatMap((message) => message.blocks.map(({ block }) => block));
  return [...(prompt?.sections ?? []), ...(prompt?.tools ?? []), ...blocks];
}

/** A report says something of the next request only if it is of the same model and of the same prefix. */
function anchorOf(entries: readonly Entry[], info: ModelInfo): Anchor | undefined {
  const usage = lastReport(entries);
  if (usage === undefined || usage.model !== info.id || usage.provider !== info.provider) return undefined;
  const after = entries.slice(entries.findIndex((entry) => entry.id === usage.lastEntryId) + 1);
  if (after.some((entry) => entry.kind === 'prompt')) return undefined;
  const reply = after.find(
    (entry): entry is AssistantEntry => entry.id === usage.assistantId && entry.kind === 'assistant',
  );
  return reply ? { usage, reply } : undefined;
}

/** What the reports of the log teach of how the provider counts. */
function calibrate(entries: readonly Entry[], tokens: TokenTable): Calibration {
  let known = UNCALIBRATED;
  let reply: AssistantEntry | undefined;
  for (const entry of entries) {
    if (entry.kind === 'assistant') reply = entry;
    if (entry.kind !== 'usage') continue;
    known = learn(known, entry);
    if (reply?.id === entry.assistantId)
      tokens.billReply(reply.blocks, entry.usage.output / factorFor(known, entry.provider, entry.model));
  }
  return known;
}

interface RequestParts {
  readonly prompt: PromptEntry | undefined;
  readonly view: readonly ViewMessage[];
  readonly tokens: TokenTable;
}

function rawItems({ prompt, view, tokens }: RequestParts): RawItem[] {
  const from = prompt ? { entryId: prompt.id } : {};
  return [
    ...(prompt?.sections ?? []).map((section) => ({
      item: { ...from, category: 'system' as const, state: 'kept' as const, label: section.name },
      measure: tokens.measure(section),
    })),
    ...(prompt?.tools ?? []).map((tool) => ({
      item: { ...from, category: 'tools' as const, state: 'kept' as const, label: tool.name },
      measure: tokens.measure(tool),
    })),
    ...view.flatMap((message) =>
      message.blocks.map(({ block, entryId, category, label }) => ({
        item: { entryId, category, label, state: 'kept' as const },
        measure: tokens.measure(block),
      })),
    ),
  ];
}
