import type { SignedSummary, SummarySection } from '../model/relief-entry.ts';
import type { Usage } from '../model/usage.ts';

/** How an attempt at a summary ended. Only a written one ever replaces anything. */
export type SummaryOutcome = WrittenSummary | FailedSummary;

export interface WrittenSummary {
  readonly kind: 'written';
  readonly summary: readonly SummarySection[];
  readonly signed?: SignedSummary;
  readonly cost?: Usage;
  readonly model: string;
}

export interface FailedSummary {
  readonly kind: 'failed';
  readonly reason: string;
}
