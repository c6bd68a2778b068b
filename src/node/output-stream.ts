import { StringDecoder } from 'node:string_decoder';

const FLUSH_MS = 200;
/** Most characters passed on at once: a flood is for the keeper, people see its latest part. */
const MAX_FLUSH = 16_000;

/** Passes decoded output on a few times a second, whatever the rate it comes at. */
export class OutputStream {
  readonly #onOutput: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onOutput: (text: string) => void) {
    this.#onOutput = onOutput;
  }

  add(chunk: Buffer): void {
    this.#waiting += this.#decoder.write(chunk);
    if (this.#waiting.length > 4 * MAX_FLUSH) this.#waiting = this.#waiting.slice(-MAX_FLUSH);
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  end(): void {
    this.#waiting += this.#decoder.end();
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting.slice(-MAX_FLUSH).toWellFormed();
    this.#waiting = '';
    if (text !== '') this.#onOutput(text);
  }
}
