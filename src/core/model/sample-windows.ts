/** Texts up to so many characters are taken whole. */
const WHOLE = 256 * 1024;
const WINDOW = 8 * 1024;
const WINDOWS = 32;

/** A stretch of a text, in UTF-16 units. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface Sample {
  /** at most 256k characters together, whatever the text */
  readonly windows: readonly Window[];
  /** what a sum over the windows is multiplied by to stand for the text */
  readonly scale: number;
}

/** The whole of a text of this length, or evenly spread windows that reach both of its ends: bounded work, no copy. */
export function sampleWindows(length: number): Sample {
  if (length <= WHOLE) return { windows: [{ start: 0, end: length }], scale: 1 };
  const stride = (length - WINDOW) / (WINDOWS - 1);
  const windows = Array.from({ length: WINDOWS }, (_, index) => {
    const start = Math.floor(index * stride);
    return { start, end: start + WINDOW };
  });
  return { windows, scale: length / (WINDOWS * WINDOW) };
}
