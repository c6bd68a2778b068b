import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

const COMMANDS = [
  ...['compact', 'newSession', 'open', 'openInEditor', 'setApiKey', 'showContext', 'stop'],
].map((name) => `plimsoll.${name}`);

const extension = () => {
  const found = vscode.extensions.getExtension('plimsoll.plimsoll');
  ok(found, 'the extension is not installed');
  return found;
};

describe('activation', () => {
  it('waits until something of Plimsoll is used', () => {
    equal(extension().isActive, false);
  });

  it('succeeds, and every command of the manifest then has its handler', async () => {
    await extension().activate();

    const registered = await vscode.commands.getCommands(true);
    deepEqual(
      COMMANDS.filter((command) => registered.includes(command)),
      COMMANDS,
    );
  });
});
