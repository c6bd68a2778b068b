import type { OpenOutput } from '../protocol/output-pages.ts';

export interface KeptPlace<Value> {
  load(): Promise<Value>;
  save(value: Value): Promise<void>;
}

/**
 * What the panel had in the window before. The editor loses a webview's state when a window reloads, or gives an older one
 * back: so the first who asks in a window is told by the host, and whatever is made anew later knows better itself.
 */
export class KeptForReload<Value> {
  readonly #place: KeptPlace<Value>;
  #isKnown = false;

  constructor(place: KeptPlace<Value>) {
    this.#place = place;
  }

  /** Undefined from the second time on. */
  async take(): Promise<{ readonly value: Value } | undefined> {
    if (this.#isKnown) return undefined;
    this.#isKnown = true;
    return { value: await this.#place.load() };
  }

  async save(value: Value): Promise<void> {
    this.#isKnown = true; // what the window before had is no longer of any use
    await this.#place.save(value);
  }
}

/** Whether it is what it says the panel checks, as it does with what the editor keeps. */
export function openOutputFrom(text: string): OpenOutput | undefined {
  try {
    return JSON.parse(text) as OpenOutput;
  } catch {
    return undefined; // none was open, or it is damaged
  }
}
