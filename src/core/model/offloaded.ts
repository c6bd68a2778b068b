/** Where outputs are kept, below a folder of the workspace. */
export const OUTPUTS_FOLDER = '.plimsoll/tool_results';

/**
 * A tool's output that is kept in files of its own, whole and redacted; its entry holds a preview of it.
 */
export interface OffloadedOutput {
  /** path of the first part, as the tools take it */
  readonly path: string;
  /** the files that hold its bytes, one after the other; more than one only where a file cannot be appended to */
  readonly parts: readonly OutputPart[];
  readonly bytes: number;
  /** lines that end, and a last one that does not */
  readonly lines: number;
  /** bytes that are in no part: the disk had given up, or what was kept has vanished */
  readonly lostBytes?: number;
  /** of these, the ones that came before what is in the parts; absent: all of them came after it */
  readonly lostFirstBytes?: number;
  /** recorded while it was still being written, and never again: the last part may hold more than is said here */
  readonly isUnfinished?: true;
}

export interface OutputPart {
  /** location, as the file port takes it */
  readonly file: string;
  readonly bytes: number;
}
