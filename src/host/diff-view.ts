import { applyPatch, parsePatch, reversePatch } from 'diff';
import * as vscode from 'vscode';
import type { TextCodec } from '../core/ports/text-codec.ts';
import type { ToolItem } from '../protocol/view-model.ts';

const SCHEME = 'plimsoll-diff';

/** How many texts of opened diffs are kept: an older diff tab can be opened from its card again. */
const KEPT = 40;

/** A file as it is. */
interface TextNow {
  readonly text: string;
  /** the editor reads it the same way by itself; another encoding it would take for UTF-8, and save as that */
  readonly isKnownToEditor: boolean;
}

/** Shows what an edit changed, or would change, in the editor's own diff view. */
export class DiffView implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #codec: TextCodec;

  constructor(codec: TextCodec) {
    this.#codec = codec;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /**
   * The patch is applied to the file as it is now: forwards while the edit waits for an answer, backwards once it was
   * made. Where the file has moved on, the patch itself is shown.
   */
  async open(tool: ToolItem, file: vscode.Uri | undefined): Promise<void> {
    const patch = tool.patch ?? tool.approval?.patch;
    if (patch === undefined) throw new Error('this call changed nothing that could be shown');
    const isMade = tool.state === 'ok';
    const now = file && (await this.#textOf(file));
    const other = now === undefined ? undefined : patched(now.text, patch, isMade);
    if (file === undefined || now === undefined || other === undefined) return this.#openPatch(tool, patch);
    const name = file.path.split('/').at(-1) ?? 'file';
    const made = this.#document(`${tool.toolUseId}/${isMade ? 'before' : 'after'}`, name, other);
    const isLive = isMade && now.isKnownToEditor;
    const current = isLive ? file : this.#document(`${tool.toolUseId}/now`, name, now.text);
    const [left, right] = isMade ? [made, current] : [current, made];
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      right,
      `${name} (${isMade ? 'Plimsoll’s edit' : 'proposed edit'})`,
    );
  }

  async #openPatch(tool: ToolItem, patch: string): Promise<void> {
    const uri = this.#document(tool.toolUseId, 'edit.diff', patch);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async #textOf(file: vscode.Uri): Promise<TextNow | undefined> {
    try {
      const decoded = this.#codec.decode(await vscode.workspace.fs.readFile(file));
      if (decoded.kind === 'binary') return undefined;
      const { name, bom } = decoded.encoding;
      return { text: decoded.text, isKnownToEditor: name === 'utf8' || bom };
    } catch (error) {
      // A new file that waits for approval is not there yet.
      const isAbsent = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      return isAbsent ? { text: '', isKnownToEditor: true } : undefined;
    }
  }

  #document(id: string, name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${id}/${name}` });
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    const oldest = this.#texts.keys().next();
    if (this.#texts.size > KEPT && oldest.done !== true) this.#texts.delete(oldest.value);
    return uri;
  }
}

/** The text after the patch, or before it when `isMade`; undefined where it does not fit. */
function patched(text: string, patch: string, isMade: boolean): string | undefined {
  try {
    const [parsed, ...more] = parsePatch(patch);
    if (parsed === undefined || more.length > 0) return undefined;
    const result = applyPatch(text, isMade ? reversePatch(parsed) : parsed, { autoConvertLineEndings: true });
    return result === false ? undefined : result;
  } catch {
    return undefined; // a patch that was cut does not parse
  }
}
