/** A provider's refusal of a request, as far as it tells an overflow of the window from anything else. */
export interface Refusal {
  /** HTTP status; absent for an error in mid-stream */
  readonly status: number | undefined;
  /** the provider's own words; empty where it sent none */
  readonly text: string;
  /** machine-readable kind or code, where the body has one */
  readonly kinds: readonly string[];
  /** the window in tokens, where the body has a field for it */
  readonly window?: number | undefined;
}

export interface Overflow {
  /** the limit in tokens that the refusal names */
  readonly learntLimit?: number;
}

/** Overflow comes as a bad or too large request; some local servers make it a 500, and a stream has no status. */
const STATUSES: ReadonlySet<number | undefined> = new Set([400, 413, 422, 500, undefined]);

const KINDS: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_context_window_exceeded',
  'request_too_large',
  'request_body_too_large_after_decoding',
  'prompt_too_long',
]);

/** Limits of speed and of money also speak of too many tokens: nothing that could be shortened helps there. */
const RATE_LIMIT =
  /rate.?limit|per[ -](?:second|minute|hour|day)|\b[tr]p[mds]\b|quota|throttl|too many requests|credit balance/i;

const PATTERNS: readonly RegExp[] = [
  /(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)/i,
  /exceeds? (?:the |your )?(?:model'?s? )?(?:maximum )?context (?:window|size|length|limit)/i,
  /exceeds? the available context size/i,
  /context (?:window|size|length|limit) (?:exceeds|exceeded|has been exceeded|overflow)/i,
  /context[_ ](?:length|window)[_ ]exceeded/i,
  /maximum context length (?:is|of) \d/i,
  /greater than the context length/i,
  /context the overflows/i,
  /input token count.{0,80}exceeds the maximum/i,
  /requested token count exceeds/i,
  /requested input length .{0,80}exceeds/i,
  /input length \d+ exceeds/i,
  /input length exceeds/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /range of input length should be/i,
  /maximum prompt length is \d/i,
  /(?:prompt|token) count of \d+ exceeds the limit of \d/i,
  // What is too long is the input: a limit on the output, or on a part of it, is another matter.
  /(?<!\boutput |\bcompletion )\btokens?\b[^.]{0,40}\bexceeds the limit of \d/i,
  /\b(?:(?:input|request|message|conversation) (?:length|size)|(?:prompt|context)(?: length| size)?) exceeds the limit of \d/i,
  /exceeded model token limit/i,
  /too large for model with \d+ maximum context length/i,
  /reduce the length of the (?:messages|prompt|input|conversation)/i,
  /too many (?:input |prompt )?tokens/i,
  /token limit exceeded/i,
];

/** Limits on fields, files and counts are no limits of the window. */
const OTHER_UNIT = String.raw`\s*(?:bytes?|char(?:acter)?s?|[kmg]i?b|words|(?:content )?blocks?|items?|images?|messages|tools?|files?|pages?)\b`;

/** A refusal that names a limit in another unit, and speaks of no tokens. */
const OTHER_LIMIT = new RegExp(
  String.raw`^(?![^]*\btokens?\b)[^]*(?:limit|maximum|most|than|>)(?: of| is|:)? [\d,._]+${OTHER_UNIT}`,
  'i',
);

const NUMBER = String.raw`(\d[\d,_]*)(?![\d,_])(?!${OTHER_UNIT})`;

/** Each captures the limit. Only wordings that name it plainly: a wrong limit is worse than none. */
const LIMITS: readonly RegExp[] = [
  `tokens > ${NUMBER} maximum`,
  `exceed context limit: [\\d,_]+ \\+ [\\d,_]+ > ${NUMBER}`,
  `maximum allowed input length of ${NUMBER}`,
  `maximum (?:context|prompt|input) length (?:is|of)(?: only)? ${NUMBER}`,
  `context length of(?: only)? ${NUMBER}`,
  `available context size \\(${NUMBER} tokens`,
  `maximum number of (?:input )?tokens allowed \\(${NUMBER}\\)`,
  `exceeds the (?:limit|maximum) of ${NUMBER}`,
  `exceeded model token limit: ${NUMBER}`,
  `model with ${NUMBER} maximum context length`,
  `context window (?:size )?(?:is|of|\\()\\s?${NUMBER}`,
  `range of input length should be \\[\\d+, ?${NUMBER}\\]`,
  `n_ctx:? ?=? ?${NUMBER}`,
].map((source) => new RegExp(source, 'i'));

/** Below it a number is an error code or a typo, above it no window. */
const PLAUSIBLE = { min: 256, max: 100_000_000 };

/** Whether a request was refused because it does not fit the model's window; undefined for every other refusal. */
export function recogniseOverflow(refusal: Refusal): Overflow | undefined {
  if (!STATUSES.has(refusal.status)) return undefined;
  if (RATE_LIMIT.test(refusal.text)) return undefined;
  const isOverflow =
    refusal.status === 413 ||
    refusal.kinds.some((kind) => KINDS.has(kind)) ||
    (PATTERNS.some((pattern) => pattern.test(refusal.text)) && !OTHER_LIMIT.test(refusal.text)) ||
    // One provider refuses what is too long with an empty 400, and nothing else that way.
    (refusal.status === 400 && refusal.text === '');
  if (!isOverflow) return undefined;
  const learntLimit = plausible(refusal.window) ?? limitIn(refusal.text);
  return learntLimit === undefined ? {} : { learntLimit };
}

function limitIn(text: string): number | undefined {
  for (const pattern of LIMITS) {
    const digits = pattern.exec(text)?.[1];
    const limit = digits === undefined ? undefined : plausible(Number(digits.replaceAll(/[,_]/g, '')));
    if (limit !== undefined) return limit;
  }
  return undefined;
}

function plausible(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= PLAUSIBLE.min && limit <= PLAUSIBLE.max ? limit : undefined;
}
