/** How a file's text was encoded, and all that is needed to write it back the same way. */
export interface TextEncoding {
  /** a label people know: `utf8`, `utf16le`, `windows1252`, `gb18030` */
  readonly name: string;
  readonly bom: boolean;
  /** false where it was guessed: then text that is not ASCII cannot be added safely */
  readonly isCertain: boolean;
}

export type Decoded =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: TextEncoding }
  /** not text, or not in any encoding that gives the same bytes back */
  | { readonly kind: 'binary' };

export interface TextCodec {
  /** Lossless: `encode(decode(bytes))` gives the same bytes, or the answer is `binary`. The text has no BOM. */
  decode(bytes: Uint8Array): Decoded;
  /** undefined where the encoding cannot hold the text */
  encode(text: string, encoding: TextEncoding): Uint8Array | undefined;
}
