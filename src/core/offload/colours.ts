/** What a colour sequence can set, each apart from the others. The values are those that set it. */
type Colours = (number | string | undefined)[];

const BOLD = 0;
const DIM = 1;
const ITALIC = 2;
const UNDERLINE = 3;
const BLINK = 4;
const INVERSE = 5;
const HIDDEN = 6;
const STRIKE = 7;
const OVERLINE = 8;
const FOREGROUND = 9;
const BACKGROUND = 10;
const UNDERLINE_COLOUR = 11;

/** By code: what it sets. */
const SETS = new Map<number, number>([
  [1, BOLD],
  [2, DIM],
  [3, ITALIC],
  [4, UNDERLINE],
  [5, BLINK],
  [6, BLINK],
  [7, INVERSE],
  [8, HIDDEN],
  [9, STRIKE],
  [21, UNDERLINE],
  [53, OVERLINE],
  [38, FOREGROUND],
  [48, BACKGROUND],
  [58, UNDERLINE_COLOUR],
  ...eight(30, FOREGROUND),
  ...eight(40, BACKGROUND),
  ...eight(90, FOREGROUND),
  ...eight(100, BACKGROUND),
]);

/** By code: what it takes back. */
const CLEARS = new Map<number, readonly number[]>([
  [22, [BOLD, DIM]],
  [23, [ITALIC]],
  [24, [UNDERLINE]],
  [25, [BLINK]],
  [27, [INVERSE]],
  [28, [HIDDEN]],
  [29, [STRIKE]],
  [39, [FOREGROUND]],
  [49, [BACKGROUND]],
  [55, [OVERLINE]],
  [59, [UNDERLINE_COLOUR]],
]);

/** Codes that parameters of their own follow: which of 256, or three shares of light. */
const EXTENDED: ReadonlySet<number> = new Set([38, 48, 58]);

function eight(first: number, slot: number): readonly [number, number][] {
  return Array.from({ length: 8 }, (_, index) => [first + index, slot]);
}

const ESCAPE = 0x1b;
const BRACKET = 0x5b;
const M = 0x6d;
/** Longest colour sequence that is believed, in bytes. */
const MAX_SEQUENCE = 64;

/** The colours in force behind these bytes, where `style` is in force before them. Both are one sequence, or empty. */
export function coloursAfter(style: string, bytes: Uint8Array): string {
  let at = bytes.indexOf(ESCAPE);
  if (at < 0) return style;
  const colours = new ColourState(style);
  for (; at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) colours.see(bytes, at);
  return colours.style;
}

/** The colours in force, as a terminal keeps them. */
export class ColourState {
  readonly #colours: Colours = [];

  constructor(style: string) {
    applyAll(this.#colours, style.slice(2, -1));
  }

  /** One colour sequence that sets all of them; empty for none. */
  get style(): string {
    const set = this.#colours.filter((value) => value !== undefined);
    return set.length === 0 ? '' : `\u001b[${set.join(';')}m`;
  }

  /** Takes the sequence that begins there. False where the bytes end before it does. */
  see(bytes: Uint8Array, at: number): boolean {
    const end = sequenceEnd(bytes, at);
    if (end !== undefined && bytes[end] === M) applySequence(this.#colours, bytes, { start: at + 2, end });
    return end !== undefined;
  }
}

/** Where its parameters end; undefined where that is not known yet. Of what is no such sequence, a place without an `m`. */
function sequenceEnd(bytes: Uint8Array, at: number): number | undefined {
  if (at + 1 >= bytes.length) return undefined;
  if (bytes[at + 1] !== BRACKET) return at;
  let end = at + 2;
  while (end < bytes.length && isParameter(bytes[end]) && end - at < MAX_SEQUENCE) end += 1;
  return end < bytes.length ? end : undefined;
}

/** Digits, `:` and `;`. */
function isParameter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x3b;
}

function applySequence(
  colours: Colours,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  let code = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x39) return applyAll(colours, String.fromCharCode(...bytes.subarray(start, end)));
    code = code * 10 + byte - 0x30;
  }
  if (!EXTENDED.has(code)) apply(colours, code, code);
}

function applyAll(colours: Colours, parameters: string): void {
  if (parameters === '') return;
  const all = parameters.split(';');
  for (let index = 0; index < all.length; index += 1) {
    const parameter = all[index] ?? '';
    const code = Number.parseInt(parameter, 10) || 0;
    if (code === 4 && parameter === '4:0') apply(colours, 24, 24);
    else if (parameter.includes(':') || !EXTENDED.has(code))
      apply(colours, code, parameter.includes(':') ? parameter : code);
    else {
      const more = all[index + 1] === '2' ? 4 : all[index + 1] === '5' ? 2 : 0;
      if (more > 0) apply(colours, code, all.slice(index, index + more + 1).join(';'));
      index += more;
    }
  }
}

function apply(colours: Colours, code: number, value: number | string): void {
  const slot = SETS.get(code);
  if (slot !== undefined) colours[slot] = value;
  else if (code === 0) colours.length = 0;
  else for (const cleared of CLEARS.get(code) ?? []) colours[cleared] = undefined;
}
