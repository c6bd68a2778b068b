import type { Memory } from '../../model/memory.ts';
import { ToolError } from '../../model/errors.ts';
import type { ProjectMemoryPort } from '../../ports/project-memory.ts';
import { takeStart } from '../../text/bound-text.ts';
import type { ToolContext } from '../define-tool.ts';

const MAX_TARGET_CHARS = 100;

/** @throws ToolError where the project has no memory */
export function memoryOf({ memory }: ToolContext): ProjectMemoryPort {
  if (memory !== undefined) return memory;
  throw new ToolError(
    'unavailable',
    'There is no project memory here: no folder is open, or it is not trusted. Go on without it.',
  );
}

/** What a call is about, in one line. */
export function memoryTarget(text: string): string {
  return takeStart(text.toWellFormed().replaceAll(/\s+/g, ' ').trim(), MAX_TARGET_CHARS);
}

/** A memory's id and what is known of it, in one line; days in UTC. */
export function memoryFacts(memory: Memory): string {
  const { id, category, importance, source, createdMs, updatedMs, expiresMs } = memory;
  const [written, changed] = [dayOf(createdMs), dayOf(updatedMs)];
  return [
    id,
    category,
    `importance ${importance}`,
    `written ${written} by ${WRITERS[source]}`,
    ...(changed === written ? [] : [`changed ${changed}`]),
    ...(expiresMs === undefined ? [] : [`until ${dayOf(expiresMs)}`]),
  ].join(', ');
}

const WRITERS: Readonly<Record<Memory['source'], string>> = {
  user: 'the user',
  agent: 'the agent',
  extractor: 'the agent, in passing',
};

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
