import { act } from 'preact/test-utils';
import type { PanelItem, ToolItem } from '../../src/protocol/view-model.ts';
import type { SavedState } from '../../webview/saved-state.ts';
import { hostOf } from './fake-output.ts';
import type { FakeOutput } from './fake-output.ts';
import { click, mountPanel } from './panel-harness.tsx';

export const path = '.plimsoll/tool_results/s1/1-run_command.txt';
const kept = { path, parts: [], bytes: 5_200_000, lines: 84_210 };
export const card: ToolItem = {
  kind: 'tool',
  toolUseId: 't1',
  tool: 'run_command',
  target: 'npm test',
  state: 'ok',
  output: 'the beginning … the end',
  kept,
};

export const pause = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));

interface Opening {
  readonly items?: readonly PanelItem[];
  readonly saved?: SavedState;
}

export async function mountWith(output: FakeOutput, { items = [card], saved }: Opening = {}) {
  const panel = await mountPanel({ items }, { answers: hostOf(output), ...(saved && { saved }) });
  const link = () => panel.find('a[data-output]');
  const pager = () => panel.root.querySelector('section[aria-label="Output pager"]');
  return {
    ...panel,
    link,
    pager,
    content: () => panel.find('[role="document"]'),
    status: () => panel.find('.pager-status').textContent,
    field: (name: string) => panel.find(`input[aria-label="${name}"]`),
    /** numbers of the lines that are drawn */
    lines: () =>
      [...panel.root.querySelectorAll('.pager-number')].map((number) =>
        Number(number.textContent.replace(',', '')),
      ),
    scroll: (top: number) =>
      act(async () => {
        panel.find('[role="document"]').scrollTop = top;
        panel.find('[role="document"]').dispatchEvent(new Event('scroll'));
        await new Promise((resolve) => setTimeout(resolve));
      }),
  };
}

export async function openPager(output: FakeOutput, opening: Opening = {}) {
  const panel = await mountWith(output, opening);
  await click(panel.link());
  await pause(0);
  return panel;
}
