import type { AssistantBlock } from '../../../src/core/model/content.ts';
import type { Entry, EntryDraft, ToolSchema } from '../../../src/core/model/entry.ts';
import type { ModelInfo } from '../../../src/core/model/request.ts';
import { toolTarget } from '../../../src/core/model/tool-target.ts';
import type { RecordedBlock, RecordedMessage, RecordedTool } from '../recorded.ts';
import { toTool } from '../recorded.ts';

/** A log in memory: what a transcript is to the agent. */
export class ReplayLog {
  readonly sessionId = 'replay';
  readonly entries: Entry[] = [];
  readonly #info: ModelInfo;
  readonly #names = new Map<string, { readonly name: string; readonly target: string }>();
  #sections: readonly { readonly name: string; readonly text: string }[] = [];
  #tools: readonly ToolSchema[] = [];

  constructor(info: ModelInfo) {
    this.#info = info;
  }

  setPrompt(system: string, tools: readonly (RecordedTool | string)[]): void {
    if (this.entries.length > 0) return;
    this.#sections = [{ name: 'base', text: system }];
    this.#tools = tools.map(toTool).map(({ name, description, input_schema: inputSchema }) => ({
      name,
      description: description ?? '',
      inputSchema,
    }));
  }

  get sections() {
    return this.#sections;
  }

  get schemas() {
    return this.#tools;
  }

  append(draft: EntryDraft): Entry {
    const entry = { id: `e${this.entries.length + 1}`, at: '2026-01-01T00:00:00.000Z', ...draft } as Entry;
    this.entries.push(entry);
    return entry;
  }

  add(message: RecordedMessage): void {
    if (message.role === 'assistant') {
      this.append(this.draftOf(message));
      return;
    }
    for (const draft of message.content.map((block) => this.#heard(block))) this.append(draft);
  }

  draftOf(message: RecordedMessage, thoughts: readonly AssistantBlock[] = []): EntryDraft {
    for (const block of message.content)
      if (block.type === 'tool_use')
        this.#names.set(block.id, { name: block.name, target: toolTarget(block.input) });
    return {
      kind: 'assistant',
      provider: this.#info.provider,
      model: this.#info.id,
      messageId: '',
      blocks: [...thoughts, ...message.content.filter((block) => block.type !== 'tool_result')],
      stopReason: 'end_turn',
    };
  }

  #heard(block: RecordedBlock): EntryDraft {
    if (block.type !== 'tool_result') return { kind: 'user', text: block.type === 'text' ? block.text : '' };
    const { name, target } = this.#names.get(block.tool_use_id) ?? { name: 'tool', target: '' };
    return {
      kind: 'tool_result',
      toolUseId: block.tool_use_id,
      name,
      target,
      status: block.is_error === true ? 'error' : 'ok',
      content: [{ type: 'text', text: block.content }],
      durationMs: 0,
    };
  }
}
