import type { VsCodeApi } from './vscode-api.ts';

/** Where the reader was: the first item in sight and how far it was scrolled. */
export interface ScrollPlace {
  readonly sessionId: string;
  readonly itemKey: string;
  /** pixels from the item's top to the top of the view */
  readonly offset: number;
}

/** What only this webview knows, kept by the editor while the webview is gone. */
export interface SavedState {
  readonly draft: string;
  /** absent: at the end, where new things appear */
  readonly scroll?: ScrollPlace;
}

export function readSavedState(api: VsCodeApi): SavedState {
  const saved = api.getState();
  if (!isRecord(saved)) return { draft: '' };
  const draft = typeof saved['draft'] === 'string' ? saved['draft'] : '';
  const scroll = saved['scroll'];
  return isScrollPlace(scroll) ? { draft, scroll } : { draft };
}

function isScrollPlace(value: unknown): value is ScrollPlace {
  return (
    isRecord(value) &&
    typeof value['sessionId'] === 'string' &&
    typeof value['itemKey'] === 'string' &&
    typeof value['offset'] === 'number'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
