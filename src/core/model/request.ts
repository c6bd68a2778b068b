import type { AssistantBlock, Message } from './content.ts';
import type { PromptSection, StopReason, ToolSchema } from './entry.ts';
import type { Usage } from './usage.ts';

/** One model call, as the engine decided it. A provider turns it into its wire format and adds nothing. */
export interface ModelRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: readonly PromptSection[];
  /** sorted by name */
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
  readonly cacheMarks: CacheMarks;
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
}
