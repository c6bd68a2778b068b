import * as vscode from 'vscode';
import { askForApiKey } from './api-key.ts';
import type { App } from './app.ts';
import { PANEL_VIEW, PanelViews } from './panel-views.ts';

let app: Promise<App> | undefined;

/** Only registers: the program itself is another bundle, read when the panel is first shown or a command is run. */
export function activate(context: vscode.ExtensionContext): void {
  const running = (): Promise<App> =>
    (app ??= import('./app.ts').then((program) => new program.App(context)));
  const views = new PanelViews(running);
  const shown = async (): Promise<App> => {
    await vscode.commands.executeCommand(`${PANEL_VIEW}.focus`);
    return running();
  };
  const command = (name: string, run: (argument?: unknown) => unknown) =>
    vscode.commands.registerCommand(`plimsoll.${name}`, run);
  context.subscriptions.push(
    views.register(),
    command('open', async () => (await shown()).panel.focusComposer()),
    command('openInEditor', () => views.openInEditor()),
    command('newSession', async () => (await running()).newSession()),
    command('stop', async () => (await app)?.stop()),
    // A key binding may name what to keep in mind; from the palette it simply happens.
    command('compact', async (focus) => {
      const program = (await app)?.panel.isShown ? await running() : await shown();
      await program.compactVisibly(typeof focus === 'string' ? focus : undefined);
    }),
    command('showContext', async () => (await shown()).panel.showContext()),
    command('editMemory', async () => (await shown()).panel.showMemory()),
    command('setApiKey', () => askForApiKey(context.secrets)),
  );
}

export async function deactivate(): Promise<void> {
  await (await app)?.shutDown();
  app = undefined;
}
