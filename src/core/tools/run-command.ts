import * as z from 'zod';
import { AbortedError, ToolError } from '../model/errors.ts';
import type { ShellResult } from '../ports/shell.ts';
import { MAX_RESULT_CHARS, boundText, takeEnd, takeStart } from '../text/bound-text.ts';
import type { ToolOutput } from './define-tool.ts';
import { defineTool } from './define-tool.ts';
import { expectFolder } from './list-files.ts';
import { liveOutput } from './live-output.ts';
import { redactText } from '../text/redact.ts';
import { completeEnd, renderTerminal } from '../text/terminal-text.ts';
import { resolveOnlyRoot, resolvePath } from './workspace-path.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
/** Raw output kept: much more than is shown, as control sequences may be most of it. */
const KEEP_BYTES = 1_000_000;
/** Room for what is said of a result, here and where it is kept. */
const NOTE_CHARS = 1_200;
/** A cut goes to a line's end as long as it costs no more than this share. */
const LINE_SHARE = 0.5;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a command line in the shell and returns what it prints (stdout and stderr together), its exit code and its ' +
    'duration. Long output is kept in a file, and you get its beginning, its end and the path. Nobody can answer ' +
    'prompts. When the command ends, everything it started is ended too, so servers cannot be left running.',
  input: {
    command: z.string().min(1).describe('The command line.'),
    cwd: z.string().optional().describe('Folder to run it in. Default: the workspace folder.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .optional()
      .describe(`Time limit. Default ${DEFAULT_SECONDS}.`),
  },
  async prepare({ command, cwd, timeout_seconds = DEFAULT_SECONDS }, context) {
    if (command.includes('\0') || !command.isWellFormed() || command.trim() === '')
      throw new ToolError('invalid_input', 'The command is blank or holds characters that no shell takes.');
    const folder =
      cwd === undefined ? await resolveOnlyRoot(context, 'cwd') : await resolvePath(cwd, context);
    return {
      access: { kind: 'command', line: command, cwd: folder },
      target: command,
      execute: async () => {
        await expectFolder(folder, context);
        const result = await context.shell.run({
          line: command,
          cwd: folder.location,
          timeoutMs: timeout_seconds * 1_000,
          keepBytes: KEEP_BYTES,
          signal: context.signal,
          onOutput: liveOutput(context.onOutput),
          sink: context.sink,
        });
        if (result.end === 'aborted') throw new AbortedError('stopped', printed(result));
        return report(result, timeout_seconds);
      },
    };
  },
});

/** A command that ran and failed is an answer, not an error of the tool: only one that did not come to its end is. */
function report(result: ShellResult, limitSeconds: number): ToolOutput {
  const output = printed(result);
  const isError = result.end === 'timed_out';
  return {
    content: `${output}\n\n[${ending(result, limitSeconds)}]`,
    ...(isError ? { isError } : {}),
    details: { exitCode: result.exitCode, totalBytes: result.totalBytes },
  };
}

function printed(result: ShellResult): string {
  return shownOutput(result, MAX_RESULT_CHARS - NOTE_CHARS);
}

/** Control sequences are rendered before anything is measured or cut: they are no output. */
function shownOutput({ head, tail, droppedBytes, totalBytes }: ShellResult, room: number): string {
  if (droppedBytes === 0) {
    const text = trimEnds(cleanText(head));
    return text.trim() === '' ? '(no output)' : boundText(text, room);
  }
  // Either part was cut anywhere, so a line at the cut may begin or end inside a control sequence.
  const start = cleanText(wholeLinesAtStart(head));
  const end = cleanText(wholeLinesAtEnd(tail));
  const half = Math.floor((room - NOTE_CHARS) / 2);
  const shown = [takeStart(trimEnds(start), half), takeEnd(trimEnds(end), half)];
  return shown.join(`\n[… the middle of ${totalBytes} bytes is left out …]\n`).toWellFormed();
}

/** What a terminal shows may be a secret only then, and is not known for one once it is cut. */
function cleanText(raw: string): string {
  return redactText(renderTerminal(raw));
}

function wholeLinesAtStart(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return text.slice(0, end > text.length * LINE_SHARE ? end : completeEnd(text));
}

function wholeLinesAtEnd(text: string): string {
  const start = text.indexOf('\n') + 1;
  return start < text.length * LINE_SHARE ? text.slice(start) : text;
}

function trimEnds(text: string): string {
  return text.replace(/^\n+/, '').trimEnd();
}

function ending({ end, exitCode, durationMs }: ShellResult, limitSeconds: number): string {
  const seconds = (durationMs / 1_000).toFixed(1);
  if (end === 'timed_out')
    return `stopped after ${limitSeconds} s, the time limit; what it printed until then is above. A longer limit can be given in timeout_seconds, up to ${MAX_SECONDS}`;
  return exitCode === null ? `ended by a signal after ${seconds} s` : `exit code ${exitCode}, ${seconds} s`;
}
