import type { ScenarioRequest } from './conversation.ts';
import type { StopReason } from './sdk-types.ts';

/**
 * What the simulated model says: a reply is a list of parts, a scenario chooses the reply to a request.
 * A list of steps is indexed by the answers already in the conversation, so that a request that is made again gets the
 * same reply and two sessions can run side by side.
 */
export type Scenario = readonly Step[] | ScenarioFunction;
/** @returns undefined when it has nothing to say: the scenario has failed */
export type ScenarioFunction = (request: ScenarioRequest) => Reply | undefined;
export type Step = Reply | ScenarioFunction;
export type Reply = Part | readonly Part[];

export type Part =
  | { readonly kind: 'text'; readonly text: readonly Quotable[] }
  | { readonly kind: 'thinking'; readonly text: readonly Quotable[] }
  | { readonly kind: 'redacted_thinking' }
  | {
      readonly kind: 'tool_use';
      readonly name: string;
      readonly input: Template;
      /** the reply is cut here, so many characters into the input's JSON */
      readonly cutAfter?: number;
    }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'pause'; readonly until: Promise<unknown> | number }
  | { readonly kind: 'pace'; readonly ms: number }
  /** an error instead of a reply: part of the story, and no failure of the client */
  | { readonly kind: 'fail'; readonly status: number; readonly message: string };

export type Quotable = string | Fact;
/** JSON in which any string can be a fact. */
export type Template = Quotable | number | boolean | null | readonly Template[] | TemplateObject;
export interface TemplateObject {
  readonly [name: string]: Template;
}

/** Something the model can only know from the request: quoting it proves that it got there. */
export class Fact {
  constructor(
    readonly description: string,
    readonly find: (request: ScenarioRequest) => string | undefined,
  ) {}
}

/** The scenario did not fit the request: recorded as a failure, answered as a server error. */
class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

export function text(...pieces: readonly Quotable[]): Part {
  return { kind: 'text', text: pieces };
}

/** Left out where the request does not ask for thinking. */
export function thinking(...pieces: readonly Quotable[]): Part {
  return { kind: 'thinking', text: pieces };
}

export function redactedThinking(): Part {
  return { kind: 'redacted_thinking' };
}

export function toolUse(
  name: string,
  input: TemplateObject = {},
  options: { readonly cutAfter?: number } = {},
): Part {
  return { kind: 'tool_use', name, input, ...options };
}

/** Without it a reply stops with `tool_use` when it calls a tool, else with `end_turn`. */
export function stop(reason: StopReason): Part {
  return { kind: 'stop', reason };
}

/** Waits in mid-stream: so many milliseconds, or until a promise is fulfilled. */
export function pause(until: Promise<unknown> | number): Part {
  return { kind: 'pause', until };
}

/** From here on so many milliseconds pass before every delta. */
export function pace(ms: number): Part {
  return { kind: 'pace', ms };
}

/** An error instead of a reply. */
export function fail(status: number, message = 'simulated failure'): Part {
  return { kind: 'fail', status, message };
}

export interface FactOptions {
  /** `latest`: the results of the newest round; `all`: newest first */
  readonly from?: 'latest' | 'all';
}

/** A text out of the request's tool results: the first group of the pattern (or all of its match), or what `find` says. */
export function fact(find: RegExp | Fact['find'], { from = 'latest' }: FactOptions = {}): Fact {
  if (typeof find === 'function') return new Fact(find.name || 'fact', find);
  return new Fact(`${find} in the ${from} tool results`, ({ latestResults, toolResults }) => {
    const views = from === 'latest' ? latestResults : toolResults;
    const matches = views.toReversed().map(({ text: result }) => find.exec(result));
    const match = matches.find((found) => found !== null);
    return match?.[1] ?? match?.[0];
  });
}

/** Chooses the steps by what the person said last; the step is the number of answers since then. */
export function byUserText(cases: readonly (readonly [RegExp, readonly Step[]])[]): ScenarioFunction {
  return (request) => {
    const steps = cases.find(([pattern]) => pattern.test(request.lastUserText))?.[1];
    return resolveStep(steps?.[request.round], request);
  };
}

function resolveStep(step: Step | undefined, request: ScenarioRequest): Reply | undefined {
  return typeof step === 'function' ? step(request) : step;
}

/** @throws ScenarioError when there is no reply to this request */
export function chooseReply(scenario: Scenario, request: ScenarioRequest): readonly Part[] {
  const step = typeof scenario === 'function' ? scenario : scenario[request.answers];
  const reply = resolveStep(step, request);
  if (reply === undefined)
    throw new ScenarioError(
      `no reply for answer ${request.answers} (round ${request.round} of turn ${request.turn}, "${request.lastUserText}")`,
    );
  return Array.isArray(reply) ? (reply as readonly Part[]) : [reply as Part];
}

/** @throws ScenarioError when a fact is not in the request */
export function quote(pieces: readonly Quotable[], request: ScenarioRequest): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : find(piece, request))).join('');
}

function find(wanted: Fact, request: ScenarioRequest): string {
  const found = wanted.find(request);
  if (found === undefined) throw new ScenarioError(`fact not in the request: ${wanted.description}`);
  return found;
}

/** @throws ScenarioError when a fact is not in the request */
export function fill(template: Template, request: ScenarioRequest): unknown {
  if (template instanceof Fact) return find(template, request);
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((item: Template) => fill(item, request));
  const entries = Object.entries(template as TemplateObject);
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value, request)]));
}
