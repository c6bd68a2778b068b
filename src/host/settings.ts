import * as vscode from 'vscode';
import type { ApprovalMode, Settings } from '../core/model/settings.ts';
import { DEFAULT_OFFLOAD } from '../core/model/settings.ts';
import { readContext, text, wholeNumber } from './context-settings.ts';

const SECTION = 'plimsoll';
/** As in the manifest, which only warns. Tokens. */
const MIN_WINDOW = 1_024;
const MIN_OUTPUT = 256;
/** Characters. */
const MIN_THRESHOLD = 1_000;

const APPROVAL_MODES: readonly ApprovalMode[] = ['ask', 'acceptEdits', 'auto'];

/** The settings as they are now. What a settings file holds is input: values out of range fall back to the default. */
export function readSettings(): Settings {
  const config = vscode.workspace.getConfiguration(SECTION);
  const window = wholeNumber(config.get('context.window'), MIN_WINDOW);
  return {
    model: text(config.get('model')),
    maxOutputTokens: wholeNumber(config.get('maxOutputTokens'), MIN_OUTPUT) ?? 32_000,
    approvalMode: approvalMode(config.get('approvals.mode')),
    maxRounds: wholeNumber(config.get('maxRounds'), 1) ?? 200,
    context: readContext((name) => config.get(`context.${name}`)),
    offload: {
      threshold: wholeNumber(config.get('offload.threshold'), MIN_THRESHOLD) ?? DEFAULT_OFFLOAD.threshold,
      quotaMB:
        config.get('offload.quotaMB') === null
          ? null
          : (wholeNumber(config.get('offload.quotaMB'), 1) ?? DEFAULT_OFFLOAD.quotaMB),
    },
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

function approvalMode(value: unknown): ApprovalMode {
  return APPROVAL_MODES.find((mode) => mode === value) ?? 'ask';
}
