import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, errorTypeOf } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { Fault } from './faults.ts';
import type { Beat } from './wire-reply.ts';

/** Reads at most `most` bytes and one more, so that a body that is too large shows without being kept. */
export async function readBody(request: IncomingMessage, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= most) chunks.push(chunk);
    size += chunk.byteLength;
  }
  return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.status, errorBody(refusal, String(response.getHeader('request-id'))));
}

export function sendStatusFault(response: ServerResponse, fault: Extract<Fault, { kind: 'status' }>): void {
  if (fault.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', String(fault.retryAfterSeconds));
  if (fault.retryAfterMs !== undefined) response.setHeader('retry-after-ms', String(fault.retryAfterMs));
  const type = fault.type ?? errorTypeOf(fault.status);
  const message = fault.message ?? `simulated ${type}`;
  const requestId = String(response.getHeader('request-id'));
  sendJson(response, fault.status, { type: 'error', error: { type, message }, request_id: requestId });
}

/** Writes events until the end, the client hangs up, or the fault says so; tells how many were written. */
export async function sendStream(
  response: ServerResponse,
  beats: Iterable<Beat>,
  fault: Fault | undefined,
): Promise<{ readonly events: number; readonly hungUp: boolean }> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  let events = 0;
  for (const beat of beats) {
    if (breaks(fault, events)) return breakStream(response, fault, events);
    await Promise.race([gone, waitBefore(beat, fault)]);
    if (response.destroyed) return { events, hungUp: true };
    if (beat.kind === 'pause') continue;
    writeEvent(response, beat.event.type, beat.event);
    events++;
  }
  response.end();
  return { events, hungUp: false };
}

function waitBefore(beat: Beat, fault: Fault | undefined): Promise<unknown> | undefined {
  if (beat.kind === 'pause') return typeof beat.until === 'number' ? sleep(beat.until) : beat.until;
  return fault?.kind === 'slow' ? sleep(fault.ms) : undefined;
}

type StreamBreak = Extract<Fault, { kind: 'cut' | 'error_event' }>;

function breaks(fault: Fault | undefined, events: number): fault is StreamBreak {
  return (fault?.kind === 'cut' || fault?.kind === 'error_event') && events >= fault.afterEvents;
}

async function breakStream(response: ServerResponse, fault: StreamBreak, events: number) {
  if (fault.kind === 'error_event') {
    const type = fault.type ?? 'overloaded_error';
    writeEvent(response, 'error', { type: 'error', error: { type, message: 'Overloaded' } });
    response.end();
  } else {
    // What was written has to reach the client before the connection goes.
    await new Promise((resolve) => response.write('', resolve));
    await sleep(10);
    response.socket?.destroy();
  }
  return { events, hungUp: false };
}

function writeEvent(response: ServerResponse, name: string, data: unknown): void {
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
