import * as vscode from 'vscode';
import type { ProjectMemory } from '../core/memory/project-memory.ts';
import type { MemoryState } from '../protocol/memory.ts';
import { uriOf } from './locations.ts';
import type { MemoryHost, OpenMemory } from './memory-host.ts';
import { measureOf, memoryState } from './memory-state.ts';
import type { PanelHandlers } from './panel.ts';

type MemoryHandlers = Pick<
  PanelHandlers,
  | 'memory'
  | 'measureMemory'
  | 'saveMemory'
  | 'changeMemory'
  | 'forgetMemory'
  | 'restoreMemory'
  | 'answerProposal'
  | 'searchMemory'
  | 'openMemory'
  | 'saveMemoryDraft'
  | 'loadMemoryDraft'
>;

/** Answers what the Memory tab asks. What is thrown here is shown in it. */
export function memoryHandlers(host: MemoryHost, sessionId: () => string): MemoryHandlers {
  const open = async (): Promise<OpenMemory> => {
    const current = await host.current();
    if (current !== undefined) return current;
    throw new Error(
      vscode.workspace.isTrusted
        ? 'A project’s memory needs a folder: open one first.'
        : 'This folder is not trusted, so its memory is neither read nor written.',
    );
  };
  const memory = async (): Promise<ProjectMemory> => (await open()).memory;
  const state = async () => stateOf(await open(), sessionId());
  return {
    memory: state,
    async measureMemory({ text }) {
      const { document, view } = await (await memory()).measure(text);
      return measureOf(document, view);
    },
    async saveMemory({ text, base }) {
      const conflicts = await (await memory()).save(text, base);
      return { state: await state(), conflicts };
    },
    changeMemory: async ({ id, ...change }) => void (await (await memory()).revise(id, change)),
    async forgetMemory({ id }) {
      if ((await (await memory()).forget(id)) === undefined)
        throw new Error('This memory is no longer there.');
      return undefined;
    },
    async restoreMemory({ id }) {
      if (!(await (await memory()).restore(id)))
        throw new Error('Its words are gone: this can no longer be undone.');
      return undefined;
    },
    async answerProposal({ id, answer, text }) {
      const project = await memory();
      if (answer === 'reject') await project.forget(id);
      else await project.revise(id, { status: 'active', ...(text !== undefined && { text }) });
      return undefined;
    },
    async searchMemory({ query }) {
      const found = (await memory()).store.search(query, MOST_FOUND);
      return { ids: found.map(({ memory: { id } }) => id) };
    },
    saveMemoryDraft: async (draft) => void (await host.keepDraft(draft)),
    loadMemoryDraft: () => host.draft(),
    async openMemory() {
      const { memory: project } = await open();
      await project.refresh();
      const uri = uriOf(project.file.location);
      // Opened without what the store knows, it would look as if that were to be forgotten.
      if ((await project.file.read()).kind === 'absent') await project.save('', '').catch(() => []); // the tab that is open has the rest, or the folder takes nothing
      // A project that remembers nothing yet has no file.
      if ((await project.file.version()) === undefined) await project.file.replace({ kind: 'absent' }, '');
      await vscode.window.showTextDocument(uri, { preview: false });
      return undefined;
    },
  };
}

const MOST_FOUND = 200;

export async function stateOf({ memory, store, path }: OpenMemory, sessionId: string): Promise<MemoryState> {
  return memoryState(await memory.refresh(), { store, path, sessionId });
}
