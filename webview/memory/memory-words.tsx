import { assertNever } from '../../src/core/model/assert-never.ts';
import type { MemorySource } from '../../src/core/model/memory.ts';
import type { MemoryRow } from '../../src/protocol/memory.ts';
import { SourceLink } from '../components/source-link.tsx';
import { withUnseen } from '../unseen.ts';
import { agoInWords } from './ago.ts';

const MOST_LETTERS = 40;

/** What tells the controls of one memory from those of another: how it begins. */
export function nameOf({ text }: MemoryRow): string {
  const letters = [...withUnseen(text).replaceAll(/\s+/g, ' ').trim()];
  return letters.length <= MOST_LETTERS
    ? letters.join('')
    : `${letters.slice(0, MOST_LETTERS).join('').trimEnd()}…`;
}

export function sourceText(source: MemorySource): string {
  switch (source) {
    case 'user':
      return 'Written by a person';
    case 'agent':
      return 'Written by the agent';
    case 'extractor':
      return 'Learnt at a compaction';
    default:
      return assertNever(source);
  }
}

export function usedText({ usedMs }: MemoryRow): string {
  return usedMs === undefined ? 'Never looked up' : `Last looked up ${agoInWords(usedMs, Date.now())}`;
}

/** Leads to where it was learnt, where that can be seen. */
export function OriginLink({ row: { origin } }: { readonly row: MemoryRow }) {
  if (origin === undefined) return null;
  if (!origin.isHere) return <span class="quiet">in another session</span>;
  return <SourceLink id={origin.entryId} role="Learnt at" />;
}
