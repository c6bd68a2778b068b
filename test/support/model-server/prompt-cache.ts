import type { Prefix, Position } from './prefix.ts';
import { isThinking } from './prefix.ts';
import type { CacheControl, PromptBody } from './wire.ts';

/** The three parts of a request's input, in tokens; they sum to the whole. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  /** of `written`, what was stored for an hour */
  readonly writtenForAnHour: number;
  readonly uncached: number;
}

interface Marked {
  readonly at: number;
  readonly ttl: NonNullable<CacheControl['ttl']>;
}

const LOOKBACK = 20;
const LIFETIME_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;

export interface PromptCacheOptions {
  /** milliseconds since the epoch */
  readonly now: () => number;
}

/**
 * The prompt cache as the real server keeps it: an entry for each marked prefix that is long enough; a lookup from
 * each mark walks back up to 20 places, the marked one included, where a run of calls or of results is one place.
 */
export class PromptCache {
  /** key → the moment it dies */
  readonly #entries = new Map<string, number>();
  readonly #now: () => number;

  constructor(options: PromptCacheOptions) {
    this.#now = options.now;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** What `body` reads; with `stores`, it leaves its own entries behind. */
  use(body: PromptBody, prefix: Prefix, options: { minTokens: number; stores: boolean }): CacheUse {
    const { positions, tokens } = prefix;
    const marks = marksOf(body, positions).filter(({ at }) => tokensAt(positions, at) >= options.minTokens);
    const key = keyMaker(body, positions);
    const hit = this.#longestHit(marks, positions, key);
    const read = hit === undefined ? 0 : tokensAt(positions, hit);
    if (options.stores) {
      if (hit !== undefined) this.#refresh(key(hit));
      for (const { at, ttl } of marks) this.#store(key(at), ttl);
    }
    return {
      read,
      ...writes(marks, positions, read),
      uncached: tokens - Math.max(read, lastMark(marks, positions)),
    };
  }

  #longestHit(
    marks: readonly Marked[],
    positions: readonly Position[],
    key: (at: number) => string,
  ): number | undefined {
    const hits = marks.flatMap(({ at }) => {
      const hit = lookback(positions, at).find((place) => (this.#entries.get(key(place)) ?? 0) > this.#now());
      return hit === undefined ? [] : [hit];
    });
    return hits.length === 0 ? undefined : Math.max(...hits);
  }

  #store(key: string, ttl: Marked['ttl']): void {
    this.#entries.set(key, Math.max(this.#entries.get(key) ?? 0, this.#now() + LIFETIME_MS[ttl]));
  }

  /** Reading keeps an entry alive for at least the short lifetime. */
  #refresh(key: string): void {
    this.#store(key, '5m');
  }
}

function tokensAt(positions: readonly Position[], at: number): number {
  return positions[at]?.tokens ?? 0;
}

function lastMark(marks: readonly Marked[], positions: readonly Position[]): number {
  return marks.reduce((most, { at }) => Math.max(most, tokensAt(positions, at)), 0);
}

/** Every mark in order; the top-level one stands at the last block that can be cached. */
function marksOf(body: PromptBody, positions: readonly Position[]): readonly Marked[] {
  const own = positions.flatMap(({ mark }, at) => (mark ? [{ at, ttl: mark.ttl ?? '5m' }] : []));
  if (!body.cache_control) return own;
  const at = positions.findLastIndex(({ block }) => !isThinking(block));
  const isMarked = at < 0 || positions[at]?.mark !== undefined;
  return isMarked ? own : [...own, { at, ttl: body.cache_control.ttl ?? '5m' }];
}

/** Tool choice and thinking settings are part of what the messages' entries stand for, not of tools and system. */
function keyMaker(body: PromptBody, positions: readonly Position[]): (at: number) => string {
  const settings = JSON.stringify([
    body.tool_choice ?? null,
    body.thinking ?? null,
    body.output_config ?? null,
  ]);
  return (at) => `${positions[at]?.hash} ${positions[at]?.part === 'messages' ? settings : ''}`;
}

function isSameRun(a: Position, b: Position): boolean {
  const isToolBlock = b.block.type === 'tool_use' || b.block.type === 'tool_result';
  return isToolBlock && a.block.type === b.block.type;
}

/** The places a lookup from `from` tries, nearest first. */
function lookback(positions: readonly Position[], from: number): readonly number[] {
  const places: number[] = [];
  let counted = 0;
  for (let at = from; at >= 0; at--) {
    const [here, later] = [positions[at], positions[at + 1]];
    const isOneWithLater = at < from && here && later && isSameRun(here, later);
    if (!isOneWithLater) counted++;
    if (counted > LOOKBACK) break;
    places.push(at);
  }
  return places;
}

/** What is stored anew lies behind the read prefix, up to the last mark; each mark owns what is before it. */
function writes(marks: readonly Marked[], positions: readonly Position[], read: number) {
  let [done, written, writtenForAnHour] = [read, 0, 0];
  for (const { at, ttl } of marks) {
    const fresh = Math.max(0, tokensAt(positions, at) - done);
    done += fresh;
    written += fresh;
    if (ttl === '1h') writtenForAnHour += fresh;
  }
  return { written, writtenForAnHour };
}
