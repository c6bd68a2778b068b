// Builds Plimsoll and opens a real VS Code on a folder with it. What the flags mean: node scripts/start.mjs --help
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDesktop, findDesktop } from './desktop.mjs';
import { projectRoot, runNode } from './run.mjs';
import { openServer } from './editor-server.mjs';
import './typescript.mjs';

const HELP = `npm start -- [folder] [flags]

  folder        what to open; by default a fresh copy of a small sample project
  --desktop     in a desktop VS Code, fetched where \`code\` is not on the PATH
  --server      in the pinned editor server, at a local address
  --real        talk to the real model with the key stored by "Plimsoll: Set API Key";
                this is so by itself where ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL is set
  --simulated   talk to the simulated model in any case
  --port <n>    the editor server's port (3417)
  --profile <d> where the editor keeps its settings and sessions (.vscode-test/profile)
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    desktop: { type: 'boolean' },
    server: { type: 'boolean' },
    real: { type: 'boolean' },
    simulated: { type: 'boolean' },
    port: { type: 'string', default: '3417' },
    profile: { type: 'string' },
    help: { type: 'boolean' },
  },
});

/** What has to be undone at the end, last first. */
const closers = [];

let closing;

async function stop(code) {
  closing ??= (async () => {
    for (const close of closers.reverse()) await close();
  })();
  await closing;
  process.exit(code);
}

function prepareFolder() {
  const [given] = positionals;
  if (given !== undefined) return { folder: path.resolve(given), note: '' };
  const parent = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-'));
  closers.push(() => rmSync(parent, { recursive: true, force: true }));
  const folder = path.join(parent, 'harbour');
  cpSync(path.join(projectRoot, 'test/support/sample-project'), folder, { recursive: true });
  return { folder, note: '(a fresh copy of the sample project, removed at the end)' };
}

/** The model's address and key travel in the environment, so that nothing of them stays in the profile. */
async function prepareModel() {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseUrl } = process.env;
  if (!flags.simulated && (flags.real || key || baseUrl))
    return { env: {}, lines: [baseUrl ? `at ${baseUrl}` : 'Anthropic'] };
  const { startModelServer } = await import('../test/support/model-server/model-server.ts');
  const { tour } = await import('../test/support/model-server/tour.ts');
  const server = await startModelServer({ scenario: tour });
  closers.push(() => server.close());
  return {
    env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'simulated' },
    lines: [
      'simulated: a scripted tour of the sample project. Nothing leaves this machine.',
      'For the real one set a key: ANTHROPIC_API_KEY=sk-ant-… npm start',
      'or store it with the command "Plimsoll: Set API Key" and run: npm start -- --real',
    ],
  };
}

async function openEditor(options) {
  const { canInstallEditor } = await import('../test/support/editor/install.ts');
  const desktop = flags.server ? undefined : findDesktop();
  const wantsDesktop = flags.desktop || desktop !== undefined || !canInstallEditor();
  if (wantsDesktop && !flags.server) return openDesktop(options, desktop);
  return openServer({ ...options, port: Number(flags.port) });
}

async function main() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stop(0));
  if ((await runNode('esbuild.mjs')) !== 0) return stop(1);
  const { cacheRoot } = await import('../test/support/editor/cache.ts');
  const { folder, note } = prepareFolder();
  const model = await prepareModel();
  const profile = path.resolve(flags.profile ?? path.join(cacheRoot, 'profile'));
  const editor = await openEditor({ folder, env: model.env, profile });
  closers.push(editor.close);
  const [first, ...more] = model.lines;
  console.log(`
Plimsoll is running.

  Open    ${editor.where}
  Folder  ${folder} ${note}
  Model   ${[first, ...more].join('\n          ')}

In the editor press F1, choose "Plimsoll: Open Agent Panel", and hand over a task.
${editor.howToStop}
`);
  await editor.ended;
  return stop(0);
}

if (flags.help) console.log(HELP);
else
  await main().catch((error) => {
    console.error(`Plimsoll could not start: ${error.message}`);
    return stop(1);
  });
