// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/core/model/event.ts';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { lastWritten } from '../../webview/live-text.ts';
import { patchLines } from '../../webview/patch.ts';
import { partsWithUnseen, withUnseen } from '../../webview/unseen.ts';
import { openPager } from './pager-harness.tsx';
import { giveLayout, linesOf } from './fake-output.ts';
import { click, mountPanel, type } from './panel-harness.tsx';

const HIDDEN = 'is\u202eAdmin\u200b';
const SHOWN = 'is⟨U+202E⟩Admin⟨U+200B⟩';

const card: ToolItem = {
  kind: 'tool',
  toolUseId: 't1',
  tool: 'run_command',
  target: 'npm test',
  state: 'ok',
  output: HIDDEN,
};

const cardOf = (more: Partial<ToolItem>) => mountPanel({ items: [{ ...card, ...more }] });

describe('what hides is named', () => {
  beforeEach(giveLayout);

  it('in a result, where the line ends of Windows hide nothing', async () => {
    const panel = await cardOf({ output: `${HIDDEN}\r\nx\ry` });
    await click(panel.find('.card-head button'));
    expect(panel.find('pre.output').textContent).toBe(`${SHOWN}\nx⟨U+000D⟩y`);
    expect(panel.root.querySelectorAll('pre.output .unseen')).toHaveLength(3);
  });

  it('in what a command prints while it runs', async () => {
    const panel = await cardOf({ state: 'running' });
    expect(panel.find('pre.live').textContent).toBe(SHOWN);
  });

  it('in a change, and in the reason of a question', async () => {
    const approval: ApprovalRequest = {
      toolUseId: 't1',
      tool: 'edit_file',
      target: 'a.ts',
      action: 'edit',
      canRemember: false,
      patch: `@@ -1 +1 @@\n-old\n+${HIDDEN}\n`,
      reason: `in ${HIDDEN}`,
    };
    const panel = await cardOf({ tool: 'edit_file', target: 'a.ts', state: 'approval', approval });
    expect(panel.find('.patch-line.added .patch-text').textContent).toBe(SHOWN);
    expect(panel.find('.reason').textContent).toBe(`In ${SHOWN}.`);
  });

  it('in a row of the pager, and where it is found', async () => {
    const panel = await openPager({ rows: linesOf([HIDDEN]) });
    expect(panel.find('.pager-text').textContent).toBe(SHOWN);
    await type(panel.field('Search output'), 's\u202ea');
    expect(panel.find('mark').textContent).toBe('s⟨U+202E⟩A');
  });
});

describe('a text with unseen characters', () => {
  it('keeps pictures that are joined', () => {
    expect(withUnseen('👩‍💻 👨🏽‍🚀 🏳️‍🌈')).toBe('👩‍💻 👨🏽‍🚀 🏳️‍🌈');
    expect(withUnseen('a\u200d💻 👩\u200d')).toBe('a⟨U+200D⟩💻 👩⟨U+200D⟩');
  });

  it('is cut into a bounded number of parts, and names all the same', () => {
    const parts = partsWithUnseen('a\u200b'.repeat(50_000));
    expect(parts.length).toBeLessThan(1_100);
    expect(parts.map(({ text }) => text).join('')).toBe('a⟨U+200B⟩'.repeat(50_000));
  });
});

describe('a line that is written over while it is shown', () => {
  it.each([
    ['10%\r20%\r30%', '30%'],
    ['10%\r20%\r', '20%'],
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
    ['a\n10%\r20%\nb', 'a\n20%\nb'],
    ['\r\r', ''],
    ['as it is', 'as it is'],
  ])('%j is %j', (text, shown) => {
    expect(lastWritten(text)).toBe(shown);
  });
});

describe('a change of line ends', () => {
  const textsOf = (patch: string) => patchLines(patch).map(({ text }) => text);

  it('shows none where all lines have those of Windows', () => {
    expect(textsOf('@@ -1,2 +1,2 @@\n same\r\n-old\r\n+new\r\n')).toEqual(['same', 'old', 'new']);
  });

  it('shows them where some have', () => {
    expect(textsOf('@@ -1 +1 @@\n-old\n+old\r\n')).toEqual(['old', 'old\r']);
  });
});
