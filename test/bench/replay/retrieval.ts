import type { Entry } from '../../../src/core/model/entry.ts';
import { ToolError } from '../../../src/core/model/errors.ts';
import { entryPage } from '../../../src/core/tools/recall/recall-entry.ts';
import { recallQuery } from '../../../src/core/tools/recall/recall.ts';
import type { Needle } from './needles.ts';
import { tokensOf } from './ruler.ts';

const MOST_TOKENS = 2_000;

/**
 * The facts that the product's own `recall` brings back: asked by the sentence around one, without it, it must be among
 * the first five hits within 2,000 tokens; or it is on the first page of an entry whose id is in view.
 */
export async function retrievable(
  needles: readonly Needle[],
  entries: readonly Entry[],
  view: string,
): Promise<ReadonlySet<Needle>> {
  const named = new Set(view.match(/\be\d+\b/g) ?? []);
  const pages = entries.filter(({ id }) => named.has(id)).map(({ id }) => pageOf(entries, id));
  const answers = new Map<string, string>();
  for (const { query } of needles)
    if (!answers.has(query)) answers.set(query, firstHits(await recallQuery(entries, { query, page: 1 })));
  return new Set(
    needles.filter(
      ({ id, query }) => answers.get(query)?.includes(id) === true || pages.some((page) => page.includes(id)),
    ),
  );
}

function firstHits(answer: string): string {
  const sixth = answer.search(/\n6\. /);
  const five = sixth < 0 ? answer : answer.slice(0, sixth);
  return tokensOf(five) <= MOST_TOKENS ? five : '';
}

function pageOf(entries: readonly Entry[], id: string): string {
  try {
    return entryPage(entries, id, 1);
  } catch (error) {
    if (error instanceof ToolError) return ''; // nothing was said in it
    throw error;
  }
}
