import type { RecordedBlock, RecordedMessage, RecordedTool } from '../recorded.ts';
import { Random } from './random.ts';
import type { Recording } from './session.ts';

/** Characters of a tool's result in real sessions, by quantile. */
const RESULT = [
  [0, 20],
  [0.5, 281],
  [0.9, 5_400],
  [0.95, 10_000],
  [0.99, 31_000],
  [1, 60_000],
] as const;
const ROUNDS_PER_MESSAGE = 10;
/** Of the rounds that call tools, those that call two or more. */
const SEVERAL = 0.21;
/** Of the reads, those of a file that was read before. */
const AGAIN = 0.55;
/** What is worked on at a time. */
const HOT_FILES = 6;
const INPUT_CHARS = 950;
const PROSE_WORDS = 50;

const WORDS =
  'account invoice session token cache queue worker ledger tenant router schema payload webhook cursor batch retry policy quota metric trace bucket shard replica lease digest signature channel stream window frame cluster region migration rollback snapshot audit load save fetch parse merge apply resolve validate emit drain flush rotate refresh revoke persist hydrate encode decode compute collect project render stale active pending frozen partial remote local shared primary internal public strict nested flat sparse warm stable volatile'.split(
    ' ',
  );

/**
 * A seeded session of long work that is like real ones in sizes, in what is read again, and in what it goes on with.
 * @param scale of the sizes: less where only the number of rounds matters
 */
export function generate(seed: number, rounds: number, scale = 1): Recording {
  const work = new Work(new Random(`session ${seed}`), scale);
  const messages: RecordedMessage[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % ROUNDS_PER_MESSAGE === 0) {
      if (round > 0) messages.push({ role: 'assistant', content: [{ type: 'text', text: work.prose() }] });
      messages.push({ role: 'user', content: [{ type: 'text', text: work.request() }] });
    }
    messages.push(...work.round());
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  return { id: `generated-${seed}`, system: work.system(), tools: TOOLS, messages };
}

type Called = readonly [name: string, input: object, result: string];

class Work {
  readonly #random: Random;
  readonly #scale: number;
  readonly #files = new Map<string, string[]>();
  readonly #recent: string[] = [];
  #calls = 0;

  constructor(random: Random, scale: number) {
    this.#random = random;
    this.#scale = scale;
  }

  round(): readonly RecordedMessage[] {
    const random = this.#random;
    const count = random.isOneOf(SEVERAL) ? 2 + random.below(2) : 1;
    const calls = Array.from({ length: count }, () => this.#call());
    const ids = calls.map(() => `toolu_${(this.#calls += 1)}`);
    return [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: this.prose() },
          ...calls.map(([name, input], at): RecordedBlock => ({
            type: 'tool_use',
            id: ids[at] ?? '',
            name,
            input,
          })),
        ],
      },
      {
        role: 'user',
        content: calls.map(([, , content], at): RecordedBlock => ({
          type: 'tool_result',
          tool_use_id: ids[at] ?? '',
          content,
        })),
      },
    ];
  }

  request(): string {
    return `${this.#words(3)} in ${this.#hotFile()}, and keep ${this.#hotFile()} working. ${this.#words(90)}.`;
  }

  system(): string {
    return `You are a coding agent.\n${Array.from({ length: 60 }, () => `- ${this.#words(14)}.`).join('\n')}`;
  }

  prose(): string {
    const { path, name } = this.#seen();
    return `Now ${name} of ${path}: ${this.#words(this.#random.below(2 * PROSE_WORDS))}.`;
  }

  #call(): Called {
    const kind = this.#random.next();
    if (kind < 0.4) return this.#read();
    if (kind < 0.62) return this.#edit();
    return kind < 0.8 ? this.#search() : this.#run();
  }

  #read(): Called {
    const path = this.#random.isOneOf(AGAIN) ? this.#hotFile() : this.#newFile();
    const text = this.#linesOf(path).map((line, at) => `${String(at + 1).padStart(5)}\t${line}`);
    return ['read', { path }, text.join('\n')];
  }

  #edit(): Called {
    const path = this.#hotFile();
    const lines = this.#linesOf(path);
    const at = this.#random.below(lines.length);
    const old = lines.slice(at, at + 4).join('\n');
    const fresh = this.#code(this.#scale * this.#random.below(2 * INPUT_CHARS) + 60);
    lines.splice(at, 4, ...fresh.slice(0, 4));
    return ['edit', { path, old, new: fresh.join('\n') }, `Changed ${path}, line ${at + 1}.`];
  }

  #search(): Called {
    const { path, name } = this.#seen();
    return [
      'search',
      { pattern: name, path },
      this.#code(this.#size())
        .map((line) => `${path}: ${line}`)
        .join('\n'),
    ];
  }

  #run(): Called {
    const lines = this.#code(this.#size()).map((line, at) => `${at} ms ${line}`);
    return [
      'run',
      { command: `npm test -- ${this.#hotFile()} # ${this.#words(this.#random.below(60))}` },
      lines.join('\n'),
    ];
  }

  /** A file that is at hand, and a name in it. */
  #seen(): { readonly path: string; readonly name: string } {
    const path = this.#hotFile();
    const line = this.#random.pick(this.#linesOf(path));
    return { path, name: /[A-Za-z]{6,}\d*/.exec(line)?.[0] ?? path };
  }

  #hotFile(): string {
    if (this.#recent.length === 0) return this.#newFile();
    return this.#random.pick(this.#recent.slice(-HOT_FILES));
  }

  #newFile(): string {
    const random = this.#random;
    const path = `src/${random.pick(WORDS)}/${random.pick(WORDS)}-${random.pick(WORDS)}${this.#files.size}.ts`;
    this.#recent.push(path);
    this.#files.set(path, this.#code(this.#size()));
    return path;
  }

  #linesOf(path: string): string[] {
    return this.#files.get(path) ?? [];
  }

  #size(): number {
    return this.#scale * this.#random.quantile(RESULT);
  }

  #code(chars: number): string[] {
    const lines: string[] = [];
    for (let left = chars; left > 0 || lines.length === 0; left -= (lines.at(-1)?.length ?? 0) + 1)
      lines.push(`${'  '.repeat(this.#random.below(3))}${this.#line()}`);
    return lines;
  }

  #line(): string {
    const name = () => `${this.#random.pick(WORDS)}${capital(this.#random.pick(WORDS))}`;
    const number = this.#random.below(1_000);
    return `const ${name()}${number} = await ${name()}(${this.#random.pick(WORDS)}, { limit: ${number} });`;
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#random.pick(WORDS)).join(' ');
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const TOOLS: readonly RecordedTool[] = ['read', 'edit', 'search', 'run'].map((name) => ({
  name,
  description: `Does a ${name} in the workspace.`,
  input_schema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      old: { type: 'string' },
      new: { type: 'string' },
      command: { type: 'string' },
    },
  },
}));
