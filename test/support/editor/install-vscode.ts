import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm, unpack } from './npm-tarball.ts';
import { EDITOR, KEPT_EXTENSIONS, UNUSED_DEPENDENCIES, UNUSED_EXTENSIONS } from './pins.ts';

interface Manifest {
  readonly name: string;
  readonly publisher?: string;
  readonly version: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly browser?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Puts a VS Code that runs without compiling anything into `folder`. */
export async function installVscode(folder: string): Promise<void> {
  await unpack(EDITOR, folder, [
    '--strip-components=3',
    '--exclude=*.map',
    ...UNUSED_EXTENSIONS.map((name) => `--exclude=package/lib/vscode/extensions/${name}`),
    'package/lib/vscode',
  ]);
  dropUnusedDependencies(path.join(folder, 'package.json'));
  makeExtensionsInert(path.join(folder, 'extensions'));
  await installDependencies(folder);
  await installDependencies(path.join(folder, 'extensions'));
  replaceNativeModules(path.join(folder, 'node_modules'));
  keepOnePlatform(path.join(folder, 'node_modules'));
}

/** The shrinkwrap beside the manifest still pins every version and hash of what remains. */
function dropUnusedDependencies(file: string): void {
  const { overrides: _overrides, ...manifest } = readManifest(file) as Manifest & { overrides?: unknown };
  const wanted = Object.entries(manifest.dependencies ?? {}).filter(
    ([name]) => !UNUSED_DEPENDENCIES.includes(name),
  );
  writeManifest(file, { ...manifest, dependencies: Object.fromEntries(wanted) });
}

/**
 * A built-in extension with code is replaced by its bare manifest. Removing it outright would not do: the workbench
 * carries a copy of its own, which fails in the web worker unless something here shadows it.
 */
function makeExtensionsInert(extensions: string): void {
  for (const name of readdirSync(extensions)) {
    const file = path.join(extensions, name, 'package.json');
    if (KEPT_EXTENSIONS.includes(name) || !existsSync(file)) continue;
    const { publisher, version, engines, main, browser, name: id } = readManifest(file);
    if (main === undefined && browser === undefined) continue;
    rmSync(path.dirname(file), { recursive: true });
    mkdirSync(path.dirname(file));
    writeManifest(file, { name: id, publisher, version, engines, extensionKind: ['workspace'] });
  }
}

/** No script may run: what has native code either ships it prebuilt or is replaced below. */
async function installDependencies(folder: string): Promise<void> {
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await npm(folder, ['install', ...options, '--engine-strict=false', '--loglevel=error']);
}

function replaceNativeModules(modules: string): void {
  for (const name of ['spdlog', 'native-watchdog'])
    cpSync(
      path.join(import.meta.dirname, `stand-ins/${name}.cjs`),
      path.join(modules, `@vscode/${name}/index.js`),
    );
}

function keepOnePlatform(modules: string): void {
  for (const folder of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds'])
    for (const platform of readdirSync(path.join(modules, folder)))
      if (platform !== 'linux-x64') rmSync(path.join(modules, folder, platform), { recursive: true });
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

function writeManifest(file: string, manifest: object): void {
  writeFileSync(file, JSON.stringify(manifest, null, 1));
}
