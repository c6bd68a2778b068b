import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolResultEntry } from '../../src/core/model/entry.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { realSession, removePlace } from '../support/real-session.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: ModelServer;
let session: Awaited<ReturnType<typeof realSession>>;
afterEach(async () => {
  await session.close();
  await server.close();
  removePlace(session.place);
});

async function work(scenario: Scenario): Promise<readonly ToolResultEntry[]> {
  server = await startModelServer({ scenario });
  session = await realSession({ url: server.url });
  mkdirSync(session.place.folder, { recursive: true });
  await session.say('go');
  expect(server.failures).toEqual([]);
  return session.session.entries.filter((entry) => entry.kind === 'tool_result');
}

const shownIn = ({ content }: ToolResultEntry) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
const node = (script: string) => `node -e ${JSON.stringify(script)}`;

const NEEDLE = 'the needle is 7319';
const FLOODS = node(
  `let n = 0; setInterval(() => { for (let i = 0; i < 2000; i += 1) console.log('wave ' + n++) }, 20)`,
);
/** 5 MB in lines, the needle in the middle, where no preview shows it. */
const PRINTS = node(
  `for (let i = 0; i < 100000; i += 1) console.log(i === 60000 ? '${NEEDLE}' : 'line ' + i + ' ' + 'x'.repeat(40))`,
);

describe('a process that is killed while a command prints', () => {
  it('C3: has said in the log where the output is: the next one reads on in it', async () => {
    const log = () => path.join(session.place.logs, 's.jsonl');
    const scenario: Scenario = ({ answers, latestResults }) => {
      if (answers === 0) return toolUse('run_command', { command: FLOODS });
      const [last] = latestResults;
      const call = /read_file (\{[^}]*\})/.exec(last?.text ?? '')?.[1];
      if (answers === 1 && call !== undefined)
        return toolUse('read_file', JSON.parse(call) as Record<string, string | number>);
      return text('Done.');
    };
    server = await startModelServer({ scenario });
    session = await realSession({ url: server.url });
    mkdirSync(session.place.folder, { recursive: true });
    const turn = session.say('go');
    await vi.waitFor(() => expect(readFileSync(log(), 'utf8')).toContain('"kind":"output"'), 20_000);
    const left = readFileSync(log(), 'utf8');
    await session.session.stop();
    await turn;
    await session.close();
    writeFileSync(log(), left);

    session = await realSession({ url: server.url, place: session.place });
    await session.say('go on');
    const [broken, read] = session.session.entries.filter((entry) => entry.kind === 'tool_result');
    expect(broken).toMatchObject({ status: 'interrupted', details: { output: { isUnfinished: true } } });
    expect(shownIn(read!)).toContain('wave 0');
    expect(server.failures).toEqual([]);
  });
});

describe('a command that prints 5 MB', () => {
  it('is kept in a file, which the model pages through until it has what it looks for', async () => {
    let pages = 0;
    let kept = '';
    const results = await work(({ latestResults }) => {
      const [last] = latestResults;
      if (last === undefined) return toolUse('run_command', { command: PRINTS });
      if (last.text.includes(NEEDLE)) return text(`Found it after ${pages} pages: ${NEEDLE}`);
      const next = /offset=(\d+)\]?\s*$/.exec(last.text)?.[1] ?? /"offset": (\d+)/.exec(last.text)?.[1];
      kept ||= /"path": "([^"]+)"/.exec(last.text)?.[1] ?? '';
      pages += 1;
      return toolUse('read_file', { path: kept, offset: pages === 1 ? 59_500 : Number(next), limit: 400 });
    });
    const [command, ...reads] = results;
    const { output, exitCode } = command!.details!;
    expect(exitCode).toBe(0);
    expect(output!.lines).toBe(100_000);
    expect(shownIn(command!)).toContain('exit code 0');
    expect(shownIn(reads.at(-1)!)).toContain(NEEDLE);
    expect(reads.every(({ details }) => details?.output === undefined)).toBe(true);
  });

  it('O10, Z1: the log grows by less than 10 KB, the file is for its owner alone, and no secret is in either', async () => {
    const secret = 'sk-ant-api03-Zx81kQ0vTq2mPn7rLw3yBc5dEf6gHi9jKu4sVa1o';
    const results = await work(({ answers }) =>
      answers === 0
        ? toolUse('run_command', { command: `${PRINTS}; echo ${secret.slice(0, 20)}''${secret.slice(20)}` })
        : text('Done.'),
    );
    const { output } = results[0]!.details!;
    expect(JSON.stringify(results[0]).length).toBeLessThan(10_000);
    const { file } = output!.parts[0]!;
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(readFileSync(file, 'utf8')).toContain('[redacted: Anthropic API key]');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(session.events)).not.toContain(secret);
  });

  it('the model finds it by search inside the file, which is in no search of the workspace', async () => {
    const results = await work(({ latestResults, answers }) => {
      const file = /"path": "([^"]+)"/.exec(latestResults[0]?.text ?? '')?.[1];
      if (answers === 0) return toolUse('run_command', { command: PRINTS });
      if (answers === 1)
        return [
          toolUse('search', { pattern: 'the needle is', path: String(file) }),
          toolUse('search', { pattern: 'needle is 7319' }),
        ];
      return text('Done.');
    });
    const found = (target: string) => shownIn(results.find((result) => result.target === target)!);
    expect(found('the needle is')).toContain(NEEDLE);
    expect(found('needle is 7319')).toBe('(no matches)');
  });
});

describe('X9: a command that prints 50 MB', () => {
  it('is streamed to its file in bounded memory, whole', async () => {
    let most = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20);
    const script = `const line = 'y'.repeat(999) + '\\n'; let n = 0; (function go() { while (n < 50000) { n += 1; if (!process.stdout.write(line)) return process.stdout.once('drain', go); } })()`;
    const results = await work(({ answers }) =>
      answers === 0 ? toolUse('run_command', { command: node(script) }) : text('Done.'),
    );
    clearInterval(watch);
    const { output } = results[0]!.details!;
    expect(output!.bytes).toBe(50_000_000);
    expect(statSync(output!.parts[0]!.file).size).toBe(50_000_000);
    expect(most).toBeLessThan(200_000_000);
  });
});

describe('O1: an output of 500 KB in a single line', () => {
  it('is paged by bytes, every default page under the cap, until the pages are the whole', async () => {
    const json = `JSON.stringify(Array.from({ length: 40000 }, (_, n) => ({ n, ö: n % 7 })))`;
    let kept = '';
    const results = await work(({ latestResults, answers }) => {
      if (answers === 0) return toolUse('run_command', { command: node(`process.stdout.write(${json})`) });
      const said = latestResults[0]?.text ?? '';
      kept ||= /"path": "([^"]+)"/.exec(said)?.[1] ?? '';
      const next = answers === 1 ? '0' : /(?<=read on with byte_offset=)\d+/.exec(said)?.[0];
      return next === undefined
        ? text('That is all.')
        : toolUse('read_file', { path: kept, byte_offset: Number(next) });
    });
    const pages = results.slice(1).map(shownIn);
    expect(pages.length).toBeGreaterThan(12);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(40_000);
    const whole = pages.map((page) => page.slice(0, page.lastIndexOf('\n['))).join('');
    expect(JSON.parse(whole)).toHaveLength(40_000);
    expect(results.filter(({ details }) => details?.output !== undefined)).toHaveLength(1);
  });
});

describe('C13: twelve results at once', () => {
  it('take no more of the window together than one step may have, and each says how to go on', async () => {
    const results = await work(({ answers }) =>
      answers === 0
        ? Array.from({ length: 12 }, (_, index) =>
            toolUse('run_command', { command: node(`console.log('${index} '.repeat(4500))`) }),
          )
        : text('Done.'),
    );
    const sizes = results.map((result) => shownIn(result).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_000 + 12 * 700);
    for (const result of results) if (result.details?.output) expect(shownIn(result)).toContain('read_file');
  });

  it('pages are read again, smaller, and still say where they go on', async () => {
    const file = (index: number) => `file-${index}.txt`;
    server = await startModelServer({
      scenario: ({ answers }) =>
        answers === 0
          ? Array.from({ length: 12 }, (_, index) => toolUse('read_file', { path: file(index) }))
          : text('Done.'),
    });
    session = await realSession({ url: server.url });
    for (let index = 0; index < 12; index += 1) {
      const lines = Array.from({ length: 3_000 }, (_, line) => `${index}:${line}`).join('\n');
      mkdirSync(session.place.folder, { recursive: true });
      writeFileSync(path.join(session.place.folder, file(index)), lines);
    }
    await session.say('go');
    const results = session.session.entries.filter((entry) => entry.kind === 'tool_result');
    const sizes = results.map((result) => shownIn(result).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_000);
    for (const result of results) expect(shownIn(result)).toMatch(/read on with offset=\d+\]$/);
  });
});

describe('O11: three kept outputs in a clean repository', () => {
  it('leave git status empty', async () => {
    server = await startModelServer({
      scenario: ({ answers }) =>
        answers < 3
          ? toolUse('run_command', { command: node(`console.log('z'.repeat(20000))`) })
          : text('Done.'),
    });
    session = await realSession({ url: server.url });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: session.place.folder, encoding: 'utf8' });
    mkdirSync(session.place.folder, { recursive: true });
    git('init', '-q');
    await session.say('go');
    const kept = session.session.entries.filter(
      (entry) => entry.kind === 'tool_result' && entry.details?.output,
    );
    expect(kept).toHaveLength(3);
    expect(git('status', '--porcelain')).toBe('');
  });
});
