import * as z from 'zod';
import type { Memory } from '../../model/memory.ts';
import { MAX_MEMORY_CHARS } from '../../model/memory.ts';
import { boundText, MAX_RESULT_CHARS } from '../../text/bound-text.ts';
import { throwIfAborted } from '../abort.ts';
import { defineTool } from '../define-tool.ts';
import { memoryFacts, memoryOf, memoryTarget } from './memory-of.ts';

export const MEMORY_SEARCH = 'memory_search';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

export const memorySearch = defineTool({
  name: MEMORY_SEARCH,
  isPaged: true,
  description:
    'Searches what is remembered of this project, best hits first, with their ids, dates and importance. The system ' +
    'prompt shows only the most important of it. What is remembered may be out of date: check it before you rely on it.',
  input: {
    query: z
      .string()
      .optional()
      .describe('Words to search for. Without any, the most important memories are given.'),
    limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Most hits to give. Default ${DEFAULT_LIMIT}.`),
  },
  prepare({ query = '', limit = DEFAULT_LIMIT }, context) {
    const memory = memoryOf(context);
    // Asked again for a smaller page it gives the same: that they were given is noted once.
    let found: Promise<readonly Memory[]> | undefined;
    return Promise.resolve({
      access: { kind: 'read', files: [] },
      target: memoryTarget(query),
      execute: async (maxChars = MAX_RESULT_CHARS) => {
        throwIfAborted(context.signal);
        found ??= memory.search(query.toWellFormed(), limit);
        const { content, told } = pageOf(await found, { query, limit, maxChars });
        memory.noteTold(told);
        return { content };
      },
    });
  },
});

interface Asked {
  readonly query: string;
  readonly limit: number;
  readonly maxChars: number;
}

/** Room for the words around the hits. */
const FRAME_CHARS = 200;
const MAX_HIT_CHARS = 2 * MAX_MEMORY_CHARS;

interface Page {
  readonly content: string;
  /** those of which it has the whole text */
  readonly told: readonly Memory[];
}

function pageOf(found: readonly Memory[], { query, limit, maxChars }: Asked): Page {
  if (found.length === 0) return { content: nothingFor(query), told: [] };
  const shown: string[] = [];
  let left = maxChars - FRAME_CHARS;
  for (const memory of found) {
    // A person's own lines may be longer than what the tool takes.
    const hit = `${memoryFacts(memory)}\n${boundText(memory.text, MAX_HIT_CHARS)}`;
    left -= hit.length + 2;
    if (left < 0 && shown.length > 0) break;
    shown.push(hit);
  }
  const rest = found.length - shown.length;
  const more =
    rest > 0
      ? [`[${rest} more have no room here: search with narrower words.]`]
      : found.length === limit
        ? ['[There may be more: narrower words or a higher limit find them.]']
        : [];
  const content = boundText([...shown, ...more].join('\n\n'), maxChars);
  const told = found.slice(0, shown.length).filter(({ text }) => text.length <= MAX_HIT_CHARS);
  return { content, told };
}

function nothingFor(query: string): string {
  return query.trim() === ''
    ? 'Nothing is remembered of this project yet.'
    : 'Nothing that is remembered fits. Try other or fewer words.';
}
