/** Where a session's log lines live. */
export interface LogStore {
  /** Every line of the log, oldest first, as it stands on disk: also the piece of one that a crash left at the end. */
  read(sessionId: string): Promise<readonly string[]>;
  /** Appends one line (without its newline) and returns when it is on the disk. Calls are kept in order. */
  append(sessionId: string, line: string): Promise<void>;
}
