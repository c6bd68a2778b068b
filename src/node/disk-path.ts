import path from 'node:path';
import type { FileLocation } from '../core/ports/files.ts';

/** The platform's spelling of a path as a location: forward slashes. */
export function toLocation(diskPath: string): FileLocation {
  return path.sep === '\\' ? diskPath.replaceAll('\\', '/') : diskPath;
}

/** The error says that nothing is there. */
export function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
