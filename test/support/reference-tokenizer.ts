import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

/** The tokenizer that estimates are measured against. Loading it takes seconds, so it is made once, when asked for. */
let tokenizer: Tiktoken | undefined;

/** Tokens of a text of ordinary length without long unbroken runs; other text takes minutes. */
export function referenceCount(text: string): number {
  tokenizer ??= new Tiktoken(o200k);
  return tokenizer.encode(text, [], []).length;
}
