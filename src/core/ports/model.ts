import type { SignedSummary } from '../model/relief-entry.ts';
import type { Usage } from '../model/usage.ts';
import type { ModelEvent, ModelInfo, ModelRequest } from '../model/request.ts';

/** A language model behind a provider. */
export interface ModelPort {
  readonly provider: string;
  /**
   * Resolves the model to use: the one with this id, or with an empty id the newest on offer.
   * Limits that the server does not tell are absent.
   * @throws ModelError
   */
  resolve(id: string, signal: AbortSignal): Promise<ModelInfo>;
  /**
   * Makes one call. Never retries by itself.
   * @throws ModelError, or AbortedError when `signal` fires
   */
  stream(request: ModelRequest, info: ModelInfo, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /**
   * Asks for a signed summary of all messages of a request, from a model with
   * {@link ModelTraits.signedSummaries}. Never retries by itself.
   * @returns without a summary where the model ended in any other way than by writing one
   * @throws ModelError, or AbortedError when `signal` fires
   */
  summarize?(ask: SummaryAsk, info: ModelInfo, signal: AbortSignal): Promise<SummaryReply>;
  /**
   * The provider's own count of `request`, in tokens; undefined where the server has no such service.
   * @throws ModelError, or AbortedError when `signal` fires
   */
  countTokens?(request: ModelRequest, info: ModelInfo, signal: AbortSignal): Promise<number | undefined>;
}

export interface SummaryAsk {
  readonly request: ModelRequest;
  /** in place of the provider's own; at most 16,384 characters */
  readonly instructions: string;
}

export interface SummaryReply {
  readonly summary?: SignedSummary;
  readonly usage?: Usage;
}
