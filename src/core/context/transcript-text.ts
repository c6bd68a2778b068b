import type { SpokenEntry } from './conversation.ts';
import { textOf } from './entry-text.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { actionOf } from './tool-action.ts';
import { withoutTag } from './view.ts';

/** Characters of a result that a summary is written from, the roomiest first. */
const RESULT_CAPS = [2_000, 600, 160] as const;
/** Of a message or a call's input. */
const WORDS_CAP = 6_000;

/**
 * A stretch as plain text for a model that is not the one it was said to: data in a frame, with its delimiters broken
 * wherever they turn up inside. In pieces of at most `room` tokens: results are shortened first, the older ones in the
 * middle before the others; what still does not fit goes into the next piece, and nothing is left out whole.
 */
export function transcriptPieces(covered: readonly SpokenEntry[], room: number): readonly string[] {
  const lines = within(covered, room);
  const pieces: string[] = [];
  let piece: string[] = [];
  let used = 0;
  for (const line of lines.flatMap((text) => splitAt(text, room))) {
    const tokens = estimateTokens(line) + 1;
    if (used + tokens > room && piece.length > 0) {
      pieces.push(framed(piece));
      piece = [];
      used = 0;
    }
    piece.push(line);
    used += tokens;
  }
  if (piece.length > 0) pieces.push(framed(piece));
  return pieces;
}

/** The text with the roomiest caps that make it fit; with the tightest where none does. */
function within(covered: readonly SpokenEntry[], room: number): readonly string[] {
  const edge = Math.floor(covered.length / 5);
  const isEdge = (index: number) => index < edge || index >= covered.length - 2 * edge;
  let lines: readonly string[] = [];
  for (const cap of RESULT_CAPS) {
    lines = covered.map((entry, index) => lineOf(entry, isEdge(index) ? RESULT_CAPS[0] : cap));
    if (costOf(lines) <= room) return lines;
  }
  for (const cap of RESULT_CAPS) {
    lines = covered.map((entry) => lineOf(entry, cap));
    if (costOf(lines) <= room) return lines;
  }
  return lines;
}

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

function lineOf(entry: SpokenEntry, resultCap: number): string {
  switch (entry.kind) {
    case 'user':
      return `User: ${capped(entry.text, WORDS_CAP)}`;
    case 'reminder':
      return `Note: ${capped(entry.text, resultCap)}`;
    case 'compaction':
      return `Earlier summary: ${capped(entry.text, WORDS_CAP)}`;
    case 'tool_result':
      return `Result of ${entry.name} ${entry.target} (${entry.status}): ${capped(textOf(entry), resultCap)}`;
    case 'assistant':
      return entry.blocks
        .flatMap((block) => {
          if (block.type === 'text') return [`Assistant: ${capped(block.text, WORDS_CAP)}`];
          if (block.type === 'tool_use')
            return [
              `Call: ${actionOf(block.name, block.input).what} ${capped(JSON.stringify(block.input) ?? '', resultCap)}`,
            ];
          return [];
        })
        .join('\n');
  }
}

/** Beginning and end: errors stand at the end. */
function capped(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const half = Math.floor(cap / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters …]\n${text.slice(text.length - half)}`.toWellFormed();
}

/** A line longer than a piece is divided; a token is at least a character. */
function splitAt(line: string, room: number): readonly string[] {
  if (estimateTokens(line) < room) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += room) parts.push(line.slice(at, at + room).toWellFormed());
  return parts;
}

function framed(lines: readonly string[]): string {
  const text = withoutTag(lines.join('\n')).replaceAll(/<(\/?)(?=conversation>)/gi, '<\\$1');
  return `<conversation>\n${text}\n</conversation>`;
}
