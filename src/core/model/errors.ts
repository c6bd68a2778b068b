/** The person or the shutdown asked to stop: not a failure, and never retried. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
  constructor(
    message = 'stopped',
    /** what a tool has to show of what it did until then; known secrets are not in it */
    readonly shown = '',
  ) {
    super(message);
  }
}

export type ModelErrorCode =
  | 'no_key'
  | 'auth'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'invalid_request'
  | 'thinking_binding'
  /** a summary that the provider signs: it would not write one, or did not take one back */
  | 'signed_summary'
  | 'too_long'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'connection'
  | 'stream_cut';

const TRANSIENT: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'connection',
  'stream_cut',
]);

export interface ModelErrorOptions {
  readonly cause?: unknown;
  /** HTTP status, where there was an answer */
  readonly status?: number;
  /** what the server asked to wait, in milliseconds */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** the window in tokens, where a "too long" names it */
  readonly learntLimit?: number;
}

/** A model call that failed; `code` says what a caller can do about it, the message is the provider's own. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly learntLimit: number | undefined;

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    options: ModelErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    this.learntLimit = options.learntLimit;
  }

  /** Worth trying again unchanged. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.code);
  }
}

export type ToolErrorCode =
  | 'invalid_input'
  | 'unknown_tool'
  | 'not_found'
  | 'outside_workspace'
  | 'not_read'
  | 'changed_since_read'
  | 'no_match'
  | 'ambiguous'
  | 'encoding'
  | 'too_large'
  | 'restricted'
  | 'unavailable'
  | 'failed';

/** A tool that could not do its work; the message is written for the model and says what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** What a person is told of a failure: what happened, what to do, and what the panel can offer. */
export interface ErrorReport {
  readonly code: ModelErrorCode | 'context_full' | 'interrupted' | 'internal';
  readonly title: string;
  /** the provider's or the system's own words */
  readonly detail: string;
  /** what to do about it */
  readonly advice: string;
  readonly canRetry: boolean;
}
