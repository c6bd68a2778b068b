import * as vscode from 'vscode';

/** What `when` clauses and enablements read; told to the editor when it changes, and only then. */
export class ContextKeys {
  readonly #values = new Map<string, boolean>();

  set(key: string, value: boolean): void {
    if ((this.#values.get(key) ?? false) === value) return;
    this.#values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
