import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from './faults.ts';
import type { Block, PromptBody } from './wire.ts';
import type { StopReason } from './sdk-types.ts';

/** What became of a request. */
export type Verdict =
  | { readonly kind: 'pending' }
  | { readonly kind: 'answered'; readonly stopReason?: StopReason; readonly content?: readonly Block[] }
  | { readonly kind: 'refused'; readonly rule: string; readonly status: number; readonly message: string }
  | { readonly kind: 'scenario_failed'; readonly message: string }
  /** asked for by the test */
  | { readonly kind: 'faulted'; readonly fault: Fault }
  /** the client hung up before the end */
  | { readonly kind: 'hung_up'; readonly events: number };

/** What the reply said it cost, in tokens. The three input parts are disjoint. */
export interface RecordedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface RecordedRequest {
  /** from 0, in the order of arrival */
  readonly index: number;
  /** milliseconds since the epoch */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** as it was sent; undefined where it is not JSON */
  readonly body: PromptBody | undefined;
  readonly bodyBytes: number;
  verdict: Verdict;
  usage?: RecordedUsage;
}

/** Something that must not happen in a good run: a request the server refused, or a scenario that did not fit. */
export interface Failure {
  readonly request: number;
  /** the rule's id, `scenario`, or `server` for a bug of the server's own */
  readonly rule: string;
  readonly message: string;
}

/** Everything that was asked of the server. */
export class Recording {
  readonly requests: RecordedRequest[] = [];
  readonly failures: Failure[] = [];

  readonly #expected: ReadonlySet<string>;

  constructor(expected: readonly string[] = []) {
    this.#expected = new Set(expected);
  }

  begin(request: Omit<RecordedRequest, 'index' | 'verdict'>): RecordedRequest {
    const recorded: RecordedRequest = {
      ...request,
      index: this.requests.length,
      verdict: { kind: 'pending' },
    };
    this.requests.push(recorded);
    return recorded;
  }

  refuse(request: RecordedRequest, refused: { rule: string; status: number; message: string }): void {
    request.verdict = { kind: 'refused', ...refused };
    if (this.#expected.has(refused.rule)) return;
    this.failures.push({ request: request.index, rule: refused.rule, message: refused.message });
  }

  failScenario(request: RecordedRequest, message: string): void {
    request.verdict = { kind: 'scenario_failed', message };
    this.failures.push({ request: request.index, rule: 'scenario', message });
  }

  /** The server itself is at fault: a bug of its own, which no test may overlook. */
  failServer(message: string): void {
    this.failures.push({ request: this.requests.length - 1, rule: 'server', message });
  }

  clear(): void {
    this.requests.length = 0;
    this.failures.length = 0;
  }
}
