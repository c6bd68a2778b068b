export type ApprovalMode = 'ask' | 'acceptEdits' | 'auto';

/** What a person can set, read once per turn. */
export interface Settings {
  /** empty: the newest the server offers */
  readonly model: string;
  readonly maxOutputTokens: number;
  /** override of the model's window, in tokens */
  readonly window?: number;
  readonly approvalMode: ApprovalMode;
  readonly maxRounds: number;
  readonly context: ContextSettings;
  readonly offload: OffloadSettings;
  readonly memory: MemorySettings;
}

/** What becomes of the facts that a model finds in what a compaction covers. `review`: they wait for a person. */
export type MemoryExtraction = 'off' | 'review' | 'automatic';

export interface MemorySettings {
  /** of MEMORY.md: below the first folder of the workspace, forward slashes */
  readonly path: string;
  readonly extract: MemoryExtraction;
}

export const DEFAULT_MEMORY: MemorySettings = { path: '.plimsoll/MEMORY.md', extract: 'review' };

/** Which outputs are kept in files instead of the conversation. */
export interface OffloadSettings {
  /** characters of a result over which it is */
  readonly threshold: number;
  /** most megabytes that the outputs of a workspace may take; null: no limit */
  readonly quotaMB: number | null;
}

/** No tool gives more characters than this, so a larger threshold would only lose the middle. */
const MOST_THRESHOLD = 39_000;

export function offloadAt({ offload }: Pick<Settings, 'offload'>): number {
  return Math.min(offload.threshold, MOST_THRESHOLD);
}

export const DEFAULT_OFFLOAD: OffloadSettings = { threshold: 10_000, quotaMB: 500 };

/** What the context engine goes by. */
export type WindowSettings = Pick<Settings, 'maxOutputTokens' | 'window' | 'context'>;

/** How a conversation is made smaller when it nears the window. */
export type ReliefStrategy = 'summarize' | 'fold' | 'slidingWindow';

/** When and how the engine relieves the window; the load lines are shares of the budget, and null switches one off. */
export interface ContextRules {
  readonly evictAt: number | null;
  readonly prepareAt: number | null;
  readonly compactAt: number | null;
  readonly foldAt: number | null;
  readonly strategy: ReliefStrategy;
  /** id of the model that writes summaries; empty: the one that does the work */
  readonly compactionModel: string;
  /** newest rounds that no relief touches */
  readonly keepRounds: number;
  /** compact at so many tokens, whatever the window: what a round costs is what it holds. null: no such cap */
  readonly maxTokens: number | null;
}

export interface ContextSettings extends ContextRules {
  /** by model id: what is set here wins over the rest */
  readonly perModel: Readonly<Record<string, Partial<ContextRules>>>;
}

export const DEFAULT_CONTEXT: ContextSettings = {
  evictAt: 0.6,
  prepareAt: 0.7,
  compactAt: 0.8,
  foldAt: 0.95,
  strategy: 'summarize',
  compactionModel: '',
  keepRounds: 3,
  maxTokens: null,
  perModel: {},
};

/** The rules in force for one model. */
export function contextRulesFor(settings: ContextSettings, model: string): ContextRules {
  const { perModel, ...rules } = settings;
  return { ...rules, ...perModel[model] };
}
