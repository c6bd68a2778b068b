import type { Message } from '../model/content.ts';
import type { CacheMarks } from '../model/request.ts';

/**
 * Marks the end of the system prompt and the last two places where the user's side has spoken, with what Plimsoll said
 * behind it for good: the newest writes what the next request will read, the one before it reads what the previous
 * request wrote even after a very long round.
 */
export function cacheMarks(messages: readonly Message[]): CacheMarks {
  const ends: number[] = [];
  for (let index = messages.length - 1; index >= 0 && ends.length < 2; index -= 1)
    if (isLasting(messages[index]) && !isLastingWord(messages[index + 1])) ends.unshift(index);
  return { system: true, messages: ends };
}

function isLasting(message: Message | undefined): boolean {
  return message?.role === 'user' || isLastingWord(message);
}

function isLastingWord(message: Message | undefined): boolean {
  return message?.role === 'system' && message.clearAt === undefined;
}
