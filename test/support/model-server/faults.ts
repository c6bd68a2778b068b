/** Failures on demand: each is used up by one request of its endpoint. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type?: string;
      readonly message?: string;
      /** as `retry-after` */
      readonly retryAfterSeconds?: number;
      /** as `retry-after-ms` */
      readonly retryAfterMs?: number;
    }
  /** the connection is torn down without an answer */
  | { readonly kind: 'reset' }
  /** the request is read and never answered */
  | { readonly kind: 'hang' }
  /** the connection is torn down after so many events of the stream */
  | { readonly kind: 'cut'; readonly afterEvents: number }
  /** an `error` event instead of the rest of the stream */
  | { readonly kind: 'error_event'; readonly afterEvents: number; readonly type?: string }
  /** so many milliseconds before every event */
  | { readonly kind: 'slow'; readonly ms: number }
  /** a reply that does not say what it cost, as from some local servers */
  | { readonly kind: 'no_usage' }
  | { readonly kind: 'zero_usage' };

export type FaultEndpoint = 'messages' | 'count_tokens' | 'models';

export interface FaultPlan {
  /** how many requests fail so, one by default */
  readonly times?: number;
  readonly endpoint?: FaultEndpoint;
}

/** The faults still to come, first in first out for each endpoint. */
export class FaultQueue {
  readonly #waiting: { readonly fault: Fault; readonly endpoint: FaultEndpoint }[] = [];

  next(fault: Fault, { times = 1, endpoint = 'messages' }: FaultPlan = {}): void {
    for (let count = 0; count < times; count++) this.#waiting.push({ fault, endpoint });
  }

  take(endpoint: FaultEndpoint): Fault | undefined {
    const at = this.#waiting.findIndex((waiting) => waiting.endpoint === endpoint);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]?.fault;
  }

  get pending(): number {
    return this.#waiting.length;
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
