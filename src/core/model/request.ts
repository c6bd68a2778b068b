import type { AssistantBlock, Message } from './content.ts';
import type { CacheMiss, PromptSection, StopReason, ToolSchema } from './entry.ts';
import type { SignedSummary } from './relief-entry.ts';
import type { Usage } from './usage.ts';

/** One model call, as the engine decided it. A provider turns it into its wire format and adds nothing. */
export interface ModelRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: readonly PromptSection[];
  /** sorted by name */
  readonly tools: readonly ToolSchema[];
  /** in front of all messages, in place of those it covers; then the first message may be the assistant's */
  readonly signedSummary?: SignedSummary;
  readonly messages: readonly Message[];
  readonly cacheMarks: CacheMarks;
  /** provider's id of the reply before: it can then say why the cache was missed */
  readonly previousMessageId?: string;
}

/** Where the provider is asked to cache the prefix. At most four places, the provider's limit. */
export interface CacheMarks {
  /** after the system prompt (covers the tools before it) */
  readonly system: boolean;
  /** after the last cacheable block of these messages, by index */
  readonly messages: readonly number[];
}

/** What is known of a model. Unknown limits are absent, never guessed. */
export interface ModelInfo {
  readonly id: string;
  readonly displayName: string;
  readonly provider: string;
  /** input limit in tokens */
  readonly window?: number;
  /** output limit in tokens */
  readonly maxOutput?: number;
  readonly thinking: 'adaptive' | 'none';
  readonly traits?: ModelTraits;
}

/** What sets generations of models apart for the context engine; an absent one is not there. */
export interface ModelTraits {
  /** thinking holds only behind the very conversation it was made in */
  readonly bindsThinking?: boolean;
  /** takes messages of role `system` in mid-conversation */
  readonly systemMessages?: boolean;
  /** summarises on demand, and signs what it wrote */
  readonly signedSummaries?: boolean;
}

/** What a streaming call yields; it ends with exactly one `message`, or throws. */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_use_started'; readonly toolUseId: string; readonly name: string }
  | { readonly type: 'block_finished'; readonly block: AssistantBlock }
  | { readonly type: 'message'; readonly message: ModelMessage };

export interface ModelMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  /** absent where the server reports none */
  readonly usage?: Usage;
  readonly cacheMiss?: CacheMiss;
}
