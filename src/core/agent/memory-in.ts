import type { ProjectMemoryPort } from '../ports/project-memory.ts';
import type { ToolWorld } from './turn-deps.ts';

/** The project's memory; undefined where there is none: no folder is open, or it is not trusted. */
export function memoryIn({ memory, workspace }: ToolWorld): ProjectMemoryPort | undefined {
  return workspace.isTrusted() && workspace.roots().length > 0 ? memory : undefined;
}
