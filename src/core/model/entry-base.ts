/** Position in the log, from 1: `e1`, `e2`, … Stable for ever, short enough to cost few tokens. */
export type EntryId = `e${number}`;

export interface EntryBase {
  readonly id: EntryId;
  /** ISO 8601, UTC */
  readonly at: string;
}
