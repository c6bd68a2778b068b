import type { ContextRules } from '../../../src/core/model/settings.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import type { RecordedMessage, RecordedTool } from '../recorded.ts';
import type { RecordedUsage, ReplayModel, ReplayWorld } from '../replay-engine.ts';
import { createReplayEngine } from '../replay-engine.ts';

/** What an engine would send now. */
export interface View {
  readonly system: string | readonly { readonly text: string }[];
  readonly messages: readonly RecordedMessage[];
  /** it would send nothing */
  readonly refused?: string;
}

/** Whatever decides what of a session is sent. */
export interface ReplayEngine {
  view(
    history: readonly RecordedMessage[],
    system: string,
    tools: readonly RecordedTool[],
  ): Promise<View> | View;
  /** the request was refused for its size: another one */
  recover?(refused: { readonly tokens: number; readonly window: number }): Promise<View>;
  observe?(answered: { readonly usage: RecordedUsage; readonly assistant: RecordedMessage }): void;
  /** the log that `recall` looks through */
  entries?(): readonly Entry[];
}

export interface Contender {
  readonly name: string;
  readonly create: (world: ReplayWorld) => ReplayEngine;
}

export const plimsoll = (rules: Partial<ContextRules>, model?: ReplayModel): Contender => ({
  name: 'Plimsoll',
  create: (world) => createReplayEngine({ ...world, ...(model && { model }) }, rules),
});

export const appending: Contender = {
  name: 'append everything',
  create: () => ({ view: (history, system) => ({ system, messages: history }) }),
};

export const lastTwenty: Contender = {
  name: 'last 20 messages',
  create: () => ({ view: (history, system) => ({ system, messages: history.slice(-20) }) }),
};
