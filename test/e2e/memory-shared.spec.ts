import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from '@playwright/test';
import { text, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { button, composer, conversation, newSession, send, turnEnds } from './steps.ts';

// Who writes to the project's memory at the same time: a person in the panel or in an editor tab, and the agent.

const remembers: Scenario = ({ lastUserText, round }) => {
  const fact = /^Remember: (.*)$/.exec(lastUserText)?.[1];
  if (fact === undefined) return [text('Understood.')];
  return round === 0
    ? [toolUse('memory_write', { text: fact, category: 'fact', importance: 3 })]
    : [text('I will remember it.')];
};

const FILE = '.plimsoll/MEMORY.md';
const memoryText = (panel: FrameLocator) => panel.getByRole('textbox', { name: 'Project memory' });
const entries = (panel: FrameLocator) => panel.getByRole('list', { name: 'Memory entries' });
const showTab = (panel: FrameLocator, name: string) => panel.getByRole('tab', { name }).click();

test.use({
  rigOptions: {
    files: { 'README.md': '# Harbour\n', [FILE]: '# Harbour\n\n- Use httpie\n' },
    settings: { 'files.autoSave': 'off' },
  },
});

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(remembers);
  await composer(panel).waitFor();
  await newSession(editor);
});

test('what the agent writes is in the panel at once, in the file, and in the next request; the prefix stays whole', async ({
  editor,
  panel,
  modelServer,
  folder,
}) => {
  await editor.runCommand('Plimsoll: Edit Project Memory');
  await expect(memoryText(panel)).toHaveValue(/Use httpie/);
  await showTab(panel, 'Chat');
  await send(panel, 'Remember: ships are counted from 1');
  await turnEnds(panel);
  await expect(conversation(panel)).toContainText('I will remember it.');
  await showTab(panel, 'Memory');
  await expect(entries(panel)).toContainText('ships are counted from 1');
  await expect(memoryText(panel)).toHaveValue(/ships are counted from 1/);
  expect(readFileSync(path.join(folder, FILE), 'utf8')).toContain('ships are counted from 1');
  await showTab(panel, 'Chat');
  const before = modelServer.requests.at(-1)!.body!;
  await send(panel, 'And now?');
  await turnEnds(panel);
  const after = modelServer.requests.at(-1)!.body!;
  expect(JSON.stringify(after.system)).toBe(JSON.stringify(before.system));
  expect(JSON.stringify(after.messages)).toContain('ships are counted from 1');
  await newSession(editor);
  await send(panel, 'A new day.');
  await turnEnds(panel);
  expect(JSON.stringify(modelServer.requests.at(-1)!.body!.system)).toContain('ships are counted from 1');
});

test('an editor tab with unsaved changes, while the agent writes: both are there', async ({
  editor,
  panel,
  folder,
}) => {
  const file = path.join(folder, FILE);
  await editor.api(async (vscode, name) => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(name));
    await vscode.window.showTextDocument(document, { preserveFocus: true });
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, '- typed in the tab\n');
    await vscode.workspace.applyEdit(change);
  }, file);
  await editor.api((vscode) => vscode.commands.executeCommand('plimsoll.open'));
  await send(panel, 'Remember: the tide turns at noon');
  await turnEnds(panel);
  expect(readFileSync(file, 'utf8')).not.toContain('noon');
  const isSaved = await editor.api(async (vscode, name) => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === name)!;
    return document.save();
  }, file);
  expect(isSaved).toBe(true);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('the tide turns at noon');
  expect(readFileSync(file, 'utf8')).toContain('typed in the tab');
  await editor.runCommand('View: Close All Editors');
});

test('killed while it saves, the file is the old one or the new one, and the next window has it', async ({
  editor,
  panel,
  folder,
}) => {
  const file = path.join(folder, FILE);
  await editor.runCommand('Plimsoll: Edit Project Memory');
  await expect(memoryText(panel)).toHaveValue(/Use httpie/);
  const before = readFileSync(file, 'utf8');
  const typed = Array.from({ length: 200 }, (_, index) => `- line ${index} of many that were typed`).join(
    '\n',
  );
  await memoryText(panel).fill(`${await memoryText(panel).inputValue()}\n${typed}\n`);
  await button(panel, 'Save memory').click();
  await editor.killHost();
  const after = readFileSync(file, 'utf8');
  expect(after === before || after.includes('line 199 of many')).toBe(true);
  expect(existsSync(file)).toBe(true);
  await expect(memoryText(panel)).toHaveValue(/line 199 of many/, { timeout: 30_000 });
  await expect.poll(() => memoryText(panel).inputValue()).toContain('line 0 of many');
});
