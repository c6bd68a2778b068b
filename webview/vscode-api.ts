import type { WebviewMessage } from '../src/protocol/messages.ts';
import type { Pipe } from '../src/protocol/channel.ts';

/** What the editor gives a webview: once, to its first caller. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

export function editorPipe(api: VsCodeApi): Pipe<WebviewMessage> {
  return {
    post: (message) => api.postMessage(message),
    subscribe: (listener) => {
      const receive = (event: MessageEvent) => listener(event.data);
      window.addEventListener('message', receive);
      return () => window.removeEventListener('message', receive);
    },
  };
}
