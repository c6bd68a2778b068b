import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { createTextCodec } from '../../src/node/text-codec.ts';

const codec = createTextCodec();

const decoded = (bytes: Uint8Array) => {
  const result = codec.decode(bytes);
  if (result.kind !== 'text') throw new Error('binary');
  return { text: result.text, ...result.encoding };
};

describe('X1: what a file is written in', () => {
  const chinese = '这是一个用来测试编码识别的中文文件,内容足够长。';
  it.each([
    ['nothing', Buffer.from(''), { text: '', name: 'utf8', bom: false, isCertain: true }],
    ['ASCII', Buffer.from('abc'), { text: 'abc', name: 'utf8', bom: false, isCertain: true }],
    ['UTF-8', Buffer.from('é🎉'), { text: 'é🎉', name: 'utf8', bom: false, isCertain: true }],
    ['UTF-8 with BOM', Buffer.from('\ufeffé'), { text: 'é', name: 'utf8', bom: true, isCertain: true }],
    [
      'UTF-16LE',
      iconv.encode('\ufeffé', 'utf16le'),
      { text: 'é', name: 'utf16le', bom: true, isCertain: true },
    ],
    [
      'UTF-16BE',
      iconv.encode('\ufeffé', 'utf16be'),
      { text: 'é', name: 'utf16be', bom: true, isCertain: true },
    ],
    [
      'GB18030',
      iconv.encode(chinese, 'gb18030'),
      { text: chinese, name: 'gb18030', bom: false, isCertain: false },
    ],
  ])('%s', (_, bytes, expected) => expect(decoded(bytes)).toEqual(expected));

  it('Latin-1 is a guess', () => {
    expect(decoded(Buffer.from('636166e90a780a', 'hex'))).toMatchObject({
      text: 'café\nx\n',
      isCertain: false,
    });
  });

  it.each([
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
    ['UTF-16 without a BOM', iconv.encode('abc', 'utf16le')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['an odd number of bytes of UTF-16', Buffer.from([0xff, 0xfe, 0x61])],
    ['compressed bytes', Buffer.from('1f8b0803ff01e2', 'hex')],
  ])('%s is binary', (_, bytes) => expect(codec.decode(bytes)).toEqual({ kind: 'binary' }));

  it('X1: text comes back as the very bytes, or it is no text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const result = codec.decode(bytes);
        if (result.kind === 'text')
          expect(Buffer.from(codec.encode(result.text, result.encoding)!)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it('what an encoding cannot hold is not encoded', () => {
    const legacy = { bom: false, isCertain: false };
    expect(codec.encode('世', { name: 'windows1252', ...legacy })).toBeUndefined();
    expect(codec.encode('\ud83d', { name: 'utf8', ...legacy })).toBeUndefined();
    expect(codec.encode('a', { name: 'no such encoding', ...legacy })).toBeUndefined();
    expect(codec.encode('世🎉', { name: 'gb18030', ...legacy })).toEqual(iconv.encode('世🎉', 'gb18030'));
  });
});
