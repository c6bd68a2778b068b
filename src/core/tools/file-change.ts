import { ToolError } from '../model/errors.ts';
import { redactText } from '../text/redact.ts';
import type { TextEncoding } from '../ports/text-codec.ts';
import type { PreparedCall, ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import type { Patch } from './patch.ts';
import { makePatch } from './patch.ts';
import { encodingLabel } from './text-file.ts';
import type { TextFile } from './text-file.ts';
import { expectUnmoved } from './workspace-path.ts';

/** What a file is to become. */
export interface FileChange {
  readonly file: ResolvedFile;
  /** undefined for a new file */
  readonly before: TextFile | undefined;
  readonly after: string;
  readonly encoding: TextEncoding;
  /** what is new in `after`: all of it, or only what an edit puts in */
  readonly inserted: string;
  /** the model knows the whole of `after` */
  readonly isWholeKnown: boolean;
  /** what the model is told when it is done */
  readonly summary: (patch: Patch) => string;
}

/**
 * The call that makes the change, with its patch to look at before.
 * @throws ToolError when the file's encoding cannot hold the text, or something would be lost that is not there again
 */
export function prepareChange(change: FileChange, context: ToolContext): PreparedCall {
  expectSecretsKept(change);
  expectMemoryKept(change, context);
  const bytes = encode(change, context);
  const { file, before, after } = change;
  const patch = makePatch({
    label: file.label,
    before: before?.text ?? '',
    after,
    isNew: before === undefined,
  });
  return {
    access: { kind: 'edit', files: [file] },
    target: file.label,
    patch: patch.patch,
    execute: async (): Promise<ToolOutput> => {
      await expectUnmoved(file, context);
      await expectUnchanged(change, context);
      await context.files.write(file.location, bytes);
      const isPartial = change.isWholeKnown ? {} : { isPartial: true as const };
      const seen = [{ file: file.location, hash: context.hash(bytes), ...isPartial }];
      return { content: change.summary(patch), details: { seen, ...patch } };
    },
  };
}

const MARK = /\[redacted: [^\]\n]{1,60}\]/g;

/** The model was shown marks where secrets are: written back, they would take the secrets' place. @throws ToolError */
function expectSecretsKept({ file, before, inserted }: FileChange): void {
  const marks = inserted.match(MARK) ?? [];
  if (before === undefined || marks.length === 0) return;
  const shown = redactText(before.text);
  const lost = marks.find((mark) => shown.includes(mark) && !before.text.includes(mark));
  if (lost === undefined) return;
  throw new ToolError(
    'invalid_input',
    `"${lost}" stands for a secret in ${file.label} that you are not shown; writing it would destroy the secret, so nothing was written. Use edit_file on the lines around it.`,
  );
}

/** MEMORY.md is a file like others, but what is lost of it is lost to every session to come. @throws ToolError */
function expectMemoryKept({ file, before, after }: FileChange, { memory }: ToolContext): void {
  const objection = memory?.objectionTo(file.location, before?.text ?? '', after);
  if (objection === undefined) return;
  throw new ToolError(
    'invalid_input',
    `${file.label} was not changed: it is the project's memory. ${objection}`,
  );
}

function encode({ file, after, inserted, encoding }: FileChange, context: ToolContext): Uint8Array {
  const label = encodingLabel(encoding) ?? 'UTF-8';
  // In a guessed encoding the same character may be other bytes than the file's own.
  if (!encoding.isCertain && /[^\0-\x7f]/.test(inserted))
    throw new ToolError(
      'encoding',
      `${file.label} seems to be encoded in ${label}, but that is a guess, so only ASCII text can be put into it. ` +
        'Nothing was written. Convert the file to UTF-8 with a command first, if the user wants that.',
    );
  const bytes = context.codec.encode(after, encoding);
  if (bytes !== undefined) return bytes;
  throw new ToolError(
    'encoding',
    `${file.label} is encoded in ${label}, which cannot hold all of the new text. Nothing was written.`,
  );
}

/** @throws ToolError when the file is not what the change was made for */
async function expectUnchanged({ file, before }: FileChange, context: ToolContext): Promise<void> {
  const isThere = (await context.files.stat(file.location)) !== undefined;
  const hash = isThere ? context.hash(await context.files.read(file.location)) : undefined;
  if (hash === before?.hash) return;
  throw new ToolError(
    'changed_since_read',
    `${file.label} changed while this edit was waiting, so nothing was written. Read it again, then repeat the edit.`,
  );
}

/**
 * What the model believes of the file must be what is there.
 * @throws ToolError that says to read the file (again)
 */
export function expectSeen(file: ResolvedFile, now: TextFile, context: ToolContext): void {
  const seen = context.seen.get(file.location);
  if (seen === undefined)
    throw new ToolError(
      'not_read',
      `${file.label} exists and has not been read in this session, so nothing was written. Read it first with read_file.`,
    );
  if (seen.hash !== now.hash)
    throw new ToolError(
      'changed_since_read',
      `${file.label} has changed since it was last read, so nothing was written. Read it again with read_file.`,
    );
}

/** As {@link expectSeen}, for a change that replaces the file. @throws ToolError */
export function expectSeenWhole(file: ResolvedFile, now: TextFile, context: ToolContext): void {
  expectSeen(file, now, context);
  if (context.seen.get(file.location)?.isPartial === true)
    throw new ToolError(
      'not_read',
      `Only a part of ${file.label} has been read, so it is not replaced as a whole. Change it with edit_file.`,
    );
}
