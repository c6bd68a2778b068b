/** Characters as a tokenizer groups them. Runs of one kind are weighed together. */
/** small letters, and Latin letters with marks of either case */
export const LOWER = 0;
export const UPPER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const NEWLINE = 4;
export const PUNCTUATION = 5;
export const HAN = 6;
export const KANA = 7;
export const HANGUL = 8;
/** letters of every other script */
export const LETTER = 9;
export const CYRILLIC = 12;
/** box drawing, arrows, dingbats, full-width forms */
export const SYMBOL = 10;
/** half of a character outside the basic plane: mostly emoji */
export const SURROGATE = 11;

export type CharacterKind = number;

/** A look-up instead of a search: every character of every text that is estimated comes by here, several times. */
let kinds: Uint8Array | undefined;

/** Of a UTF-16 code unit. */
export function kindOf(code: number): CharacterKind {
  kinds ??= Uint8Array.from({ length: 2 ** 16 }, (_, each) => findKind(each));
  return kinds[code] ?? SYMBOL;
}

function findKind(code: number): CharacterKind {
  if (code < 128) return asciiKind(code);
  if (code < 0x250) return code < 0xc0 || code === 0xd7 || code === 0xf7 ? latinSignKind(code) : LOWER;
  if (code >= 0x400 && code < 0x530) return CYRILLIC;
  if (code < 0x2000) return code >= 0x1e00 && code < 0x1f00 ? LOWER : LETTER;
  if (code < 0x3000) return code >= 0x2e80 && code < 0x2fe0 ? HAN : SYMBOL;
  return eastAsianKind(code);
}

function asciiKind(code: number): CharacterKind {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return NEWLINE;
  return /\s/.test(character) ? SPACE : PUNCTUATION;
}

function latinSignKind(code: number): CharacterKind {
  if (code === 0xa0) return SPACE;
  return code === 0xaa || code === 0xb5 || code === 0xba ? LETTER : SYMBOL;
}

function eastAsianKind(code: number): CharacterKind {
  if (code < 0x3040) return SYMBOL;
  if (code < 0x3100) return KANA;
  if (code < 0x3130) return LETTER;
  if (code < 0x3190) return HANGUL;
  if (code < 0x3400) return SYMBOL;
  if (code < 0xa000) return HAN;
  if (code < 0xac00) return LETTER;
  if (code < 0xd800) return HANGUL;
  if (code < 0xe000) return SURROGATE;
  if (code >= 0xf900 && code < 0xfb00) return HAN;
  if (code >= 0xff66 && code < 0xffa0) return KANA;
  return code >= 0xfb00 && code < 0xfe00 ? LETTER : SYMBOL;
}

/** Han characters that most often stand inside a token of several: a text of them takes far fewer tokens. */
const JOINED_HAN = toCodes(
  '一万三上下不业东个中为主久么乐买了争事二五亚产京人什代以件会体作信免全公六关册出分划利到前加动北区博县发可台号司合同名后吗和品哪商国图在地址多大天奖女好如娱子字安官定实家小少工市平年度开录彩影微心快怎' +
    '性总情戏成户所手投报提播数文料新方无日时是最月有期本机来果欧比民法注洲清游点热爱片版特玩现球理生用电百的直看真码神票福站精系级线经结综网美老联能自色行观规视解计费资赛车软载这送道里重金钱霸页频香马高黄',
);

/** The same for Hangul syllables. */
const JOINED_HANGUL = toCodes(
  '가간개것게경계고공관구국그기나내는니다대데도동되드들라래러로료를리마만면모문바방번보부분비사상생서성세소수스습시신아안않어업없었에여영오요용우운원으은을음의이인일있자장전정제조주지최출터트하한해행화회',
);

export function isJoinedHan(code: number): boolean {
  return JOINED_HAN.has(code);
}

export function isJoinedHangul(code: number): boolean {
  return JOINED_HANGUL.has(code);
}

function toCodes(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}
