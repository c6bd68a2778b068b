/** What the server borrows from the official SDK: types only, so that a change of the wire shows as a type error. */
export type * as Shared from '@anthropic-ai/sdk/resources/shared';
export type {
  ContentBlock,
  Message,
  RawMessageStreamEvent,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';
export type { BetaStopReason as StopReason } from '@anthropic-ai/sdk/resources/beta/messages/messages';
export type { ModelCapabilities, ModelInfo } from '@anthropic-ai/sdk/resources/models';
