import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { FaultQueue } from './faults.ts';
import type { ModelServerOptions } from './options.ts';
import { Recording } from './recording.ts';
import type { Failure, RecordedRequest } from './recording.ts';
import { RequestHandler } from './request-handler.ts';
import type { SummaryScript } from './summaries.ts';
import type { Scenario } from './scenario.ts';

/** A local server that speaks the Messages API as strictly as the real one and says what a scenario tells it to. */
export interface ModelServer {
  /** base URL, without a slash at its end */
  readonly url: string;
  /** every request, in the order of arrival */
  readonly requests: readonly RecordedRequest[];
  /** refusals and scenario errors nobody asked for: empty after a good run */
  readonly failures: readonly Failure[];
  readonly faults: FaultQueue;
  /** replaces what the model says from the next request on */
  play(scenario: Scenario): void;
  /** replaces what it writes when a summary is asked for */
  summarize(script: SummaryScript): void;
  /** forgets requests, failures, waiting faults and the prompt cache */
  reset(): void;
  /** refuses connections until {@link resume} */
  suspend(): Promise<void>;
  /** listens again, at the same address */
  resume(): Promise<void>;
  /** drops every connection and stops */
  close(): Promise<void>;
}

class Listener {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port: number;

  constructor(handler: RequestHandler, port: number) {
    this.#port = port;
    this.#server = createServer((request, response) => void handler.handle(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** @throws Error when the port is taken */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const recording = new Recording(options.expects);
  const faults = new FaultQueue();
  const handler = new RequestHandler(options, recording, faults);
  const listener = new Listener(handler, options.port ?? 0);
  await listener.listen();
  return {
    get url() {
      return listener.url;
    },
    requests: recording.requests,
    failures: recording.failures,
    faults,
    play: (scenario) => handler.play(scenario),
    summarize: (script) => handler.summarize(script),
    reset: () => {
      recording.clear();
      faults.clear();
      handler.reset();
    },
    suspend: () => listener.stop(),
    resume: () => listener.listen(),
    close: () => listener.stop(),
  };
}
