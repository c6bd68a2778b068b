import * as vscode from 'vscode';
import type { Ledger } from '../core/model/ledger.ts';

/** The load, where it can be seen without the panel: the same number as the panel's meter. */
export class LoadStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('plimsoll.load', vscode.StatusBarAlignment.Right, 90);

  constructor() {
    this.#item.name = 'Plimsoll: context budget';
    this.#item.command = 'plimsoll.open';
  }

  show(ledger: Ledger | undefined): void {
    if (ledger === undefined) {
      this.#item.hide();
      return;
    }
    const { text, sentence } = describeLoad(ledger);
    this.#item.text = text;
    this.#item.tooltip = sentence;
    this.#item.accessibilityInformation = { label: sentence };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function describeLoad({ phase, total, budget }: Ledger): {
  readonly text: string;
  readonly sentence: string;
} {
  const about = phase === 'estimate' ? '≈' : '';
  const used = total.toLocaleString('en-US');
  if (budget.tokens === undefined) {
    return {
      text: `⦵ ${about}${used}`,
      sentence: `Plimsoll: ${about}${used} tokens; the model's window is unknown`,
    };
  }
  const percent = Math.round((total / Math.max(1, budget.tokens)) * 100);
  const sentence = `Plimsoll: ${about}${used} of ${budget.tokens.toLocaleString('en-US')} tokens, ${percent}% of the context budget`;
  return { text: `⦵ ${about}${percent}%`, sentence };
}
