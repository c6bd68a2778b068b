/**
 * The blocks a conversation is made of, in Plimsoll's own shape. What travels to a provider is another type,
 * made from these at one border (`src/providers`).
 */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** Reasoning signed by the provider: sent back byte-exact, or left out whole. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

/** Reasoning the provider keeps to itself. */
export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** What the model wrote; validated by the tool's schema before it runs. */
  readonly input: unknown;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** base64 */
  readonly data: string;
  /** pixels */
  readonly width: number;
  readonly height: number;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;
export type ResultBlock = TextBlock | ImageBlock;
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type Block = AssistantBlock | UserBlock;

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserBlock[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

/** Said by Plimsoll itself, in its own role, where the model takes that in mid-conversation. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: readonly TextBlock[];
  /** it stays in the messages, and is no longer shown once the next user message is there */
  readonly clearAt?: 'next_user_message';
}

export type Message = UserMessage | AssistantMessage | SystemMessage;
