import * as vscode from 'vscode';
import type { ApprovalMode, Settings } from '../core/model/settings.ts';
import { DEFAULT_OFFLOAD } from '../core/model/settings.ts';
import { contextObjections, objection, readContext, text, wholeNumber } from './context-settings.ts';
import { memoryObjections, readMemorySettings } from './memory-settings.ts';

const SECTION = 'plimsoll';
/** As in the manifest, which only warns. Tokens. */
const MIN_WINDOW = 1_024;
const MIN_OUTPUT = 256;
const DEFAULT_OUTPUT = 32_000;
const DEFAULT_ROUNDS = 200;
/** Characters. */
const MIN_THRESHOLD = 1_000;

const APPROVAL_MODES: readonly ApprovalMode[] = ['ask', 'acceptEdits', 'auto'];

/** The settings as they are now. What a settings file holds is input: values out of range fall back to the default. */
export function readSettings(): Settings {
  const config = vscode.workspace.getConfiguration(SECTION);
  const window = wholeNumber(config.get('context.window'), MIN_WINDOW);
  return {
    model: text(config.get('model')),
    maxOutputTokens: wholeNumber(config.get('maxOutputTokens'), MIN_OUTPUT) ?? DEFAULT_OUTPUT,
    approvalMode: approvalMode(config.get('approvals.mode')),
    maxRounds: wholeNumber(config.get('maxRounds'), 1) ?? DEFAULT_ROUNDS,
    context: readContext((name) => config.get(`context.${name}`)),
    offload: {
      threshold: wholeNumber(config.get('offload.threshold'), MIN_THRESHOLD) ?? DEFAULT_OFFLOAD.threshold,
      quotaMB:
        config.get('offload.quotaMB') === null
          ? null
          : (wholeNumber(config.get('offload.quotaMB'), 1) ?? DEFAULT_OFFLOAD.quotaMB),
    },
    memory: readMemorySettings((name) => config.get(`memory.${name}`)),
    ...(window === undefined ? {} : { window }),
  };
}

/** What a person should know of the settings that are not taken as they stand: a sentence each. */
export function settingObjections(): readonly string[] {
  const config = vscode.workspace.getConfiguration(SECTION);
  const whole = (name: string, least: number, used: unknown) => {
    const value = config.get<unknown>(name);
    const isFine = value === null || value === undefined || wholeNumber(value, least) !== undefined;
    const wants = `a whole number from ${least}`;
    return isFine ? [] : [`${objection(name, value, { wants, used })}.`];
  };
  const mode = config.get<unknown>('approvals.mode');
  const modes = APPROVAL_MODES.map((known) => `"${known}"`).join(' or ');
  return [
    ...whole('maxOutputTokens', MIN_OUTPUT, DEFAULT_OUTPUT),
    ...whole('context.window', MIN_WINDOW, null),
    ...whole('maxRounds', 1, DEFAULT_ROUNDS),
    ...(approvalMode(mode) === mode
      ? []
      : [`${objection('approvals.mode', mode, { wants: modes, used: approvalMode(mode) })}.`]),
    ...contextObjections((name) => config.get(`context.${name}`)),
    ...memoryObjections((name) => config.get(`memory.${name}`)),
  ];
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
