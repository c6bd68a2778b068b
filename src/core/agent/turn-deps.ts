import type { SpokenEntry } from '../context/conversation.ts';
import type { TokenTable } from '../context/token-table.ts';
import type { PromptSection } from '../model/entry.ts';
import type { AgentEvent } from '../model/event.ts';
import type { ModelInfo } from '../model/request.ts';
import type { Settings } from '../model/settings.ts';
import type { ApprovalPort, GrantStore } from '../ports/approvals.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelPort } from '../ports/model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { OutputStore } from '../offload/output-store.ts';
import type { Transcript } from '../sessions/transcript.ts';
import type { ToolContext } from '../tools/define-tool.ts';
import type { ToolSet } from '../tools/tool-set.ts';
import type { SummaryDesk } from './summary-desk.ts';

/** What tools need of the world; the rest of a {@link ToolContext} belongs to the single call. */
export type ToolWorld = Omit<
  ToolContext,
  'seen' | 'transcript' | 'origin' | 'clock' | 'signal' | 'onOutput' | 'sink'
>;

/** Everything a turn works with: the session's own things and the ports to the world. */
export interface TurnDeps {
  readonly transcript: Transcript;
  readonly model: ModelPort;
  readonly tools: ToolSet;
  readonly world: ToolWorld;
  readonly approvals: ApprovalPort;
  readonly grants: GrantStore;
  /** where long outputs are kept */
  readonly outputs: OutputStore;
  readonly clock: Clock;
  readonly counter: TokenCounter;
  readonly tokens: TokenTable;
  /** read at the start of every turn */
  readonly settings: () => Settings;
  /** the system prompt as it would be now; must not throw: what cannot be read is left out */
  readonly sections: () => Promise<readonly PromptSection[]>;
  /** summaries written while the agent works */
  readonly desk: SummaryDesk;
  /** windows that a refusal named, by model id */
  readonly learntWindows: Map<string, number>;
  /** models that turned out not to sign summaries, by id */
  readonly unsigned: Set<string>;
  /** hears what happens beside the turn: a summary that is being prepared; must not throw */
  readonly tell: (event: AgentEvent) => void;
  /** hears what a compaction has covered, for whoever learns from it; must not throw */
  readonly onCompacted?: (covered: readonly SpokenEntry[]) => void;
  /** in [0, 1), for the jitter of retries */
  readonly random: () => number;
}

/** One turn as its rounds see it. */
export interface Turn {
  readonly deps: TurnDeps;
  readonly info: ModelInfo;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}
