/** Where a session's log lines live. */
export interface LogStore {
  /** Every whole line of the log, oldest first, as it stands on disk; an unfinished tail is not a line. */
  read(sessionId: string): Promise<readonly string[]>;
  /** Appends one line (without its newline) and returns when it is on the disk. Calls are kept in order. */
  append(sessionId: string, line: string): Promise<void>;
}
