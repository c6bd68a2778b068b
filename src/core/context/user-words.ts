import type { CarriedMessage } from '../model/relief-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** Words that make a sentence a rule. What people forbid, demand or insist on is never left out for room. */
const STRONG =
  /\b(?:must|never|always|only|don['’]?t|do not|not allowed|no longer|shall|required?|constraints?|forbidden|important|make sure)\b|不要|必须|禁止|務必|niemals|immer|nicht|jamais|toujours|nunca|siempre/i;
const WEAK = /\b(?:should|ensure|instead of|avoid|prefer|without|except|keep|use|remember)\b/i;

const HEAD_LENGTH = 160;

/** How many rules of each message are kept, and how much of each: the roomiest first. */
interface Tightness {
  readonly most: number;
  readonly length: number;
  readonly isStrongOnly: boolean;
}
const TIGHTNESS: readonly Tightness[] = [
  { most: 6, length: 320, isStrongOnly: false },
  { most: 3, length: 240, isStrongOnly: false },
  { most: 2, length: 200, isStrongOnly: true },
  { most: 1, length: 160, isStrongOnly: true },
  { most: 1, length: 110, isStrongOnly: true },
];
const ALL_RULES: Tightness = { most: Number.POSITIVE_INFINITY, length: 320, isStrongOnly: false };
const FIRST_RULES: Tightness = { most: 6, length: 320, isStrongOnly: false };
/** Rules may take this share of the room before anything else is heard. */
const RULES_SHARE = 0.75;
/** The goal and the latest request may each take this share. */
const LEADING_SHARE = 0.25;

/** Texts whose analysis is kept: several forms of each message that is carried. */
const MOST_REMEMBERED = 2_000;

/** How much of a message is kept, from all of it to nothing but its rules. */
type Form = (text: string) => string;

/**
 * The user's words within `budget` tokens, oldest first, word for word; where something is left out a `[…]` says so.
 * All of them where there is room. Else the beginning of the goal and the rules in every message come first, then more
 * of the goal and of the latest request, then the beginnings of the others, the newest first.
 */
export function fitUserWords(messages: readonly CarriedMessage[], budget: number): readonly CarriedMessage[] {
  if (costOf(messages) <= budget) return messages;
  const kept = leastForms(messages, budget);
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

/** The rules of every message, as roomy as fits: the same rule said again is kept where it was said last. */
function leastForms(messages: readonly CarriedMessage[], budget: number): string[] {
  let forms: string[] = [];
  for (const tightness of TIGHTNESS) {
    const said = new Set<string>();
    forms = messages
      .map(({ text }) => text)
      .toReversed()
      .map((text) => rulesOf(text, tightness, said))
      .toReversed();
    const [goal = '', ...others] = forms;
    forms = [withHead(messages[0]?.text ?? '', goal), ...others];
    if (forms.reduce((sum, text) => sum + tokensOf(text), 0) <= budget * RULES_SHARE) break;
  }
  return forms;
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
    ...newestFirst.map((index) => ({
      index,
      form: (text: string) => withHead(text, rulesOf(text, ALL_RULES)),
    })),
    ...newestFirst.map((index) => ({ index, form: (text: string) => text })),
  ];
}

function headAndRules(text: string): string {
  return withHead(text, rulesOf(text, FIRST_RULES));
}

function withHead(text: string, rules: string): string {
  const head = cut(text, HEAD_LENGTH);
  return rules === '' || head.includes(rules) ? head : `${head}\n${rules}`;
}

/** The sentences that rule something, the last ones first to be kept: people end on what they insist on. */
function rulesOf(
  text: string,
  { most, length, isStrongOnly }: Tightness,
  said: Set<string> = new Set(),
): string {
  const sentences = sentencesOf(text);
  const rules = sentences.filter(
    ({ words, isStrong, isWeak }) => (isStrong || (isWeak && !isStrongOnly)) && !said.has(words),
  );
  const kept = rules.slice(-Math.min(most, rules.length));
  for (const { words } of kept) said.add(words);
  if (kept.length === 0) return '';
  const left = kept.length < sentences.length ? '[…] ' : '';
  return left + kept.map(({ words }) => cut(words, length)).join(' […] ');
}

interface Sentence {
  readonly words: string;
  readonly isStrong: boolean;
  readonly isWeak: boolean;
}

const sentencesOf = remembered((text): readonly Sentence[] =>
  text
    .split(/(?<=[.!?])\s+|(?<=[。！？])\s*|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((words) => ({ words, isStrong: STRONG.test(words), isWeak: WEAK.test(words) })),
);

/** The same words come again with every compaction: what was found out of them is kept, for the last so many. */
function remembered<Value>(find: (text: string) => Value): (text: string) => Value {
  let known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known = new Map();
    const found = find(text);
    known.set(text, found);
    return found;
  };
}

/** Beginning and end of a text, with its rules, within so many tokens; never less than its head and rules. */
function endsOf(text: string, tokens: number): string {
  const whole = tokensOf(text);
  if (whole <= tokens) return text;
  const rules = rulesOf(text, FIRST_RULES);
  const room = tokens - tokensOf(rules);
  const share = Math.floor((text.length * room) / whole / 2);
  if (share <= HEAD_LENGTH) return '';
  return `${text.slice(0, share)} […] ${text.slice(text.length - share)}\n${rules}`.toWellFormed();
}

/** Rules alone can be too many: then the oldest after the goal go, and the log has them. */
function bounded(messages: readonly CarriedMessage[], budget: number): readonly CarriedMessage[] {
  let over = costOf(messages) - budget;
  let gone = 0;
  for (; over > 0 && messages.length - gone > 2; gone += 1) over -= tokensOf(messages[gone + 1]?.text ?? '');
  return [...messages.slice(0, 1), ...messages.slice(1 + gone)];
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()} […]`.toWellFormed();
}

/** With its id and line break. */
const tokensOf = remembered((text): number => (text === '' ? 0 : estimateTokens(text) + 6));

function costOf(messages: readonly CarriedMessage[]): number {
  return messages.reduce((sum, { text }) => sum + tokensOf(text), 0);
}
