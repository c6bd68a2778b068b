import { takeEnd, takeStart } from '../text/bound-text.ts';

/** What stands in the conversation for an output that is kept in a file. */
export interface Preview {
  readonly head: string;
  readonly tail: string;
}

/** What a preview may take. */
export interface PreviewRoom {
  readonly chars: number;
  readonly tokens: number;
  /** tokens of a text */
  readonly estimate: (text: string) => number;
}

/** Errors stand at the end, and what a command says of itself at the beginning. */
const HEAD_SHARE = 0.4;
/** A cut goes back to a line's end as long as it costs no more than this share. */
const LINE_SHARE = 0.5;

/** Beginning and end of a text within the room, in whole lines where they are not too long. */
export function previewOf(text: string, { chars, tokens, estimate }: PreviewRoom): Preview {
  for (let room = chars; ; room = Math.floor(room * 0.8)) {
    const head = wholeLinesAtStart(takeStart(text, Math.floor(room * HEAD_SHARE)));
    const tail = wholeLinesAtEnd(takeEnd(text, Math.floor(room * (1 - HEAD_SHARE))));
    if (room < LEAST_CHARS || estimate(head) + estimate(tail) <= tokens) return { head, tail };
  }
}

const LEAST_CHARS = 200;

function wholeLinesAtStart(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end > text.length * LINE_SHARE ? text.slice(0, end) : text;
}

function wholeLinesAtEnd(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start > 0 && start < text.length * LINE_SHARE ? text.slice(start) : text;
}
