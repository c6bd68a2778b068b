import type { Part, Position, Prefix } from './prefix.ts';
import type { CacheUse } from './prompt-cache.ts';
import type { Message } from './sdk-types.ts';
import type { PromptBody } from './wire.ts';

type Diagnostics = NonNullable<Message['diagnostics']>;

interface Remembered {
  readonly body: PromptBody;
  readonly positions: readonly Position[];
  /** tokens it left in the cache */
  readonly cached: number;
}

export interface DiagnosedRequest {
  readonly body: PromptBody;
  readonly prefix: Prefix;
  readonly cache: CacheUse;
}

function lastHash(positions: readonly Position[], part: Part): string | undefined {
  return positions.findLast((position) => position.part === part)?.hash;
}

/** Whether all that was said before is still said, in its place. */
function isContinued(before: readonly Position[], now: readonly Position[]): boolean {
  return before.length === 0 || now[before.length - 1]?.hash === before.at(-1)?.hash;
}

/** Says why a request could not use the cache that an earlier one had left, when it is asked to. */
export class CacheDiagnostics {
  readonly #byMessageId = new Map<string, Remembered>();

  remember(messageId: string, { body, prefix, cache }: DiagnosedRequest): void {
    const cached = cache.read + cache.written;
    this.#byMessageId.set(messageId, { body, positions: prefix.positions, cached });
  }

  clear(): void {
    this.#byMessageId.clear();
  }

  /** null: nobody asked, or nothing went wrong. */
  explain(request: DiagnosedRequest): Diagnostics | null {
    const previousId = request.body.diagnostics?.previous_message_id;
    if (!previousId) return null;
    const previous = this.#byMessageId.get(previousId);
    if (!previous) return { cache_miss_reason: { type: 'previous_message_not_found' } };
    const missed = previous.cached - request.cache.read;
    return missed > 0 ? this.#reason(previous, request, missed) : null;
  }

  #reason(previous: Remembered, { body, prefix }: DiagnosedRequest, missed: number): Diagnostics {
    const because = (type: 'model_changed' | 'tools_changed' | 'system_changed' | 'messages_changed') => ({
      cache_miss_reason: { type, cache_missed_input_tokens: missed },
    });
    const [before, now] = [previous.positions, prefix.positions];
    if (previous.body.model !== body.model) return because('model_changed');
    if (lastHash(before, 'tools') !== lastHash(now, 'tools')) return because('tools_changed');
    if (lastHash(before, 'system') !== lastHash(now, 'system')) return because('system_changed');
    if (!isContinued(before, now)) return because('messages_changed');
    return { cache_miss_reason: { type: 'unavailable' } };
  }
}
