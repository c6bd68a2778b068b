import type { FileHandle } from 'node:fs/promises';

/** Writes all of it, from `position` or (null) where the file ends or the last write did: one write may take less. */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number | null,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const at = position === null ? null : position + done;
    done += (await handle.write(bytes, done, bytes.length - done, at)).bytesWritten;
  }
}
