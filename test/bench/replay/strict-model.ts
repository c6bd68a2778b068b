import type { AssistantBlock } from '../../../src/core/model/content.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { ModelInfo, ModelRequest } from '../../../src/core/model/request.ts';
import type { ModelPort } from '../../../src/core/ports/model.ts';
import { betasOf } from '../../../src/providers/anthropic-betas.ts';
import { toSummaryCall } from '../../../src/providers/anthropic-summary.ts';
import { toWireRequest } from '../../../src/providers/anthropic-wire.ts';
import { admit } from '../../support/model-server/admission.ts';
import type { Gatekeeper } from '../../support/model-server/admission.ts';
import { readConversation } from '../../support/model-server/conversation.ts';
import type { ModelProfile } from '../../support/model-server/profiles.ts';
import { planSummary } from '../../support/model-server/reply.ts';
import { summaryOf } from '../../support/model-server/rules/compaction.ts';
import type { CheckedRequest } from '../../support/model-server/rules/rule.ts';
import { lastLink } from '../../support/model-server/rules/thinking.ts';
import { chooseReply } from '../../support/model-server/scenario.ts';
import { SummarySigner } from '../../support/model-server/summary-seal.ts';
import { plausibleSummary } from '../../support/model-server/summaries.ts';
import { ThinkingSigner } from '../../support/model-server/thinking.ts';
import { TokenCounter } from '../../support/model-server/tokens.ts';
import type { ReplayModel } from '../replay-engine.ts';
import { tokensOf } from './ruler.ts';

const KEY = 'replay';
const THOUGHT = 'I look at what came back, and then at what is to be done next.';

/** A model that thinks and signs, behind all the rules of the model server, without HTTP between. */
export class StrictModel implements ReplayModel {
  readonly info: Omit<ModelInfo, 'window'>;
  readonly summarize?: NonNullable<ModelPort['summarize']>;
  /** requests that were asked about */
  asked = 0;
  /** the rules that were broken, one for each refusal */
  readonly refusals: string[] = [];
  readonly #gatekeeper: Gatekeeper;

  constructor(profile: ModelProfile) {
    this.info = {
      id: profile.id,
      displayName: profile.displayName,
      provider: 'anthropic',
      maxOutput: profile.maxOutput,
      thinking: 'adaptive',
      traits: {
        bindsThinking: profile.bindsThinking,
        systemMessages: profile.takesSystemMessages,
        signedSummaries: profile.summarises,
      },
    };
    if (profile.summarises) this.summarize = (ask) => this.#sign(ask);
    this.#gatekeeper = {
      models: [{ ...profile, thinkingTypes: ['adaptive', 'disabled'] }],
      signer: new ThinkingSigner(KEY),
      summarySigner: new SummarySigner(KEY),
      counter: new TokenCounter(tokensOf),
      apiKey: undefined,
      maxBodyBytes: 32 * 1024 * 1024,
    };
  }

  take(request: ModelRequest): readonly AssistantBlock[] {
    const checked = this.#admitted(toWireRequest(request, this.info), betasOf(request));
    if (checked === undefined) return [];
    const boundTo = checked.prefix.bindings[0] ?? '';
    const about = { model: this.info.id, boundTo, after: lastLink(checked) };
    return [{ type: 'thinking', thinking: THOUGHT, signature: this.#gatekeeper.signer.sign(THOUGHT, about) }];
  }

  #sign(ask: Parameters<NonNullable<ModelPort['summarize']>>[0]) {
    const { body, betas } = toSummaryCall(ask, this.info);
    const request = this.#admitted(body, betas);
    if (request === undefined)
      return Promise.reject(new ModelError('invalid_request', this.refusals.at(-1) ?? '', { status: 400 }));
    const facts = { served: 0, covered: summaryOf(request) };
    const conversation = readConversation(request.body, request.messages, facts);
    const { counter } = this.#gatekeeper;
    const parts = chooseReply(plausibleSummary, conversation);
    const { happenings } = planSummary(parts, { request, conversation, counter });
    const block = happenings.flatMap((happening) => (happening.kind === 'block' ? [happening.block] : []))[0];
    if (block?.type !== 'compaction') return Promise.resolve({});
    const signed = { provider: this.info.provider, model: this.info.id, text: block.content ?? '', block };
    return Promise.resolve({ summary: signed });
  }

  #admitted(body: object, betas: readonly string[]): CheckedRequest | undefined {
    this.asked += 1;
    const headers = {
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
    };
    const bytes = Buffer.from(JSON.stringify(body));
    const admission = admit({ endpoint: 'messages', headers, bytes }, this.#gatekeeper);
    if (admission.kind === 'admitted') return admission.request;
    const { rule, refusal } = admission.ruledOut;
    this.refusals.push(`${rule}: ${refusal.message}`);
    return undefined;
  }
}
