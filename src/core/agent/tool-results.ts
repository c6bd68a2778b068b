import { estimateTokens } from '../context/estimate-tokens.ts';
import type { EntryDraft, ToolDetails, ToolStatus } from '../model/entry.ts';
import { AbortedError } from '../model/errors.ts';
import { offloadAt } from '../model/settings.ts';
import { toolTarget } from '../model/tool-target.ts';
import { endsOf, keepOutput, lossOf, whereItIs } from '../offload/keep-output.ts';
import { interruptedResult, NOT_STARTED, STOPPED } from '../sessions/interrupted.ts';
import { redactText } from '../text/redact.ts';
import { renderTerminal } from '../text/terminal-text.ts';
import type { ToolOutput } from '../tools/define-tool.ts';
import { toolErrorResult } from '../tools/tool-set.ts';
import type { Call } from './tool-call.ts';

export interface Failure {
  readonly error: unknown;
  /** ms since the epoch */
  readonly begun: number;
  readonly wasStarted: boolean;
}

/** What a call that threw came to. */
export async function failureOf(call: Call, { error, begun, wasStarted }: Failure): Promise<EntryDraft> {
  if (error instanceof AbortedError)
    return wasStarted ? stopped(call, error) : interrupted(call, NOT_STARTED);
  const durationMs = call.turn.deps.clock.now().getTime() - begun;
  return resultOf(call, {
    output: toolErrorResult(error),
    status: 'error',
    target: toolTarget(call.use.input),
    durationMs,
  });
}

/** What it had printed by then is kept; where it cannot be, its ends are told. */
async function stopped(call: Call, { shown }: AbortedError): Promise<EntryDraft> {
  const { writer, turn } = call;
  const output = writer.bytes > offloadAt(turn.settings) ? await writer.finish() : undefined;
  if (output === undefined && writer.failure !== undefined)
    return interrupted(call, `${endsOf(shown, estimateTokens)}\n\n${lossOf(writer)}\n\n[${STOPPED}]`);
  if (output === undefined) {
    const printed = renderTerminal(new TextDecoder().decode(writer.takeShort())).trim();
    return interrupted(call, printed === '' ? STOPPED : `${printed}\n\n[${STOPPED}]`);
  }
  const draft = interrupted(call, `${STOPPED} Of what it printed until then, ${whereItIs(output)}`);
  return { ...draft, details: { output } };
}

function interrupted({ use, room }: Call, text: string) {
  room.take(text.length);
  return interruptedResult(use, text);
}

export interface Outcome {
  readonly output: ToolOutput;
  readonly status: ToolStatus;
  readonly target: string;
  readonly durationMs: number;
}

/** The result as an entry that is still to be logged: redacted, and kept in a file where it is long. */
export async function resultOf(
  call: Call,
  { output, status, target, durationMs }: Outcome,
): Promise<EntryDraft> {
  const { use, turn, room, writer } = call;
  const kept = await keepOutput(
    { content: output.content, isPaged: turn.deps.tools.isPaged(use.name) },
    { threshold: offloadAt(turn.settings), room: room.next, writer, estimate: estimateTokens },
  );
  room.take(kept.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0));
  const details = { ...redactedDetails(output.details), ...(kept.output && { output: kept.output }) };
  return {
    kind: 'tool_result',
    toolUseId: use.id,
    name: use.name,
    target,
    status,
    content: kept.content,
    durationMs,
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** A patch shows lines of a file, which may hold secrets. */
function redactedDetails(details: ToolDetails = {}): ToolDetails {
  return details.patch === undefined ? details : { ...details, patch: redactText(details.patch) };
}
