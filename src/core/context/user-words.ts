import type { CarriedMessage } from '../model/relief-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** Words that make a sentence a rule. What people forbid, demand or insist on is never left out for room. */
const RULE =
  /\b(?:must|never|always|only|don['’]?t|do not|not allowed|no longer|shall|should|required?|constraints?|forbidden|important|make sure|ensure|instead of|avoid|prefer|without|except|keep|use|remember)\b|不要|必须|禁止|務必|niemals|immer|nicht|jamais|toujours|nunca|siempre/i;

const HEAD_LENGTH = 160;
const RULE_LENGTH = 320;
/** Rules kept of one message before its other rules: a pasted manual must not crowd out everybody's words. */
const FIRST_RULES = 6;
/** The goal and the latest request may each take this share before others are heard. */
const LEADING_SHARE = 0.25;

/** How much of a message is kept, from all of it to nothing but its rules. */
type Form = (text: string) => string;

/**
 * The user's words within `budget` tokens, oldest first, word for word; where something is left out a `[…]` says so.
 * All of them where there is room. Else the rules in every message come first, then the goal and the latest request,
 * then the beginnings, the newest first.
 */
export function fitUserWords(messages: readonly CarriedMessage[], budget: number): readonly CarriedMessage[] {
  if (costOf(messages) <= budget) return messages;
  const kept = messages.map(({ text }) => rulesOf(text, FIRST_RULES));
  let used = kept.reduce((sum, text) => sum + tokensOf(text), 0);
  for (const { index, form } of wishes(messages, budget)) {
    const fuller = form(messages[index]?.text ?? '');
    const more = tokensOf(fuller) - tokensOf(kept[index] ?? '');
    if (more <= 0 || used + more > budget) continue;
    kept[index] = fuller;
    used += more;
  }
  return bounded(
    messages.flatMap(({ entryId }, index) => (kept[index] ? [{ entryId, text: kept[index] }] : [])),
    budget,
  );
}

/** What may grow, in the order in which it may. */
function wishes(
  messages: readonly CarriedMessage[],
  budget: number,
): readonly { readonly index: number; readonly form: Form }[] {
  const last = messages.length - 1;
  const leading = Math.floor(budget * LEADING_SHARE);
  const newestFirst = messages.map((_, index) => last - index);
  return [
    { index: 0, form: (text) => endsOf(text, leading) },
    { index: last, form: (text) => endsOf(text, leading) },
    ...newestFirst.map((index) => ({ index, form: headAndRules })),
    ...newestFirst.map((index) => ({ index, form: (text: string) => rulesOf(text, Infinity) })),
    ...newestFirst.map((index) => ({ index, form: (text: string) => text })),
  ];
}

function headAndRules(text: string): string {
  const rules = rulesOf(text, FIRST_RULES);
  const head = cut(text, HEAD_LENGTH);
  return rules === '' || head.includes(rules) ? head : `${head}\n${rules}`;
}

/** The sentences that rule something, the last ones first to be kept: people end on what they insist on. */
function rulesOf(text: string, most: number): string {
  const rules = sentencesOf(text).filter((sentence) => RULE.test(sentence));
  const kept = rules.slice(-Math.min(most, rules.length));
  if (kept.length === 0) return '';
  const left = kept.length < sentencesOf(text).length ? '[…] ' : '';
  return left + kept.map((sentence) => cut(sentence, RULE_LENGTH)).join(' […] ');
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Beginning and end of a text, with every rule between, within so many tokens. */
function endsOf(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  const rules = rulesOf(text, FIRST_RULES);
  const room = Math.max(0, tokens - tokensOf(rules));
  const share = Math.floor((text.length * room) / Math.max(1, tokensOf(text)) / 2);
  return `${text.slice(0, share)} […] ${text.slice(text.length - share)}\n${rules}`.toWellFormed();
}

/** Rules alone can be too many: then the oldest after the goal go, and the log has them. */
function bounded(messages: readonly CarriedMessage[], budget: number): readonly CarriedMessage[] {
  const kept = [...messages];
  while (kept.length > 2 && costOf(kept) > budget) kept.splice(1, 1);
  return kept;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()} […]`.toWellFormed();
}

/** With its id and line break. */
function tokensOf(text: string): number {
  return text === '' ? 0 : estimateTokens(text) + 6;
}

function costOf(messages: readonly CarriedMessage[]): number {
  return messages.reduce((sum, { text }) => sum + tokensOf(text), 0);
}
