import type { SessionDirectory } from '../node/session-directory.ts';
import type { OpenOutput } from '../protocol/output-pages.ts';
import type { OpenOutputStore } from './panel-handlers.ts';

/** Which output is open, in a file beside the draft. @param roots locations of the workspace's folders */
export function openOutputStore(
  directory: SessionDirectory,
  roots: () => readonly string[],
): OpenOutputStore {
  let isKnown = false;
  return {
    async take() {
      if (isKnown) return undefined;
      isKnown = true;
      const text = await directory.openOutputOf(roots());
      return { output: text === '' ? undefined : read(text) };
    },
    async save(output) {
      isKnown = true; // what the window before had open is no longer of any use
      await directory.setOpenOutput(roots(), output === undefined ? '' : JSON.stringify(output));
    },
  };
}

/** Whether it is what it says the panel checks, as it does with what the editor keeps. */
function read(text: string): OpenOutput | undefined {
  try {
    return JSON.parse(text) as OpenOutput;
  } catch {
    return undefined; // damaged: then nothing is open
  }
}
