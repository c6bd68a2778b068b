import { DEFAULT_CONTEXT } from '../../src/core/model/settings.ts';
import { assemble } from '../../src/core/context/assemble.ts';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import {
  assistant,
  logOf,
  MODEL,
  prompt,
  PROVIDER,
  result,
  text,
  toolUse,
  user,
} from '../support/builders/entries.ts';
import type { Figure } from './figure.ts';
import { percentile, timed } from './figure.ts';

const ROUNDS = 200;
const RESULT = 'export const answer = (question: string): number => question.length;\n'.repeat(60);
const settings = {
  model: '',
  maxOutputTokens: 32_000,
  approvalMode: 'ask',
  maxRounds: 200,
  context: DEFAULT_CONTEXT,
} as const;
const info = {
  id: MODEL,
  displayName: 'Bench',
  provider: PROVIDER,
  window: 400_000,
  thinking: 'none',
} as const;

/** Deciding what the model sees in a session of about 200,000 tokens, beside writing that request as JSON. */
export async function bench(): Promise<readonly Figure[]> {
  const rounds = Array.from({ length: ROUNDS }, (_, index): readonly EntryDraft[] => [
    assistant(text(`Step ${index}.`), toolUse(`call_${index}`)),
    result(`call_${index}`, RESULT),
  ]);
  const entries = logOf(prompt(), user('Go.'), ...rounds.flat());
  const tokens = new TokenTable();
  const { request, ledger } = assemble(entries, { info, settings, tokens });
  const own: number[] = [];
  const reference: number[] = [];
  for (let run = 0; run < 100; run += 1) {
    own.push(await timed(() => assemble(entries, { info, settings, tokens })));
    reference.push(await timed(() => JSON.stringify(request)));
  }
  return [
    {
      what: `assemble and ledger, p95, ${Math.round(ledger.total / 1000)}k tokens`,
      value: percentile(own, 0.95),
      unit: 'ms',
      reference: { what: 'JSON.stringify of the request, p95', value: percentile(reference, 0.95) },
    },
  ];
}
