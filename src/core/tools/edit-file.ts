import * as z from 'zod';
import { ToolError } from '../model/errors.ts';
import type { ResolvedFile } from './define-tool.ts';
import { defineTool } from './define-tool.ts';
import { expectSeen, prepareChange } from './file-change.ts';
import { explainNoMatch } from './no-match.ts';
import { findText, replaceText } from './replace-text.ts';
import { readTextFile } from './text-file.ts';
import { toLf } from './text-lines.ts';
import { resolvePath } from './workspace-path.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces text in a file that was read before. old_text must stand in the file exactly once, character for ' +
    'character, without line numbers; give enough surrounding lines to make it unique. Line endings and encoding are kept.',
  input: {
    path: z.string().describe('The file: relative to the workspace folder, or absolute.'),
    old_text: z.string().describe('The text to replace, exactly as the file has it.'),
    new_text: z.string().describe('The text to put in its place.'),
    replace_all: z.boolean().optional().describe('Replace every place where old_text stands. Default false.'),
  },
  async prepare(input, context) {
    const file = await resolvePath(input.path, context);
    const before = await readTextFile(file, context);
    expectSeen(file, before, context);
    const now = input.new_text.toWellFormed();
    const places = expectPlaces(file, before.text, { ...input, now });
    const { text, inserted } = replaceText(before.text, places, { old: input.old_text, now });
    const isPartial = context.seen.get(file.location)?.isPartial === true;
    return prepareChange(
      {
        ...{ file, before, inserted },
        after: text,
        encoding: before.encoding,
        isWholeKnown: !isPartial,
        summary: ({ added, removed }) =>
          `Edited ${file.label} at ${lineList(before.text, places)} (+${added} −${removed} lines).`,
      },
      context,
    );
  },
});

interface Wanted {
  readonly old_text: string;
  readonly now: string;
  readonly replace_all?: boolean | undefined;
}

/** @throws ToolError when there is nothing to do, no place to do it, or more than one */
function expectPlaces(file: ResolvedFile, text: string, wanted: Wanted): readonly number[] {
  if (wanted.old_text === '')
    throw new ToolError('invalid_input', 'old_text is empty. Give the text to replace, or use write_file.');
  if (toLf(wanted.old_text) === toLf(wanted.now))
    throw new ToolError(
      'invalid_input',
      'old_text and new_text are the same, so there is nothing to change.',
    );
  const places = findText(text, wanted.old_text);
  if (places.length === 0)
    throw new ToolError(
      'no_match',
      `old_text is not in ${file.label}; nothing was changed. ${explainNoMatch(text, wanted.old_text)}`.trimEnd(),
    );
  if (places.length > 1 && wanted.replace_all !== true)
    throw new ToolError(
      'ambiguous',
      `old_text stands in ${file.label} ${places.length} times, at ${lineList(text, places)}; nothing was changed. ` +
        'Add surrounding lines to make it unique, or set replace_all.',
    );
  return places;
}

const MAX_LINES_NAMED = 10;

function lineList(text: string, places: readonly number[]): string {
  const lf = toLf(text);
  const numbers = places.slice(0, MAX_LINES_NAMED).map((place) => lf.slice(0, place).split('\n').length);
  const more = places.length > MAX_LINES_NAMED ? ', …' : '';
  return `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}${more}`;
}
