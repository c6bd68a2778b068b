import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import {
  anotherWindowPuts,
  chatTab,
  entries,
  MEMORY_FILE,
  memoryTab,
  memoryText,
  stored,
} from './memory-store.ts';
import { button, composer, newSession, send, turnEnds } from './steps.ts';

// A person edits the project's memory in the panel.

const BEGINNING = '# Harbour\n\n- Use httpie\n- Test first\n';

test.use({ rigOptions: { files: { 'README.md': '# Harbour\n', [MEMORY_FILE]: BEGINNING } } });

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(() => [text('Understood.')]);
  await newSession(editor);
  await editor.runCommand('Plimsoll: Edit Project Memory');
  await expect(memoryText(panel)).toBeFocused();
});

test('a line that is edited and saved is in the file, in the list, and in the next request', async ({
  panel,
  modelServer,
  folder,
  editor,
}) => {
  await expect(memoryText(panel)).toHaveValue(/Use httpie/);
  await expect(button(panel, 'Save memory')).toBeDisabled();
  const edited = (await memoryText(panel).inputValue()).replace('Use httpie', 'Use curl');
  await memoryText(panel).fill(edited);
  await expect(panel.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await editor.page.keyboard.press('ControlOrMeta+s');
  await expect(panel.getByText('Saved', { exact: true })).toBeVisible();
  await expect(button(panel, 'Save memory')).toBeDisabled();
  expect(readFileSync(path.join(folder, MEMORY_FILE), 'utf8')).toContain('Use curl');
  await expect(entries(panel)).toContainText('Use curl');
  await expect(entries(panel)).not.toContainText('Use httpie');
  await chatTab(panel).click();
  await send(panel, 'What do we use?');
  await turnEnds(panel);
  const asked = JSON.stringify(modelServer.requests.at(-1)!.body);
  expect(asked).toContain('Use curl');
  expect(asked).not.toContain('Use httpie');
});

test('U3: what is typed and not saved survives a reload of the window', async ({ editor, panel }) => {
  test.slow(); // two reloads
  const before = await memoryText(panel).inputValue();
  await memoryText(panel).fill(`${before}- Half a tho`);
  await sleep(700);
  await editor.reload();
  await editor.runCommand('Plimsoll: Edit Project Memory');
  await expect(memoryText(panel)).toHaveValue(`${before}- Half a tho`);
  await expect(panel.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await memoryText(panel).fill(before);
  await expect(button(panel, 'Save memory')).toBeDisabled();
  await sleep(700);
  await editor.reload();
  await editor.runCommand('Plimsoll: Edit Project Memory');
  await expect(memoryText(panel)).toHaveValue(before);
});

test('M1: MEMORY.md changed by git while a person edits it: both are kept', async ({ panel, folder }) => {
  const file = path.join(folder, MEMORY_FILE);
  const before = await memoryText(panel).inputValue();
  await memoryText(panel).fill(before.replace('# Harbour\n', '# Harbour\n\nMine.\n'));
  writeFileSync(file, readFileSync(file, 'utf8').replace('- Test first', '- Theirs\n- Test first'));
  await expect(panel.getByText('MEMORY.md has changed while you were editing it')).toBeVisible();
  await button(panel, 'Show both').click();
  await expect(panel.getByRole('region', { name: 'MEMORY.md as it is now' })).toContainText('New: - Theirs');
  await expect(memoryText(panel)).not.toHaveValue(/Theirs/);
  await button(panel, 'Save memory').click();
  await expect(memoryText(panel)).toHaveValue(/Mine\.[^]*- Theirs/);
  const saved = readFileSync(file, 'utf8');
  expect(saved).toContain('Mine.');
  expect(saved).toContain('- Theirs');
});

test('a memory is forgotten and brought back, ranked and pinned', async ({ editor, panel, folder }) => {
  const file = () => readFileSync(path.join(folder, MEMORY_FILE), 'utf8');
  await panel.getByRole('button', { name: 'Delete: Test first' }).click();
  await expect(panel.getByRole('button', { name: 'Undo: forgetting Test first' })).toBeFocused();
  await expect.poll(file).not.toContain('Test first');
  await editor.page.keyboard.press('Enter');
  await expect(panel.getByRole('button', { name: 'Delete: Test first' })).toBeFocused();
  await expect.poll(file).toContain('Test first');
  await anotherWindowPuts(editor, [stored('mlearn01', 'Ships are counted from 1')]);
  await panel.getByLabel('Importance: Ships').selectOption('5');
  await panel.getByRole('button', { name: 'Pin: Ships' }).click();
  await expect(panel.getByRole('button', { name: 'Pin: Ships' })).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByLabel('Importance: Ships')).toHaveValue('5');
  await expect(panel.getByLabel('Importance: Test first')).toHaveCount(0);
});

test('what the agent suggests is accepted in other words, or rejected', async ({ editor, panel, folder }) => {
  await anotherWindowPuts(editor, [
    stored('mprop001', 'The tide tables are in UTC', { source: 'extractor', status: 'proposed' }),
    stored('mprop002', 'The harbour master is on leave', { source: 'extractor', status: 'proposed' }),
  ]);
  await expect(memoryTab(panel)).toContainText('2 suggestions');
  await panel
    .getByRole('textbox', { name: 'Suggestion: The tide tables' })
    .fill('All tide tables are in UTC');
  await panel.getByRole('button', { name: 'Accept: The tide tables' }).click();
  await expect(entries(panel)).toContainText('All tide tables are in UTC');
  await panel.getByRole('button', { name: 'Reject: The harbour master' }).click();
  await expect(panel.getByText('The agent suggests remembering:')).toBeHidden();
  await expect(memoryText(panel)).toHaveValue(/All tide tables are in UTC/);
  const file = readFileSync(path.join(folder, MEMORY_FILE), 'utf8');
  expect(file).toContain('All tide tables are in UTC');
  expect(file).not.toContain('harbour master');
});

test('what is found is shown best first; the tabs go by the arrow keys', async ({ editor, panel }) => {
  await panel.getByRole('searchbox', { name: 'Search memories' }).fill('test');
  await expect(entries(panel).getByRole('listitem')).toHaveCount(1);
  await expect(entries(panel)).toContainText('Test first');
  await panel.getByRole('searchbox', { name: 'Search memories' }).press('Escape');
  await expect(entries(panel).getByRole('listitem')).not.toHaveCount(1);
  await memoryTab(panel).focus();
  await editor.page.keyboard.press('ArrowLeft');
  await expect(chatTab(panel)).toBeFocused();
  await expect(composer(panel)).toBeVisible();
  await expect(memoryText(panel)).toBeHidden();
});

test('the mark where the view ends lies where the lines are, wrapped and scrolled', async ({ panel }) => {
  const line = (index: number) =>
    `- ${index}: ${'a rather long line that wraps in a narrow panel '.repeat(4)}`;
  await memoryText(panel).fill(Array.from({ length: 60 }, (_, index) => line(index)).join('\n'));
  await expect(panel.getByText(/The model sees the first \d+ of 60 lines/)).toBeVisible();
  const heights = await memoryText(panel).evaluate((field: HTMLTextAreaElement) => {
    field.scrollTop = 1e6;
    const backdrop = field.parentElement!.querySelector<HTMLElement>('.memory-backdrop')!;
    return {
      field: [field.scrollHeight, field.clientWidth],
      backdrop: [backdrop.scrollHeight, backdrop.clientWidth],
    };
  });
  expect(heights.backdrop).toEqual(heights.field);
  const isFollowed = () =>
    memoryText(panel).evaluate(
      (field) => field.scrollTop === field.parentElement!.querySelector('.memory-backdrop')!.scrollTop,
    );
  await expect.poll(isFollowed).toBe(true);
});
