import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draft, MemoryRig } from '../support/memory-rig.ts';

let rig: MemoryRig;

beforeEach(() => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
});

afterEach(() => rig.end());

const ID = / <!-- m[0-9a-z]{7} -->/;

describe('what a person writes', () => {
  test('becomes memories, and the file only gains their ids', async () => {
    const memory = await rig.window();
    rig.write('# Harbour\n\nShips come and go.\n\n- Use httpie\n- Never touch db.sqlite\n');
    const { memories } = await memory.refresh();
    expect(memories.map(({ text, source }) => [text, source])).toEqual([
      ['Use httpie', 'user'],
      ['Never touch db.sqlite', 'user'],
    ]);
    const lines = rig.read().split('\n');
    expect(lines.map((line) => line.replace(ID, ''))).toEqual([
      '# Harbour',
      '',
      'Ships come and go.',
      '',
      '- Use httpie',
      '- Never touch db.sqlite',
      '',
    ]);
    expect(lines.filter((line) => ID.test(line))).toHaveLength(2);
  });

  test('is in the prompt with the prose around it, without ids', async () => {
    const memory = await rig.window();
    rig.write('# Harbour\n\nShips come and go.\n\n- Use httpie\n');
    const section = await memory.section();
    expect(section).toContain('Ships come and go.');
    expect(section).toContain('Use httpie');
    expect(section).not.toMatch(/<!--/);
  });

  test('in the panel, while another edits the file: both are there', async () => {
    const memory = await rig.window();
    rig.write('- one\n- two\n- three\n');
    const { text } = await memory.refresh();
    rig.write(rig.read().replace('three', 'three, and a word from git'));
    const conflicts = await memory.save(text.replace('one', 'one, and a word of mine'), text);
    expect(conflicts).toEqual([]);
    expect(rig.read()).toMatch(/one, and a word of mine/);
    expect(rig.read()).toMatch(/three, and a word from git/);
  });

  test('in a text field, which knows no CRLF, leaves the line ends of the file as they are', async () => {
    const memory = await rig.window();
    rig.write('# Harbour\r\n\r\n- one\r\n');
    const { text } = await memory.refresh();
    await memory.save(`${text.replaceAll('\r\n', '\n')}- two\n`, text);
    expect(
      rig
        .read()
        .split('\r\n')
        .map((line) => line.replace(ID, '')),
    ).toEqual(['# Harbour', '', '- one', '- two', '']);
  });

  test('on both sides of the same line is kept twice, and said', async () => {
    const memory = await rig.window();
    rig.write('- the tide is high\n');
    const { text } = await memory.refresh();
    rig.write(rig.read().replace('high', 'low'));
    const conflicts = await memory.save(text.replace('high', 'gone'), text);
    expect(conflicts).toHaveLength(1);
    expect(rig.read()).toContain('the tide is gone');
    expect(rig.read()).toContain('the tide is low');
  });

  test('and takes away is forgotten', async () => {
    const memory = await rig.window();
    rig.write('- stays\n- goes\n');
    await memory.refresh();
    rig.write(
      rig
        .read()
        .split('\n')
        .filter((line) => !line.includes('goes'))
        .join('\n'),
    );
    const { memories } = await memory.refresh();
    expect(memories.map(({ text }) => text)).toEqual(['stays']);
  });
});

describe('what the agent writes', () => {
  test('stands behind what people wrote, by importance, and is in the prompt at once', async () => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.refresh();
    await memory.write(draft('The tests need a harbour', { importance: 2 }));
    await memory.write(draft('Ships are counted from 1', { importance: 5 }));
    const text = rig.read();
    expect(text.indexOf('httpie')).toBeLessThan(text.indexOf('counted from 1'));
    expect(text.indexOf('counted from 1')).toBeLessThan(text.indexOf('need a harbour'));
    expect(await memory.section()).toContain('Ships are counted from 1');
  });

  test('while a person edits in an editor tab: both are there', async () => {
    const memory = await rig.window();
    rig.write('- one\n');
    await memory.refresh();
    const inTheTab = rig.read();
    rig.isBeingEdited = true;
    await memory.write(draft('learnt meanwhile'));
    expect(rig.read()).toBe(inTheTab);
    expect(await memory.section()).toContain('learnt meanwhile');
    await expect(memory.save('- from the panel\n', '')).rejects.toThrow(/editor tab/);
    rig.write(`${inTheTab}- typed meanwhile\n`); // the tab knows nothing of the agent
    rig.isBeingEdited = false;
    await memory.refresh();
    expect(rig.read()).toContain('typed meanwhile');
    expect(rig.read()).toContain('learnt meanwhile');
  });

  test('while a person types in the panel: both are there', async () => {
    const memory = await rig.window();
    rig.write('- one\n');
    const { text } = await memory.refresh();
    await memory.write(draft('learnt meanwhile'));
    await memory.save(`${text}- typed meanwhile\n`, text);
    expect(rig.read()).toContain('typed meanwhile');
    expect(rig.read()).toContain('learnt meanwhile');
  });

  test('a tab that is closed without saving lets the file follow', async () => {
    const memory = await rig.window();
    rig.write('- one\n');
    await memory.refresh();
    rig.isBeingEdited = true;
    await memory.write(draft('learnt meanwhile'));
    rig.isBeingEdited = false;
    await memory.refresh();
    expect(rig.read()).toContain('learnt meanwhile');
  });

  test('and says the opposite of what is known is written', async () => {
    const memory = await rig.window();
    const flag = 'The feature flag for the new checkout page is enabled by default in every environment';
    await memory.write(draft(flag));
    expect(await memory.write(draft(flag.replace('enabled', 'disabled')))).toMatchObject({ kind: 'written' });
  });

  test('a second time is known already', async () => {
    const memory = await rig.window();
    const first = await memory.write(draft('The tests need a harbour'));
    const second = await memory.write(draft('the tests need a harbour.', { importance: 5 }));
    expect(first.kind).toBe('written');
    expect(second).toMatchObject({ kind: 'known', memory: { importance: 5 } });
    expect((await memory.refresh()).memories).toHaveLength(1);
  });

  test.each([
    ['Z1: a secret', 'The key is sk-ant-api03-' + 'a1B2'.repeat(24)],
    ['M1: a placeholder', '[... rest unchanged ...]'],
    ['nothing', '  \n'],
    ['too much', 'word '.repeat(300)],
  ])('%s is refused with the reason', async (_what, text) => {
    const memory = await rig.window();
    const answer = await memory.write(draft(text));
    expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/\w/) as string });
    expect((await memory.refresh()).memories).toEqual([]);
  });

  test('M1: over the whole file is refused where most of it would be gone', async () => {
    const memory = await rig.window();
    const before = Array.from({ length: 12 }, (_, index) => `- line ${index}\n`).join('');
    rig.write(before);
    await memory.refresh();
    const { location } = memory.file;
    expect(memory.objectionTo(location, before, '- line 1\n')).toMatch(/\w/);
    expect(memory.objectionTo(location, before, `${before}[... rest unchanged ...]\n`)).toMatch(/\w/);
    expect(memory.objectionTo(location, before, `${before}- line 12\n`)).toBeUndefined();
    expect(memory.objectionTo(`${location}.other`, before, '')).toBeUndefined();
  });

  test('M10: and forgets is gone from store, file and prompt, after a restart too, and can be taken back before', async () => {
    const memory = await rig.window();
    const answer = await memory.write(draft('The password is in the drawer'));
    if (answer.kind !== 'written') throw new Error('not written');
    await memory.forget('the password is in the drawer');
    expect(rig.read()).not.toContain('drawer');
    expect(await memory.restore(answer.memory.id)).toBe(true);
    expect(rig.read()).toContain('drawer');
    await memory.forget(answer.memory.id);
    await memory.store.dispose();
    const again = await rig.window();
    expect(await again.section()).toBeUndefined();
    expect(await again.search('drawer', 5)).toEqual([]);
    expect(await again.restore(answer.memory.id)).toBe(false);
  });
});

describe('what holds for a time', () => {
  test('is told no longer than that, and can be learnt again', async () => {
    const memory = await rig.window();
    await memory.write(draft('The freeze is on until Friday', { days: 1 }));
    expect(await memory.section()).toContain('freeze');
    rig.clock.set('2026-05-09T10:00:00Z');
    expect(await memory.section()).toBeUndefined();
    expect(await memory.search('freeze', 5)).toEqual([]);
    expect(rig.read()).not.toContain('freeze');
    expect(await memory.write(draft('The freeze is on until Friday', { days: 7 }))).toMatchObject({
      kind: 'written',
    });
    expect(await memory.section()).toContain('freeze');
  });

  test('and is said again without an end has none', async () => {
    const memory = await rig.window();
    await memory.write(draft('Use the blue cluster', { days: 1 }));
    expect(await memory.write(draft('Use the blue cluster'))).toMatchObject({ kind: 'known' });
    rig.clock.set('2027-05-09T10:00:00Z');
    expect(await memory.section()).toContain('blue cluster');
  });
});

describe('what is proposed', () => {
  test('waits: it is in neither file nor prompt until somebody takes it', async () => {
    const memory = await rig.window();
    await memory.propose([draft('Ships are counted from 1')]);
    const { proposals, memories } = await memory.refresh();
    expect(proposals).toHaveLength(1);
    expect(memories).toEqual([]);
    expect(await memory.section()).toBeUndefined();
    await memory.revise(proposals[0]!.id, { status: 'active', text: 'Ships are counted from 0' });
    expect(await memory.section()).toContain('counted from 0');
    expect(rig.read()).toContain('counted from 0');
  });

  test('and refused is not proposed again', async () => {
    const memory = await rig.window();
    await memory.propose([draft('Ships are counted from 1')]);
    const { proposals } = await memory.refresh();
    await memory.forget(proposals[0]!.id);
    await memory.propose([draft('ships are counted from 1.')]);
    expect((await memory.refresh()).proposals).toEqual([]);
  });

  test('is remembered at once where the person wants it so', async () => {
    rig.isAutomatic = true;
    const memory = await rig.window();
    await memory.propose([draft('Ships are counted from 1')]);
    expect((await memory.refresh()).memories).toMatchObject([{ source: 'extractor' }]);
  });
});
