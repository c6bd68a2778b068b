import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const modules = path.join(import.meta.dirname, '../../node_modules');

/** The beginning of a file that some package ships. */
export function readModule(file: string, length = 20_000): string {
  return readFileSync(path.join(modules, file), 'utf8').slice(0, length);
}

/** TypeScript's own messages: real technical prose in many languages. */
export function messages(language: string, length = 12_000): string {
  const table = JSON.parse(
    readFileSync(path.join(modules, `typescript/lib/${language}/diagnosticMessages.generated.json`), 'utf8'),
  ) as Record<string, string>;
  return Object.values(table).join('\n').slice(0, length);
}

/** Its characters of one script, without a break between them. */
export function only(text: string, script: string): string {
  return text.replaceAll(new RegExp(`[^\\p{Script=${script}}]`, 'gu'), '');
}

/** Bytes that no compressor could shorten, the same in every run. */
export function noise(bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, index) =>
    createHash('sha512').update(String(index)).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

/** Unbroken scripts are slow for the reference, so it reads them in lines; that costs it a newline each. */
export function lines(text: string, width = 40): string {
  return text.match(new RegExp(`.{1,${width}}`, 'gsu'))?.join('\n') ?? '';
}
