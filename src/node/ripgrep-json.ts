import { excerpt } from '../core/model/cut-text.ts';
import type { SearchMatch } from '../core/ports/search.ts';

/** The parts of ripgrep's `match` message that are read. Text that is not UTF-8 comes as base64 `bytes`. */
interface MatchMessage {
  readonly type: string;
  readonly data?: {
    readonly path?: RipgrepText;
    readonly lines?: RipgrepText;
    readonly line_number?: number | null;
    readonly absolute_offset?: number;
    readonly submatches?: readonly { readonly start: number }[];
  };
}

interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}

/** One line of `rg --json`; undefined for messages that are no match. The path is as ripgrep spells it. */
export function readMatch(line: string): SearchMatch | undefined {
  if (!line.startsWith('{"type":"match"')) return undefined;
  const { data } = JSON.parse(line) as MatchMessage;
  const path = textOf(data?.path);
  const text = textOf(data?.lines);
  if (path === undefined || text === undefined || typeof data?.line_number !== 'number') return undefined;
  const startByte = data.submatches?.[0]?.start ?? 0;
  const start = Buffer.from(text).subarray(0, startByte).toString().length;
  const whole = text.replace(/\r?\n$/, '');
  const shown = excerpt(whole, start);
  const isCut = shown !== whole && data.absolute_offset !== undefined;
  return {
    ...{ path, line: data.line_number, text: shown },
    ...(isCut && { byte: (data.absolute_offset ?? 0) + startByte }),
  };
}

function textOf(value: RipgrepText | undefined): string | undefined {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64').toString('utf8');
  return value?.text;
}
