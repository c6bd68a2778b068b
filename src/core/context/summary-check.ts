import type { ModelMessage } from '../model/request.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { SUMMARY_SECTIONS } from './summary-prompt.ts';

/** A summary that may be used, or why it may not. */
export type CheckedSummary =
  | { readonly kind: 'accepted'; readonly sections: readonly ParsedSection[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** A section before its bullets are cited. */
export interface ParsedSection {
  readonly title: string;
  readonly bullets: readonly string[];
}

/** A summary must be at most this share of what it replaces. */
const MOST_OF_REPLACED = 0.5;
/** Asked for are 2,048; models count badly. */
const MOST_TOKENS = 3_072;

/**
 * Decides whether a reply is a summary: a normal end, words and no call, every section, and clearly smaller than what
 * it replaces. Everything else leaves the conversation as it is.
 * @param replaced tokens of what it would stand for
 */
export function checkSummary(reply: ModelMessage, replaced: number): CheckedSummary {
  if (reply.stopReason !== 'end_turn' && reply.stopReason !== 'stop_sequence')
    return refused(`it ended with ${reply.stopReason}`);
  if (reply.blocks.some(({ type }) => type === 'tool_use')) return refused('it called a tool');
  const text = reply.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return checkSummaryText(text, replaced);
}

export function checkSummaryText(text: string, replaced: number): CheckedSummary {
  if (text.trim() === '') return refused('it was empty');
  const sections = parseSections(text);
  const missing = SUMMARY_SECTIONS.filter((title) => !sections.some((section) => section.title === title));
  if (missing.length > 0) return refused(`sections are missing: ${missing.join(', ')}`);
  const tokens = estimateTokens(text);
  if (tokens > MOST_TOKENS) return refused(`it takes ${tokens} tokens; ${MOST_TOKENS} are the most`);
  if (tokens > replaced * MOST_OF_REPLACED)
    return refused(`it takes ${tokens} tokens for the ${replaced} that it would replace`);
  return { kind: 'accepted', sections: sections.filter(({ bullets }) => bullets.length > 0) };
}

function refused(reason: string): CheckedSummary {
  return { kind: 'refused', reason };
}

const HEADING = /^\s{0,3}(?:#{1,6}\s+|\*\*)(.+?)(?:\*\*)?:?\s*$/;
/** A longer line is none, and is not looked through for the blanks that one may end with. */
const LONGEST_HEADING = 200;
/** Of a heading, also within its stars. */
const NUMBER_OR_COLON = /^\d+[.)]\s+|:$/g;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/;
const NOTHING = /^(?:none|n\/a|nothing|-)\.?$/i;

/** Sections by their headings, in our order; what stands under any other heading belongs to the section before it. */
function parseSections(text: string): readonly ParsedSection[] {
  const found = new Map<string, string[]>();
  let bullets: string[] = [];
  for (const line of text.split('\n')) {
    const title = titleOf(line);
    if (title !== undefined) {
      bullets = found.get(title) ?? [];
      found.set(title, bullets);
      continue;
    }
    addLine(bullets, line);
  }
  return SUMMARY_SECTIONS.flatMap((title) => {
    const own = found.get(title);
    return own === undefined ? [] : [{ title, bullets: own.filter((bullet) => !NOTHING.test(bullet)) }];
  });
}

function titleOf(line: string): string | undefined {
  if (line.length > LONGEST_HEADING) return undefined;
  const heading = HEADING.exec(line)?.[1]?.replaceAll(NUMBER_OR_COLON, '').trim().toLowerCase();
  if (heading === undefined) return undefined;
  return SUMMARY_SECTIONS.find(
    (title) => heading === title.toLowerCase() || heading.startsWith(`${title.toLowerCase()} `),
  );
}

/** A line that begins no bullet goes on with the one before it. */
function addLine(bullets: string[], line: string): void {
  const words = line.replace(BULLET, '').trim();
  if (words === '') return;
  const last = bullets.at(-1);
  if (BULLET.test(line) || last === undefined) bullets.push(words);
  else bullets[bullets.length - 1] = `${last}\n  ${words}`;
}
