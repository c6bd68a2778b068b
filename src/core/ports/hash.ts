/** sha256 of the bytes or of the text's UTF-8, hex. */
export type Hash = (data: Uint8Array | string) => string;
