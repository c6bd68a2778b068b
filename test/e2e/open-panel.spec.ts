import { expect, test } from './fixtures.ts';

test('the command palette opens the panel', async ({ editor }) => {
  await editor.runCommand('Plimsoll: Open Agent Panel');

  await expect(editor.panel().getByRole('textbox', { name: 'Message' })).toBeFocused();
  await expect(editor.panel().getByRole('log', { name: 'Conversation' })).toBeVisible();
});
