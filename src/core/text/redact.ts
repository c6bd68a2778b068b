import type { Stretch } from './encoded-key.ts';
import { MAX_KEY_CHARS } from './encoded-key.ts';
import { bodyBefore, isKeyBegun, keyFrom, keyUpTo } from './private-key.ts';
import { LOOK_AHEAD, LOOK_BEHIND, MARK, nextTrigger, SECRET_RULES } from './redact-rules.ts';
import type { Seen } from './unseen.ts';
import { MAX_UNSEEN, withoutUnseen } from './unseen.ts';

/**
 * The text with every secret of a known shape replaced by `[redacted: <what>]`. Only what is certain to be one by its
 * shape: hashes, placeholders and code that merely names a secret stay. In linear time; doing it again changes nothing.
 */
export function redactText(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, what } of findSecrets(text, { from: 0, isWhole: true }).secrets) {
    parts.push(text.slice(done, start), markOf(what));
    done = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done);
}

export interface Secret extends Stretch {
  /** where its shape begins, which may be with its name */
  readonly at: number;
  readonly what: string;
}

export function markOf(what: string): string {
  return `${MARK}${what}]`;
}

export interface Found {
  /** in order, not overlapping */
  readonly secrets: readonly Secret[];
  /** what is before this place would be found the same however the text goes on */
  readonly decided: number;
}

interface Undecided {
  readonly from: number;
  readonly isWhole: boolean;
}

/**
 * The secrets of a text, or of a part of it that may go on: then those only that what comes cannot change.
 * Control sequences and controls do not hide one; those inside of it belong to it.
 * @param from where the text is not yet decided; what is before it, from {@link contextOf} it on, is looked at
 */
export function findSecrets(text: string, undecided: Undecided): Found {
  const found = secretsIn(text, undecided);
  const seen = withoutUnseen(text);
  if (seen === undefined) return found;
  return joined(found, secretsSeen(seen, undecided));
}

/** Where a private key begins behind `from` that may go on behind the text; its length where none does. */
export function openKeyFrom(text: string, from: number): number {
  const seen = withoutUnseen(text);
  const raw = openKeyIn(text, from);
  if (seen === undefined) return raw;
  const at = openKeyIn(seen.text, seen.seenOf(from));
  return at < seen.text.length ? Math.min(raw, seen.rawOf(at)) : raw;
}

function openKeyIn(text: string, from: number): number {
  let at = nextTrigger(text, from, text.length);
  while (at < text.length && !(KEY_TRIGGER.test(text.slice(at, at + 5)) && isKeyBegun(text, at)))
    at = nextTrigger(text, at + 1, text.length);
  return at;
}

/** Where what has to be known of the text begins, when it is decided up to `decided`. */
export function contextOf(text: string, decided: number): number {
  const behind = LOOK_BEHIND + 2 * MAX_UNSEEN; // where it begins a row of unseen characters may be torn
  const seen = withoutUnseen(text);
  if (seen === undefined) return Math.max(0, decided - behind);
  const from = seen.seenOf(decided) - behind;
  return from <= 0 ? 0 : seen.rawOf(from);
}

function secretsSeen(seen: Seen, { from, isWhole }: Undecided): Found {
  const { secrets, decided } = secretsIn(seen.text, { from: seen.seenOf(from), isWhole });
  return {
    secrets: secrets.map(({ at, start, end, what }) => ({
      at: seen.rawOf(at),
      start: seen.rawOf(start),
      end: seen.rawOf(end - 1) + 1,
      what,
    })),
    decided: seen.rawOf(decided),
  };
}

/** What only one of both knows is a secret too, and what both know in part is one. */
function joined(one: Found, other: Found): Found {
  const secrets: Secret[] = [];
  for (const secret of [...one.secrets, ...other.secrets].sort((a, b) => a.start - b.start)) {
    const last = secrets.at(-1);
    if (last === undefined || last.end <= secret.start) secrets.push(secret);
    else
      secrets[secrets.length - 1] = {
        ...last,
        at: Math.min(last.at, secret.at),
        end: Math.max(last.end, secret.end),
      };
  }
  let decided = Math.min(one.decided, other.decided);
  for (const { at, end } of secrets.toReversed()) if (at < decided && decided < end) decided = at;
  return { secrets: secrets.filter(({ end }) => end <= decided), decided };
}

function secretsIn(text: string, { from, isWhole }: Undecided): Found {
  const limit = isWhole ? text.length : endedUpTo(text, from);
  const secrets: Secret[] = [];
  let done = from;
  for (let at = nextTrigger(text, from, limit); at < limit;) {
    const secret = secretAt(text, at, { done, isWhole });
    if (secret === 'open') return { secrets, decided: Math.max(done, at) };
    if (secret !== undefined) secrets.push(secret);
    done = secret?.end ?? done;
    at = nextTrigger(text, Math.max(done, at + 1), limit);
  }
  return { secrets, decided: isWhole ? limit : decidedUpTo(text, done, Math.max(done, limit)) };
}

/**
 * All secrets but keys stand in one line, so that nothing can change what ended lines hold; nor, in a line that is longer
 * than any secret, what is that far before its end.
 */
function endedUpTo(text: string, from: number): number {
  const lineStart = startOfLastLine(text);
  const isLong = text.length - lineStart > 2 * LOOK_AHEAD;
  return Math.max(from, isLong ? text.length - LOOK_AHEAD : lineStart);
}

/** The last line may end in a `\r` that belongs to a `\n`. */
function startOfLastLine(text: string): number {
  return 1 + Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2));
}

/** Lines that could be a key's wait for its closing marker, which may follow. */
function decidedUpTo(text: string, done: number, ended: number): number {
  if (ended !== startOfLastLine(text)) return ended;
  return bodyBefore(text, ended, Math.max(done, ended - MAX_KEY_CHARS)) ?? ended;
}

/** What a private key's marker may begin with. */
const KEY_TRIGGER = /^(?:----|PuTTY|LS0tL)/;

function secretAt(
  text: string,
  at: number,
  { done, isWhole }: { readonly done: number; readonly isWhole: boolean },
): Secret | 'open' | undefined {
  if (KEY_TRIGGER.test(text.slice(at, at + 5))) {
    const key = keyFrom(text, at, isWhole) ?? keyUpTo(text, at, done);
    return key === undefined || key === 'open'
      ? key
      : { ...key, at: Math.min(at, key.start), what: 'private key' };
  }
  for (const { pattern, first, what, isSecret } of SECRET_RULES) {
    if (!first.includes(text.charAt(at))) continue;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const secret = found?.[1];
    if (found === null || secret === undefined) continue;
    const end = at + found[0].length;
    if (isSecret(secret, text.slice(Math.max(0, at - LOOK_BEHIND), at)))
      return { at, start: end - secret.length, end, what };
  }
  return undefined;
}
