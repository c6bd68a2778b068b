import * as vscode from 'vscode';

const SECRET = 'plimsoll.anthropic.apiKey';

/** The key: the one a person stored, else the environment's. It is kept in the editor's secret storage and nowhere else. */
export async function readApiKey(secrets: vscode.SecretStorage): Promise<string | undefined> {
  const stored = await secrets.get(SECRET);
  return stored?.trim() || process.env['ANTHROPIC_API_KEY']?.trim() || undefined;
}

/** Asks for a key and stores it; an empty answer removes the stored one. */
export async function askForApiKey(secrets: vscode.SecretStorage): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: 'Plimsoll: Set API Key',
    prompt:
      'Your Anthropic API key. It is kept in the editor’s secret storage. Leave it empty to remove the stored key.',
    password: true,
    ignoreFocusOut: true,
    placeHolder: 'sk-ant-…',
  });
  if (key === undefined) return;
  if (key.trim() === '') await secrets.delete(SECRET);
  else await secrets.store(SECRET, key.trim());
}

export function onApiKeyChanged(secrets: vscode.SecretStorage, listener: () => void): vscode.Disposable {
  return secrets.onDidChange(({ key }) => {
    if (key === SECRET) listener();
  });
}
