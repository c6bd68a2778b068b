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
}
