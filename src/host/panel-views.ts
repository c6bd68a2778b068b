import * as vscode from 'vscode';
import type { Panel } from './panel.ts';

export const PANEL_VIEW = 'plimsoll.panel';
const EDITOR_VIEW = 'plimsoll.editor';

export interface PanelViewsOptions {
  readonly panel: () => Panel;
  /** opens the session on first use; resolves when the panel's state is worth showing */
  readonly opened: () => Promise<void>;
}

/** The places the panel can be in: the view in a side bar, and editor tabs that come back after a reload. */
export class PanelViews implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #options: PanelViewsOptions;

  constructor(options: PanelViewsOptions) {
    this.#options = options;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(PANEL_VIEW, this),
      vscode.window.registerWebviewPanelSerializer(EDITOR_VIEW, this),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const attached = this.#attach(view.webview);
    view.onDidDispose(() => void attached.dispose());
  }

  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.#fillTab(tab);
    return Promise.resolve();
  }

  openInEditor(): void {
    this.#fillTab(vscode.window.createWebviewPanel(EDITOR_VIEW, 'Plimsoll', vscode.ViewColumn.Beside));
  }

  #fillTab(tab: vscode.WebviewPanel): void {
    const attached = this.#attach(tab.webview);
    tab.onDidDispose(() => void attached.dispose());
  }

  #attach(webview: vscode.Webview): vscode.Disposable {
    return this.#options.panel().attach(webview, this.#options.opened());
  }
}
