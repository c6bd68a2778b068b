import type { OpenOutput } from '../src/protocol/output-pages.ts';
import type { VsCodeApi } from './vscode-api.ts';

/** Where the reader was: the first item in sight and how far it was scrolled. */
export interface ScrollPlace {
  readonly sessionId: string;
  readonly itemKey: string;
  /** pixels from the item's top to the top of the view */
  readonly offset: number;
}

/** The parts of the panel, in the order of their tabs. */
export const PANEL_TABS = ['chat', 'memory'] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

/** What only this webview knows, kept by the editor while the webview is gone. */
export interface SavedState {
  readonly draft: string;
  /** absent: at the end, where new things appear */
  readonly scroll?: ScrollPlace;
  readonly output?: OpenOutput;
  /** absent: the conversation */
  readonly tab?: PanelTab;
}

export function readSavedState(api: VsCodeApi): SavedState {
  const saved = api.getState();
  if (!isRecord(saved)) return { draft: '' };
  const draft = typeof saved['draft'] === 'string' ? saved['draft'] : '';
  const { scroll, output } = saved;
  const tab = PANEL_TABS.find((known) => known === saved['tab']);
  return {
    draft,
    ...(isScrollPlace(scroll) && { scroll }),
    ...(isOpenOutput(output) && { output }),
    ...(tab !== undefined && { tab }),
  };
}

function isScrollPlace(value: unknown): value is ScrollPlace {
  return (
    isRecord(value) &&
    typeof value['sessionId'] === 'string' &&
    typeof value['itemKey'] === 'string' &&
    typeof value['offset'] === 'number'
  );
}

export function isOpenOutput(value: unknown): value is OpenOutput {
  return (
    isRecord(value) &&
    typeof value['sessionId'] === 'string' &&
    typeof value['toolUseId'] === 'string' &&
    typeof value['row'] === 'number' &&
    (value['line'] === undefined || typeof value['line'] === 'number') &&
    typeof value['isWrapped'] === 'boolean'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
