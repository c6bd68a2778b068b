import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from '@playwright/test';
import type { Memory } from '../../src/core/model/memory.ts';
import type { Editor } from '../support/editor/editor.ts';
import { expect } from './fixtures.ts';

export const MEMORY_FILE = '.plimsoll/MEMORY.md';

export const memoryText = (panel: FrameLocator): Locator =>
  panel.getByRole('textbox', { name: 'Project memory' });
export const entries = (panel: FrameLocator): Locator => panel.getByRole('list', { name: 'Memory entries' });
export const memoryTab = (panel: FrameLocator): Locator => panel.getByRole('tab', { name: 'Memory' });
export const chatTab = (panel: FrameLocator): Locator => panel.getByRole('tab', { name: 'Chat' });

const HOUR_MS = 3_600_000;

/** A memory as another window would write it into the store. */
export const stored = (id: string, text: string, more: Partial<Memory> = {}): Memory => ({
  ...{ id, text, category: 'fact', importance: 3, source: 'agent', status: 'active', isPinned: false },
  ...{ createdMs: Date.now() - 50 * HOUR_MS, updatedMs: Date.now() - 50 * HOUR_MS, uses: 0 },
  ...more,
});

let records = 0;

/** Another window has put these into the project's store. Once the panel has shown the memory there is a store. */
export async function anotherWindowPuts(editor: Editor, memories: readonly Memory[]): Promise<void> {
  const journal = () =>
    readdirSync(editor.dataDir, { recursive: true, encoding: 'utf8' }).find(
      (name) => path.basename(name) === 'memory.jsonl',
    );
  await expect.poll(journal).toBeDefined();
  records += 1;
  const changes = memories.map((memory) => ({ kind: 'put', memory }));
  const record = { v: 1, writer: 'another-window', seq: records, changes };
  appendFileSync(path.join(editor.dataDir, journal()!), `${JSON.stringify(record)}\n`);
}
