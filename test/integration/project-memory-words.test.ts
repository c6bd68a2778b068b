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

const withoutIds = (text: string) => text.replaceAll(/ <!-- m[0-9a-z]{7} -->/g, '');

describe('a person’s words', () => {
  const text = `---
tags:
- notes
---

<!--
- hidden
-->

  ~~~
- code
  ~~~

- two\twords  ${''}
  \`\`\`ts
  \tfirst();

  \tthen();
  \`\`\`

- last
`;

  test('come back byte for byte, whatever is written meanwhile, and only memories have an id', async () => {
    const memory = await rig.window();
    rig.write(text);
    const { memories } = await memory.refresh();
    expect(memories.map(({ text: words }) => words.split('\n')[0])).toEqual(['two words', 'last']);
    await memory.write(draft('learnt since'));
    const [person] = withoutIds(rig.read()).split('\n## Learnt on the way\n');
    expect(person).toBe(text);
  });

  test('said twice are forgotten at once, and an undo brings them back where they stood', async () => {
    const memory = await rig.window();
    rig.write('# One\n\n- tabs\n- other\n\n# Two\n\n- tabs\n- more\n');
    await memory.refresh();
    const before = rig.read();
    const forgotten = await memory.forget('tabs');
    expect(withoutIds(rig.read())).toBe('# One\n\n- other\n\n# Two\n\n- more\n');
    await memory.restore(forgotten!.id);
    expect(rig.read()).toBe(before.replace('\n- tabs\n- more', '\n- more'));
  });

  test('that were proposed are taken in when they type them', async () => {
    const memory = await rig.window();
    await memory.propose([draft('Use pnpm.')]);
    const [proposal] = (await memory.refresh()).proposals;
    rig.write('- use pnpm\n');
    const { memories, proposals } = await memory.refresh();
    expect(proposals).toEqual([]);
    expect(memories).toMatchObject([
      { id: proposal!.id, status: 'active', source: 'user', text: 'use pnpm' },
    ]);
  });

  test('and what was learnt keep what they were when git takes their lines away and brings them back', async () => {
    const memory = await rig.window();
    rig.write('- tabs\n');
    await memory.refresh();
    await memory.write({ ...draft('slow'), days: 9 });
    const [, learnt] = (await memory.refresh()).memories;
    await memory.revise(learnt!.id, { isPinned: true });
    const { memories } = await memory.refresh();
    const here = rig.read();
    rig.write('Another branch.\n');
    expect((await memory.refresh()).memories).toEqual([]);
    rig.clock.set('2026-05-04T11:00:00Z');
    rig.write(here);
    const back = (await memory.refresh()).memories;
    expect(back.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
      memories.toSorted((a, b) => a.id.localeCompare(b.id)),
    );
  });
});
