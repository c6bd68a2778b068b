import { completeEnd, withoutControls } from './terminal-text.ts';

/** What is shown of a text in which nothing is written over. */
export function strippedText(raw: string): string {
  return withoutControls(raw).replaceAll('\r', '');
}

/** The last place of the raw text that has so many characters shown before it. */
export function rawIndex(raw: string, shown: number): number {
  let least = shown;
  let most = raw.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    const complete = raw.slice(0, middle);
    if (strippedText(complete.slice(0, completeEnd(complete))).length <= shown) least = middle;
    else most = middle - 1;
  }
  return least;
}
