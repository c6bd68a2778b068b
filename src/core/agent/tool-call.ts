import type { ToolUseBlock } from '../model/content.ts';
import type { AgentEvent } from '../model/event.ts';
import type { OutputWriter } from '../offload/output-writer.ts';
import type { ResultRoom } from './result-room.ts';
import type { Turn } from './turn-deps.ts';

/** One call on its way: prepared → consented → intended → executed → kept → logged. */
export interface Call {
  readonly turn: Turn;
  readonly use: ToolUseBlock;
  readonly emit: (event: AgentEvent) => void;
  /** shared by the calls of one message */
  readonly room: ResultRoom;
  /** where its output goes when it is long */
  readonly writer: OutputWriter;
}
