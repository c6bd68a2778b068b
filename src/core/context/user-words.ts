import type { CarriedMessage } from '../model/relief-entry.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Tightness } from './user-rules.ts';
import { cut, isShort, remembered, repeatedLater, rulesOf, rulesOfAll } from './user-rules.ts';

const HEAD_LENGTH = 160;

/** How rules are kept, the roomiest first. */
const TIGHTNESS: readonly Tightness[] = [
  { most: 6, length: 320, isStrongOnly: false },
  { most: 3, length: 240, isStrongOnly: false },
  { most: 2, length: 200, isStrongOnly: true },
  { most: 1, length: 160, isStrongOnly: true },
  { most: 1, length: 110, isStrongOnly: true },
];
const ALL_RULES: Tightness = { most: Number.POSITIVE_INFINITY, length: 320, isStrongOnly: false };
const FIRST_RULES: Tightness = { most: 6, length: 320, isStrongOnly: false };
/** Rules, and messages of a line, may take this share of the room before anything else is heard. */
const RULES_SHARE = 0.75;
/** The goal and the latest request may each take this share. */
const LEADING_SHARE = 0.25;

/** How much of a message is kept, from all of it to nothing but its rules. */
type Form = (text: string) => string;

/**
 * The user's words within `budget` tokens, oldest first, word for word; where something is left out a `[…]` says so.
 * All of them where there is room. Else the beginning of the goal and the rules in every message come first, then
 * messages of a line, whole: what is said in so few words is often a rule that no list of words knows. Then more of the
 * goal and of the latest request, then the beginnings of the others, the newest first.
 */
export function fitUserWords(messages: readonly CarriedMessage[], budget: number): readonly CarriedMessage[] {
  if (costOf(messages) <= budget) return messages;
  const kept = leastForms(messages, budget);
  let used = kept.reduce((sum, text) => sum + tokensOf(text), 0);
  for (const { index, form, within } of wishes(messages, budget)) {
    const fuller = form(messages[index]?.text ?? '');
    const more = tokensOf(fuller) - tokensOf(kept[index] ?? '');
    if (more <= 0 || used + more > (within ?? budget)) continue;
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
    const texts = messages.map(({ text }) => text);
    const [goal = '', ...others] = rulesOfAll(texts, tightness);
    forms = [withHead(messages[0]?.text ?? '', goal), ...others];
    if (forms.reduce((sum, text) => sum + tokensOf(text), 0) <= budget * RULES_SHARE) break;
  }
  return forms;
}

interface Wish {
  readonly index: number;
  readonly form: Form;
  /** tokens of all words that it must not lead beyond; default: the budget */
  readonly within?: number;
}

/** What may grow, in the order in which it may. */
function wishes(messages: readonly CarriedMessage[], budget: number): readonly Wish[] {
  const last = messages.length - 1;
  const leading = Math.floor(budget * LEADING_SHARE);
  const again = repeatedLater(messages);
  const isNew = (message: CarriedMessage) => !again.has(message);
  const newestFirst = messages.flatMap((message, index) => (isNew(message) ? [index] : [])).reverse();
  const ofAll = (form: Form): readonly Wish[] => newestFirst.map((index) => ({ index, form }));
  return [
    ...ofAll(ifShort).map((wish) => ({ ...wish, within: budget * RULES_SHARE })),
    { index: 0, form: (text) => endsOf(text, leading) },
    { index: last, form: (text) => endsOf(text, leading) },
    ...ofAll(ifShort),
    ...ofAll(headAndRules),
    ...ofAll((text) => withHead(text, rulesOf(text, ALL_RULES))),
    ...ofAll((text) => text),
  ];
}

function ifShort(text: string): string {
  return isShort(text) ? text : '';
}

function headAndRules(text: string): string {
  return withHead(text, rulesOf(text, FIRST_RULES));
}

function withHead(text: string, rules: string): string {
  const head = cut(text, HEAD_LENGTH);
  return rules === '' || head.includes(rules) ? head : `${head}\n${rules}`;
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

/** With its id and line break. */
const tokensOf = remembered((text): number => (text === '' ? 0 : estimateTokens(text) + 6));

function costOf(messages: readonly CarriedMessage[]): number {
  return messages.reduce((sum, { text }) => sum + tokensOf(text), 0);
}
