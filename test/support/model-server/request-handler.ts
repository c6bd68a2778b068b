import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { admit, checkDoor } from './admission.ts';
import type { Admission, Gatekeeper } from './admission.ts';
import { betasOf } from './betas.ts';
import type { FaultEndpoint, FaultQueue } from './faults.ts';
import { readBody, sendJson, sendRefusal, sendStatusFault } from './http.ts';
import { MessagesEndpoint } from './messages-endpoint.ts';
import { listModels, retrieveModel } from './models-endpoint.ts';
import type { ModelServerOptions } from './options.ts';
import { classicModel, currentModel } from './profiles.ts';
import type { RecordedRequest, Recording } from './recording.ts';
import { notFound } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { Scenario } from './scenario.ts';
import { parseJson } from './rules/door.ts';
import type { SummaryScript } from './summaries.ts';
import { SummarySigner } from './summary-seal.ts';
import { ThinkingSigner } from './thinking.ts';
import { TokenCounter } from './tokens.ts';
import type { PromptBody } from './wire.ts';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

interface Exchange {
  readonly response: ServerResponse;
  readonly url: URL;
  readonly bytes: Uint8Array;
  readonly recorded: RecordedRequest;
}

function endpointOf(method: string, path: string): FaultEndpoint | undefined {
  if (method === 'POST' && path === '/v1/messages') return 'messages';
  if (method === 'POST' && path === '/v1/messages/count_tokens') return 'count_tokens';
  return method === 'GET' && /^\/v1\/models(\/[^/]+)?$/.test(path) ? 'models' : undefined;
}

/** What was sent, for the recording: nothing where it is no JSON. */
function bodyOf(bytes: Uint8Array): PromptBody | undefined {
  const json = parseJson(bytes);
  return 'value' in json ? (json.value as PromptBody) : undefined;
}

function modelsOf({ models = [currentModel(), classicModel()], window }: ModelServerOptions) {
  return window === undefined ? models : models.map((model) => ({ ...model, window }));
}

/** Brings every request to its endpoint and every outcome into the recording. */
export class RequestHandler {
  readonly #gatekeeper: Gatekeeper;
  readonly #messages: MessagesEndpoint;
  readonly #options: ModelServerOptions;
  readonly #recording: Recording;
  readonly #faults: FaultQueue;

  constructor(options: ModelServerOptions, recording: Recording, faults: FaultQueue) {
    this.#options = options;
    this.#recording = recording;
    this.#faults = faults;
    this.#gatekeeper = {
      apiKey: options.apiKey,
      maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
      models: modelsOf(options),
      signer: new ThinkingSigner(options.signingKey ?? 'simulated'),
      summarySigner: new SummarySigner(options.signingKey ?? 'simulated'),
      counter: new TokenCounter(options.tokenize),
    };
    this.#messages = new MessagesEndpoint(options, this.#gatekeeper.counter, recording);
  }

  play(scenario: Scenario): void {
    this.#messages.play(scenario);
  }

  summarize(script: SummaryScript): void {
    this.#messages.summarize(script);
  }

  reset(): void {
    this.#messages.reset();
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, response);
    } catch (error) {
      this.#recording.failServer(error instanceof Error ? (error.stack ?? error.message) : String(error));
      response.destroy();
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('request-id', `req_sim${randomBytes(9).toString('hex')}`);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const bytes = await readBody(request, this.#gatekeeper.maxBodyBytes).catch(() => undefined);
    if (bytes === undefined) return;
    if (url.pathname.startsWith('/__test/')) return this.#inspect(url.pathname, response);
    const recorded = this.#recording.begin({
      at: Date.now(),
      method: request.method ?? '',
      path: url.pathname + url.search,
      headers: request.headers,
      body: bodyOf(bytes),
      bodyBytes: bytes.byteLength,
    });
    await this.#route({ response, url, bytes, recorded });
  }

  #inspect(path: string, response: ServerResponse): void {
    if (path === '/__test/requests') return sendJson(response, 200, this.#recording.requests);
    if (path === '/__test/failures') return sendJson(response, 200, this.#recording.failures);
    sendRefusal(response, notFound('Not found'));
  }

  async #route(exchange: Exchange): Promise<void> {
    const { recorded, response, url } = exchange;
    const endpoint = endpointOf(recorded.method, url.pathname);
    const fault = endpoint && this.#faults.take(endpoint);
    if (fault?.kind === 'status' || fault?.kind === 'reset' || fault?.kind === 'hang') {
      recorded.verdict = { kind: 'faulted', fault };
      if (fault.kind === 'status') sendStatusFault(response, fault);
      if (fault.kind === 'reset') response.socket?.destroy();
      return;
    }
    if (endpoint === undefined) return this.#refuse(exchange, 'known-path', notFound('Not found'));
    if (endpoint === 'models') return this.#serveModels(exchange);
    if (endpoint === 'count_tokens' && this.#options.lacks?.includes('count_tokens'))
      return this.#notHere(exchange);
    const admission = admit({ endpoint, headers: recorded.headers, bytes: exchange.bytes }, this.#gatekeeper);
    const admitted = this.#admitted(exchange, admission);
    if (!admitted) return;
    if (endpoint === 'messages') return this.#messages.serve({ ...exchange, fault, request: admitted });
    sendJson(response, 200, { input_tokens: admitted.prefix.tokens });
    recorded.verdict = { kind: 'answered' };
  }

  #admitted(exchange: Exchange, admission: Admission) {
    if (admission.kind === 'admitted') return admission.request;
    this.#refuse(exchange, admission.ruledOut.rule, admission.ruledOut.refusal);
    return undefined;
  }

  #serveModels(exchange: Exchange): void {
    const { response, url, recorded, bytes } = exchange;
    const ruledOut = checkDoor({ headers: recorded.headers, bytes }, this.#gatekeeper);
    if (ruledOut) return this.#refuse(exchange, ruledOut.rule, ruledOut.refusal);
    if (this.#options.lacks?.includes('models')) return this.#notHere(exchange);
    const id = url.pathname.split('/')[3];
    const offer = { models: this.#gatekeeper.models, betas: betasOf(recorded.headers) };
    const answer =
      id === undefined ? listModels(offer, url.searchParams) : retrieveModel(offer, decodeURIComponent(id));
    if ('refusal' in answer) return this.#refuse(exchange, answer.rule, answer.refusal);
    recorded.verdict = { kind: 'answered' };
    sendJson(response, 200, answer.body);
  }

  /** A part of the API that other servers do not have: their 404 is no failure of the client. */
  #notHere({ response, recorded }: Exchange): void {
    recorded.verdict = { kind: 'answered' };
    sendRefusal(response, notFound('Not found'));
  }

  #refuse({ response, recorded }: Exchange, rule: string, refusal: Refusal): void {
    this.#recording.refuse(recorded, { rule, status: refusal.status, message: refusal.message });
    sendRefusal(response, refusal);
  }
}
