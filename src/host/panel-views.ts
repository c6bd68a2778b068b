import * as vscode from 'vscode';
import type { Panel } from './panel.ts';

export const PANEL_VIEW = 'plimsoll.panel';
const EDITOR_VIEW = 'plimsoll.editor';

/** What the views show. */
export interface PanelSource {
  readonly panel: Panel;
  /** resolves when the panel's state is worth showing */
  open(): Promise<void>;
}

/** The places the panel can be in: the view in a side bar, and editor tabs that come back after a reload. */
export class PanelViews implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #source: () => Promise<PanelSource>;

  /** @param source makes what is shown on first use */
  constructor(source: () => Promise<PanelSource>) {
    this.#source = source;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(PANEL_VIEW, this),
      vscode.window.registerWebviewPanelSerializer(EDITOR_VIEW, this),
    );
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    await this.#fill(view);
  }

  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    await this.#fill(tab);
  }

  async openInEditor(): Promise<void> {
    await this.#fill(vscode.window.createWebviewPanel(EDITOR_VIEW, 'Plimsoll', vscode.ViewColumn.Beside));
  }

  async #fill(place: vscode.WebviewView | vscode.WebviewPanel): Promise<void> {
    let isGone = false;
    const gone = new Promise<void>((resolve) => {
      place.onDidDispose(() => {
        isGone = true;
        resolve();
      });
    });
    const source = await this.#source();
    if (isGone) return;
    const attached = source.panel.attach(place.webview, source.open());
    onHidden(place, () => attached.hidden());
    void gone.then(() => void attached.dispose());
  }
}

/** The listener goes with the place. */
function onHidden(place: vscode.WebviewView | vscode.WebviewPanel, listener: () => void): void {
  const changed = () => {
    if (!place.visible) listener();
  };
  if ('onDidChangeVisibility' in place) place.onDidChangeVisibility(changed);
  else place.onDidChangeViewState(changed);
}
