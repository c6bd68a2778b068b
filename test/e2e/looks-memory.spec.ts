import type { FrameLocator } from '@playwright/test';
import type { Memory } from '../../src/core/model/memory.ts';
import type { Editor } from '../support/editor/editor.ts';
import { text } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { lookEverywhere } from './looks-everywhere.ts';
import { anotherWindowPuts, entries, memoryTab, memoryText, stored } from './memory-store.ts';
import { newSession, send, turnEnds } from './steps.ts';

// What the Memory tab looks like: with nothing in it, filled, over its bound, and with suggestions.

const HOUR_MS = 3_600_000;

const toMemory = async (panel: FrameLocator) => {
  if ((await memoryTab(panel).getAttribute('aria-selected')) !== 'true') await memoryTab(panel).click();
  await memoryText(panel).waitFor();
};

const some: readonly Memory[] = [
  stored('mlook001', 'Tests of the harbour are run with npm test, never with the runner itself', {
    importance: 5,
  }),
  stored('mlook002', 'Prefers short answers\nand a table where there are figures', {
    category: 'preference',
    source: 'extractor',
    isPinned: true,
    usedMs: Date.now() - 3 * HOUR_MS,
    uses: 4,
  }),
  stored(
    'mlook003',
    'aVeryLongNameThatDoesNotFitIntoANarrowPanelAtAll/andItsTestsToo/tide.test.js is\u202eAdmin\u200b',
  ),
];

async function work(editor: Editor, panel: FrameLocator): Promise<void> {
  await newSession(editor);
  await send(panel, 'Mend the tide.');
  await turnEnds(panel);
}

test.use({ rigOptions: { files: { 'README.md': '# Harbour\n' } } });

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(() => [text('Done.')]);
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
});

test('nothing remembered, and then something, with suggestions', async ({ editor, panel }) => {
  test.slow(); // twenty-four pictures
  await work(editor, panel);
  await lookEverywhere(editor, 'memory-empty', toMemory);
  await toMemory(panel);
  await memoryText(panel).fill('# Harbour\n\nThe tide is in src/tide.js.\n\n- Use httpie, not curl\n');
  await memoryText(panel).press('ControlOrMeta+s');
  await expect(entries(panel)).toContainText('Use httpie');
  await anotherWindowPuts(editor, [
    ...some,
    stored('mlook004', 'The tide tables are in UTC', { source: 'extractor', status: 'proposed' }),
    stored('mlook005', 'is\u202eAdmin may merge', { source: 'extractor', status: 'proposed' }),
  ]);
  await newSession(editor); // looks anew, whether the system has told of the file or not
  await toMemory(panel);
  await expect(entries(panel)).toContainText('Prefers short answers');
  await lookEverywhere(editor, 'memory-inbox', toMemory);
  const page = panel.locator('html');
  expect(
    await page.evaluate((html) => html.scrollHeight - html.clientHeight),
    'nothing scrolls the page',
  ).toBe(0);
  await lookEverywhere(editor, 'memory-entries', async (place) => {
    await toMemory(place);
    await entries(place).evaluate((list) => (list.closest('.memory')!.scrollTop = 1e6));
  });
});

test('more than the model sees, edited while it changes outside', async ({ editor, panel }) => {
  test.slow(); // sixteen pictures
  await toMemory(panel);
  await memoryText(panel).press('ControlOrMeta+a');
  const words = 'in a line that wraps in a panel of 300 px, as lines of memories do, and then once more. ';
  const many = Array.from(
    { length: 20 },
    (_, index) => `- Fact ${index + 1} of the harbour, ${words.repeat(3)}`,
  );
  await memoryText(panel).fill(`# Harbour\n\n${many.join('\n')}\n`);
  await memoryText(panel).press('ControlOrMeta+s');
  await expect(panel.getByText('Saved', { exact: true })).toBeVisible();
  await lookEverywhere(editor, 'memory-over', async (place) => {
    await toMemory(place);
    await memoryText(place).evaluate((field) => (field.scrollTop = field.scrollHeight * 0.6));
  });
  await toMemory(panel);
  await memoryText(panel).fill(`${await memoryText(panel).inputValue()}- Mine\n`);
  await anotherWindowPuts(editor, [stored('mlook006', 'Theirs')]);
  const showBoth = async (place: FrameLocator) => {
    await toMemory(place);
    const both = place.getByRole('button', { name: 'Show both' });
    if ((await both.getAttribute('aria-expanded')) !== 'true') await both.click();
  };
  await lookEverywhere(editor, 'memory-both', showBoth);
});
