import type { TextBlock } from '../model/content.ts';
import type { SignedSummary } from '../model/relief-entry.ts';
import { factorFor } from './calibration.ts';
import type { Conversation } from './conversation.ts';
import type { RawItem } from './ledger.ts';
import { once } from '../model/once.ts';
import type { TokenTable } from './token-table.ts';
import type { ViewBlock, ViewMessage } from './view.ts';

export interface RequestParts {
  readonly conversation: Conversation;
  readonly view: readonly ViewMessage[];
  /** the signed summary in front of the view */
  readonly signed: SignedSummary | undefined;
  readonly tokens: TokenTable;
}

/** Every item of a request with its reference count, in the order the request holds them. */
export function rawItems({ conversation, view, signed, tokens }: RequestParts): readonly RawItem[] {
  billReplies(conversation, tokens);
  const items: RawItem[] = [
    ...promptItems(conversation, tokens),
    ...(signed ? signedItems(conversation, tokens) : []),
  ];
  for (const message of view)
    for (const block of message.blocks) items.push(itemOf(block, conversation, tokens));
  return items;
}

/** The tokens of reasoning that only the provider can read are known from what its reply was billed. */
function billReplies({ spoken, billed, calibration }: Conversation, tokens: TokenTable): void {
  for (const entry of spoken) {
    const report = entry.kind === 'assistant' ? billed.get(entry) : undefined;
    if (entry.kind !== 'assistant' || report === undefined) continue;
    const factor = factorFor(calibration, report.provider, report.model);
    tokens.billReply(entry.blocks, report.usage.output / factor);
  }
}

function promptItems({ prompt }: Conversation, tokens: TokenTable): RawItem[] {
  if (prompt === undefined) return [];
  const base = { entryId: prompt.id, state: 'kept' } as const;
  return [
    ...prompt.tools.map((tool) => ({
      item: { ...base, category: 'tools' as const, label: tool.name },
      measure: tokens.measure(tool),
    })),
    ...prompt.sections.map((section) => ({
      item: { ...base, category: 'system' as const, label: section.name },
      measure: tokens.measure(section),
    })),
  ];
}

function signedItems({ compaction }: Conversation, tokens: TokenTable): RawItem[] {
  if (compaction?.signed === undefined) return [];
  const item = {
    entryId: compaction.id,
    category: 'summary',
    label: 'summary',
    state: 'summarised',
  } as const;
  return [{ item, measure: tokens.measure(signedBlock(compaction.signed)) }];
}

function itemOf(
  { block, entryId, category, label, state }: ViewBlock,
  { roundOf, rounds }: Conversation,
  tokens: TokenTable,
): RawItem {
  const age = rounds - (roundOf.get(entryId) ?? rounds);
  return { item: { entryId, category, label, state, age }, measure: tokens.measure(block) };
}

/** A signed summary as something that can be counted. */
export const signedBlock = once((summary: SignedSummary): TextBlock => ({
  type: 'text',
  text: summary.text,
}));
