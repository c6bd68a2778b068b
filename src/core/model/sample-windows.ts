/** A stretch of a text, in UTF-16 units. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface Sample {
  /** at most {@link SampleSize.whole} characters together, whatever the text */
  readonly windows: readonly Window[];
  /** what a sum over the windows is multiplied by to stand for the text */
  readonly scale: number;
}

/** Characters. */
export interface SampleSize {
  /** texts up to here are taken whole, and of a longer one so much is looked at */
  readonly whole: number;
  /** in stretches of this length: a divisor of the whole, several times in it */
  readonly window: number;
}

/** The whole of a text of this length, or evenly spread windows that reach both of its ends: bounded work, no copy. */
export function sampleWindows(length: number, { whole, window }: SampleSize): Sample {
  if (length <= whole) return { windows: [{ start: 0, end: length }], scale: 1 };
  const count = Math.floor(whole / window);
  const stride = (length - window) / (count - 1);
  const windows = Array.from({ length: count }, (_, index) => {
    const start = Math.floor(index * stride);
    return { start, end: start + window };
  });
  return { windows, scale: length / (count * window) };
}
