// Runs the tests and ends with one line: `N passed, N failed`.
//   node scripts/test.mjs            everything, fastest first: check, package, host, e2e
//   node scripts/test.mjs host e2e   only these parts; there are `looks` too, the pictures in every theme, and
//                                    `desktop`, the host tests in a desktop VS Code
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot, run, runNode } from './run.mjs';
import './typescript.mjs';

const { canInstallEditor, installEditor } = await import('../test/support/editor/install.ts');

const results = path.join(projectRoot, 'test-results');
const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
const vsix = path.join(projectRoot, `plimsoll-${version}.vsix`);

/** @typedef {{ passed: number, failed: number }} Count */

/** @type {Record<string, () => Promise<Count>>} */
const PARTS = { check, package: packageExtension, host: () => hostTests('pinned'), e2e, looks, desktop };
const ALL = ['check', 'package', 'host', 'e2e'];

async function check() {
  const code = await runNode('scripts/check.mjs');
  // A failed format or lint ends `check` before its unit tests; how they stand is wanted all the same.
  if (!existsSync(path.join(results, 'unit.json'))) await run('npm', ['run', '--silent', 'test:unit']);
  return countOf(code, 'unit.json', (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }));
}

async function packageExtension() {
  return { passed: 0, failed: (await runNode('scripts/package.mjs')) === 0 ? 0 : 1 };
}

/** Runs the tests of test/host inside an extension host: of the pinned editor where it runs, else of a desktop one. */
async function hostTests(where) {
  const built = await runNode('esbuild.mjs', ['--tests']);
  if (built !== 0) return countOf(built);
  if (where === 'pinned' && canInstallEditor()) await installEditor(console.log);
  const workspace = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-workspace-'));
  const code = await runInHost(where, workspace);
  rmSync(workspace, { recursive: true, force: true });
  return countOf(code, 'host.json', (report) => {
    console.log(report.report);
    return report;
  });
}

async function runInHost(where, workspace) {
  const { runTests } = await import('@vscode/test-electron');
  const standIn = path.join(projectRoot, 'scripts/code-stand-in.mjs');
  try {
    return await runTests({
      ...(where === 'pinned' && canInstallEditor() && { vscodeExecutablePath: standIn }),
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: path.join(projectRoot, 'dist/test-host/index.js'),
      extensionTestsEnv: { PLIMSOLL_RESULTS: path.join(results, 'host.json') },
      launchArgs: [workspace],
    });
  } catch (error) {
    console.error(String(error));
    return 1;
  }
}

async function desktop() {
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (process.platform === 'linux' && !hasDisplay)
    console.error(
      'There is no display: a desktop VS Code cannot start here. Try `xvfb-run npm run test:desktop`.',
    );
  return hostTests('desktop');
}

function looks() {
  return e2e(['looks'], { PLIMSOLL_LOOKS: 'all' });
}

/** Against the package: what is installed is what is tested. */
async function e2e(files = [], env = {}) {
  if (!canInstallEditor()) {
    console.log('The end-to-end tests need Linux on x64 with glibc: left out.');
    return { passed: 0, failed: 0 };
  }
  if (!existsSync(vsix) || !isFullRun) {
    const packed = await packageExtension();
    if (packed.failed > 0) return packed;
  }
  await installEditor(console.log);
  const playwright = path.join(projectRoot, 'node_modules/@playwright/test/cli.js');
  const code = await runNode(playwright, ['test', ...files, ...options], { PLIMSOLL_VSIX: vsix, ...env });
  return countOf(code, 'e2e.json', ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
  }));
}

/** A part that failed without a failed test (it did not build, lint or start) counts as one failure. */
function countOf(code, reportName = '', read = (report) => report) {
  const report = path.join(results, reportName);
  const { passed, failed } =
    reportName !== '' && existsSync(report)
      ? read(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0 };
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) };
}

const args = process.argv.slice(2);
const options = args.filter((arg) => !(arg in PARTS));
const chosen = args.filter((arg) => arg in PARTS);
const isFullRun = chosen.length === 0;

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total = { passed: 0, failed: 0 };
for (const name of isFullRun ? ALL : chosen) {
  console.log(`\n=== ${name}`);
  const { passed, failed } = await PARTS[name]();
  total.passed += passed;
  total.failed += failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
