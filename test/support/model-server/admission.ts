import type { IncomingHttpHeaders } from 'node:http';
import { betasOf } from './betas.ts';
import { firstBrokenRule } from './rules/all-rules.ts';
import {
  checkBetas,
  checkCredentials,
  checkSize,
  checkUnicode,
  checkVersion,
  parseJson,
} from './rules/door.ts';
import type { DoorOptions } from './rules/door.ts';
import type { CheckedRequest, RuledOut } from './rules/rule.ts';
import { readShape } from './rules/shape.ts';
import { readPrefix } from './prefix.ts';
import type { ModelProfile } from './profiles.ts';
import { notFound } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { SummarySigner } from './summary-seal.ts';
import type { ThinkingSigner } from './thinking.ts';
import type { TokenCounter } from './tokens.ts';
import { countBody, messagesBody, messagesOf } from './wire.ts';
import type { PromptBody } from './wire.ts';

export interface RawRequest {
  readonly endpoint: CheckedRequest['endpoint'];
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

export interface Gatekeeper extends DoorOptions {
  readonly models: readonly ModelProfile[];
  readonly signer: ThinkingSigner;
  readonly summarySigner: SummarySigner;
  readonly counter: TokenCounter;
}

/** Let in, or turned away at the first broken rule. */
export type Admission =
  | { readonly kind: 'admitted'; readonly request: CheckedRequest }
  | { readonly kind: 'ruled_out'; readonly ruledOut: RuledOut };

function turnedAway(rule: string, refusal: Refusal): Admission {
  return { kind: 'ruled_out', ruledOut: { rule, refusal } };
}

/** What is asked before the body is looked at. */
export function checkDoor(
  { headers, bytes }: Pick<RawRequest, 'headers' | 'bytes'>,
  options: DoorOptions,
): RuledOut | undefined {
  const credentials = checkCredentials(headers, options);
  if (credentials) return { rule: 'credentials', refusal: credentials };
  const version = checkVersion(headers);
  if (version) return { rule: 'version-header', refusal: version };
  const betas = checkBetas(headers);
  if (betas) return { rule: 'beta-header', refusal: betas };
  const size = checkSize(bytes.byteLength, options);
  return size && { rule: 'body-size', refusal: size };
}

export function admit(raw: RawRequest, gatekeeper: Gatekeeper): Admission {
  const atDoor = checkDoor(raw, gatekeeper);
  if (atDoor) return { kind: 'ruled_out', ruledOut: atDoor };
  const json = parseJson(raw.bytes);
  if ('refusal' in json) return turnedAway('json', json.refusal);
  const unicode = checkUnicode(json.value);
  if (unicode) return turnedAway('unicode', unicode);
  return admitJson(raw, json.value, gatekeeper);
}

function admitJson(raw: RawRequest, json: unknown, gatekeeper: Gatekeeper): Admission {
  const shape = readShape(raw.endpoint === 'messages' ? messagesBody : countBody, json);
  if ('ruledOut' in shape) return { kind: 'ruled_out', ruledOut: shape.ruledOut };
  const body: PromptBody = shape.body;
  const profile = gatekeeper.models.find(({ id }) => id === body.model);
  if (!profile) return turnedAway('known-model', notFound(`model: ${body.model}`));
  const request: CheckedRequest = {
    endpoint: raw.endpoint,
    version: String(raw.headers['anthropic-version']),
    betas: betasOf(raw.headers),
    body,
    messages: messagesOf(body),
    profile,
    prefix: readPrefix(body, gatekeeper),
    signer: gatekeeper.signer,
    summarySigner: gatekeeper.summarySigner,
  };
  const ruledOut = firstBrokenRule(request);
  return ruledOut ? { kind: 'ruled_out', ruledOut } : { kind: 'admitted', request };
}
