import type { AssistantBlock } from '../../src/core/model/content.ts';
import { AbortedError } from '../../src/core/model/errors.ts';
import type { ModelEvent, ModelInfo, ModelMessage, ModelRequest } from '../../src/core/model/request.ts';
import type { ModelPort } from '../../src/core/ports/model.ts';
import { MODEL, PROVIDER } from './builders/entries.ts';

/** One reply of the script: blocks, an error to throw, or a function that streams what it likes. */
export type Script =
  Partial<ModelMessage> | Error | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

export interface ScriptedModel extends ModelPort {
  readonly requests: ModelRequest[];
}

/** A model that says what the test wrote down, at the port: the loop above it is the real one. */
export function scriptedModel(replies: readonly Script[], info: Partial<ModelInfo> = {}): ScriptedModel {
  const left = [...replies];
  const requests: ModelRequest[] = [];
  return {
    provider: PROVIDER,
    requests,
    resolve: () =>
      Promise.resolve({
        id: MODEL,
        displayName: 'Scripted',
        provider: PROVIDER,
        thinking: 'none',
        window: 200_000,
        ...info,
      }),
    async *stream(request, _info, signal) {
      requests.push(request);
      const reply = left.shift();
      if (reply === undefined) throw new Error('the script is over');
      if (reply instanceof Error) throw reply;
      if (typeof reply === 'function') {
        yield* reply(request, signal);
        return;
      }
      const message: ModelMessage = {
        id: `msg_${requests.length}`,
        model: MODEL,
        blocks: [],
        stopReason: 'end_turn',
        ...reply,
      };
      for (const block of message.blocks) yield* deltasOf(block);
      yield { type: 'message', message };
    },
  };
}

function* deltasOf(block: AssistantBlock): Generator<ModelEvent> {
  if (block.type === 'text') yield { type: 'text_delta', text: block.text };
  if (block.type === 'tool_use') yield { type: 'tool_use_started', toolUseId: block.id, name: block.name };
  yield { type: 'block_finished', block };
}

/** Streams the words, then hangs until it is stopped. */
export const hangAfter = (words: string): Script =>
  async function* (_request, signal) {
    yield { type: 'text_delta', text: words };
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new AbortedError()), { once: true });
    });
  };
