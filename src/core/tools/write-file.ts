import * as z from 'zod';
import type { TextEncoding } from '../ports/text-codec.ts';
import type { ResolvedFile, ToolContext } from './define-tool.ts';
import { defineTool } from './define-tool.ts';
import { expectSeenWhole, prepareChange } from './file-change.ts';
import { ToolError } from '../model/errors.ts';
import { readTextFile } from './text-file.ts';
import type { TextFile } from './text-file.ts';
import { splitLines, uniformEnding } from './text-lines.ts';
import { resolvePath } from './workspace-path.ts';

const NEW_FILE: TextEncoding = { name: 'utf8', bom: false, isCertain: true };

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Creates a file, or replaces the whole content of one that was read before. Missing folders are created. ' +
    'To change a part of a file, use edit_file.',
  input: {
    path: z.string().describe('The file: relative to the workspace folder, or absolute.'),
    content: z.string().describe('The whole new content.'),
  },
  async prepare(input, context) {
    if (/[/\\]$/.test(input.path))
      throw new ToolError('invalid_input', `${JSON.stringify(input.path)} names a folder, not a file.`);
    const file = await resolvePath(input.path, context);
    const before = await readExisting(file, context);
    const after = withEndingsOf(before, input.content.toWellFormed());
    if (before?.text === after)
      throw new ToolError(
        'invalid_input',
        `${file.label} has exactly this content already; nothing was written.`,
      );
    const encoding = before?.encoding ?? NEW_FILE;
    const lines = splitLines(after).length;
    return prepareChange(
      {
        ...{ file, before, after, encoding },
        inserted: after,
        isWholeKnown: true,
        summary: ({ added, removed }) =>
          before === undefined
            ? `Created ${file.label} (${lines} lines).`
            : `Replaced the content of ${file.label} (+${added} −${removed} lines).`,
      },
      context,
    );
  },
});

async function readExisting(file: ResolvedFile, context: ToolContext): Promise<TextFile | undefined> {
  if ((await context.files.stat(file.location)) === undefined) return undefined;
  const now = await readTextFile(file, context);
  // In an empty file there is nothing that could be lost.
  if (now.bytes.length > 0) expectSeenWhole(file, now, context);
  return now;
}

/** A model writes `\n`; a file whose lines all end in `\r\n` goes on to. */
function withEndingsOf(before: TextFile | undefined, content: string): string {
  const isCrlf = before !== undefined && uniformEnding(before.text) === '\r\n';
  return isCrlf ? content.replace(/\r?\n/g, '\r\n') : content;
}
