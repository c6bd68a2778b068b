import { existsSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type * as Vscode from 'vscode';

export const bridgeExtension = path.join(import.meta.dirname, 'bridge');

/**
 * A function that is sent as source text and runs inside the extension host. It sees its arguments and the globals
 * there, nothing of the test around it. Arguments and result travel as JSON.
 */
export type HostFunction<Args extends readonly unknown[], Result> = (
  vscode: typeof Vscode,
  ...args: Args
) => Result | Promise<Result>;

interface Call {
  readonly fn: string;
  readonly args: readonly unknown[];
}

const CALL_TIMEOUT_MS = 60_000;

export function hasBridge(folder: string, pid: number): boolean {
  return existsSync(socketOf(folder, pid));
}

function socketOf(folder: string, pid: number): string {
  return path.join(folder, `${pid}.sock`);
}

/**
 * Runs a function inside the extension host `pid`.
 * @throws Error with the function's own stack, or when the host goes away meanwhile
 */
export function callHost(folder: string, pid: number, call: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketOf(folder, pid));
    const timer = setTimeout(
      () => socket.destroy(new Error('the extension host does not answer')),
      CALL_TIMEOUT_MS,
    );
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error(`the extension host ${pid} went away`));
    });
    createInterface(socket).on('line', (line) => {
      const { result, error } = JSON.parse(line) as { readonly result?: unknown; readonly error?: string };
      if (error === undefined) resolve(result);
      else reject(new Error(error));
      socket.end();
    });
    socket.write(`${JSON.stringify(call)}\n`);
  });
}
