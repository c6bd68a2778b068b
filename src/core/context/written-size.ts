import { once } from '../model/once.ts';

const encoder = new TextEncoder();

/** Bytes that an object takes in the log, with the comma behind it. */
export const writtenSize = once((part: object): number => encoder.encode(JSON.stringify(part)).length + 1);

/** The last of the parts that together take no more than so many bytes. */
export function newestWithin<Part extends object>(parts: readonly Part[], room: number): readonly Part[] {
  let used = 0;
  const last = parts.findLastIndex((part) => (used += writtenSize(part)) > room);
  return parts.slice(last + 1);
}
