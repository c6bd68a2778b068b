/** What every replacement begins with. */
export const MARK = '[redacted: ';

/** The shape of a secret. */
export interface SecretRule {
  /** what stands in its place */
  readonly what: string;
  /** the signs it may begin with */
  readonly first: string;
  /** matched where the shape begins; a group of it, if there is one, is the secret and ends where the match does */
  readonly pattern: RegExp;
  /** the last word, where the shape alone says too little: what is only an example of the shape is left alone */
  readonly isSecret: (secret: string, before: string) => boolean;
}

/** The two signs that any of the shapes begins with: all that most of a text is looked at for. */
const PAIRS =
  'sk rk gh gi gl xo AK AS AI ey np py SG SK Ac Sh se Se SE be Be BE ba Ba BA :/ -- Pu LS hf'.split(' ');

const TRIGGER = new RegExp(
  [
    'sk[-_]|rk_live_|gh[opusr]_|github_pat_|glpat-|xox[abeprs]-|A[KS]IA[A-Z0-9]|AIza|eyJ|npm_|pypi-AgE|SG\\.|SK[0-9a-f]{2}',
    '(?:Account|SharedAccess)Key=|[Ss]ecret[_-]?[Aa]ccess[_-]?[Kk]ey|SECRET_ACCESS_KEY|[Ss]ecret[ _-]?(?:[Aa]ccess[ _-]?)?[Kk]ey|SECRET_KEY|hf_',
    '[Ss]ession_?[Tt]oken|SESSION_TOKEN|[Bb]earer|BEARER|[Bb]asic|BASIC|:\\/\\/|-----(?:BEGIN|END) |---- (?:BEGIN|END) SSH2 |PuTTY-User-Key-File-|LS0tLS1CRUdJTi',
  ].join('|'),
  'y',
);

const isPair = new Uint8Array(128 * 128);
for (const pair of PAIRS) isPair[pair.charCodeAt(0) * 128 + pair.charCodeAt(1)] = 1;

/** The next place from `from` on, before `to`, where a secret may begin; `to` where there is none. */
export function nextTrigger(text: string, from: number, to: number): number {
  let code = text.charCodeAt(from);
  for (let at = from; at < to; at += 1) {
    const next = text.charCodeAt(at + 1);
    if (code < 128 && next < 128 && isPair[code * 128 + next] === 1) {
      TRIGGER.lastIndex = at;
      if (TRIGGER.test(text)) return at;
    }
    code = next;
  }
  return to;
}

/** How far before its beginning a shape is looked at. */
export const LOOK_BEHIND = 64;
/** Longest secret that is known, with what is looked at behind it. */
export const LOOK_AHEAD = 16_640;

/** Not inside of a word, but behind an escape (`\n`), a colour, `%3D`, the mark of a diff, the end of another key. */
const LEFT = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]|\[[0-9;]{0,12}[mK]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|=3D|(?:^|[\n\r])-|-----))`;
/** A marker glued to a key ends it. */
const MARKER = '-----(?:BEGIN|END) ';
/**
 * The end of a secret: none of the signs goes on behind it. What was glued to another one is no more of a secret when that
 * one is replaced than it was before.
 */
const noMore = (signs: string) => `(?=${MARKER}|(?!${signs}|\\[redacted: ))`;
const NO_MORE = noMore('[A-Za-z0-9_-]');
const NO_LETTER = noMore('[A-Za-z0-9]');
const NO_BASE64 = noMore('[A-Za-z0-9+/=]');
/** Signs of a key that may have dashes; a marker is none of it. */
const dashed = (signs: string) => `(?:[${signs}]|-(?!${MARKER.slice(1)}))`;
const WORD = dashed('A-Za-z0-9_');
/** Between a name and its value, in code, configuration and JSON. */
const IS = String.raw`\\?["'\]]?(?:[ \t]{0,40}(?:=>|[:=>|])[ \t]{0,40}|[ \t]{1,40})\\?["'${'`'}]?`;

/** A slash may be escaped, as PHP does in JSON. */
const AWS_SIGNS = String.raw`(?:[A-Za-z0-9/+]|\\/){40}`;

const key = (source: string) => new RegExp(`${LEFT}(${source})`, 'y');
const always = () => true;

export const SECRET_RULES: readonly SecretRule[] = [
  {
    what: 'Anthropic API key',
    first: 's',
    pattern: key(`sk-ant-${WORD}{16,4000}${NO_MORE}`),
    isSecret: isRandom,
  },
  {
    what: 'OpenAI API key',
    first: 's',
    pattern: key(`sk-(?:proj|svcacct|admin|None)-${WORD}{20,4000}${NO_MORE}`),
    isSecret: isRandom,
  },
  {
    what: 'API key',
    first: 's',
    pattern: key(`sk-(?:or-v1-)?[A-Za-z0-9]{20,200}${NO_MORE}`),
    isSecret: isRandom,
  },
  {
    what: 'GitHub token',
    first: 'g',
    pattern: new RegExp(
      `(?:${LEFT}|(?<=_))(gh[opusr]_[A-Za-z0-9_]{30,255}${NO_LETTER}(?:\\.${WORD}{16,4000}${NO_MORE}){0,2})`,
      'y',
    ),
    isSecret: isRandom,
  },
  {
    what: 'GitHub token',
    first: 'g',
    pattern: key(`github_pat_[A-Za-z0-9_]{22,255}${NO_LETTER}`),
    isSecret: isRandom,
  },
  {
    what: 'GitLab token',
    first: 'g',
    pattern: key(`glpat-${WORD}{20,300}${NO_MORE}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9}${NO_MORE})?`),
    isSecret: isRandom,
  },
  {
    what: 'Slack token',
    first: 'x',
    pattern: key(`xox[abeprs]-${dashed('A-Za-z0-9.')}{15,400}${NO_MORE}`),
    isSecret: hasDigits,
  },
  {
    what: 'AWS access key',
    first: 'A',
    pattern: key(
      `A[KS]IA[A-Z0-9]{16}${NO_LETTER}(?:["']?[ ,;:|\\t]{1,4}["']?(?![0-9a-f]{40})${AWS_SIGNS}${NO_BASE64})?`,
    ),
    isSecret: isFilled,
  },
  {
    what: 'AWS secret key',
    first: 'sS',
    pattern: new RegExp(
      `(?:[Ss]ecret[_-]?[Aa]ccess[_-]?[Kk]ey|SECRET_ACCESS_KEY)${IS}(${AWS_SIGNS})${NO_BASE64}`,
      'y',
    ),
    isSecret: isFilled,
  },
  {
    what: 'AWS secret key',
    first: 'sS',
    pattern: new RegExp(
      `(?:[Ss]ecret[ _-]?(?:[Aa]ccess[ _-]?)?[Kk]ey|SECRET_KEY)(?: \\[[*A-Za-z0-9]{0,24}\\])?${IS}(${AWS_SIGNS})${NO_BASE64}`,
      'y',
    ),
    isSecret: (secret) => isFilled(secret) && isMixed(secret),
  },
  {
    what: 'AWS session token',
    first: 'sS',
    pattern: new RegExp(
      `(?:[Ss]ession_?[Tt]oken|SESSION_TOKEN)${IS}([A-Za-z0-9/+]{100,4000}={0,2})${NO_BASE64}`,
      'y',
    ),
    isSecret: isFilled,
  },
  { what: 'Google API key', first: 'A', pattern: key(`AIza${WORD}{35}${NO_MORE}`), isSecret: isFilled },
  {
    what: 'Azure key',
    first: 'AS',
    pattern: new RegExp(`(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,200}={0,2})${NO_BASE64}`, 'y'),
    isSecret: isFilled,
  },
  {
    what: 'Stripe key',
    first: 'sr',
    pattern: key(`[sr]k_live_[A-Za-z0-9]{16,255}${NO_LETTER}`),
    isSecret: isFilled,
  },
  {
    what: 'Slack webhook',
    first: ':',
    pattern: new RegExp(
      `:\\/\\/hooks\\.slack(?:-gov)?\\.com\\/(?:services|workflows|triggers)\\/(${dashed('A-Za-z0-9_/')}{24,300})${NO_MORE}`,
      'y',
    ),
    isSecret: hasDigits,
  },
  {
    what: 'Hugging Face token',
    first: 'h',
    pattern: key(`hf_[A-Za-z0-9]{34,40}${NO_MORE}`),
    isSecret: (secret) => isFilled(secret) && /[a-z]/.test(secret.slice(3)) && /[A-Z]/.test(secret),
  },
  { what: 'npm token', first: 'n', pattern: key(`npm_[A-Za-z0-9]{36}${NO_MORE}`), isSecret: isFilled },
  {
    what: 'PyPI token',
    first: 'p',
    pattern: key(`pypi-AgE${WORD}{40,1000}${NO_MORE}`),
    isSecret: isFilled,
  },
  {
    what: 'SendGrid key',
    first: 'S',
    pattern: key(`SG\\.${WORD}{16,64}\\.${WORD}{32,100}${NO_MORE}`),
    isSecret: isFilled,
  },
  { what: 'Twilio key', first: 'S', pattern: key(`SK[0-9a-f]{32}${NO_LETTER}`), isSecret: isFilled },
  {
    what: 'JSON web token',
    first: 'e',
    pattern: key(`eyJ${WORD}{8,2000}\\.eyJ${WORD}{8,12000}\\.${WORD}{16,2000}${NO_MORE}`),
    isSecret: always,
  },
  {
    what: 'bearer token',
    first: 'bB',
    pattern: new RegExp(
      `(?<![A-Za-z0-9_])(?:[Bb]earer|BEARER)(?:[ \\t]{1,16}|%20)(${dashed('A-Za-z0-9._~+/')}{12,8000}={0,2})${noMore('[A-Za-z0-9._~+/=-]')}`,
      'y',
    ),
    isSecret: (secret, before) =>
      HEADER.test(before) ? /\d/.test(secret) || hasLongRun(secret) : isRandom(secret) && secret.length >= 20,
  },
  {
    what: 'password',
    first: 'bB',
    pattern: new RegExp(
      `(?<![A-Za-z0-9_])(?:[Bb]asic|BASIC)(?:[ \\t]{1,4}|%20)([A-Za-z0-9+/]{8,4000}={0,2})${NO_BASE64}`,
      'y',
    ),
    isSecret: isNameAndPassword,
  },
  {
    what: 'password',
    first: ':',
    pattern:
      /(?<=[A-Za-z0-9]):\/\/[^ \t\r\n\0:@/?#"'`<>\\]{0,128}:([^ \t\r\n\0@/"'`<>\\]{1,256})(?=@[A-Za-z0-9[_])/y,
    isSecret: (password) => !PLACEHOLDER.test(password),
  },
];

/** What stands before the scheme of a header, in HTTP and in code. */
const HEADER = /authorization\\?["']?\]?[ \t]{0,4}[:=][ \t]{0,4}\[?\\?["'`]?$/i;

/** Filled in by a program or a reader. */
const PLACEHOLDER =
  /^(?:[$[{(].*|%[sdvq(].*|\*+|\.{2,}|.*\$\{.*|.*\{\{.*|x+|X+|(?:your|my|the)?[-_]?(?:pass(?:word|wd)?|pwd|secret|token)|(?:YOUR|MY|DB)?[-_]?(?:PASS(?:WORD|WD)?|PWD|SECRET|TOKEN))$/;

/** Not a row of `x`, which stands for a key in texts about keys. */
function isFilled(secret: string): boolean {
  return !/(?:x{8}|X{8}|\*{8})/.test(secret);
}

/** Not `your-key-goes-here`, nor a row of `x`. */
function isRandom(secret: string): boolean {
  return (
    isFilled(secret) && (/\d/.test(secret.replace(/^sk-ant-(?:[a-z]+\d\d-)?/, '')) || hasLongRun(secret))
  );
}

/** As what is random in base64 is; a hash in hexadecimal is not. */
function isMixed(secret: string): boolean {
  return /[A-Z]/.test(secret) && /[a-z]/.test(secret) && /\d/.test(secret);
}

function hasLongRun(secret: string): boolean {
  return /[A-Za-z0-9]{16}/.test(secret);
}

function hasDigits(secret: string): boolean {
  return isFilled(secret) && (secret.match(/\d/g)?.length ?? 0) >= 3;
}

/** What HTTP's basic authentication sends. */
function isNameAndPassword(encoded: string): boolean {
  try {
    return /^[ -9;-~\u0080-\u00ff]*:[ -~\u0080-\u00ff]+$/.test(atob(encoded));
  } catch {
    return false; // not base64: a word
  }
}
