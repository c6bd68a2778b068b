export type ApprovalMode = 'ask' | 'acceptEdits' | 'auto';

/** What a person can set, read once per turn. */
export interface Settings {
  /** empty: the newest the server offers */
  readonly model: string;
  readonly maxOutputTokens: number;
  /** override of the model's window, in tokens */
  readonly window?: number;
  readonly approvalMode: ApprovalMode;
  readonly maxRounds: number;
}
