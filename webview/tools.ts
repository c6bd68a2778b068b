import type { ToolItem, ToolState } from '../src/protocol/view-model.ts';
import { withUnseen } from './unseen.ts';

/** How a tool is shown. A tool that is not known here is shown by its own name. */
export interface ToolLook {
  readonly icon: string;
  readonly verb: string;
  /** its target is a file that can be opened */
  readonly isFile: boolean;
  /** what its result is called */
  readonly result: string;
}

const LOOKS: Readonly<Record<string, ToolLook>> = {
  read_file: { icon: 'file', verb: 'Read', isFile: true, result: 'Content' },
  write_file: { icon: 'new-file', verb: 'Write', isFile: true, result: 'Result' },
  edit_file: { icon: 'edit', verb: 'Edit', isFile: true, result: 'Result' },
  list_files: { icon: 'list-tree', verb: 'List', isFile: false, result: 'Files' },
  search: { icon: 'search', verb: 'Search', isFile: false, result: 'Matches' },
  memory_write: { icon: 'book', verb: 'Remember', isFile: false, result: 'Result' },
  memory_search: { icon: 'book', verb: 'Recall from memory', isFile: false, result: 'Memories' },
  memory_forget: { icon: 'book', verb: 'Forget', isFile: false, result: 'Result' },
  run_command: { icon: 'terminal', verb: 'Run', isFile: false, result: 'Output' },
};

export function toolLook(tool: string): ToolLook {
  return Object.hasOwn(LOOKS, tool) && LOOKS[tool] !== undefined
    ? LOOKS[tool]
    : { icon: 'tools', verb: tool, isFile: false, result: 'Result' };
}

export interface StateLook {
  readonly icon: string;
  readonly words: string;
}

export const STATE_LOOKS: Readonly<Record<ToolState, StateLook>> = {
  composing: { icon: 'loading', words: 'Preparing' },
  pending: { icon: 'clock', words: 'Waiting' },
  approval: { icon: 'question', words: 'Needs approval' },
  running: { icon: 'loading', words: 'Running' },
  ok: { icon: 'check', words: 'Done' },
  error: { icon: 'error', words: 'Failed' },
  denied: { icon: 'circle-slash', words: 'Denied' },
  interrupted: { icon: 'debug-stop', words: 'Interrupted' },
};

/** The accessible name of a card: what and where. */
export function cardLabel({ tool, target }: Pick<ToolItem, 'tool' | 'target'>): string {
  return target === '' ? tool : `${tool}: ${withUnseen(target)}`;
}
