import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolResultEntry } from '../../src/core/model/entry.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import { realSession, removePlace } from '../support/real-session.ts';
import { waitFor } from '../support/test-session.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: ModelServer;
let session: Awaited<ReturnType<typeof realSession>>;
afterEach(async () => {
  await session.close();
  await server.close();
  removePlace(session.place);
});

/** With this in the way nothing can be kept. */
const NO_DISK = { '.plimsoll': 'a file' };

async function open(command: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const scenario = ({ answers }: { readonly answers: number }) =>
    answers === 0 ? toolUse('run_command', { command }) : text('Done.');
  server = await startModelServer({ scenario });
  session = await realSession({ url: server.url });
  mkdirSync(session.place.folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(session.place.folder, name), content);
}

const result = (): ToolResultEntry => session.session.entries.find((entry) => entry.kind === 'tool_result')!;
const shown = () =>
  result()
    .content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');

/** What the result of `cat` tells. */
async function cat(content: string | Uint8Array, more: Readonly<Record<string, string>> = {}) {
  await open('cat F.dat', { 'F.dat': content, ...more });
  await session.say('go');
  return shown();
}

const KEY = 'sk-ant-api03-Zx81kQ0vTq2mPn7rLw3yBc5dEf6gHi9jKu4sVa1oZx81kQ0vTq2mPn7rLw3yBc5dEf6gHi9jKu4sVa1oAA';
const PARTS = /Zx81kQ|vTq2mPn7|Bc5dEf6gHi9j|Ku4sVa1o/;
const RESET = '\u001b[0m';

describe('Z1: no cut parts a secret from what it is known by', () => {
  it('where the disk fails, and the result is cut instead', async () => {
    const told = await cat(`${KEY}\n`.repeat(3_000), NO_DISK);
    expect(told).toContain('could not be kept');
    expect(told).not.toMatch(PARTS);
  });

  it('where the end that is in memory begins inside of it', async () => {
    const told = await cat(`begin ${RESET.repeat(175_000)}${KEY}${RESET.repeat(124_982)}`);
    expect(told).toContain('begin');
    expect(told).not.toMatch(PARTS);
  });

  it('where characters that nobody sees stand in it', async () => {
    const spread = [...KEY].join(RESET);
    expect(await cat(`${spread}\n`.repeat(3_000), NO_DISK)).not.toMatch(PARTS);
  });

  it('where it only comes to be as it is printed over', async () => {
    const printed = `${KEY.slice(0, 4)}xy\b\b${KEY.slice(4)}\n`.repeat(3_000);
    expect(await cat(printed, NO_DISK)).not.toMatch(PARTS);
  });
});

const progress = (what: string) =>
  Array.from({ length: 40_000 }, (_, n) => `\r${what} ${n} of 40000`).join('');
const errors = Array.from({ length: 5_000 }, (_, n) => `src/file${n}.ts: error TS2345\n`).join('');
const SHORT_WHEN_SHOWN = {
  'errors between two progress bars': `${progress('progress')}\n${errors}${progress('linking')}\n`,
  'lines that all end in \\r': Array.from({ length: 5_000 }, (_, n) => `line ${n}`).join('\r'),
  'blank lines': '\n'.repeat(60_000),
  'NUL bytes': '\0'.repeat(120_000),
};

describe('O8: what is long, and short when it is shown', () => {
  it.each(Object.entries(SHORT_WHEN_SHOWN))('%s: is told of with its file', async (_, content) => {
    const told = await cat(content);
    const { output } = result().details!;
    expect(readFileSync(output!.parts[0]!.file, 'utf8')).toBe(content);
    expect(told).toContain(`bytes, ${output!.lines.toLocaleString('en-US')} lines) is in ${output!.path}`);
    expect(told).toContain(`read_file {"path": "${output!.path}"`);
  });

  it.each(Object.entries(SHORT_WHEN_SHOWN))(
    'O6: %s: is told of as lost where the disk fails',
    async (_, content) => {
      const told = await cat(content, NO_DISK);
      expect(told).toMatch(/could not be kept in a file: \S/);
      expect(result().details!.output).toBeUndefined();
    },
  );
});

it('O6: what was printed until a stop is told with why the rest is lost', async () => {
  const script = `let n = 0; setInterval(() => { for (let i = 0; i < 200; i += 1) console.log('wave ' + n++); }, 20)`;
  await open('node a.mjs', { 'a.mjs': script, ...NO_DISK });
  const said = session.session.entries.length;
  const turn = session.say('go');
  await waitFor(() => session.session.entries.length > said && session.events.some(hasWave));
  void session.session.stop();
  await turn;
  expect(shown()).toMatch(/^wave 0\nwave 1\n/);
  expect(shown()).toMatch(/\nwave \d+\n\n\[/);
  expect(shown()).toMatch(/could not be kept in a file: \S/);
  expect(shown().length).toBeLessThan(10_000);
});

const hasWave = (event: { readonly type: string; readonly text?: string }) =>
  event.type === 'tool_output' && /wave \d{4}/.test(event.text ?? '');

describe('O8: the end of a line of more than 1 MB is shown', () => {
  it.each(['', '\n'])('ended by %j', async (ending) => {
    const told = await cat(`START ${'abcdefghi '.repeat(200_000)}THE FATAL ERROR AT THE END${ending}`);
    expect(told).toContain('THE FATAL ERROR AT THE END\n\n[exit code 0');
    expect(told.startsWith('START abcdefghi')).toBe(true);
    const [, head = '', tail = ''] =
      /^(.*?)\n\[… what is between is in the file …\]\n(.*?)\n\n\[A long/s.exec(told)!;
    const number = (of: string) => of.length.toLocaleString('en-US');
    expect(told).toContain(`the first ${number(head)} and the last ${number(tail)} characters`);
  });

  it('and so is its beginning behind a short first line', async () => {
    const told = await cat(`first\n${'abcdefghi '.repeat(200_000)}\nlast\n`);
    expect(told).toMatch(/^first\nabcdefghi abcdefghi/);
  });
});
