import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VIEW_ENDS } from '../../src/core/memory/document.ts';
import { MEMORY_BOUND } from '../../src/core/model/memory.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { draft, MemoryRig } from '../support/memory-rig.ts';

let rig: MemoryRig;

beforeEach(() => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
});

afterEach(() => rig.end());

describe('the bounds', () => {
  test('are on what enters the prompt: the file keeps all, and a line in it says where the view ends', async () => {
    const memory = await rig.window();
    for (let index = 0; index < 40; index += 1)
      await memory.write(
        draft(`Fact ${index}: ${['buoys', 'piers', 'tides', 'cranes'][index % 4]} number ${index * 7}`),
      );
    const text = rig.read();
    expect(text.match(/Fact \d+/g)).toHaveLength(40);
    const section = (await memory.section())!;
    expect(section.match(/Fact \d+/g)!.length).toBeLessThanOrEqual(MEMORY_BOUND.entries);
    expect(Buffer.byteLength(section)).toBeLessThanOrEqual(MEMORY_BOUND.bytes);
    const above = text.slice(0, text.indexOf(VIEW_ENDS));
    expect(above.match(/Fact \d+/g)).toEqual(section.match(/Fact \d+/g));
  });

  test('M12: a file of 5 MB, binary, a folder of that name, a link that leads out: a word about it, and nothing written', async () => {
    const memory = await rig.window();
    await memory.write(draft('Kept in the store'));
    const hostile: (() => void)[] = [
      () => writeFileSync(rig.file, 'x'.repeat(5_000_000)),
      () => writeFileSync(rig.file, Buffer.from([0xff, 0xfe, 0x00, 0x81])),
      () => mkdirSync(rig.file),
      () => {
        writeFileSync(path.join(rig.folder, 'elsewhere'), '- not ours\n');
        symlinkSync(path.join(rig.folder, 'elsewhere'), rig.file);
      },
    ];
    for (const make of hostile) {
      rmSync(rig.file, { recursive: true, force: true });
      make();
      const { notices } = await memory.refresh();
      expect(notices).toHaveLength(1);
      expect(await memory.section()).toContain('Kept in the store');
    }
  });

  test('a project that remembers nothing gets no file', async () => {
    const memory = await rig.window();
    expect(await memory.section()).toBeUndefined();
    expect(() => rig.read()).toThrow();
  });
});

describe('several at once', () => {
  test('a pin in one window leaves what another has just made of the line', async () => {
    const [one, two] = [await rig.window(), await rig.window()];
    rig.write('- the tide is high\n');
    await one.refresh();
    const { text, memories } = await two.refresh();
    await two.save(text.replace('high', 'low'), text);
    await one.revise(memories[0]!.id, { isPinned: true });
    expect(rig.read()).toContain('the tide is low');
    expect((await two.refresh()).memories).toMatchObject([{ text: 'the tide is low', isPinned: true }]);
  });

  test('two windows and a file that changes under them lose nothing', async () => {
    const [one, two] = [await rig.window(), await rig.window()];
    rig.write('- the first line\n');
    await one.refresh();
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => one.write(draft(`window one learnt fact number ${index}`))),
      ...Array.from({ length: 8 }, (_, index) =>
        two.write(draft(`another saw thing ${index} in window two`)),
      ),
    ]);
    await one.refresh();
    const { memories } = await two.refresh();
    expect(memories).toHaveLength(17);
    expect(rig.read().match(/^- /gm)).toHaveLength(17);
  });

  test('M8: a worktree has the memories of the other, and its own prose', async () => {
    const worktree = path.join(rig.folder, 'worktree');
    mkdirSync(worktree);
    const [here, there] = [await rig.window(), await rig.window({ root: worktree })];
    rig.write('Only here.\n\n- Use httpie\n');
    await here.refresh();
    await here.write(draft('learnt here'));
    const section = await there.section();
    expect(section).toContain('Use httpie');
    expect(section).toContain('learnt here');
    expect(section).not.toContain('Only here');
  });

  test('a file that comes back through git brings back what it says', async () => {
    const memory = await rig.window();
    rig.write('- one\n- two\n');
    await memory.refresh();
    const committed = rig.read();
    await memory.forget('two');
    expect(rig.read()).not.toContain('two');
    rig.write(committed);
    expect((await memory.refresh()).memories.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  test('a disk that takes nothing loses nothing: the file follows when it can', async () => {
    const disk = createDiskFiles();
    let isFull = true;
    const memory = await rig.window({
      files: {
        ...disk,
        write: (file, bytes) =>
          isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : disk.write(file, bytes),
      },
    });
    expect(await memory.write(draft('learnt on a full disk'))).toMatchObject({ kind: 'written' });
    expect(await memory.section()).toContain('learnt on a full disk');
    expect((await memory.refresh()).notices.join()).toContain('no space left');
    await expect(memory.save('- typed\n', '')).rejects.toThrow(/no space left/);
    isFull = false;
    await memory.write(draft('and something else'));
    expect(rig.read()).toContain('learnt on a full disk');
  });
});
