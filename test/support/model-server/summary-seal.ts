import * as z from 'zod';
import { digest, readSigned, signJson } from './thinking.ts';
import type { CompactionBlock } from './wire.ts';

/** What a signed summary says of the messages whose place it takes, so that the server needs no memory of them. */
const seal = z.object({
  /** sha256 of the summary's text */
  text: z.string(),
  /** of model, tools and system prompt */
  frame: z.string(),
  /** what thinking right behind the summarised messages may be bound to; empty where thinking is not preserved */
  ends: z.array(z.string()),
  /** of the last summarised message: one of the same role behind it would be taken for its continuation */
  lastRole: z.enum(['user', 'assistant', 'system']),
  /** answers and turns of the person that were summarised */
  answers: z.int(),
  turns: z.int(),
  /** ids of the tool calls that were summarised, shortened */
  calls: z.array(z.string()),
});

export type SummarySeal = z.infer<typeof seal>;

/** Signs and checks summaries. */
export class SummarySigner {
  readonly #key: string;

  constructor(key: string) {
    this.#key = `summary ${key}`;
  }

  sign(text: string, about: Omit<SummarySeal, 'text'>): string {
    return signJson(this.#key, { ...about, text: digest(text) });
  }

  /** undefined when it is not of this server */
  read(block: CompactionBlock): SummarySeal | undefined {
    return seal.safeParse(readSigned(this.#key, block.signature ?? '')).data;
  }

  /** Whether the text is the one that was signed. */
  isGenuine(block: CompactionBlock, read: SummarySeal): boolean {
    return digest(block.content ?? '') === read.text;
  }
}

export function callMark(id: string): string {
  return digest(id).slice(0, 12);
}
