import type { Activity } from './view-model.ts';

/** Something goes on that can be stopped. */
export function isRunning({ kind }: Activity): boolean {
  return kind !== 'idle' && kind !== 'failed' && kind !== 'limit';
}
