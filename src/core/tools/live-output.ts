import { takeStart } from '../text/bound-text.ts';
import { renderTerminal } from '../text/terminal-text.ts';

/** Most characters that are passed on while a command runs. */
const MAX_LIVE_CHARS = 100_000;
/** A control sequence that has begun and not ended: its rest comes with the next piece. */
const OPEN_SEQUENCE = /\u001b(?:\[[0-?]{0,2000}[ -/]{0,2000}|\][^\u0007\u001b]{0,2000}\u001b?)?$/;

/** Passes a command's output on to people, piece by piece: plain, and not without end. */
export function liveOutput(onOutput: (text: string) => void): (raw: string) => void {
  let waiting = '';
  let room = MAX_LIVE_CHARS;
  return (raw) => {
    if (room <= 0) return;
    const text = waiting + raw;
    waiting = OPEN_SEQUENCE.exec(text)?.[0] ?? '';
    const shown = takeStart(renderTerminal(text.slice(0, text.length - waiting.length)), room);
    room -= shown.length;
    if (shown !== '') onOutput(room > 0 ? shown : `${shown}\n[… the rest is in the result …]\n`);
  };
}
