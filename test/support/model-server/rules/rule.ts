import type { ModelProfile } from '../profiles.ts';
import type { Prefix } from '../prefix.ts';
import type { Refusal } from '../refusal.ts';
import type { SummarySigner } from '../summary-seal.ts';
import type { ThinkingSigner } from '../thinking.ts';
import type { PromptBody, WireMessage } from '../wire.ts';

/** A request that is well formed and names a known model; the rules say whether it makes sense. */
export interface CheckedRequest {
  readonly endpoint: 'messages' | 'count_tokens';
  /** the `anthropic-version` header */
  readonly version: string;
  /** named in the `anthropic-beta` header */
  readonly betas: readonly string[];
  readonly body: PromptBody;
  readonly messages: readonly WireMessage[];
  readonly profile: ModelProfile;
  readonly prefix: Prefix;
  readonly signer: ThinkingSigner;
  readonly summarySigner: SummarySigner;
}

/** One thing the real server insists on. */
export interface Rule {
  readonly id: string;
  /** undefined: nothing to object to */
  readonly check: (request: CheckedRequest) => Refusal | undefined;
}

/** A request the server will not serve, and the rule that says so. */
export interface RuledOut {
  readonly rule: string;
  readonly refusal: Refusal;
}

/** The first objection to any of the items, in their order. */
export function firstObjection<T>(
  items: Iterable<T>,
  object: (item: T) => Refusal | undefined,
): Refusal | undefined {
  for (const item of items) {
    const refusal = object(item);
    if (refusal) return refusal;
  }
  return undefined;
}
