import type { ApprovalDecision, ApprovalRequest } from '../model/event.ts';

/** Asks the person. */
export interface ApprovalPort {
  /** @throws AbortedError when `signal` fires first */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}

/** What was allowed for good in this workspace: kept outside the workspace, which must not grant itself anything. */
export interface GrantStore {
  has(key: string): boolean;
  add(keys: readonly string[]): Promise<void>;
}
