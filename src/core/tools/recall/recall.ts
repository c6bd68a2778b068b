import * as z from 'zod';
import type { Entry } from '../../model/entry.ts';
import { ToolError } from '../../model/errors.ts';
import type { OffloadedOutput } from '../../model/offloaded.ts';
import type { Clock } from '../../ports/clock.ts';
import { throwIfAborted } from '../abort.ts';
import { MAX_RESULT_CHARS, takeStart } from '../../text/bound-text.ts';
import type { ToolContext } from '../define-tool.ts';
import { defineTool } from '../define-tool.ts';
import { entryPage, findEntry } from './recall-entry.ts';
import type { KeptTexts } from './recall-files.ts';
import { NO_KEPT_TEXTS, readKeptTexts } from './recall-files.ts';
import type { Pause } from './recall-scan.ts';
import { hitPages, searchTranscript } from './recall-search.ts';
import { RECALL } from './recall-text.ts';

const MAX_TARGET_CHARS = 100;
const MAX_QUERY_CHARS = 300;
/** After so much work others have their turn. */
const SLICE_MS = 15;

export const recall = defineTool({
  name: RECALL,
  isPaged: true,
  description:
    'Finds what was said, read or run earlier in this session and is no longer shown: messages, answers, calls and ' +
    'their results, summarised and evicted ones too. Give a query to search for words, best hits first, with the ids ' +
    'of their entries; or the id of an entry to get all of it, in pages of ' +
    `${MAX_RESULT_CHARS} characters.`,
  input: {
    query: z
      .string()
      .optional()
      .describe('Words to search for, e.g. from the sentence you remember. Rare words and names find most.'),
    entry: z
      .string()
      .optional()
      .describe('Id of an entry, as references and summaries name it, e.g. "e123".'),
    page: z.int().min(1).optional().describe('Which page of the hits or of a long entry. Default 1.'),
  },
  prepare({ query, entry, page = 1 }, context) {
    if ((query === undefined) === (entry === undefined))
      throw new ToolError('invalid_input', 'Give either a query or the id of an entry.');
    const target = takeStart((query ?? entry ?? '').replaceAll(/\s+/g, ' ').trim(), MAX_TARGET_CHARS);
    return Promise.resolve({
      access: { kind: 'read', files: [] },
      target,
      execute: async (maxChars = MAX_RESULT_CHARS) => {
        throwIfAborted(context.signal);
        const content =
          entry === undefined
            ? await recallWords({ query: query ?? '', page }, context)
            : await recallEntry(entry, page, context);
        return { content: fitted(content, maxChars) };
      },
    });
  },
});

interface Question {
  readonly query: string;
  readonly page: number;
}

async function recallWords(question: Question, context: ToolContext): Promise<string> {
  const entries = context.transcript();
  const kept = await readKeptTexts(entries, context);
  return recallQuery(entries, { ...question, kept }, createPause(context));
}

/** A page of an entry, and where the whole of an output is of which it holds a part. */
async function recallEntry(id: string, page: number, context: ToolContext): Promise<string> {
  const entries = context.transcript();
  const text = entryPage(entries, id, page);
  const output = outputOf(findEntry(entries, id));
  if (output === undefined) return text;
  const first = output.parts[0]?.file;
  const stat = first === undefined ? undefined : await context.files.stat(first).catch(() => undefined);
  const path = JSON.stringify(output.path);
  const where =
    stat === undefined
      ? `Its whole output was in ${path} and is no longer kept`
      : `Its whole output (${output.bytes} bytes, ${output.lines} lines): read_file {"path": ${path}}`;
  return `${text}\n[${where}.]`;
}

function outputOf(entry: Entry): OffloadedOutput | undefined {
  return entry.kind === 'tool_result' ? entry.details?.output : undefined;
}

const FIT_NOTE =
  '\n[Only the beginning of this page fits into this step: the same call again shows all of it.]';

function fitted(content: string, maxChars: number): string {
  if (content.length <= maxChars) return content;
  return takeStart(content, maxChars - FIT_NOTE.length) + FIT_NOTE;
}

/**
 * What the tool answers to a query.
 * @throws ToolError where there is nothing to search for, or no such page
 */
export async function recallQuery(
  entries: readonly Entry[],
  { query, page, kept = NO_KEPT_TEXTS }: Question & { readonly kept?: KeptTexts },
  pause: Pause = () => undefined,
): Promise<string> {
  const { hits, searched, isBlank } = await searchTranscript(entries, query, {
    pause,
    keptParts: kept.partsOf,
  });
  if (isBlank) throw new ToolError('invalid_input', 'The query has no words in it. Give some to search for.');
  const asked = takeStart(query.trim(), MAX_QUERY_CHARS).toWellFormed();
  const files =
    kept.searched === 0 ? '' : `, and ${kept.searched} kept ${kept.searched === 1 ? 'output' : 'outputs'}`;
  const extent = `in ${searched} entries: messages, answers, calls and results of the whole session${files}`;
  if (hits.length === 0)
    return `Nothing found for ${JSON.stringify(asked)} ${extent}. Try other or fewer words.${leftNote(kept)}`;
  const pages = hitPages(hits);
  const shown = pages[page - 1];
  if (shown === undefined)
    throw new ToolError('invalid_input', `There is no page ${page}: the hits fill ${countOf(pages.length)}.`);
  const before = pages.slice(0, page - 1).reduce((sum, { length }) => sum + length, 0);
  const more = hits.length - before - shown.length;
  return [
    `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'} ${extent}.`,
    ...shown.map(({ text }, index) => `\n${before + index + 1}. ${text}`),
    `\n[The whole of an entry: recall with entry "${shown[0]?.entry.id}".${
      more > 0 ? ` ${more} more ${more === 1 ? 'hit' : 'hits'}: the same query with page ${page + 1}.` : ''
    }]${leftNote(kept)}`,
  ].join('\n');
}

const MAX_LEFT = 10;

/** What of the kept outputs was too much to be searched. */
function leftNote({ left }: KeptTexts): string {
  if (left.length === 0) return '';
  const ids = left.slice(0, MAX_LEFT).join(', ') + (left.length > MAX_LEFT ? ' and older ones' : '');
  return `\n[Too large to be searched in full here: the kept outputs of ${ids}. search with their path does.]`;
}

function countOf(pages: number): string {
  return pages === 1 ? 'one page' : `${pages} pages`;
}

function createPause({ clock, signal }: { readonly clock: Clock } & Pick<ToolContext, 'signal'>): Pause {
  let last = clock.now().getTime();
  return () => {
    const now = clock.now().getTime();
    if (now - last < SLICE_MS) return undefined;
    return clock.sleep(0, signal).then(() => {
      last = clock.now().getTime();
    });
  };
}
