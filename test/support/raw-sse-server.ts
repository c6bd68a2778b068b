import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type RawAnswer = (response: ServerResponse, request: RawRequest) => void | Promise<void>;

/** A server that says exactly what a test tells it to, also what no good server would. */
export interface RawServer {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  answer: RawAnswer;
  close(): Promise<void>;
}

export async function startRawServer(answer: RawAnswer = () => undefined): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await message.toArray()).toString();
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body };
    requests.push(request);
    await raw.answer(response, request);
  };
  const http = createServer((message, response) => void handle(message, response));
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const raw: RawServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    answer,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return raw;
}

export type RawEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export function sse(event: RawEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Sends the events as one stream and ends it, as a good server does. */
export function streamOf(...events: readonly RawEvent[]): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map(sse).join(''));
  };
}

export function jsonOf(status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** The events of a reply; what a test is about goes between start and end. */
export const start = (usage: object = { input_tokens: 10, output_tokens: 1 }): RawEvent => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage },
});
export const open = (index: number, contentBlock: object): RawEvent => ({
  type: 'content_block_start',
  index,
  content_block: contentBlock,
});
export const delta = (index: number, change: object): RawEvent => ({
  type: 'content_block_delta',
  index,
  delta: change,
});
export const close = (index: number): RawEvent => ({ type: 'content_block_stop', index });
export const end = (reason: string | null, usage: object = { output_tokens: 5 }): RawEvent[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
];
export const textBlock = (index: number, text: string): RawEvent[] => [
  open(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text }),
  close(index),
];
export const toolBlock = (index: number, json: string, id = `toolu_${index}`): RawEvent[] => [
  open(index, { type: 'tool_use', id, name: 'read_file', input: {} }),
  ...(json === '' ? [] : [delta(index, { type: 'input_json_delta', partial_json: json })]),
  close(index),
];
