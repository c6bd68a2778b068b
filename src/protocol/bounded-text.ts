import { cutAfter } from '../core/model/cut-text.ts';

/** Most characters of a tool's output that the panel keeps of one card; the whole is in the transcript. */
export const OUTPUT_LIMIT = 20_000;

const TAIL_SHARE = 0.4;

/** The end of a text that grows: what came last is what a watcher wants. */
export function boundedTail(text: string, limit = OUTPUT_LIMIT): string {
  return text.length <= limit ? text : text.slice(cutAfter(text, text.length - limit));
}

/** Both ends of a finished text, with a line in between that says what is not shown. */
export function boundedEnds(text: string, limit = OUTPUT_LIMIT): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit * TAIL_SHARE);
  const start = cutAfter(text, limit - tail);
  const end = cutAfter(text, text.length - tail);
  const left = (end - start).toLocaleString('en-US');
  return `${text.slice(0, start)}\n… ${left} characters not shown …\n${text.slice(end)}`;
}
