import { cutBefore } from '../model/cut-text.ts';
import { pathInside } from '../model/path-inside.ts';
import type { FilePort, WorkspaceRoot } from '../ports/files.ts';

/** The file in which a project tells agents its rules; the convention is described at agents.md. */
const INSTRUCTIONS_FILE = 'AGENTS.md';

/** Characters of one file and of all together that enter the prompt. */
const MAX_FILE = 8_000;
const MAX_TOTAL = 24_000;

/** UTF-8 takes at most four bytes a character: no more than this is asked of a file. */
const MAX_BYTES = MAX_FILE * 4;

/** A file system that knows no ranges reads whole files, so a larger one is not touched at all. */
const MAX_FILE_SIZE = 1_000_000;

export interface InstructionFile {
  readonly root: WorkspaceRoot;
  readonly path: string;
  /** empty where the file is too large to be read */
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Reads each root's instructions. What is absent, unreadable or no text is skipped silently: they are an offer. So is a
 * link that leads out of its root: what is outside the workspace is read only with the person's consent.
 */
export async function readInstructions(
  files: FilePort,
  roots: readonly WorkspaceRoot[],
): Promise<readonly InstructionFile[]> {
  const found = await Promise.all(roots.map((root) => readOne(files, root)));
  return found.filter((file) => file !== undefined);
}

async function readOne(files: FilePort, root: WorkspaceRoot): Promise<InstructionFile | undefined> {
  try {
    const location = `${root.location.replace(/\/$/, '')}/${INSTRUCTIONS_FILE}`;
    const stat = await files.stat(location);
    if (stat?.kind !== 'file' || stat.size === 0) return undefined;
    const real = await files.realPath(location);
    if (pathInside(await files.realPath(root.location), real) === undefined) return undefined;
    if (stat.size > MAX_FILE_SIZE) return { root, path: INSTRUCTIONS_FILE, text: '', isCut: true };
    const bytes = await files.read(real, { start: 0, end: Math.min(stat.size, MAX_BYTES) });
    const whole = new TextDecoder('utf-8').decode(bytes);
    if (whole.includes('\0')) return undefined;
    const text = cutAt(whole, MAX_FILE).trim();
    const isCut = stat.size > MAX_BYTES || text.length < whole.trim().length;
    return text === '' ? undefined : { root, path: INSTRUCTIONS_FILE, text, isCut };
  } catch {
    return undefined; // an unreadable file is treated like an absent one
  }
}

const CUT_HERE = '[cut here: read the file for the rest]';
const TOO_LARGE = '[too large to be shown here: read the file]';

/** The section's text, or undefined when the project has no instructions. */
export function instructionsText(files: readonly InstructionFile[]): string | undefined {
  if (files.length === 0) return undefined;
  let left = MAX_TOTAL;
  const parts = files.map((file) => {
    const text = cutAt(file.text, left);
    left -= text.length;
    const isCut = file.isCut || text.length < file.text.length;
    const note = text === '' ? TOO_LARGE : isCut ? `\n${CUT_HERE}` : '';
    return `## ${files.length > 1 ? `${file.root.name}/` : ''}${file.path}\n${text}${note}`;
  });
  return ['# Project instructions', ...parts].join('\n\n');
}

/** At most `max` UTF-16 units, never through a code point. */
function cutAt(text: string, max: number): string {
  return text.slice(0, cutBefore(text, max));
}
