import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tour, TOUR_EDIT } from '../support/model-server/tour.ts';
import { clientOf, request, result } from './sdk-client.ts';
import { serverWith } from './servers.ts';

const SAMPLE = path.join(import.meta.dirname, '../support/sample-project');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tour-'));
  await cp(SAMPLE, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Input = Readonly<Record<string, string>>;

async function runCommand(line: string): Promise<string> {
  const [command = '', ...args] = line.split(' ');
  // The test runner's own environment would make the inner `node --test` believe it is a part of it.
  const env = { PATH: process.env.PATH };
  const run = promisify(execFile)(command, args, { cwd: folder, env });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return stdout;
}

async function editFile({ path: file = '', old_text = '', new_text = '' }: Input): Promise<string> {
  const target = path.join(folder, file);
  const parts = (await readFile(target, 'utf8')).split(old_text);
  expect(parts).toHaveLength(2);
  await writeFile(target, parts.join(new_text));
  return 'edited';
}

/** The tools the tour calls, done for real in a copy of the sample project. */
const TOOLS: Readonly<Record<string, (input: Input) => Promise<string>>> = {
  list_files: async () => (await readdir(folder, { recursive: true })).join('\n'),
  read_file: ({ path: file = '' }) => readFile(path.join(folder, file), 'utf8'),
  run_command: ({ command = '' }) => runCommand(command),
  edit_file: editFile,
};

const tools = Object.keys(TOOLS).map<Anthropic.Tool>((name) => ({ name, input_schema: { type: 'object' } }));

type Answer = (call: Anthropic.ToolUseBlock) => Promise<Anthropic.ToolResultBlockParam>;
const doIt: Answer = async ({ id, name, input }) => result(id, await TOOLS[name]!(input as Input));

/** Talks to the tour until it ends its turn; the last answer's text. */
async function talk(
  client: Anthropic,
  messages: Anthropic.MessageParam[],
  answer: Answer = doIt,
): Promise<string> {
  const params = request({ messages, tools, thinking: { type: 'adaptive' }, max_tokens: 2_000 });
  const reply = await client.messages.stream(params).finalMessage();
  messages.push({ role: 'assistant', content: reply.content });
  const calls = reply.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0)
    return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  messages.push({ role: 'user', content: await Promise.all(calls.map(answer)) });
  return talk(client, messages, answer);
}

// It starts real processes, which take their time on a busy machine.
describe('the tour of the sample project', { timeout: 60_000 }, () => {
  it('finds the failing test, mends the code and proves it', async () => {
    const server = await serverWith({ scenario: tour });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Please refactor my kernel' }];
    const last = await talk(clientOf(server), messages);
    expect(last).toContain('All 8 tests pass');
    expect(last).toContain('Plimsoll: Set API Key');
    expect(last).toContain('ANTHROPIC_API_KEY=');
    expect(JSON.stringify(messages)).toContain('7 pass, 1 fails');
    expect(await readFile(path.join(folder, TOUR_EDIT.path), 'utf8')).not.toContain('Math.abs(tide');
    expect(server.failures).toEqual([]);

    messages.push({ role: 'user', content: 'thanks' });
    expect(await talk(clientOf(server), messages)).toMatch(/You wrote "thanks".*simulated/);
  });

  it('says at once that it is simulated', async () => {
    const server = await serverWith({ scenario: tour });
    const reply = await clientOf(server).messages.create(request({ tools }));
    expect(JSON.stringify(reply.content)).toContain('I am a simulated model');
    expect((await clientOf(server).models.list()).data[0]?.display_name).toBe('Simulated model (no API key)');
  });

  it('takes a no, and goes on when it is told to', async () => {
    const server = await serverWith({ scenario: tour });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hello' }];
    const deny: Answer = async (call) =>
      call.name === 'run_command'
        ? { ...result(call.id, 'The user denied this: not now'), is_error: true }
        : doIt(call);
    expect(await talk(clientOf(server), messages, deny)).toContain('> The user denied this: not now');
    messages.push({ role: 'user', content: 'go on' });
    expect(await talk(clientOf(server), messages)).toContain('All 8 tests pass');
    expect(server.failures).toEqual([]);
  });

  it('runs as a program of its own, for as long as its parent lives', async () => {
    const main = 'test/support/model-server/main.ts';
    const args = ['--import', './scripts/typescript.mjs', main, '--window', '64000'];
    const cwd = path.join(import.meta.dirname, '../..');
    const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
    const { url } = JSON.parse(line) as { url: string };
    expect((await fetch(`${url}/__test/requests`)).status).toBe(200);
    const headers = { authorization: 'Bearer k', 'anthropic-version': '2026-10-21' };
    const models = (await (await fetch(`${url}/v1/models`, { headers })).json()) as { data: object[] };
    expect(models.data).toMatchObject([{ max_input_tokens: 64_000 }, { max_input_tokens: 64_000 }]);
    child.stdin.end();
    expect(await exited).toBe(0);
  });
});
