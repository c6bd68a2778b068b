import { describe, expect, it } from 'vitest';
import type { MemoryState } from '../../src/protocol/memory.ts';
import type { HostMessage, HostPush, WebviewMessage } from '../../src/protocol/messages.ts';
import type { Pipe, RequestHandlers } from '../../src/protocol/channel.ts';
import { ChannelClosedError, HostChannel, WebviewChannel } from '../../src/protocol/channel.ts';
import { initialPanelState } from '../../src/protocol/reduce.ts';
import { beginning } from './panel-builders.ts';

const nothing = () => undefined;

const memory: MemoryState = {
  store: 'harbour',
  path: '.plimsoll/MEMORY.md',
  text: '',
  measure: { entries: 0, bytes: 0, tokens: 0 },
  memories: [],
  proposals: [],
  notices: [],
};

const handlers: RequestHandlers = {
  ready: () => initialPanelState(beginning),
  send: nothing,
  saveDraft: nothing,
  loadDraft: () => ({ text: '' }),
  saveOutput: nothing,
  loadOutput: () => undefined,
  stop: nothing,
  goOn: nothing,
  newSession: nothing,
  compact: nothing,
  withdrawCompaction: () => undefined,
  cancelRelief: nothing,
  undo: nothing,
  answerApproval: nothing,
  openDiff: nothing,
  outputPage: () => ({ kind: 'missing', reason: '' }),
  searchOutput: () => ({ matches: [], count: 0, isCut: false }),
  openOutput: nothing,
  revealOutput: nothing,
  openFile: nothing,
  openExternal: nothing,
  memory: () => memory,
  measureMemory: () => memory.measure,
  saveMemory: () => ({ state: memory, conflicts: [] }),
  changeMemory: nothing,
  forgetMemory: nothing,
  restoreMemory: nothing,
  answerProposal: nothing,
  searchMemory: () => ({ ids: [] }),
  openMemory: nothing,
  saveMemoryDraft: nothing,
  loadMemoryDraft: () => undefined,
  setApiKey: nothing,
  openSettings: nothing,
};

/** A pipe as the editor gives it: what is posted arrives later, as a copy. */
function pipePair() {
  const toHost = new Set<(message: unknown) => void>();
  const toWebview = new Set<(message: unknown) => void>();
  const end = <Outgoing>(mine: Set<(message: unknown) => void>, theirs: typeof mine): Pipe<Outgoing> => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => theirs.forEach((listener) => listener(copy)));
    },
    subscribe: (listener) => {
      mine.add(listener);
      return () => mine.delete(listener);
    },
  });
  return {
    host: end<HostMessage>(toHost, toWebview),
    webview: end<WebviewMessage>(toWebview, toHost),
    sendRawToHost: (message: unknown) => toHost.forEach((listener) => listener(message)),
    sendRawToWebview: (message: unknown) => toWebview.forEach((listener) => listener(message)),
  };
}

function connect(more: Partial<RequestHandlers> = {}) {
  const pipes = pipePair();
  const pushes: HostPush[] = [];
  const host = new HostChannel(pipes.host, { ...handlers, ...more });
  const webview = new WebviewChannel(pipes.webview, (push) => pushes.push(push));
  return { ...pipes, hostChannel: host, webviewChannel: webview, pushes };
}

describe('the channel', () => {
  it('answers each request with its own response, in whatever order they are ready', async () => {
    let release = nothing as () => void;
    const { webviewChannel } = connect({
      send: () => new Promise<undefined>((resolve) => (release = () => resolve(undefined))),
    });
    const slow = webviewChannel.request('send', { text: 'hi' });
    const state = await webviewChannel.request('ready', undefined);
    expect(state.sessionId).toBe('s1');
    release();
    await expect(slow).resolves.toBeUndefined();
  });

  it('gives the caller what the handler throws, in its words', async () => {
    const { webviewChannel } = connect({
      stop: () => {
        throw new Error('nothing runs');
      },
      goOn: () => Promise.reject(new Error('no turn to go on with')),
    });
    await expect(webviewChannel.request('stop', undefined)).rejects.toThrow('nothing runs');
    await expect(webviewChannel.request('goOn', undefined)).rejects.toThrow('no turn to go on with');
  });

  it('refuses a request that it does not know instead of leaving it open', async () => {
    const { webviewChannel } = connect();
    const unknown = 'constructor' as 'stop';
    await expect(webviewChannel.request(unknown, undefined)).rejects.toThrow('unknown request');
  });

  it('rejects what is open when it is closed, and everything after', async () => {
    const { webviewChannel } = connect({ send: () => new Promise<undefined>(nothing) });
    const open = webviewChannel.request('send', { text: 'hi' });
    webviewChannel.close();
    await expect(open).rejects.toThrow(ChannelClosedError);
    await expect(webviewChannel.request('stop', undefined)).rejects.toThrow(ChannelClosedError);
  });

  it('rejects a request that cannot be posted', async () => {
    const { webviewChannel } = connect();
    const uncloneable = { text: (() => 'x') as unknown as string };
    await expect(webviewChannel.request('send', uncloneable)).rejects.toThrow();
  });

  it('delivers pushes in order', async () => {
    const { hostChannel, webviewChannel, pushes } = connect();
    hostChannel.push({ push: 'events', events: [{ type: 'turn_started' }] });
    hostChannel.push({ push: 'focusComposer' });
    await webviewChannel.request('ready', undefined);
    expect(pushes.map(({ push }) => push)).toEqual(['events', 'focusComposer']);
  });

  it('posts nothing to a webview that is gone, not even a late answer', async () => {
    let release = nothing as () => void;
    const { hostChannel, webviewChannel, pushes } = connect({
      send: () => new Promise<undefined>((resolve) => (release = () => resolve(undefined))),
    });
    let isAnswered = false;
    void webviewChannel.request('send', { text: 'hi' }).then(() => (isAnswered = true));
    await Promise.resolve();
    await Promise.resolve();
    hostChannel.close();
    release();
    hostChannel.push({ push: 'focusComposer' });
    await new Promise((resolve) => setTimeout(resolve));
    expect(pushes).toEqual([]);
    expect(isAnswered).toBe(false);
  });

  it.each([undefined, null, 7, 'x', {}, { request: 1 }, { reply: 'x' }, { reply: 99, ok: true }])(
    'ignores a message that is not its own: %j',
    async (message) => {
      const { sendRawToHost, sendRawToWebview, webviewChannel, pushes } = connect();
      sendRawToHost(message);
      sendRawToWebview(message);
      await expect(webviewChannel.request('stop', undefined)).resolves.toBeUndefined();
      expect(pushes).toEqual([]);
    },
  );
});
