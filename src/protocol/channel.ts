import type { HostMessage, HostPush, HostRequests, WebviewMessage } from './messages.ts';

/** What carries messages between the two programs, in order. */
export interface Pipe<Outgoing> {
  post(message: Outgoing): void;
  /** Calls `listener` with whatever arrives, until the returned function is called. */
  subscribe(listener: (message: unknown) => void): () => void;
}

export type RequestName = keyof HostRequests;
export type RequestBody<Name extends RequestName> = HostRequests[Name][0];
export type Response<Name extends RequestName> = HostRequests[Name][1];

/** The other side is gone: the request was not answered and never will be. */
export class ChannelClosedError extends Error {
  override readonly name = 'ChannelClosedError';
  constructor() {
    super('the connection to the extension is closed');
  }
}

interface Waiting {
  readonly resolve: (body: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The webview's side: asks, and hears what is pushed. */
export class WebviewChannel {
  private readonly waiting = new Map<number, Waiting>();
  private readonly unsubscribe: () => void;
  private lastId = 0;
  private isClosed = false;

  constructor(
    private readonly pipe: Pipe<WebviewMessage>,
    private readonly onPush: (push: HostPush) => void,
  ) {
    this.unsubscribe = pipe.subscribe((message) => this.receive(message));
  }

  /** @throws Error with the host's words when it refuses, ChannelClosedError when it can no longer answer */
  request<Name extends RequestName>(name: Name, body: RequestBody<Name>): Promise<Response<Name>> {
    if (this.isClosed) return Promise.reject(new ChannelClosedError());
    const id = ++this.lastId;
    return new Promise<Response<Name>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (answer) => resolve(answer as Response<Name>), reject });
      try {
        this.pipe.post({ request: name, id, body } as WebviewMessage);
      } catch (error) {
        this.waiting.delete(id);
        reject(toError(error));
      }
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unsubscribe();
    for (const { reject } of this.waiting.values()) reject(new ChannelClosedError());
    this.waiting.clear();
  }

  private receive(message: unknown): void {
    if (!isHostMessage(message)) return;
    if ('push' in message) {
      this.onPush(message);
      return;
    }
    const waiting = this.waiting.get(message.reply);
    this.waiting.delete(message.reply);
    if (message.ok) waiting?.resolve(message.body);
    else waiting?.reject(new Error(message.error));
  }
}

/** One function per request; what it throws reaches the webview's caller. */
export type RequestHandlers = {
  readonly [Name in RequestName]: (body: RequestBody<Name>) => Response<Name> | Promise<Response<Name>>;
};

/** The host's side: answers, and pushes. */
export class HostChannel {
  private readonly unsubscribe: () => void;
  private isClosed = false;

  constructor(
    private readonly pipe: Pipe<HostMessage>,
    private readonly handlers: RequestHandlers,
  ) {
    this.unsubscribe = pipe.subscribe((message) => {
      if (isWebviewMessage(message)) void this.answer(message);
    });
  }

  /** Says nothing to a webview that is gone. */
  push(push: HostPush): void {
    if (!this.isClosed) this.pipe.post(push);
  }

  close(): void {
    this.isClosed = true;
    this.unsubscribe();
  }

  /** Never rejects: a failure is an answer. */
  private async answer(message: WebviewMessage): Promise<void> {
    const reply = message.id;
    try {
      const handle = this.handlerOf(message.request);
      const body = await handle(message.body);
      if (!this.isClosed) this.pipe.post({ reply, ok: true, body });
    } catch (error) {
      if (!this.isClosed) this.pipe.post({ reply, ok: false, error: toError(error).message });
    }
  }

  /** Another version's webview may still be open: a name from outside is looked up, not trusted. */
  private handlerOf(name: string): (body: unknown) => unknown {
    if (!Object.hasOwn(this.handlers, name)) throw new Error(`unknown request: ${name}`);
    return this.handlers[name as RequestName] as (body: unknown) => unknown;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isWebviewMessage(message: unknown): message is WebviewMessage {
  return isObject(message) && typeof message['request'] === 'string' && typeof message['id'] === 'number';
}

function isHostMessage(message: unknown): message is HostMessage {
  return isObject(message) && (typeof message['push'] === 'string' || typeof message['reply'] === 'number');
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
