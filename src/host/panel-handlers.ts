import * as vscode from 'vscode';
import { resolvePath } from '../core/tools/workspace-path.ts';
import { createDiskFiles } from '../node/disk-files.ts';
import type { OpenOutput } from '../protocol/output-pages.ts';
import type { ToolItem } from '../protocol/view-model.ts';
import { uriOf } from './locations.ts';
import { memoryHandlers } from './memory-handlers.ts';
import type { MemoryHost } from './memory-host.ts';
import type { KeptForReload } from './kept-for-reload.ts';
import { OutputPager } from './output-pager.ts';
import { openInEditor, reveal } from './output-places.ts';
import type { Panel, PanelHandlers } from './panel.ts';
import type { DiffView } from './diff-view.ts';
import type { SessionHost } from './session-host.ts';
import { routedFiles } from './workspace-files.ts';
import { workspace } from './workspace.ts';

/** What the panel may open outside the editor. */
const WEB_LINK = /^(https?|mailto):/i;

/** What the panel's requests are answered with. */
export interface PanelHost {
  readonly panel: Panel;
  readonly diffs: DiffView;
  readonly sessions: SessionHost;
  /** what is typed and not sent, per workspace */
  readonly drafts: KeptForReload<string>;
  /** which output is open, per workspace */
  readonly openOutputs: KeptForReload<OpenOutput | undefined>;
  readonly memory: MemoryHost;
  send(text: string): Promise<void>;
  goOn(): Promise<void>;
  stop(): Promise<void>;
  compact(focus?: string): Promise<void>;
  newSession(): Promise<void>;
}

/** Answers the webview's requests. What is thrown here is shown in the panel. */
export function panelHandlers(app: PanelHost): PanelHandlers {
  const files = routedFiles(createDiskFiles());
  const outputs = new OutputPager(files, () => app.panel);
  return {
    send: async ({ text }) => void (await app.send(text)),
    saveDraft: async ({ text }) => void (await app.drafts.save(text)),
    async loadDraft() {
      const kept = await app.drafts.take();
      return kept && { text: kept.value };
    },
    saveOutput: async ({ output }) => void (await app.openOutputs.save(output)),
    async loadOutput() {
      const kept = await app.openOutputs.take();
      return kept && { output: kept.value };
    },
    stop: async () => void (await app.stop()),
    goOn: async () => void (await app.goOn()),
    newSession: async () => void (await app.newSession()),
    compact: async ({ focus }) => void (await app.compact(focus)),
    withdrawCompaction: () => void app.sessions.current?.withdrawCompaction(),
    cancelRelief: () => void app.sessions.current?.cancelRelief(),
    async undo({ entryId }) {
      const isUndone = (await app.sessions.current?.undo(entryId)) ?? false;
      if (!isUndone) throw new Error('This can no longer be undone.');
      return undefined;
    },
    answerApproval({ toolUseId, decision }) {
      const isTaken = app.sessions.current?.answerApproval(toolUseId, decision) ?? false;
      if (!isTaken) throw new Error('This question has been answered already.');
      return undefined;
    },
    async openDiff({ toolUseId }) {
      const tool = app.panel.state.items.find(
        (item): item is ToolItem => item.kind === 'tool' && item.toolUseId === toolUseId,
      );
      if (tool === undefined) throw new Error('This call is no longer here.');
      await app.diffs.open(tool, await uriOfLabel(tool.target));
      return undefined;
    },
    outputPage: (request) => outputs.page(request),
    searchOutput: (request) => outputs.search(request),
    openOutput: async ({ toolUseId }) => void (await openInEditor(outputs.outputOf(toolUseId), files)),
    revealOutput: async ({ toolUseId }) => void (await reveal(outputs.outputOf(toolUseId), files)),
    async openFile({ path, line }) {
      const uri = await uriOfLabel(path);
      if (uri === undefined) throw new Error(`There is no file ${path}.`);
      await showFile(uri, line);
      return undefined;
    },
    async openExternal({ url }) {
      if (!WEB_LINK.test(url)) throw new Error('Only web links can be opened.');
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
      return undefined;
    },
    ...memoryHandlers(app.memory, () => app.sessions.current?.id ?? ''),
    setApiKey: async () => void (await vscode.commands.executeCommand('plimsoll.setApiKey')),
    openSettings: async () =>
      void (await vscode.commands.executeCommand('workbench.action.openSettings', 'plimsoll')),
  };
}

async function uriOfLabel(label: string): Promise<vscode.Uri | undefined> {
  try {
    const { location } = await resolvePath(label, { files: routedFiles(createDiskFiles()), workspace });
    return uriOf(location);
  } catch {
    return undefined; // a name that leads nowhere: the callers say what that means
  }
}

async function showFile(uri: vscode.Uri, line: number | undefined): Promise<void> {
  if (line === undefined) {
    await vscode.commands.executeCommand('vscode.open', uri);
    return;
  }
  const place = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(place, place), preview: true });
}
