import fc from 'fast-check';
import type { OffloadedOutput } from '../../src/core/model/offloaded.ts';
import type { FilePort } from '../../src/core/ports/files.ts';

export const outputBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An output in memory, in so many files, all of which can change. */
export function shelfOf(bytes: Uint8Array, parts = 1) {
  const length = Math.ceil(bytes.length / parts);
  const contents = new Map<string, Uint8Array>();
  const times = new Map<string, number>();
  for (let part = 0; part < parts; part += 1)
    contents.set(`/outputs/1-run_command.${part}.txt`, bytes.slice(part * length, (part + 1) * length));
  return {
    contents,
    /** when a file was last changed */
    times,
    files: readingFrom(contents, times),
    output: (): OffloadedOutput => ({
      path: '.plimsoll/tool_results/s/1-run_command.txt',
      parts: [...contents].map(([file, { length }]) => ({ file, bytes: length })),
      bytes: [...contents.values()].reduce((sum, { length }) => sum + length, 0),
      lines: 0,
    }),
  };
}

/** The same output when it had only so many bytes, in one file. */
export function outputOf(output: OffloadedOutput, bytes: number): OffloadedOutput {
  return { ...output, parts: output.parts.map(({ file }) => ({ file, bytes })), bytes };
}

function readingFrom(
  contents: ReadonlyMap<string, Uint8Array>,
  times: ReadonlyMap<string, number>,
): FilePort {
  const refuse = () => Promise.reject(new Error('only for reading'));
  return {
    stat(file) {
      const size = contents.get(file)?.length;
      const modifiedMs = times.get(file) ?? 0;
      return Promise.resolve(size === undefined ? undefined : { kind: 'file', size, modifiedMs });
    },
    realPath: (file) => Promise.resolve(file),
    read(file, range) {
      const bytes = contents.get(file);
      if (bytes === undefined) return Promise.reject(new Error(`ENOENT: no such file, open '${file}'`));
      return Promise.resolve(bytes.slice(range?.start, range?.end));
    },
    write: refuse,
    append: refuse,
    appendLimit: () => undefined,
    remove: refuse,
    list: refuse,
  };
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\u001b[31m', '\u001b[0m', '\u001b[1;4m', '\u001b', ''),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'é', '€', '🙂', '\u001b[32mx'), fc.integer({ min: 390, max: 2_100 }))
      .map(([unit, times]) => unit.repeat(times)),
  },
);
const bits = fc.oneof(
  { weight: 6, arbitrary: piece.map(outputBytes) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1_500, max: 4_000 }))
      .map(([byte, times]) => new Uint8Array(times).fill(byte)),
  },
);
/** Any bytes, with more of what is special in a terminal's output than chance would give. */
export const anyOutput = fc.array(bits, { maxLength: 25 }).map((all) => new Uint8Array(Buffer.concat(all)));
