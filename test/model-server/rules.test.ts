import { BadRequestError } from '@anthropic-ai/sdk';
import type { APIError } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { RULE_IDS } from '../support/model-server/rules/all-rules.ts';
import { clientOf, request, TOOL } from './sdk-client.ts';
import { serverWith } from './servers.ts';
import { COMPACTION_CASES } from './compaction-cases.ts';
import { CONVERSATION_CASES } from './conversation-cases.ts';
import { SHAPE_CASES } from './shape-cases.ts';

const CASES = [...SHAPE_CASES, ...CONVERSATION_CASES, ...COMPACTION_CASES];

describe('the model server refuses what the real one refuses', () => {
  it.each(CASES.map((one) => [one.when ? `${one.rule}: ${one.when}` : one.rule, one] as const))(
    '%s',
    async (_, one) => {
      const { rule, send, says, as = BadRequestError, server: options, key } = one;
      const server = await serverWith(options);
      const failure: unknown = await send(clientOf(server, key)).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(as);
      const error = failure as APIError;
      expect(error.apiMessage).toMatch(says);
      expect(error.requestID).toMatch(/^req_/);
      expect(error.error).toMatchObject({ type: 'error', request_id: error.requestID });
      expect(server.failures.map((failed) => failed.rule)).toEqual([rule]);
      expect(server.requests.at(-1)?.verdict).toMatchObject({ kind: 'refused', rule, status: error.status });
    },
  );

  it('by rules that are each shown here', () => {
    expect(new Set(CASES.map(({ rule }) => rule))).toEqual(new Set(RULE_IDS));
  });

  it('and nothing else', async () => {
    const server = await serverWith();
    await clientOf(server).messages.create(request({ system: 'Be kind.', tools: [TOOL] }));
    expect(server.failures).toEqual([]);
  });
});
