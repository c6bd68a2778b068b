import type { Message } from '../model/content.ts';
import type { CacheMarks } from '../model/request.ts';

/**
 * Marks the end of the system prompt and the last two places where the user's side has spoken, with what Plimsoll said
 * behind it for good: the newest writes what the next request will read, the one before it reads what the previous
 * request wrote even after a very long round.
 */
export function cacheMarks(messages: readonly Message[]): CacheMarks {
  const ends = messages.flatMap((message, index) =>
    isLasting(message) && !isLastingWord(messages[index + 1]) ? [index] : [],
  );
  return { system: true, messages: ends.slice(-2) };
}

function isLasting(message: Message): boolean {
  return message.role === 'user' || isLastingWord(message);
}

function isLastingWord(message: Message | undefined): boolean {
  return message?.role === 'system' && message.clearAt === undefined;
}
