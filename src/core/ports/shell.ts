import type { FileLocation } from './files.ts';
import type { OutputSink } from './output-sink.ts';

export interface ShellRequest {
  readonly line: string;
  readonly cwd: FileLocation;
  readonly timeoutMs: number;
  /** most bytes of output to keep; what is over is dropped from the middle */
  readonly keepBytes: number;
  readonly signal: AbortSignal;
  /** output as it comes, decoded; called at most a few times a second */
  readonly onOutput: (text: string) => void;
  /** gets every byte of the output, in order; the command is held back while it is busy. The result is what it gives on */
  readonly sink?: OutputSink;
}

export interface ShellResult {
  /** null when the process was killed */
  readonly exitCode: number | null;
  readonly end: 'exited' | 'timed_out' | 'aborted';
  /** stdout and stderr in the order they came, decoded, at most `keepBytes`; raw: control sequences are still in */
  readonly head: string;
  /** empty when nothing was dropped */
  readonly tail: string;
  /** as printed, before a sink has changed anything */
  readonly totalBytes: number;
  readonly droppedBytes: number;
  readonly durationMs: number;
}

/**
 * Runs commands in processes of its own. When a run ends for any reason its whole process tree is gone.
 * @throws Error when no shell can be started
 */
export interface ShellPort {
  /** what the model is told it is writing for: `bash`, `cmd.exe` */
  readonly shellName: string;
  run(request: ShellRequest): Promise<ShellResult>;
}
