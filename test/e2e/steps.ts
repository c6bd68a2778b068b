import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Locator } from '@playwright/test';
import type * as Vscode from 'vscode';
import type { Editor } from '../support/editor/editor.ts';
import type { Settings } from '../support/editor/settings.ts';
import { expect } from './fixtures.ts';

/** What a person does in the panel, in their words. */

export const composer = (panel: FrameLocator): Locator => panel.getByRole('textbox', { name: 'Message' });
export const conversation = (panel: FrameLocator): Locator =>
  panel.getByRole('log', { name: 'Conversation' });
export const meter = (panel: FrameLocator): Locator => panel.getByRole('meter', { name: 'Context budget' });
export const button = (panel: FrameLocator, name: string): Locator =>
  panel.getByRole('button', { name, exact: true });
export const card = (panel: FrameLocator, tool: string, target: string): Locator =>
  panel.getByRole('article', { name: `${tool}: ${target}`, exact: true });

/** Resolves when the panel shows the message as part of the conversation. */
export async function send(panel: FrameLocator, text: string): Promise<void> {
  const said = conversation(panel).getByText(`You: ${text}`, { exact: true });
  const before = await said.count();
  await composer(panel).fill(text);
  await button(panel, 'Send').click();
  await expect(said).toHaveCount(before + 1);
}

/** A turn begins within a frame or two of its message. */
const BEGINS_WITHIN_MS = 250;

/** Resolves when the turn is over, however it ended. */
export async function turnEnds(panel: FrameLocator, timeout = 30_000): Promise<void> {
  await sleep(BEGINS_WITHIN_MS);
  await expect(button(panel, 'Stop')).toBeHidden({ timeout });
}

/** An empty session, so that one test does not see another's. */
export async function newSession(editor: Editor): Promise<void> {
  await editor.api((vscode) => vscode.commands.executeCommand('plimsoll.newSession'));
  await expect(conversation(editor.panel()).getByText('You: ')).toHaveCount(0);
}

/** Resolves when the extension host has heard of the settings; values that JSON can hold. */
export async function setSettings(editor: Editor, settings: Settings): Promise<void> {
  editor.setSettings(settings);
  const current = (vscode: typeof Vscode, names: readonly string[]) =>
    names.map((name) => vscode.workspace.getConfiguration().get(name) ?? null);
  await expect.poll(() => editor.api(current, Object.keys(settings))).toEqual(Object.values(settings));
}

/** Text of the status bar's item. */
export const statusBar = (editor: Editor): Locator =>
  editor.page.locator('#plimsoll\\.plimsoll\\.plimsoll\\.load, [id$="plimsoll.load"]');
