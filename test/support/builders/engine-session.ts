import type { Entry } from '../../../src/core/model/entry.ts';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import type { ContextRules, Settings } from '../../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import type { TestSessionOptions } from '../test-session.ts';
import { testSession } from '../test-session.ts';
import { testTool } from '../test-tools.ts';
import { text, toolUse } from './entries.ts';
import type { WorkingModel, WorkingModelOptions } from './working-model.ts';
import { workingModel } from './working-model.ts';

/** Distinct words, about a token for each. */
export function prose(tokens: number, seed = ''): string {
  const words = Array.from({ length: Math.ceil(tokens / 3) }, (_, index) => `${seed}word ${index} goes`);
  return words.join(' ');
}

/** Reads `<name>:<tokens>`: a result of about so many tokens. */
export const look = testTool('look', 'read', (what) => {
  const [name = '', tokens = '10'] = what.split(':');
  return Promise.resolve(`${name} says: ${prose(Number(tokens), name)}`);
});

export const looking = (id: string, path: string) => toolUse(id, { path }, 'look');

/** Works so many rounds, each with one call, then answers. */
export function rounds(count: number, pathOf: (round: number) => string) {
  return (_request: ModelRequest, call: number): Partial<ModelMessage> =>
    call <= count
      ? { blocks: [text(`Step ${call}.`), looking(`c${call}`, pathOf(call))], stopReason: 'tool_use' }
      : { blocks: [text('Done.')] };
}

export interface EngineSessionOptions extends Omit<TestSessionOptions, 'model' | 'settings'> {
  readonly rules?: Partial<ContextRules>;
  readonly settings?: Partial<Settings>;
}

/** A session on a working model, with a tool that gives results of any size. They stay until a compaction covers them. */
export async function engineSession(
  model: WorkingModelOptions | WorkingModel,
  { rules, settings, ...options }: EngineSessionOptions = {},
) {
  const port = 'stream' in model ? model : workingModel(model);
  const session = await testSession({
    model: port,
    tools: [look],
    settings: { maxRounds: 200, context: { ...DEFAULT_CONTEXT, evictAt: null, ...rules }, ...settings },
    ...options,
  });
  return { ...session, model: port, entries: () => session.session.entries };
}

export const ofKind = <K extends Entry['kind']>(entries: readonly Entry[], kind: K) =>
  entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);

export const lastEnd = (events: readonly { readonly type: string }[]) =>
  events.findLast(({ type }) => type === 'turn_ended');
