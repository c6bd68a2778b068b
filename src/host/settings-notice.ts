import * as vscode from 'vscode';
import { onSettingsChanged, settingObjections } from './settings.ts';

const OPEN = 'Open Settings';

/** Says of settings that are not taken as they stand what holds instead: once, and again only when they change. */
export function tellOfSettings(): vscode.Disposable {
  let told: readonly string[] = [];
  const tell = () => {
    const objections = settingObjections();
    const news = objections.filter((text) => !told.includes(text));
    told = objections;
    if (news.length > 0) void warn(news.join(' '));
  };
  tell();
  return onSettingsChanged(tell);
}

async function warn(text: string): Promise<void> {
  const choice = await vscode.window.showWarningMessage(`Plimsoll: ${text}`, OPEN);
  if (choice === OPEN) await vscode.commands.executeCommand('workbench.action.openSettings', 'plimsoll');
}
