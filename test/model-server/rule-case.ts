import type Anthropic from '@anthropic-ai/sdk';
import type { APIError } from '@anthropic-ai/sdk';
import type { ModelServerOptions } from '../support/model-server/options.ts';
import { request, TOOL } from './sdk-client.ts';

export type Send = (client: Anthropic) => Promise<unknown>;

/** A request that breaks one rule, and how the SDK reports it. */
export interface Case {
  readonly rule: string;
  /** what is wrong with the request, where one rule has several faces */
  readonly when?: string;
  readonly send: Send;
  readonly says: RegExp;
  readonly as?: abstract new (...args: never[]) => APIError;
  readonly server?: Partial<ModelServerOptions>;
  readonly key?: string;
}

export const create =
  (changes: Parameters<typeof request>[0]): Send =>
  (client) =>
    client.messages.create(request(changes));

export const messages = (...list: Anthropic.MessageParam[]) => create({ messages: list, tools: [TOOL] });
export const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user', content }) as const;
export const assistant = (content: Anthropic.MessageParam['content']) =>
  ({ role: 'assistant', content }) as const;
export const system = (content: string) => ({ role: 'system', content }) as const;
export const said = (words: string) => ({ type: 'text', text: words }) as const;
export const ephemeral = { type: 'ephemeral' } as const;
export const marked = (words: string, ttl: '5m' | '1h' = '5m') => ({
  ...said(words),
  cache_control: { ...ephemeral, ttl },
});
