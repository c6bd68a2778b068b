import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import { installed } from './cache.ts';
import { registerPlaces } from './panel.ts';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

const FAMILIES = {
  monospace: 'DejaVu Sans Mono',
  'sans-serif': 'DejaVu Sans',
  'system-ui': 'DejaVu Sans',
  serif: 'DejaVu Serif',
};

/**
 * Starts the installed browser, or the one named by CHROMIUM_PATH. The profile is kept in the data folder: the
 * workbench stores its state and the extensions' secrets in the browser.
 */
export async function openBrowser(dataDir: string, viewport: Viewport): Promise<BrowserContext> {
  await registerPlaces();
  const own = process.env.CHROMIUM_PATH;
  const context = await chromium.launchPersistentContext(path.join(dataDir, 'browser'), {
    executablePath: own ?? path.join(installed.chromium, 'chromium'),
    args: FLAGS,
    viewport,
    ...(own === undefined && { env: { ...definedEnvironment(), ...libraries(dataDir) } }),
  });
  // Otherwise reading the clipboard waits for ever for somebody to allow it.
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'notifications']);
  return context;
}

function libraries(dataDir: string) {
  const fontconfig = path.join(dataDir, 'fonts.conf');
  writeFileSync(fontconfig, fontConfiguration());
  return { LD_LIBRARY_PATH: path.join(installed.chromium, 'lib'), FONTCONFIG_FILE: fontconfig };
}

function fontConfiguration(): string {
  const aliases = Object.entries(FAMILIES).map(
    ([generic, family]) =>
      `<alias binding="strong"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`,
  );
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${path.join(installed.chromium, 'fonts')}</dir>`,
    `<cachedir>${path.join(installed.chromium, 'font-cache')}</cachedir>`,
    ...aliases,
    '</fontconfig>',
  ].join('\n');
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
