import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Settings = Readonly<Record<string, unknown>>;

/** Themes by a short name: what the setting calls them, and the class the workbench wears. */
export const THEMES = {
  dark: { name: 'Dark Modern', className: 'vs-dark' },
  light: { name: 'Light Modern', className: 'vs' },
  highContrast: { name: 'Default High Contrast', className: 'hc-black' },
  highContrastLight: { name: 'Default High Contrast Light', className: 'hc-light' },
} as const;

export type Theme = keyof typeof THEMES;

/** A workbench that shows nothing unasked and asks the network for nothing. */
export const QUIET: Settings = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'window.autoDetectColorScheme': false,
  'workbench.colorTheme': THEMES.dark.name,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** What restricted mode needs: the folder is not trusted, and nobody is asked about it at the start. */
export const RESTRICTED: Settings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/**
 * Writes the profile's settings. A window of the editor server takes settings of scope `machine` from the machine's
 * file and all others from the user's, so each file gets them all.
 */
export function writeSettings(dataDir: string, settings: Settings): void {
  for (const folder of ['User', 'Machine']) {
    mkdirSync(path.join(dataDir, folder), { recursive: true });
    writeFileSync(path.join(dataDir, folder, 'settings.json'), JSON.stringify(settings, null, 2));
  }
}
