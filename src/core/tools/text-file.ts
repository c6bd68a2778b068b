import { ToolError } from '../model/errors.ts';
import type { TextEncoding } from '../ports/text-codec.ts';
import { goneOutput, isKept } from './kept-outputs.ts';
import type { ResolvedFile, ToolContext } from './define-tool.ts';

/** Files above are read by bytes only, and not edited: they would have to be held in memory several times over. */
export const MAX_TEXT_BYTES = 20_000_000;

/** A text file as it is on the disk now. */
export interface TextFile {
  readonly bytes: Uint8Array;
  /** sha256 of the bytes, hex */
  readonly hash: string;
  /** without a BOM; line endings as they are */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** @throws ToolError for what is absent, a folder, too large, or not text */
export async function readTextFile(file: ResolvedFile, context: ToolContext): Promise<TextFile> {
  const size = await sizeOfFile(file, context);
  if (size > MAX_TEXT_BYTES)
    throw new ToolError(
      'too_large',
      `${file.label} has ${size} bytes, more than the ${MAX_TEXT_BYTES} that are read as text.`,
    );
  const bytes = await context.files.read(file.location);
  const decoded = context.codec.decode(bytes);
  if (decoded.kind === 'binary' && isKept(file, context)) return anyway(bytes, context);
  if (decoded.kind === 'binary')
    throw new ToolError('encoding', `${file.label} is a binary file (${bytes.length} bytes), not text.`);
  return { bytes, hash: context.hash(bytes), text: decoded.text, encoding: decoded.encoding };
}

/** What a tool printed is shown whatever it is. */
function anyway(bytes: Uint8Array, context: ToolContext): TextFile {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { bytes, hash: context.hash(bytes), text, encoding: { name: 'utf8', bom: false, isCertain: false } };
}

/** Bytes of a regular file. @throws ToolError for anything else */
export async function sizeOfFile(file: ResolvedFile, context: ToolContext): Promise<number> {
  const stat = await context.files.stat(file.location);
  if (stat === undefined)
    throw (
      goneOutput(file, context) ??
      new ToolError('not_found', `There is no file ${file.label}. list_files shows what there is.`)
    );
  if (stat.kind === 'directory')
    throw new ToolError('invalid_input', `${file.label} is a folder. list_files shows what is in it.`);
  if (stat.kind === 'other')
    throw new ToolError('invalid_input', `${file.label} is not a regular file, so it is not read.`);
  return stat.size;
}

/** An encoding as people call it, where it is worth a word: undefined for plain UTF-8. */
export function encodingLabel({ name, bom }: TextEncoding): string | undefined {
  if (name === 'utf8') return bom ? 'UTF-8 with BOM' : undefined;
  return bom ? `${name} with BOM` : name;
}
