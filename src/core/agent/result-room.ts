/** Most characters of all results of one step together: parallel calls must not fill the window between two requests. */
const STEP_CHARS = 40_000;
/** Share of an even part that each call is sure of, however much the ones before it take. */
const SURE_SHARE = 0.5;

/** The room that the calls of one message share. What one does not need the others may have. */
export class ResultRoom {
  readonly #sure: number;
  #left = STEP_CHARS;
  #open: number;

  constructor(calls: number) {
    this.#open = calls;
    this.#sure = Math.floor((STEP_CHARS / Math.max(1, calls)) * SURE_SHARE);
  }

  /** Characters that the next result to come in may have. */
  get next(): number {
    return Math.max(this.#sure, this.#left - this.#sure * Math.max(0, this.#open - 1));
  }

  /** A result came in, with so many characters. */
  take(chars: number): void {
    this.#open -= 1;
    this.#left -= chars;
  }
}
