import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openBrowser } from './browser.ts';
import { startServer } from './server.ts';
import { QUIET, writeSettings } from './settings.ts';

const RUN_TIMEOUT_MS = 600_000;
const TIMED_OUT = 124;
const VIEWPORT = { width: 1280, height: 800 };

/**
 * Runs `--extensionTestsPath` against `--extensionDevelopmentPath` in the folder that is given without a flag.
 * @returns the exit code; after a failure what the window has logged goes to stdout
 */
export async function runAsCode(args: readonly string[]): Promise<number> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-host-tests-'));
  writeSettings(dataDir, QUIET);
  const server = await startServer({ dataDir, allowDevelopment: true });
  try {
    const context = await openBrowser(dataDir, VIEWPORT);
    const [page = await context.newPage()] = context.pages();
    const exit = new Promise<number>((resolve) => {
      void context.exposeFunction('codeAutomationExit', resolve);
      setTimeout(() => resolve(TIMED_OUT), RUN_TIMEOUT_MS).unref();
    });
    const log: string[] = [];
    page.on('console', (message) => log.push(message.text()));
    await page.goto(testWindow(server.port, args));
    const code = await exit;
    await context.close();
    if (code !== 0) console.log(log.map(withoutColour).join('\n'));
    return code;
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function testWindow(port: number, args: readonly string[]): string {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const remote = (file = '') => `vscode-remote://127.0.0.1:${port}${path.resolve(file)}`;
  const payload = ['extensionDevelopmentPath', 'extensionTestsPath'].map((name) => [
    name,
    remote(option(name)),
  ]);
  const folder = args.find((arg) => !arg.startsWith('-')) ?? '.';
  const query = new URLSearchParams({ folder: path.resolve(folder), payload: JSON.stringify(payload) });
  return `http://127.0.0.1:${port}/?${query}`;
}

/** The workbench's console messages begin with a style and its text. */
function withoutColour(message: string): string {
  return message.replace(/^%c\s*(\w+)\s*color: #\w+ /, '[$1] ');
}
