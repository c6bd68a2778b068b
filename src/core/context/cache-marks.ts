import type { Message } from '../model/content.ts';
import type { CacheMarks } from '../model/request.ts';

/**
 * Marks the end of the system prompt and the last two messages of the user: the newest writes what the next request
 * will read, the one before it reads what the previous request wrote even after a very long round.
 */
export function cacheMarks(messages: readonly Message[]): CacheMarks {
  const spoken = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  return { system: true, messages: spoken.slice(-2) };
}
