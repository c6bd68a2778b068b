import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotedMemory } from '../../../support/noted-memory.ts';
import { SECRETS } from '../../../support/secrets.ts';
import { toolBench } from '../../../support/tool-bench.ts';
import type { ToolBench } from '../../../support/tool-bench.ts';

let bench: ToolBench;
let memory: NotedMemory;

beforeEach(() => {
  memory = new NotedMemory();
  bench = toolBench({ context: { memory } });
});
afterEach(() => bench.dispose());

const fact = { category: 'fact', importance: 3, origin: { sessionId: 's', entryId: 'e1' } } as const;
const httpie = { text: 'Use httpie, never curl.', category: 'preference' };

describe('memory_write', () => {
  it('remembers a statement with the place it was learnt at, and says its id', async () => {
    expect(await bench.text('memory_write', { ...httpie, importance: 5, days: 30 })).toBe(
      'Remembered (m0000001, preference, importance 5, written 2026-03-01 by the agent, until 2026-03-31).',
    );
    expect(memory.memories).toMatchObject([
      { text: httpie.text, importance: 5, origin: { sessionId: 's', entryId: 'e7' } },
    ]);
  });

  it('asks nobody: it changes the product’s own store only', async () => {
    const { access, target } = await bench.prepare('memory_write', { ...httpie, text: 'Use\nhttpie.' });
    expect(access).toEqual({ kind: 'memory' });
    expect(target).toBe('Use httpie.');
  });

  it('says so where the same is known already', async () => {
    await bench.text('memory_write', httpie);
    expect(await bench.text('memory_write', { ...httpie, text: 'use httpie, never curl' })).toMatch(
      /^This is remembered already \(m0000001, .*\):\nUse httpie, never curl\.$/,
    );
    expect(memory.memories).toHaveLength(1);
  });

  it('puts one in the place of another', async () => {
    await bench.text('memory_write', httpie);
    await bench.text('memory_write', { ...httpie, text: 'Use curl again.', replaces: 'm0000001' });
    expect(memory.memories.map(({ text }) => text)).toEqual(['Use curl again.']);
  });

  it('M1: refuses what stands for a text that is not there, and says why', async () => {
    const text = '[... rest unchanged ...]';
    const { code, message } = await bench.refusal('memory_write', { ...httpie, text });
    expect(code).toBe('invalid_input');
    expect(message).toMatch(/^Nothing was remembered\. .*stands for a text that is not there/);
    expect(memory.memories).toEqual([]);
  });

  it.each(Object.entries(SECRETS))(
    'Z1: refuses a secret and does not repeat it: %s',
    async (_, { secret, text }) => {
      const { message } = await bench.refusal('memory_write', { ...httpie, text });
      expect(message).toMatch(/secret/);
      expect(message).not.toContain(secret);
      expect(memory.memories).toEqual([]);
    },
  );

  it.each([
    { ...httpie, importance: 6 },
    { ...httpie, importance: 2.5 },
    { ...httpie, days: 0 },
    { ...httpie, category: 'gossip' },
    { text: 'no category' },
  ])('takes no other input: %j', async (input) => {
    expect((await bench.refusal('memory_write', input)).code).toBe('invalid_input');
  });
});

describe('memory_search', () => {
  it('gives ids, dates, category and importance with each hit', async () => {
    await bench.text('memory_write', httpie);
    await bench.text('memory_write', { text: 'Port 8080 is taken.', category: 'fact', importance: 2 });
    expect(await bench.text('memory_search', {})).toBe(
      [
        'm0000001, preference, importance 3, written 2026-03-01 by the agent\nUse httpie, never curl.',
        'm0000002, fact, importance 2, written 2026-03-01 by the agent\nPort 8080 is taken.',
      ].join('\n\n'),
    );
    expect(await bench.text('memory_search', { query: 'httpie', limit: 1 })).toMatch(
      /^m0000001[^]*\n\n\[There may be more/,
    );
    expect(memory.searched).toEqual([
      ['', 10],
      ['httpie', 1],
    ]);
  });

  it('counts as told what it has shown, not what had no room or was cut', async () => {
    const write = (text: string) => memory.write({ ...fact, text });
    for (const text of ['one', 'two', 'long', 'three']) await write(`${text} ${'x'.repeat(900)}`);
    memory.memories[2] = { ...memory.memories[2]!, text: 'x'.repeat(2_001) };
    const call = await bench.prepare('memory_search', {});
    await call.execute(4_600);
    expect(memory.told).toEqual(['m0000001', 'm0000002']);
  });

  it('says so where there is nothing', async () => {
    expect(await bench.text('memory_search', {})).toBe('Nothing is remembered of this project yet.');
    expect(await bench.text('memory_search', { query: 'x' })).toMatch(/^Nothing that is remembered fits/);
  });

  it('keeps to what it is given room for, by whole hits, and searches once for all pages', async () => {
    for (let count = 0; count < 40; count += 1)
      await memory.write({
        ...{ text: `${count} ${'long '.repeat(190)}`, category: 'fact', importance: 3 },
        origin: { sessionId: 's', entryId: 'e1' },
      });
    const call = await bench.prepare('memory_search', { limit: 40 });
    const whole = await call.execute();
    const small = await call.execute(5_000);
    expect(whole.content.length).toBeLessThanOrEqual(40_000);
    expect(small.content.length).toBeLessThanOrEqual(5_000);
    expect(small.content).toMatch(/\[36 more have no room here: search with narrower words\.\]$/);
    expect(memory.searched).toHaveLength(1);
  });

  it('bounds a line that a person wrote without end', async () => {
    await memory.write({
      ...httpie,
      text: 'x',
      category: 'fact',
      importance: 3,
      origin: { sessionId: 's', entryId: 'e1' },
    });
    memory.memories[0] = { ...memory.memories[0]!, text: '🎉'.repeat(50_000) };
    const found = await bench.text('memory_search', {});
    expect(found.length).toBeLessThan(2_300);
    expect(found.isWellFormed()).toBe(true);
  });
});

describe('memory_forget', () => {
  it.each(['m0000001', ' m0000001 ', 'Use httpie, never curl.'])(
    'forgets by id or whole text: %j',
    async (what) => {
      await bench.text('memory_write', httpie);
      expect(await bench.text('memory_forget', { memory: what })).toBe(
        'Forgotten (m0000001):\nUse httpie, never curl.',
      );
      expect(memory.memories).toEqual([]);
    },
  );

  it('says why it forgets nothing where it may not', async () => {
    await bench.text('memory_write', httpie);
    memory.forgetTold = () => Promise.resolve({ kind: 'refused', reason: 'It is a person’s.' });
    expect(await bench.refusal('memory_forget', { memory: 'm0000001' })).toMatchObject({
      code: 'invalid_input',
      message: 'Nothing was forgotten. It is a person’s.',
    });
  });

  it.each(['m9999999', 'Use httpie', '', '  '])('forgets nothing else: %j', async (what) => {
    await bench.text('memory_write', httpie);
    expect((await bench.refusal('memory_forget', { memory: what })).code).toBe('no_match');
    expect(memory.memories).toHaveLength(1);
  });
});

describe('without a memory', () => {
  it.each([
    ['memory_write', httpie],
    ['memory_search', {}],
    ['memory_forget', { memory: 'm0000001' }],
  ])('%s says that there is none', async (tool, input) => {
    const bare = toolBench();
    expect(await bare.refusal(tool, input)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^There is no project memory here/) as string,
    });
    bare.dispose();
  });
});

describe('MEMORY.md by the general tools', () => {
  const file = '.plimsoll/MEMORY.md';
  const lines = Array.from({ length: 800 }, (_, index) => `- memory ${index}`);
  const text = `${lines.join('\n')}\n`;

  beforeEach(() => {
    bench.dispose();
    bench = toolBench();
    memory = new NotedMemory(`${bench.ws}/${file}`);
    Object.assign(bench.context, { memory });
    bench.put(`ws/${file}`, text);
  });

  it('M1: write_file refuses to leave the rest out, and loses no line', async () => {
    await bench.call('read_file', { path: file });
    const content = '- memory 0\n[... rest unchanged ...]\n';
    const { message } = await bench.refusal('write_file', { path: file, content });
    expect(message).toMatch(/^\.plimsoll\/MEMORY\.md was not changed: it is the project's memory\. /);
    expect(bench.bytes(`ws/${file}`).toString()).toBe(text);
  });

  it('M1: edit_file refuses a placeholder and a large shrink', async () => {
    await bench.call('read_file', { path: file });
    const edit = (old_text: string, new_text: string) =>
      bench.refusal('edit_file', { path: file, old_text, new_text });
    expect((await edit('- memory 7\n', '- …\n')).message).toMatch(/stands for a text/);
    expect((await edit(lines.slice(1, 700).join('\n'), '- all of it')).message).toMatch(/memory_forget/);
    expect(bench.bytes(`ws/${file}`).toString()).toBe(text);
  });

  it('takes a change that loses nothing, and leaves other files alone', async () => {
    await bench.call('read_file', { path: file });
    await bench.call('edit_file', { path: file, old_text: '- memory 7\n', new_text: '- memory seven\n' });
    expect(bench.bytes(`ws/${file}`).toString()).toContain('- memory seven\n');
    await bench.call('write_file', { path: 'notes.md', content: '[... rest unchanged ...]\n' });
  });
});
