import * as vscode from 'vscode';
import type { OffloadedOutput } from '../core/model/offloaded.ts';
import { openOutput } from '../core/offload/output-bytes.ts';
import type { FilePort } from '../core/ports/files.ts';
import { uriOf } from './locations.ts';

/** Opens it in an editor tab: the first of its files. @throws Error in words for people */
export async function openInEditor(output: OffloadedOutput, files: FilePort): Promise<void> {
  const uri = await uriOfOutput(output, files);
  try {
    // Shown by the editor itself: a document for extensions may have 50 MB at most.
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  } catch (error) {
    throw new Error(`${output.path} cannot be opened in an editor tab: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Shows where its first file is. @throws Error in words for people */
export async function reveal(output: OffloadedOutput, files: FilePort): Promise<void> {
  const uri = await uriOfOutput(output, files);
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  if (!(await isOnPersonsDisk(uri)))
    throw new Error(`${output.path} is in no folder of this workspace, and not on this computer's disk.`);
  await vscode.commands.executeCommand('revealFileInOS', uri);
}

async function uriOfOutput(output: OffloadedOutput, files: FilePort): Promise<vscode.Uri> {
  const opened = await openOutput(output, files);
  if (opened.kind === 'missing') throw new Error(opened.reason);
  return uriOf(output.parts[0]?.file ?? output.path);
}

/** The system's own file manager can show it: not where the extension runs on another computer, nor in a browser. */
async function isOnPersonsDisk(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file' || vscode.env.remoteName !== undefined) return false;
  return (await vscode.commands.getCommands(true)).includes('revealFileInOS');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
