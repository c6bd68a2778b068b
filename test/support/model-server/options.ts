import type { ModelProfile } from './profiles.ts';
import type { Scenario, ScenarioFunction } from './scenario.ts';
import type { SummaryScript } from './summaries.ts';
import type { TokenizeText } from './tokens.ts';

export interface ModelServerOptions {
  readonly scenario: Scenario;
  /** the models on offer; both kinds by default */
  readonly models?: readonly ModelProfile[];
  /** the only key that is let in; by default any key that is not empty */
  readonly apiKey?: string;
  /** 0, the default, takes a free one */
  readonly port?: number;
  /** tokens of a text; must be linear in its length */
  readonly tokenize?: TokenizeText;
  /** milliseconds since the epoch, for the cache's lifetimes */
  readonly now?: () => number;
  /** most characters in one delta of a stream */
  readonly deltaChars?: number;
  /** milliseconds before every delta */
  readonly paceMs?: number;
  /** the key thinking is signed with; servers with the same one read each other's thinking */
  readonly signingKey?: string;
  /** of every model, instead of its own: tokens */
  readonly window?: number;
  /** what is written when a summary is asked for; a plausible one by default */
  readonly summaries?: SummaryScript;
  /** what is answered when it is asked what is worth remembering; nothing by default */
  readonly memories?: ScenarioFunction;
  /**
   * Rules a test breaks on purpose: the refusal is answered and recorded, and is no failure of the client.
   * `prompt-length` and `body-size` belong here where a test is about what happens when nothing fits.
   */
  readonly expects?: readonly string[];
  /** reads only so many tokens of a request, and says so in its usage alone, as some local servers do */
  readonly clipsAt?: number;
  /** bytes, 32 MB by default */
  readonly maxBodyBytes?: number;
  /** what this server has not, as other servers that speak this API: then it answers 404, or leaves usage out */
  readonly lacks?: readonly ('models' | 'count_tokens' | 'usage')[];
}
