import * as z from 'zod';
import { ToolError } from '../model/errors.ts';
import { MAX_RESULT_CHARS } from '../text/bound-text.ts';
import { goneOutput, isKept } from './kept-outputs.ts';
import type { ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import { defineTool } from './define-tool.ts';
import type { WalkedItem } from './walk.ts';
import { walk } from './walk.ts';
import { expectUnmoved, resolvePath, resolveRoots } from './workspace-path.ts';

const DEFAULT_DEPTH = 3;
const MAX_DEPTH = 20;
const MAX_ITEMS = 1_000;
const NOTE_CHARS = 500;

export const listFiles = defineTool({
  name: 'list_files',
  isPaged: true,
  description:
    'Lists the files and folders of a folder, to a depth. What .gitignore excludes, .git and node_modules are left out. ' +
    `At most ${MAX_ITEMS} entries; folders end in "/", and those that were not looked into in "/…".`,
  input: {
    path: z.string().optional().describe('The folder. Default: the workspace.'),
    depth: z.int().min(1).max(MAX_DEPTH).optional().describe(`Levels to go down. Default ${DEFAULT_DEPTH}.`),
  },
  async prepare({ path, depth = DEFAULT_DEPTH }, context) {
    const folders = path === undefined ? await resolveRoots(context) : [await resolvePath(path, context)];
    return {
      access: { kind: 'read', files: folders },
      target: folders.map((folder) => folder.label).join(', '),
      execute: (maxChars = MAX_RESULT_CHARS) => listFolders(folders, { depth, maxChars }, context),
    };
  },
});

async function listFolders(
  folders: readonly ResolvedFile[],
  { depth, maxChars }: { readonly depth: number; readonly maxChars: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const lines: string[] = [];
  const budget = { items: MAX_ITEMS, chars: maxChars - Math.min(NOTE_CHARS, maxChars / 2) };
  let isCut = false;
  for (const folder of folders) {
    await expectFolder(folder, context);
    if (folders.length > 1) lines.push(`${folder.label}/`);
    const found = await take(
      walk(folder.location, { ...context, depth, withIgnored: isKept(folder, context) }),
      budget,
    );
    lines.push(...found.lines);
    isCut ||= found.isCut;
    if (found.lines.length === 0) lines.push('(nothing that is not ignored)');
  }
  if (isCut)
    lines.push(`[cut after ${MAX_ITEMS - budget.items} entries; list a subfolder, or use a smaller depth]`);
  return { content: lines.join('\n') };
}

async function take(
  items: AsyncIterable<WalkedItem>,
  budget: { items: number; chars: number },
): Promise<{ readonly lines: readonly string[]; readonly isCut: boolean }> {
  const lines: string[] = [];
  for await (const item of items) {
    const line = lineOf(item);
    if (budget.items === 0 || line.length + 1 > budget.chars) return { lines, isCut: true };
    budget.items -= 1;
    budget.chars -= line.length + 1;
    lines.push(line);
  }
  return { lines, isCut: false };
}

function lineOf({ path, isDirectory, isClosed, isSymlink }: WalkedItem): string {
  const name = path.toWellFormed() + (isDirectory ? '/' : '') + (isClosed ? '…' : '');
  return isSymlink ? `${name} (link)` : name;
}

/** @throws ToolError for what is not a folder, or not the one that was decided about */
export async function expectFolder(folder: ResolvedFile, context: ToolContext): Promise<void> {
  await expectUnmoved(folder, context);
  const stat = await context.files.stat(folder.location);
  if (stat === undefined)
    throw goneOutput(folder, context) ?? new ToolError('not_found', `There is no folder ${folder.label}.`);
  if (stat.kind !== 'directory') throw new ToolError('invalid_input', `${folder.label} is not a folder.`);
}
