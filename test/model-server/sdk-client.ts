import Anthropic from '@anthropic-ai/sdk';
import type { ModelServer } from '../support/model-server/model-server.ts';

/** The official SDK, which must not hide a failure by trying again. */
export function clientOf(server: ModelServer, apiKey = 'test-key'): Anthropic {
  return new Anthropic({ baseURL: server.url, apiKey, maxRetries: 0, authToken: null });
}

const CURRENT = 'claude-sim-current';
export const CLASSIC = 'claude-sim-classic';

export const TOOL: Anthropic.Tool = {
  name: 'read_file',
  description: 'Reads a file',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
};

type Params = Anthropic.MessageCreateParamsNonStreaming;

/** A good request; a test names only what it is about. */
export function request(changes: Partial<Params> & Readonly<Record<string, unknown>> = {}): Params {
  return { model: CURRENT, max_tokens: 1_000, messages: [{ role: 'user', content: 'hello' }], ...changes };
}

export function use(id: string, name = 'read_file'): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id, name, input: { path: 'a.txt' } };
}

export function result(id: string, content: Anthropic.ToolResultBlockParam['content'] = 'done') {
  return { type: 'tool_result', tool_use_id: id, content } as const;
}

/** What the promise fails with; undefined when it does not. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
