// Opens the folder in the pinned editor server, with Plimsoll as it was just built.
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { projectRoot } from './run.mjs';
import './typescript.mjs';

const { installEditor } = await import('../test/support/editor/install.ts');
const { startServer } = await import('../test/support/editor/server.ts');
const { QUIET, writeSettings } = await import('../test/support/editor/settings.ts');

/** 0 where the port is taken: then any free one. */
function freePort(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

/** The same port every time: the workbench keeps its state, and the stored key, by address. */
export async function openServer({ folder, env, profile, port }) {
  await installEditor(console.log);
  // A person may have changed them since the first start.
  if (!existsSync(path.join(profile, 'User/settings.json'))) writeSettings(profile, QUIET);
  // The list of extensions is read only once; what it says of Plimsoll's version may be of yesterday.
  rmSync(path.join(profile, 'extensions'), { recursive: true, force: true });
  const server = await startServer({
    dataDir: profile,
    port: await freePort(port),
    env,
    extensionFolders: [projectRoot],
  });
  return {
    where: `http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(folder)}`,
    howToStop: 'Ctrl+C here stops everything.',
    ended: server.ended,
    close: () => server.close(),
  };
}
