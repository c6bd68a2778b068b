import * as vscode from 'vscode';
import { App } from './app.ts';
import { askForApiKey } from './api-key.ts';
import { PANEL_VIEW, PanelViews } from './panel-views.ts';

let app: App | undefined;

/** Only registers; everything else waits until the panel is first shown or a command is run. */
export function activate(context: vscode.ExtensionContext): void {
  const running = (): App => (app ??= new App(context));
  const views = new PanelViews({ panel: () => running().panel, opened: () => running().open() });
  const command = (name: string, run: () => unknown) =>
    vscode.commands.registerCommand(`plimsoll.${name}`, run);
  context.subscriptions.push(
    views.register(),
    command('open', async () => {
      await vscode.commands.executeCommand(`${PANEL_VIEW}.focus`);
      running().panel.focusComposer();
    }),
    command('openInEditor', () => views.openInEditor()),
    command('newSession', () => running().newSession()),
    command('stop', () => app?.sessions.current?.stop()),
    command('setApiKey', () => askForApiKey(context.secrets)),
  );
}

export async function deactivate(): Promise<void> {
  await app?.shutDown();
  app = undefined;
}
