import * as vscode from 'vscode';
import type { ApprovalMode, Settings } from '../core/model/settings.ts';

const SECTION = 'plimsoll';
const APPROVAL_MODES: readonly ApprovalMode[] = ['ask', 'acceptEdits', 'auto'];

/** The settings as they are now. What a settings file holds is input: values out of range fall back to the default. */
export function readSettings(): Settings {
  const config = vscode.workspace.getConfiguration(SECTION);
  const window = positiveInteger(config.get('context.window'));
  return {
    model: text(config.get('model')),
    maxOutputTokens: positiveInteger(config.get('maxOutputTokens')) ?? 32_000,
    approvalMode: approvalMode(config.get('approvals.mode')),
    maxRounds: positiveInteger(config.get('maxRounds')) ?? 200,
    ...(window === undefined ? {} : { window }),
  };
}

/** Where the model is: the setting, else the environment, else the provider's own address. */
export function readBaseUrl(): string | undefined {
  const set = text(vscode.workspace.getConfiguration(SECTION).get('anthropic.baseUrl'));
  return set || process.env['ANTHROPIC_BASE_URL']?.trim() || undefined;
}

/** Calls `listener` whenever one of Plimsoll's settings changed. */
export function onSettingsChanged(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(SECTION)) listener();
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function approvalMode(value: unknown): ApprovalMode {
  return APPROVAL_MODES.find((mode) => mode === value) ?? 'ask';
}
