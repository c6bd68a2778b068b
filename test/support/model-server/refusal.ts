import type { Shared } from './sdk-types.ts';

export type ErrorType = Shared.ErrorType | 'request_too_large';

/** An answer that is not a reply: status, error type and message as the real server words them. */
export interface Refusal {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  /** as `error.details.error_code` */
  readonly code?: string;
}

export function invalidRequest(message: string): Refusal {
  return { status: 400, type: 'invalid_request_error', message };
}

export function notFound(message: string): Refusal {
  return { status: 404, type: 'not_found_error', message };
}

const TYPE_BY_STATUS: Readonly<Record<number, ErrorType>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export function errorTypeOf(status: number): ErrorType {
  return TYPE_BY_STATUS[status] ?? 'api_error';
}

export function errorBody(refusal: Omit<Refusal, 'status'>, requestId: string): object {
  const { type, message, code } = refusal;
  const details = code === undefined ? {} : { details: { error_code: code } };
  return { type: 'error', error: { type, message, ...details }, request_id: requestId };
}
