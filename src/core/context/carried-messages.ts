import type { CarriedMessage } from '../model/relief-entry.ts';
import { isShort, repeatedLater, rulesOf, rulesOfAll, shortened } from './user-rules.ts';
import type { Tightness } from './user-rules.ts';
import { writtenSize } from './written-size.ts';

/** Bytes of all messages, as the log holds them: what the largest window shows of them, in any script. */
const ROOM = 40_000;
const MOST_MESSAGES = 400;
/** Bytes that each may take, the more there are the fewer: the oldest first. */
const LENGTHS = [12_000, 4_000, 2_000, 1_000, 500];
/** The goal and the latest request keep as much. */
const LEADING = 12_000;

const RULES: Tightness = { most: 3, length: 240, isStrongOnly: false };
const STRONGEST_RULE: Tightness = { most: 1, length: 160, isStrongOnly: true };

/**
 * The user's words within what one entry may hold of them; the log has the originals. What is said again later goes, and
 * the long ones are shortened around their rules. Then the oldest are reduced to their rules, or a line that is all they say; then to the strongest
 * rule; and only where rules alone are too many do the oldest of them go. The first message is the goal: it stays.
 */
export function carriedMessages(messages: readonly CarriedMessage[]): readonly CarriedMessage[] {
  if (fits(messages, MOST_MESSAGES)) return messages;
  const again = repeatedLater(messages);
  let carried = messages
    .filter((message) => !again.has(message))
    .map((message, index, { length }) =>
      index === 0 || index === length - 1 ? { ...message, text: within(message, LEADING) } : message,
    );
  for (const length of LENGTHS) carried = reduced(carried, (message) => within(message, length));
  const texts = carried.map(({ text }) => text);
  const rules = rulesOfAll(texts, RULES);
  const forms: readonly Form[] = [
    ({ text }, index) => (isShort(text) ? text : (rules[index] ?? '')),
    ({ text }) => rulesOf(text, STRONGEST_RULE),
    () => '',
  ];
  for (const form of forms) carried = reduced(carried, form, MOST_MESSAGES);
  return carried;
}

/** What is left of a message; empty where it goes. */
type Form = (message: CarriedMessage, index: number) => string;

function fits(messages: readonly CarriedMessage[], most: number): boolean {
  return messages.length <= most && sizeOf(messages) <= ROOM;
}

function sizeOf(messages: readonly CarriedMessage[]): number {
  return messages.reduce((sum, message) => sum + writtenSize(message), 0);
}

function within(message: CarriedMessage, bytes: number): string {
  const size = writtenSize(message);
  if (size <= bytes) return message.text;
  return shortened(message.text, Math.floor((message.text.length * bytes) / size));
}

/** Those after the goal and before the last, from the oldest on, until the rest fits as it is. */
function reduced(
  messages: readonly CarriedMessage[],
  form: Form,
  most = Number.POSITIVE_INFINITY,
): CarriedMessage[] {
  let size = sizeOf(messages);
  let count = messages.length;
  return messages.flatMap((message, index) => {
    const isLeading = index === 0 || index === messages.length - 1;
    if (isLeading || (size <= ROOM && count <= most)) return [message];
    const text = form(message, index);
    if (text === message.text) return [message];
    const less = text === '' ? [] : [{ ...message, text }];
    size += sizeOf(less) - writtenSize(message);
    count += less.length - 1;
    return less;
  });
}
