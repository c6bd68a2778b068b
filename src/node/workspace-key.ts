import { sha256 } from './hash.ts';

/** A file name for what is kept of a workspace. The same folders in any order are the same workspace. */
export function workspaceKey(roots: readonly string[]): string {
  return sha256([...roots].sort().join('\n')).slice(0, 32);
}
