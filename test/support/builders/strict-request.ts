import { CLEAR_AT_BETA, COMPACTION_BETA } from '../model-server/betas.ts';
import type { ModelProfile } from '../model-server/profiles.ts';
import { classicModel, currentModel } from '../model-server/profiles.ts';
import { readPrefix } from '../model-server/prefix.ts';
import { CACHE_MARK_RULES } from '../model-server/rules/cache-marks.ts';
import { COMPACTION_RULES } from '../model-server/rules/compaction.ts';
import { checkUnicode } from '../model-server/rules/door.ts';
import { MESSAGE_RULES } from '../model-server/rules/messages.ts';
import { PARAMETER_RULES } from '../model-server/rules/parameters.ts';
import type { CheckedRequest, Rule } from '../model-server/rules/rule.ts';
import { readShape } from '../model-server/rules/shape.ts';
import { THINKING_RULES } from '../model-server/rules/thinking.ts';
import { TOOL_PAIR_RULES } from '../model-server/rules/tool-pairs.ts';
import { TOOL_RULES } from '../model-server/rules/tools.ts';
import { SummarySigner } from '../model-server/summary-seal.ts';
import { ThinkingSigner } from '../model-server/thinking.ts';
import { messagesBody, messagesOf } from '../model-server/wire.ts';
import type { ModelInfo, ModelRequest } from '../../../src/core/model/request.ts';
import { toWireRequest } from '../../../src/providers/anthropic-wire.ts';

/** What is signed here comes from no server, so its seals say nothing: `Bindings` looks after that. */
const UNSEALED = /^(?:thinking-(?:signature|binding)|compaction-(?:signature|content|repeats|tool-changes))$/;

const RULES: readonly Rule[] = [
  ...PARAMETER_RULES,
  ...CACHE_MARK_RULES,
  ...COMPACTION_RULES,
  ...MESSAGE_RULES,
  ...TOOL_RULES,
  ...TOOL_PAIR_RULES,
  ...THINKING_RULES,
].filter(({ id }) => !UNSEALED.test(id));

const SEALS = {
  counter: { block: () => 0, tool: () => 0 } as never,
  signer: new ThinkingSigner('tests'),
  summarySigner: new SummarySigner('tests'),
};

/** What the model server would object to in a request, as it goes over the wire; undefined where it would take it. */
export function objectionTo(request: ModelRequest, info: ModelInfo): string | undefined {
  const wire = JSON.parse(JSON.stringify(toWireRequest(request, info))) as unknown;
  const unicode = checkUnicode(wire);
  if (unicode) return `unicode: ${unicode.message}`;
  const shape = readShape(messagesBody, wire);
  if ('ruledOut' in shape) return `${shape.ruledOut.rule}: ${shape.ruledOut.refusal.message}`;
  const checked: CheckedRequest = {
    endpoint: 'messages',
    version: '2023-06-01',
    betas: [COMPACTION_BETA, CLEAR_AT_BETA],
    body: shape.body,
    messages: messagesOf(shape.body),
    profile: profileOf(info),
    prefix: readPrefix(shape.body, SEALS),
    signer: SEALS.signer,
    summarySigner: SEALS.summarySigner,
  };
  for (const { id, check } of RULES) {
    const refusal = check(checked);
    if (refusal) return `${id}: ${refusal.message}`;
  }
  return undefined;
}

function profileOf({ id, traits }: ModelInfo): ModelProfile {
  const kind = traits?.systemMessages === true ? currentModel : classicModel;
  return kind({
    id,
    bindsThinking: traits?.bindsThinking === true,
    summarises: traits?.signedSummaries === true,
    takesPrefill: false,
  });
}
