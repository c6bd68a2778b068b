import type { Entry } from '../../model/entry.ts';
import { takeEnd, takeStart } from '../../text/bound-text.ts';
import type { Group, Variant } from './recall-group.ts';
import type { Passage } from './recall-scan.ts';
import type { EntryPart } from './recall-text.ts';

/** What a page of hits may take, in tokens as {@link roughTokens} counts them. */
export const PAGE_TOKENS = 1_750;
/** Of one hit: a longer group goes on in the next. */
const HIT_TOKENS = 1_100;
const MAX_LINE_CHARS = 320;
const MAX_NEAR_CHARS = 140;
/** So few lines alike are each shown with the lines around them. */
const FEW = 2;
const MAX_ALSO = 4;

export interface HitPlaces {
  /** how long ago it was, in words */
  readonly age: (entry: Entry) => string;
  readonly isRewound: (entry: Entry) => boolean;
}

/** One hit as it is shown. */
export interface Hit {
  /** the entry of its first line */
  readonly entry: Entry;
  readonly text: string;
  readonly tokens: number;
}

/** One group is one hit, or several where it is long. */
export function hitsOf(group: Group, places: HitPlaces): readonly Hit[] {
  const [first, ...more] = group.variants;
  if (first === undefined) return [];
  const isSameLine = more.every(({ lines }) => lines.join('\n') === first.lines.join('\n'));
  if (more.length < FEW || (isSameLine && more.length > 0))
    return packed(
      group.variants.map((variant) => ({ variant, text: withContext(variant, places) })),
      '',
    );
  const heading = `${group.variants.length} lines alike, newest first:`;
  return packed(
    group.variants.map((variant) => ({ variant, text: `  ${alone(variant, places)}` })),
    heading,
  );
}

interface Shown {
  readonly variant: Variant;
  readonly text: string;
}

function packed(items: readonly Shown[], heading: string): readonly Hit[] {
  const hits: Hit[] = [];
  let lines: Shown[] = [];
  let tokens = 0;
  const close = () => {
    const entry = lines[0]?.variant.passage.entry;
    if (entry === undefined) return;
    const title = heading === '' ? [] : [hits.length === 0 ? heading : `${heading.slice(0, -1)}, continued:`];
    const text = [...title, ...lines.map((line) => line.text)].join('\n').toWellFormed();
    hits.push({ entry, text, tokens: roughTokens(text) + 4 });
    lines = [];
    tokens = 0;
  };
  for (const item of items) {
    const more = roughTokens(item.text);
    if (lines.length > 0 && tokens + more > HIT_TOKENS) close();
    lines.push(item);
    tokens += more;
  }
  close();
  return hits;
}

function withContext(variant: Variant, places: HitPlaces): string {
  const lines = [
    ...(variant.before === ''
      ? []
      : [`    ${near(takeEnd(variant.before, MAX_NEAR_CHARS), variant.before)}`]),
    ...variant.lines.map((line) => `  > ${shorten(line)}`),
    ...(variant.after === '' ? [] : [`    ${near(takeStart(variant.after, MAX_NEAR_CHARS), variant.after)}`]),
  ];
  return [placeOf(variant, places), ...lines].join('\n');
}

function near(cut: string, whole: string): string {
  if (cut === whole) return cut;
  return whole.startsWith(cut) ? `${cut}…` : `…${cut}`;
}

function alone(variant: Variant, places: HitPlaces): string {
  return `${placeOf(variant, places)}: ${shorten(variant.lines.join(' ').trim())}`;
}

function shorten(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${takeStart(line, MAX_LINE_CHARS)}…`;
}

/** `e12 result of read_file: src/a.ts, 3 rounds ago, rewound (same in e7)` */
function placeOf({ passage, also }: Variant, { age, isRewound }: HitPlaces): string {
  const { entry, part } = passage;
  const ids = also.slice(0, MAX_ALSO).map(({ id }) => id);
  const rest = also.length > ids.length ? ` and ${also.length - ids.length} more` : '';
  const same = ids.length === 0 ? '' : ` (same in ${ids.join(', ')}${rest})`;
  return `${entry.id} ${labelOf(entry, part)}, ${age(entry)}${isRewound(entry) ? ', rewound' : ''}${same}${fileOf(passage)}`;
}

function labelOf(entry: Entry, part: EntryPart): string {
  return part.file === undefined || entry.kind !== 'tool_result' ? part.label : `output of ${entry.name}`;
}

/** The call that shows a line of a kept output. */
function fileOf({ part, start }: Passage): string {
  if (part.file === undefined) return '';
  const line = part.file.line + part.text.slice(0, start).split('\n').length - 1;
  return `, read_file {"path": ${JSON.stringify(part.file.path)}, "offset": ${line}}`;
}

/** Tokens as most tokenizers would count them, rather too many: the bound must hold for every script. */
function roughTokens(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) quarters += quartersOf(text.charCodeAt(at));
  return Math.ceil(quarters / 4);
}

function quartersOf(code: number): number {
  if (code > 127) return 4;
  const isLetter = (code >= 97 && code <= 122) || code === 32;
  if (isLetter) return 1;
  return code >= 48 && code <= 57 ? 2.4 : 2;
}
