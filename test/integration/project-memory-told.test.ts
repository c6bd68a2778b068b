import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProjectMemory } from '../../src/core/memory/project-memory.ts';
import { draft, MemoryRig } from '../support/memory-rig.ts';

let rig: MemoryRig;
let memory: ProjectMemory;

beforeEach(async () => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
  memory = await rig.window();
});

afterEach(() => rig.end());

const edit = (before: string, after: string) => rig.write(rig.read().replace(before, after));
const idOf = (text: string) => memory.store.all().find((known) => known.text === text)!.id;
const textsNow = async () => (await memory.refresh()).memories.map(({ text }) => text).sort();

async function learnt(text: string): Promise<string> {
  await memory.write(draft(text));
  return idOf(text);
}

describe('what a person wrote', () => {
  beforeEach(async () => {
    rig.write('- Use tabs\n- Port 8080 is ours\n- Be kind\n');
    await memory.section();
  });

  test('is never replaced: it stays in its place, and the model is told what to do instead', async () => {
    const before = rig.read();
    const answer = await memory.write(draft('Port 9090 is ours', { replaces: idOf('Port 8080 is ours') }));
    expect(answer).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/person's own line.*a memory of its own.*or tell the person/) as string,
    });
    expect(rig.read()).toBe(before);
  });

  test.each(['id', 'port 8080 is ours.', 'Port 8080'])(
    'is not forgotten by its id, nor by words that are nearly its own: %s',
    async (what) => {
      const before = rig.read();
      const id = idOf('Port 8080 is ours');
      const answer = await memory.forgetTold(what === 'id' ? id : what);
      expect(answer.kind).toBe(what === 'Port 8080' ? 'unknown' : 'refused');
      if (answer.kind === 'refused') expect(answer.reason).toMatch(/whole text.*\nPort 8080 is ours$/);
      expect(rig.read()).toBe(before);
    },
  );

  test('is forgotten by its whole text, and not by the one it had before', async () => {
    edit('Port 8080 is ours', 'Port 8080 is ours, on weekdays');
    expect(await memory.forgetTold('Port 8080 is ours')).toEqual({ kind: 'unknown' });
    expect(await memory.forgetTold('Port 8080 is ours, on weekdays')).toMatchObject({ kind: 'forgotten' });
    expect(await textsNow()).toEqual(['Be kind', 'Use tabs']);
  });
});

describe('what a person has edited since the model was told', () => {
  const NEW = 'Port 8080 is taken by the proxy';
  const ways = {
    replaced: (id: string) => memory.write(draft('Port 8080 is free', { replaces: id })),
    forgotten: (id: string) => memory.forgetTold(id),
  };

  test.each(['replaced', 'forgotten'] as const)(
    'is not %s: the model is told what it says now, and may ask again',
    async (way) => {
      const id = await learnt('Port 8080 is taken');
      edit('Port 8080 is taken', NEW);
      expect(await ways[way](id)).toMatchObject({
        kind: 'refused',
        reason: expect.stringMatching(new RegExp(`${id}.*\\n${NEW}$`)) as string,
      });
      expect(await textsNow()).toEqual([NEW]);
      expect((await ways[way](id)).kind).not.toBe('refused');
      expect(await textsNow()).toEqual(way === 'replaced' ? ['Port 8080 is free'] : []);
    },
  );

  test('in the moment in which it is asked for is not replaced either', async () => {
    const id = await learnt('Port 8080 is taken');
    const { text } = await memory.refresh();
    const [, answer] = await Promise.all([
      memory.save(text.replace('Port 8080 is taken', NEW), text),
      ways.replaced(id),
    ]);
    expect(answer.kind).toBe('refused');
    expect(await textsNow()).toEqual([NEW]);
  });

  test('just after it was replaced is not lost with it', async () => {
    const id = await learnt('Port 8080 is taken');
    const { text } = await memory.refresh();
    await Promise.all([ways.replaced(id), memory.save(text.replace('Port 8080 is taken', NEW), text)]);
    expect(await textsNow()).toEqual(['Port 8080 is free', NEW]);
  });

  test.each([
    ['the section of the prompt', () => memory.section()],
    ['a search that was shown', async () => memory.noteTold(await memory.search('proxy', 5))],
    ['the answer to the same written again', () => memory.write(draft(NEW))],
  ])('is known to it by %s', async (_, tell) => {
    const id = await learnt('Port 8080 is taken');
    edit('Port 8080 is taken', NEW);
    await tell();
    expect(await ways.replaced(id)).toMatchObject({ kind: 'written' });
  });

  test.each([
    ['that nobody has shown to it', () => memory.search('proxy', 5)],
    ['that has no room in the prompt', () => memory.section()],
  ])('is not known to it by what was found %s', async (_, look) => {
    rig.write(Array.from({ length: 40 }, (_line, at) => `- What a person wrote, number ${at}\n`).join(''));
    await memory.refresh();
    const id = await learnt('Port 8080 is taken');
    edit('Port 8080 is taken', NEW);
    await look();
    expect(await ways.replaced(id)).toMatchObject({ kind: 'refused' });
  });

  test('is not known to it where the prompt shows the beginning of a long line only', async () => {
    const id = await learnt('Port 8080 is taken');
    edit('Port 8080 is taken', `Port 8080 is taken ${'by the proxy '.repeat(100)}`);
    await memory.section();
    expect(await ways.replaced(id)).toMatchObject({ kind: 'refused' });
  });

  test('is forgotten by its whole text without having been told: who has the words knows them', async () => {
    await learnt('Port 8080 is taken');
    const later = await rig.window();
    expect(await later.forgetTold('port 8080 is taken.')).toMatchObject({ kind: 'forgotten' });
  });
});

describe('the day of a memory', () => {
  const LATER = '2026-06-09T10:00:00Z';

  test.each([
    ['pinned', (id: string) => memory.revise(id, { isPinned: true })],
    ['ranked', (id: string) => memory.revise(id, { importance: 5 })],
    ['ranked in the file', () => Promise.resolve(edit(' 3 fact -->', ' 5 fact -->'))],
    ['said again as more important', () => memory.write(draft('Port 8080 is taken', { importance: 5 }))],
  ])('stays as it is when it is %s', async (_, change) => {
    const id = await learnt('Port 8080 is taken');
    rig.clock.set(LATER);
    await change(id);
    expect(await memory.section()).toContain('- 2026-05-04: Port 8080 is taken');
    expect(memory.store.get(id)).not.toMatchObject({ importance: 3, isPinned: false });
  });

  test('is another one when its words are', async () => {
    const id = await learnt('Port 8080 is taken');
    rig.clock.set(LATER);
    await memory.revise(id, { text: 'Port 9090 is taken' });
    expect(await memory.section()).toContain('- 2026-06-09: Port 9090 is taken');
  });

  test('of a suggestion that is taken in as it is, is the day it was learnt', async () => {
    await memory.propose([draft('Port 8080 is taken')]);
    rig.clock.set(LATER);
    await memory.revise(idOf('Port 8080 is taken'), { status: 'active' });
    expect(await memory.section()).toContain('- 2026-05-04: Port 8080 is taken');
  });
});
