import * as z from 'zod';
import { ToolError } from '../model/errors.ts';
import { MAX_RESULT_CHARS } from '../text/bound-text.ts';
import { defineTool } from './define-tool.ts';
import { MAX_PAGE_BYTES, readBytes } from './read-bytes.ts';
import { MAX_LINES, readLines } from './read-lines.ts';
import { expectUnmoved, resolvePath } from './workspace-path.ts';

export const readFile = defineTool({
  name: 'read_file',
  isPaged: true,
  description:
    `Reads a text file. Returns its lines with their numbers, at most ${MAX_LINES} lines and ` +
    `${MAX_RESULT_CHARS} characters, and says how to read on. Where one line is very long, read by bytes instead. ` +
    'A file must have been read before it can be edited.',
  input: {
    path: z.string().describe('The file: relative to the workspace folder, or absolute.'),
    offset: z.int().min(1).optional().describe('First line to return, from 1.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe(`Most lines to return, ${MAX_LINES} by default.`),
    byte_offset: z
      .int()
      .min(0)
      .optional()
      .describe('First byte to return, from 0: reads by bytes, not by lines.'),
    byte_limit: z
      .int()
      .min(1)
      .max(MAX_PAGE_BYTES)
      .optional()
      .describe(`Most bytes to return, ${MAX_PAGE_BYTES} by default.`),
  },
  async prepare(input, context) {
    const isByBytes = input.byte_offset !== undefined || input.byte_limit !== undefined;
    if (isByBytes && (input.offset !== undefined || input.limit !== undefined))
      throw new ToolError('invalid_input', 'Give offset and limit, or byte_offset and byte_limit, not both.');
    const file = await resolvePath(input.path, context);
    const lines = { offset: input.offset ?? 1, limit: input.limit ?? MAX_LINES };
    const bytes = { offset: input.byte_offset ?? 0, limit: input.byte_limit ?? MAX_PAGE_BYTES };
    return {
      access: { kind: 'read', files: [file] },
      target: file.label,
      execute: async (maxChars = MAX_RESULT_CHARS) => {
        await expectUnmoved(file, context);
        return isByBytes
          ? readBytes(file, { ...bytes, maxChars }, context)
          : readLines(file, { ...lines, maxChars }, context);
      },
    };
  },
});
