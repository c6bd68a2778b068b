import chardet from 'chardet';
import iconv from 'iconv-lite';
import type { Decoded, TextCodec, TextEncoding } from '../core/ports/text-codec.ts';

type Bom = { readonly name: 'utf8' | 'utf16le' | 'utf16be'; readonly bytes: readonly number[] };

const BOMS: readonly Bom[] = [
  { name: 'utf8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf16le', bytes: [0xff, 0xfe] },
  { name: 'utf16be', bytes: [0xfe, 0xff] },
];

/**
 * What a file without a BOM that is not UTF-8 may be, by the detector's name. Only encodings without shift states:
 * in those a change in one place cannot change the bytes of another.
 */
const GUESSABLE: Readonly<Record<string, string>> = {
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shiftjis',
  'EUC-JP': 'eucjp',
  'EUC-KR': 'euckr',
  'ISO-8859-1': 'windows1252',
  'ISO-8859-2': 'iso88592',
  'ISO-8859-5': 'iso88595',
  'ISO-8859-7': 'iso88597',
  'ISO-8859-8': 'iso88598',
  'ISO-8859-9': 'windows1254',
  'windows-1250': 'windows1250',
  'windows-1251': 'windows1251',
  'windows-1252': 'windows1252',
  'windows-1253': 'windows1253',
  'windows-1254': 'windows1254',
  'windows-1255': 'windows1255',
  'windows-1256': 'windows1256',
  'KOI8-R': 'koi8r',
};

/** The last resort: it gives every byte a character. */
const ANY_BYTES = 'iso88591';
const SAMPLE_BYTES = 64 * 1024;

/** Text in the encodings that real projects hold; whatever would not come back byte for byte is `binary`. */
export function createTextCodec(): TextCodec {
  return { decode, encode };
}

function decode(bytes: Uint8Array): Decoded {
  const bom = BOMS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  if (bom !== undefined) {
    const text = decodeAs(bytes.subarray(bom.bytes.length), bom.name);
    return asText(text, { name: bom.name, bom: true, isCertain: true });
  }
  if (bytes.includes(0)) return { kind: 'binary' };
  const utf8 = decodeAs(bytes, 'utf8');
  if (utf8 !== undefined) return asText(utf8, { name: 'utf8', bom: false, isCertain: true });
  return guess(bytes);
}

function asText(text: string | undefined, encoding: TextEncoding): Decoded {
  return text === undefined || text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text, encoding };
}

function guess(bytes: Uint8Array): Decoded {
  const found = chardet.analyse(bytes.subarray(0, SAMPLE_BYTES)).map((match) => GUESSABLE[match.name]);
  for (const name of [...found, 'windows1252', ANY_BYTES]) {
    const text = name === undefined ? undefined : decodeAs(bytes, name);
    if (name !== undefined && text !== undefined && !looksBinary(text))
      return { kind: 'text', text, encoding: { name, bom: false, isCertain: false } };
  }
  return { kind: 'binary' };
}

/** Control characters that no text holds: what is not UTF-8 and has them is no text in an old encoding either. */
function looksBinary(text: string): boolean {
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
}

/** undefined where the text would not give the same bytes back */
function decodeAs(bytes: Uint8Array, name: string): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = iconv.decode(buffer, name, { stripBOM: false });
  return iconv.encode(text, name).equals(buffer) ? text : undefined;
}

function encode(text: string, encoding: TextEncoding): Uint8Array | undefined {
  if (!iconv.encodingExists(encoding.name)) return undefined;
  const body = iconv.encode(text, encoding.name);
  if (iconv.decode(body, encoding.name, { stripBOM: false }) !== text) return undefined;
  const bom = BOMS.find((candidate) => candidate.name === encoding.name);
  return encoding.bom && bom !== undefined ? Buffer.concat([Buffer.from(bom.bytes), body]) : body;
}
