import { randomInt } from 'node:crypto';
import type { MemoryId } from '../../core/model/memory.ts';

/** Of 78 billion: that a project gets one twice is not to be expected. */
export function newMemoryId(): MemoryId {
  return `m${randomInt(36 ** 7)
    .toString(36)
    .padStart(7, '0')}`;
}
