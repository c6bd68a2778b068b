import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type: string }[]>>;
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly title: string;
    }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly scope: string; readonly default: unknown }>>;
    };
  };
}

const packageJson = () => {
  const extension = vscode.extensions.getExtension('plimsoll.plimsoll');
  ok(extension);
  return extension.packageJSON as Manifest;
};
const manifest = () => packageJson().contributes;
const restricted = () => packageJson().capabilities.untrustedWorkspaces.restrictedConfigurations;

describe('the names others rely on', () => {
  it('of the view', () => {
    deepEqual(
      manifest().viewsContainers.activitybar.map(({ id }) => id),
      ['plimsoll'],
    );
    deepEqual(
      manifest().views['plimsoll']?.map(({ id, type }) => `${id} ${type}`),
      ['plimsoll.panel webview'],
    );
  });

  it('of the commands', () => {
    const titles = Object.fromEntries(
      manifest().commands.map(({ command, category, title }) => [command, `${category}: ${title}`]),
    );
    equal(titles['plimsoll.open'], 'Plimsoll: Open Agent Panel');
    for (const name of ['newSession', 'stop', 'setApiKey', 'compact', 'showContext'])
      ok(titles[`plimsoll.${name}`], name);
  });

  it('of the settings, with scopes that keep a workspace from redirecting the key or loosening approvals', () => {
    const { properties } = manifest().configuration;
    const scopes = Object.fromEntries(Object.entries(properties).map(([name, { scope }]) => [name, scope]));
    const context = ['evictAt', 'prepareAt', 'compactAt', 'foldAt', 'strategy', 'compactionModel'];
    const lines = [...context, 'keepRounds', 'maxTokens', 'perModel'].map(
      (name) => [`plimsoll.context.${name}`, 'machine-overridable'] as const,
    );
    deepEqual(scopes, {
      ...Object.fromEntries(lines),
      'plimsoll.provider': 'machine',
      'plimsoll.anthropic.baseUrl': 'machine',
      'plimsoll.model': 'machine-overridable',
      'plimsoll.maxOutputTokens': 'machine-overridable',
      'plimsoll.context.window': 'machine-overridable',
      'plimsoll.approvals.mode': 'machine',
      'plimsoll.offload.threshold': 'machine-overridable',
      'plimsoll.offload.quotaMB': 'machine-overridable',
      'plimsoll.memory.path': 'machine-overridable',
      'plimsoll.memory.extract': 'machine-overridable',
      'plimsoll.maxRounds': 'machine-overridable',
    });
    const config = vscode.workspace.getConfiguration('plimsoll');
    equal(config.get('approvals.mode'), 'ask');
    equal(config.get('maxRounds'), 200);
  });

  it('of which an untrusted folder may set none', () => {
    const { properties } = manifest().configuration;
    const overridable = Object.keys(properties).filter(
      (name) => properties[name]?.scope === 'machine-overridable',
    );
    deepEqual([...restricted()].sort(), overridable.sort());
  });
});
