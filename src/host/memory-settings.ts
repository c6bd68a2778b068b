import type { MemoryExtraction, MemorySettings } from '../core/model/settings.ts';
import { DEFAULT_MEMORY } from '../core/model/settings.ts';
import { objectionToPlace } from '../core/memory/memory-path.ts';
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
  const wantsExtract = EXTRACTIONS.map((known) => `"${known}"`).join(' or ');
  return [
    ...(path === undefined || pathBelow(path) !== undefined
      ? []
      : [objection('memory.path', path, { wants: wantedOf(path), used: DEFAULT_MEMORY.path })]),
    ...(extract === undefined || extraction(extract) !== undefined
      ? []
      : [objection('memory.extract', extract, { wants: wantsExtract, used: DEFAULT_MEMORY.extract })]),
  ].map((text) => `${text}.`);
}

function extraction(value: unknown): MemoryExtraction | undefined {
  return EXTRACTIONS.find((known) => known === value);
}

/** Undefined for what leads out of the folder, or is kept for something else. */
function pathBelow(value: unknown): string | undefined {
  const path = markdownPath(value);
  return path === undefined || objectionToPlace(path) !== undefined ? undefined : path;
}

function markdownPath(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const path = value.trim().replace(/^\.\//, '');
  const isBelow = path.split('/').every((part) => !['', '.', '..'].includes(part));
  return isBelow && !/[\\:\0]/.test(path) && /\.(?:md|markdown)$/i.test(path) ? path : undefined;
}

function wantedOf(value: unknown): string {
  const path = markdownPath(value);
  const reason = path === undefined ? undefined : objectionToPlace(path);
  if (reason !== undefined) return `the path of a file that is the memory alone: this one ${reason}`;
  return 'the path of a Markdown file below the workspace folder, with forward slashes';
}
