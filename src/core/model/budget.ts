/** Every line is a share of the budget, 0 to 1; an absent one is switched off. */
export interface LoadLines {
  readonly evict?: number;
  readonly prepare?: number;
  readonly compact?: number;
  readonly fold?: number;
}

/** The one budget that meter, trigger, recovery and `max_tokens` read. Tokens. */
export interface Budget {
  /** the model's input limit; absent when nobody says it */
  readonly window?: number;
  readonly reservedOutput: number;
  readonly margin: number;
  /** window − reserved output − margin; absent with the window */
  readonly tokens?: number;
  readonly lines: LoadLines;
  /** compact here at the latest, for economy; absent: only the lines hold */
  readonly cap?: number;
}
