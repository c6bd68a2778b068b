import type { Entry, ToolResultEntry } from '../model/entry.ts';
import { ToolError } from '../model/errors.ts';
import { OUTPUTS_FOLDER } from '../model/offloaded.ts';
import { pathInside } from '../model/path-inside.ts';
import type { FileLocation } from '../ports/files.ts';
import type { ResolvedFile, ToolContext } from './define-tool.ts';

/** Whether it is a kept output, or a folder of such: the model sees them without control sequences, ignored or not. */
export function isKept(file: ResolvedFile, { transcript }: Pick<ToolContext, 'transcript'>): boolean {
  if (file.inside !== undefined) return pathInside(OUTPUTS_FOLDER, file.inside) !== undefined;
  return resultKeptIn(file.location, transcript()) !== undefined;
}

/** Whether a search or a list of what is around it leaves it out: outputs say again what files say. */
export function isOutputsFolder(location: FileLocation): boolean {
  return location.endsWith(`/${OUTPUTS_FOLDER}`);
}

/** What is said where a kept output is no longer there; undefined where the path is none of a kept output. */
export function goneOutput(
  file: ResolvedFile,
  context: Pick<ToolContext, 'transcript'>,
): ToolError | undefined {
  if (!isKept(file, context)) return undefined;
  const result = resultKeptIn(file.location, context.transcript());
  const how = result === undefined ? 'with words you look for' : `with entry "${result.id}"`;
  return new ToolError(
    'not_found',
    `The output ${file.label} is no longer kept. What the transcript still has of it: recall ${how}. ` +
      'Where that is too little, call the tool again that made it.',
  );
}

function resultKeptIn(location: FileLocation, entries: readonly Entry[]): ToolResultEntry | undefined {
  return entries.findLast(
    (entry): entry is ToolResultEntry =>
      entry.kind === 'tool_result' &&
      entry.details?.output?.parts.some(({ file }) => file === location) === true,
  );
}
