import { expect, test } from './fixtures.ts';

test('the command palette opens the panel', async ({ editor }) => {
  await editor.runCommand('Plimsoll: Open Agent Panel');

  await expect(editor.panel().getByRole('textbox', { name: 'Message' })).toBeFocused();
  await expect(editor.panel().getByRole('log', { name: 'Conversation' })).toBeVisible();
});

test('opening it again, after another view was in its place, puts the cursor back', async ({ editor }) => {
  await editor.runCommand('Explorer: Focus on Folders View');
  await expect(editor.page.getByRole('tree', { name: 'Files Explorer' })).toBeVisible();

  await editor.runCommand('Plimsoll: Open Agent Panel');

  await expect(editor.panel().getByRole('textbox', { name: 'Message' })).toBeFocused();
});
