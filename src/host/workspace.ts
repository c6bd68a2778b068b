import * as vscode from 'vscode';
import type { WorkspacePort } from '../core/ports/files.ts';
import { locationOf } from './locations.ts';

/** The folders that are open, asked for anew at every use. */
export const workspace: WorkspacePort = {
  roots: () =>
    (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, location: locationOf(uri) })),
  isTrusted: () => vscode.workspace.isTrusted,
};

/** Calls `listener` when folders come or go, or when the person trusts the workspace. */
export function onWorkspaceChanged(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  );
}
