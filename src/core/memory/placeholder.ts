/** Whether a line stands for text that somebody did not write out, as models do when they abridge. */
export function isPlaceholder(line: string): boolean {
  if (line.length > MAX_LINE) return false;
  return ANYWHERE.test(line) || WHOLE.test(line.trim().replace(/^[-*+] +/, ''));
}

/** Such lines are short. */
const MAX_LINE = 1_000;

const DOTS = '(?:\\.{3}|…)';
const REST = '(?:rest|remaining|remainder|existing|previous|earlier|other|others|everything|same)';
const AS_IT_IS =
  '(?:unchanged|the same|same|as before|as above|as is|as it was|omitted|truncated|elided|kept|preserved|here|stays?|remains?|code|content|contents|text|entries|lines|memories)';
const WORDS = "[\\p{L}\\p{N} ,;:'’_-]{0,80}";

/** In brackets, between dots or not: `[... rest unchanged ...]`, `<same as before>`. */
const ANYWHERE = new RegExp(
  `[[<{] ?${DOTS}${WORDS}\\b${REST}\\b${WORDS}${DOTS}? ?[\\]>}]` +
    `|[[<{] ?${DOTS}?${WORDS}\\b${REST}\\b${WORDS}\\b${AS_IT_IS}\\b${WORDS}${DOTS}? ?[\\]>}]` +
    `|[[<{] ?same as (?:before|above) ?[\\]>}]`,
  'iu',
);

const WHOLE = new RegExp(
  '^(?:' +
    [
      DOTS, // nothing but dots
      `(?://|#+|--|;|/\\*|<!--) ?${DOTS}${WORDS}\\b(?:${REST}|unchanged|omitted)\\b${WORDS}${DOTS}?(?: ?(?:\\*/|-->))?`,
      `${DOTS} ?\\(?(?:the )?${REST}\\b${WORDS}\\)? ?${DOTS}?`,
      '[([<{] ?(?:unchanged|no changes?|omitted|truncated|placeholder|content here|text here) ?[)\\]>}]',
      '[[<{] ?(?:insert|your|add|fill in)\\b' + WORDS + '[\\]>}]',
      '(?:TODO|FIXME|TBD):? ?(?:(?:fill|add|write|complete|describe)\\b(?: (?:this|it|in|out|here|later|details?|text|content|me|the|rest)){0,4})?[.…]*',
      'lorem ipsum\\b.{0,900}',
    ].join('|') +
    ')$',
  'iu',
);
