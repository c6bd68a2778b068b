import type { ProjectMemoryPort } from '../ports/project-memory.ts';
import type { ToolWorld } from './turn-deps.ts';

/** The project's memory; undefined where there is none: no folder is open, it is not trusted, or the store does not open. */
export function memoryIn({ memory, workspace }: ToolWorld): ProjectMemoryPort | undefined {
  const isThere = workspace.isTrusted() && workspace.roots().length > 0 && memory?.isUnavailable?.() !== true;
  return isThere ? memory : undefined;
}
