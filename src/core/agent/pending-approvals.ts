import { AbortedError } from '../model/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../model/event.ts';
import type { ApprovalPort } from '../ports/approvals.ts';

/** Questions that wait for a person's answer, by tool call. */
export class PendingApprovals implements ApprovalPort {
  readonly #waiting = new Map<string, (decision: ApprovalDecision) => void>();

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(request.toolUseId);
        reject(new AbortedError());
      };
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(request.toolUseId, (decision) => {
        this.#waiting.delete(request.toolUseId);
        signal.removeEventListener('abort', stop);
        resolve(decision);
      });
    });
  }

  /** False when nothing waits under that id: answered already, or stopped. */
  answer(toolUseId: string, decision: ApprovalDecision): boolean {
    const resolve = this.#waiting.get(toolUseId);
    resolve?.(decision);
    return resolve !== undefined;
  }
}
