import type { MemoryExtraction, MemorySettings } from '../core/model/settings.ts';
import { DEFAULT_MEMORY } from '../core/model/settings.ts';
import { objection } from './context-settings.ts';

const EXTRACTIONS: readonly MemoryExtraction[] = ['off', 'review', 'automatic'];

/** The settings under `plimsoll.memory`. What a settings file holds is input: a value that makes no sense counts as not set. */
export function readMemorySettings(get: (name: string) => unknown): MemorySettings {
  return {
    path: pathBelow(get('path')) ?? DEFAULT_MEMORY.path,
    extract: extraction(get('extract')) ?? DEFAULT_MEMORY.extract,
  };
}

/** What a person should know of those that are not taken as they stand: a sentence each. */
export function memoryObjections(get: (name: string) => unknown): readonly string[] {
  const [path, extract] = [get('path'), get('extract')];
  const wantsPath = 'the path of a Markdown file below the workspace folder, with forward slashes';
  const wantsExtract = EXTRACTIONS.map((known) => `"${known}"`).join(' or ');
  return [
    ...(path === undefined || pathBelow(path) !== undefined
      ? []
      : [objection('memory.path', path, { wants: wantsPath, used: DEFAULT_MEMORY.path })]),
    ...(extract === undefined || extraction(extract) !== undefined
      ? []
      : [objection('memory.extract', extract, { wants: wantsExtract, used: DEFAULT_MEMORY.extract })]),
  ].map((text) => `${text}.`);
}

function extraction(value: unknown): MemoryExtraction | undefined {
  return EXTRACTIONS.find((known) => known === value);
}

/** What leads out of the folder, or into version control's own files, is no path of a memory. */
function pathBelow(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const path = value.trim().replace(/^\.\//, '');
  const parts = path.split('/');
  const isBelow = parts.every((part) => !['', '.', '..', '.git'].includes(part));
  return isBelow && !/[\\:\0]/.test(path) && /\.(?:md|markdown)$/i.test(path) ? path : undefined;
}
