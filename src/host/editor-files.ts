import type { FilePort } from '../core/ports/files.ts';
import { isOnDisk } from './locations.ts';
import { routedFiles, workspaceFiles } from './workspace-files.ts';

/** Files so small that the editor's own API may take them whole, whatever they are on. Bytes. */
const SMALL = 1_000_000;

/**
 * The workspace file API for what Plimsoll itself reads and writes in a workspace, instructions and outputs, so that it
 * works wherever the editor does. Links and positions are beyond that API: for them, and for what is large, the disk is
 * used where there is one.
 */
export function editorFiles(disk: FilePort): FilePort {
  const routed = routedFiles(disk);
  return {
    ...routed,
    stat: (file) => workspaceFiles.stat(file),
    read: (file, range) => (range === undefined ? workspaceFiles.read(file) : routed.read(file, range)),
    write: (file, bytes) => workspaceFiles.write(file, bytes),
    async append(file, bytes) {
      const isNew = bytes.length <= SMALL && (await workspaceFiles.stat(file)) === undefined;
      if (!isNew) return routed.append(file, bytes);
      // The API knows no modes: on a disk the file is there, for its owner alone, before anything is in it.
      if (isOnDisk(file)) await disk.append(file, new Uint8Array());
      await workspaceFiles.write(file, bytes);
    },
  };
}
